use super::*;
use proptest::prelude::*;

use crate::readers::article::Block;

/// The text of a page, block by block, each under its heading.
fn plain(html: &str) -> String {
    let shown = |block: Block| match block.section {
        Some(section) => format!("{section}: {}", block.text),
        None => block.text,
    };
    read("Page", html).blocks.into_iter().map(shown).collect::<Vec<_>>().join("|")
}

#[test]
fn headings_are_the_sections_of_what_follows() {
    let html = "<section><p>Iron.</p></section>\n<section><h2>Rust &amp; <i>air</i></h2><p>Red.</p><ul><li>one\
        <ul><li>two</li></ul></li></ul></section><h3></h3>loose <b>words</b><div>a box</div>";
    assert_eq!(plain(html), "Iron.|Rust & air: Red.|Rust & air: one|Rust & air: two|loose words|a box");
}

#[test]
fn elements_that_never_end_end_with_their_paragraph() {
    assert_eq!(plain("<p>10<sup>3 and <b>bold<p>more 2<sub>4</p><h2>Rust<p>red"), "10^(3 and bold)|more 2₄|Rust: red");
    assert_eq!(plain("<p>Iron.<table><tr><td>one<td>two<tr><td>three"), "Iron.");
    assert_eq!(plain("</sup></table></td></h2></b></p>Iron</x> rusts."), "Iron rusts.");
    assert_eq!(plain("<p>a<figure>lump<p>b"), "a");
}

#[test]
fn small_text_reads_as_it_is_meant() {
    let html = "<p>10<sup>30</sup>, 19<sup>th</sup>, CO<sub>2</sub>, x<sup><i>n</i></sup>, 5<sup>o</sup>, a<sup>[b]</sup>.</p>";
    assert_eq!(plain(html), "10³⁰, 19th, CO₂, x^n, 5°, a.");
}

#[test]
fn what_is_bold_in_the_first_sentence_is_a_name() {
    let hatnote = "<div class=\"hatnote\" role=\"note\">For <b>another</b>, see there.</div>";
    let names = |lead: &str| read("Iron", &format!("{hatnote}<p>{lead}</p><p><b>Later</b></p>")).names;
    assert_eq!(
        names("<b>Iron</b> (or <i><b>ferrum</b></i>) is <b><a>Metal</a> No. 26</b>. <b>Rust</b> is red."),
        ["Iron", "ferrum", "Metal No. 26"]
    );
    assert_eq!(names("<b>L'</b><b>eau</b> is <b></b>wet."), ["L'eau"]);
    assert_eq!(names("It is <b>never closed."), ["never closed."]);
}

#[test]
fn infoboxes_and_tables_are_facts() {
    let infobox = "<table class=\"infobox vcard\"><tbody><tr><th colspan=\"2\">Iron</th></tr>\
        <tr><td colspan=\"2\"><span typeof=\"mw:File\"><img/></span></td></tr>\
        <tr><th scope=\"row\">Melting point</th><td>1538 °C<sup class=\"reference\">[1]</sup></td></tr>\
        <tr><th>Discovered by</th><td><ul><li>Ann</li><li>Bob</li></ul></td></tr>\
        <tr><th>Website</th><td>example.org</td></tr></tbody></table>";
    assert_eq!(read("Iron", infobox).facts, ["Iron: Melting point: 1538 °C.", "Iron: Discovered by: Ann, Bob."]);
    let table = |cell: &str| {
        format!(
            "<table class=\"wikitable\"><caption>Moons</caption><tbody><tr><th>Moon</th><th>Radius</th></tr>\
             <tr><td><b>Phobos</b></td><td>{cell}</td></tr><tr><td colspan=\"2\">Sum</td></tr></tbody></table>After."
        )
    };
    assert_eq!(read("Mars", &table("11 km")).facts, ["Mars: Phobos: Radius: 11 km."]);
    assert_eq!(plain(&table("11 km")), "After.");
    let nested = read("Mars", &table("<table><tr><td>11</td></tr></table>"));
    assert_eq!(nested.facts, Vec::<String>::new());
    assert_eq!(
        read(
            "Mars",
            "<div class=\"infobox\">Radius</div><table class=\"navbox infobox\"><tr><th>a</th><td>b</td></tr></table>"
        ),
        Article::default()
    );
}

#[test]
fn a_redirect_has_no_text() {
    assert_eq!(plain("<p>Iron.</p><link rel=\"mw:PageProp/redirect\" href=\"./Iron\"/><p>Iron</p>"), "");
}

#[test]
fn chemistry_is_read_and_a_formula_of_many_lines_is_not() {
    let formula = |kind: &str, source: &str| {
        let data = format!("{{\"name\":\"x\",\"body\":{{\"extsrc\":\"{source}\"}}}}");
        format!(
            "<p>One. It is <span typeof=\"mw:Extension/{kind}\" data-mw='{data}'><math><mi>x</mi></math></span> now.</p>"
        )
    };
    assert_eq!(plain(&formula("chem", "SO4^2-")), "One. It is SO₄²⁻ now.");
    assert_eq!(plain(&formula("math", "E=mc^2")), "One. It is E=mc² now.");
    assert_eq!(plain(&formula("math", "\\\\begin{matrix}1\\\\end{matrix}")), "One.");
    assert_eq!(plain("<p>It is <math alttext=\"x^{2}\"><mi>x</mi></math> now.</p>"), "It is x² now.");
}

proptest! {
    #[test]
    fn no_html_makes_reading_panic(pieces in proptest::collection::vec(prop_oneof![
        "[a-z =*|\u{0}-\u{3}]{0,6}",
        prop::sample::select(vec![
            "<p>", "</p>", "<b>", "</b>", "<sup>", "</sup>", "<sub>", "<h2>", "</h2>", "<table>", "<table class=infobox>",
            "</table>", "<tr>", "<td>", "<th>", "</td>", "<li>", "</li>", "<br>", "<s>", "</s>", "<math alttext='x^'>",
            "</math>", "<style>", "</style>", "<!--", "-->", "&amp", "&#0;", "<span class=ipa>", "</span>", "<",
        ]).prop_map(String::from),
    ], 0..40)) {
        let article = read("Page", &pieces.concat());
        let marked = |text: &String| text.contains(['\u{0}', '\u{1}', '\u{2}', '\u{3}']) || text.contains("'''");
        let mut texts = article.blocks.iter().map(|block| &block.text).chain(&article.facts).chain(&article.names);
        prop_assert!(!texts.any(marked), "{article:?}");
    }
}
