use std::time::{Duration, Instant};

use super::*;
use proptest::prelude::*;

/// The text of a page, block by block, each under its heading.
fn plain(markup: &str) -> Vec<String> {
    let shown = |block: Block| match block.section {
        Some(section) => format!("{section}: {}", block.text),
        None => block.text,
    };
    blocks(markup, &Hidden::default()).into_iter().map(shown).collect()
}

/// The text of markup that is one paragraph.
#[track_caller]
fn one(markup: &str) -> String {
    let blocks = plain(markup);
    assert_eq!(blocks.len(), 1, "{blocks:?}");
    blocks.concat()
}

#[test]
fn templates_are_dropped_however_nested() {
    assert_eq!(one("Iron {{IPA|{{lang|en|x {{y}} }}}}is a metal."), "Iron is a metal.");
    assert_eq!(one("{{Infobox\n| a = {{b|c}}\n| d = [[e]]\n|}}\nIron is a metal."), "Iron is a metal.");
    assert_eq!(one("a{{{1|b}}}c {{#if: x | y }}d"), "ac d");
}

#[test]
fn what_a_template_leaves_is_tidied() {
    assert_eq!(one("Paris ({{IPA|x}}; {{lang|y}}) is a city {{z}}, a large one."), "Paris is a city, a large one.");
    assert_eq!(one("Curie ({{né}}, born 1867) won."), "Curie (born 1867) won.");
    assert_eq!(one("The .NET, f (x) and main() stay."), "The .NET, f (x) and main() stay.");
}

#[test]
fn tables_are_dropped_however_nested() {
    let table = "Before.\n{| class=\"x\"\n|-\n! a !! b\n|-\n| c || [[d]]\n{|\n| inner\n|}\n| e {{f|\n|}}\n|}\nAfter.";
    assert_eq!(plain(table), ["Before.", "After."]);
    assert_eq!(plain("Text.\n  :{|\n| x\n|}\n\nMore."), ["Text.", "More."]);
    assert_eq!(
        plain("A.\n{|\n| a {{small|b\n|}\n\nAn unclosed template does not outlive its table."),
        ["A.", "An unclosed template does not outlive its table."]
    );
    assert_eq!(one("A {| that begins no line stays."), "A {| that begins no line stays.");
    assert_eq!(plain("{{table top}}\n| a row\n|-\n| another\n{{table end}}\nText."), ["Text."]);
}

#[test]
fn references_and_other_elements_without_text_are_dropped() {
    assert_eq!(
        one("Iron<ref name=\"a\">{{cite|x}} [[y</ref> rusts<ref name=a /> in air<REF>z</REF >."),
        "Iron rusts in air."
    );
    assert_eq!(one("The area <math>\\pi r^2</math> grows.<gallery>\nFile:a.png|b\n</gallery>"), "The area grows.");
    assert_eq!(one("Water is H<sub>2</sub>O, <!-- not\nthis -->wet."), "Water is H2O, wet.");
    assert_eq!(one("a<!-- never closed"), "a");
    assert_eq!(plain("one<br />two<br>three"), ["one two three"]);
}

#[test]
fn links_become_their_text() {
    assert_eq!(
        one("[[Iron]] and [[Iron(II) oxide|its oxides]], [[metal]]s, [[:Category:Metals]]"),
        "Iron and its oxides, metals, Category:Metals"
    );
    assert_eq!(
        one("[[File:a.png|thumb|A [[lump]] of {{x}} iron|alt=b]][[Image:c.jpg]]Iron[[Category:Metals|Iron]]"),
        "Iron"
    );
    assert_eq!(one("Iron [[fr:Fer]][[zh-min-nan:Thih]][[simple:Iron]][[wikt:iron|the word]]"), "Iron the word");
    assert_eq!(
        one("See [https://example.org/a?b the ''site''], [https://example.org] or [//x.org y]."),
        "See the site, or y."
    );
    assert_eq!(one("An [array] of [[a|b|c]] and [[ d ]]."), "An [array] of b|c and d.");
    let mut german = Hidden::default();
    german.add("Datei");
    assert_eq!(blocks("[[datei:a.png|mini]] Eisen", &german)[0].text, "Eisen");
}

#[test]
fn headings_are_sections_and_list_items_are_blocks() {
    let page = "Lead.\n== ''History'' ==\nOld.\nVery old.\n\nNew.\n* one\n** two\n: three\n#four\n===Later {{x}}=== <!-- c -->\nEnd.\n----\n==  ==\nNo heading.";
    assert_eq!(
        plain(page),
        [
            "Lead.",
            "History: Old. Very old.",
            "History: New.",
            "History: one",
            "History: two",
            "History: three",
            "History: four",
            "Later: End.",
            "No heading."
        ]
    );
}

#[test]
fn quotes_entities_and_switches_are_read() {
    assert_eq!(
        one("__NOTOC__'''''Both''''' '''b''' ''i'' ''''q'''' it's snake__case"),
        "Both b i 'q' it's snake__case"
    );
    assert_eq!(
        one("5&nbsp;km &ndash; &#233;&#xE9; &amp;lt; &unknown; & &#0; &#x110000;"),
        "5 km – éé &lt; &unknown; & &#x110000;"
    );
}

#[test]
fn nowiki_is_text_as_it_stands() {
    assert_eq!(
        one("Write <nowiki>[[a|b]] and {{c}}</nowiki> or <nowiki />'''this'''."),
        "Write [[a|b]] and {{c}} or this."
    );
}

#[test]
fn what_is_never_closed_is_text_without_its_brackets() {
    assert_eq!(one("{{Infobox unclosed. Iron [[is a [https://x.org metal."), "Infobox unclosed. Iron is a metal.");
    assert_eq!(plain("An [[open link\n\nand the next [[paragraph]]"), ["An open link", "and the next paragraph"]);
    assert_eq!(one("Iron<ref>is a metal</reference>."), "Ironis a metal.");
    assert_eq!(
        one("Closed }} and ]] and |} before anything opens, 1 < 2 > 0, a<b."),
        "Closed }} and ]] and |} before anything opens, 1 < 2 > 0, a<b."
    );
    assert_eq!(one("{{a [[b }} c ]] d"), "c ]] d");
}

// What takes time by the square of the length takes many minutes here.
#[test]
fn a_megabyte_of_brackets_takes_linear_time() {
    for piece in [
        "{{", "[[", "}}", "[[a|", "{|\n", "\n|}", "<ref>", "<!--", "[http://", "'", "(", "&", "__", "<a", "{{a|[[b",
        "{|\n{{", "]] }}",
    ] {
        let started = Instant::now();
        blocks(&piece.repeat((1 << 20) / piece.len()), &Hidden::default());
        assert!(started.elapsed() < Duration::from_secs(60), "{piece:?} took {:?}", started.elapsed());
    }
}

/// Text that is mostly markup.
fn markup() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "{{",
        "}}",
        "{|",
        "|}",
        "[[",
        "]]",
        "|",
        "\n",
        "\n\n",
        "==",
        "*",
        "<ref>",
        "</ref>",
        "<ref/>",
        "<!--",
        "-->",
        "<nowiki>",
        "</nowiki>",
        "''",
        "[http://x ",
        "]",
        "&nbsp;",
        "&",
        "word ",
        "é",
        "__TOC__",
        "File:",
        "\u{130}",
        "<br>",
        "(",
        ")",
    ];
    proptest::collection::vec(proptest::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_makes_stripping_panic(text: String) {
        plain(&text);
    }

    #[test]
    fn no_markup_makes_stripping_panic(text in markup()) {
        plain(&text);
    }
}
