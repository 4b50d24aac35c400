use super::*;
use proptest::prelude::*;

use crate::readers::article::Block;

/// The text of a page, block by block, each under its heading.
fn plain(markup: &str) -> Vec<String> {
    let shown = |block: Block| match block.section {
        Some(section) => format!("{section}: {}", block.text),
        None => block.text,
    };
    read("Page", markup, &Hidden::default()).blocks.into_iter().map(shown).collect()
}

/// The text of markup that is one paragraph.
#[track_caller]
fn one(markup: &str) -> String {
    let blocks = plain(markup);
    assert_eq!(blocks.len(), 1, "{blocks:?}");
    blocks.concat()
}

/// Markup, and the text that it is to become.
#[track_caller]
fn assert_reads(pairs: &[(&str, &str)]) {
    for (markup, text) in pairs {
        assert_eq!(plain(markup).join("|"), *text, "{markup}");
    }
}

#[test]
fn templates_may_be_nested() {
    assert_eq!(one("Iron {{IPA|{{lang|en|x {{y}} }}}}is a metal."), "Iron is a metal.");
    assert_eq!(one("{{Infobox\n| a = {{b|c}}\n| d = [[e]]\n|}}\nIron is a metal."), "Iron is a metal.");
    assert_eq!(one("a{{{1|b}}}c {{#if: x | y }}d"), "abc yd");
    assert_eq!(
        one("It has {{nowrap|{{convert|{{formatnum:1200}}|km|mi}} of {{lang|de|''Autobahn''}}}}."),
        "It has 1,200 kilometres of Autobahn."
    );
    assert_eq!(one("{{{{{1|small}}}|tiny}} and {{{a|{{nowrap|b}}}}}"), "tiny and b");
}

#[test]
fn what_a_template_leaves_is_tidied() {
    assert_eq!(one("Paris ({{IPA|x}}; {{lang|y}}) is a city{{cn}}, a large one."), "Paris is a city, a large one.");
    assert_eq!(one("Curie ({{audio|x}}, born 1867; {{efn|y}}) won."), "Curie (born 1867) won.");
    assert_eq!(one("The .NET, f (x) and main() stay."), "The .NET, f (x) and main() stay.");
}

#[test]
fn a_sentence_with_an_unknown_template_is_left_out() {
    assert_reads(&[
        (
            "It is old. It is {{elevation of|Ona}} high. Mr. Smith, 5 ft. tall, saw {{x}} it. It stands.",
            "It is old. It stands.",
        ),
        ("It is {{foo}} high.", ""),
        ("The lake (of {{area of|Ona}}) is deep.", "The lake is deep."),
        ("One.{{foo}} Two! {{foo}}\nThree.", "One. Two! Three."),
        ("{{Use oxford spelling}}\nIron is a metal.\n{{foo}} {{bar|a\n|b}}\nIt rusts.", "Iron is a metal.|It rusts."),
        ("{{Speculative box|a=b\n|c}}Iron is a metal.", "Iron is a metal."),
        ("{{foo}} is a metal. It rusts.", "It rusts."),
        ("東京は{{foo}}である。大きい。", "大きい。"),
        ("* {{foo}}\n* a {{foo}}\n* b", "b"),
        ("Its mass is {{convert|5|foobars}}. It is red.", "It is red."),
        ("Its mass is {{convert|5|kg. It is red.\n\nNext.", "It is red.|Next."),
        ("He is {{age|1950|1|2}} years old.", ""),
        ("See {{lc:ABC}} and {{#switch:a|b=c}} here.", ""),
        ("It is pronounced {{IPA|x}}. Good.", "Good."),
        ("It lies at {{coord|1|N|2|E}}. Good. {{coord|1|N|2|E|display=title}}", "Good."),
        ("=== Later {{foo}} ===\nText.", "Later: Text."),
    ]);
}

#[test]
fn quantities_are_read() {
    assert_reads(&[
        ("At {{convert|740|mi|km}}, Ona has the longest canal.", "At 740 miles, Ona has the longest canal."),
        ("It covers {{cvt|62|ha|acre}}.", "It covers 62 ha."),
        ("{{convert|&minus;5|C}}, {{convert|&nbsp;5|C}}", "−5 °C, 5 °C"),
        ("{{Convert|1|mi|km}} and {{convert|-1|C|F}}", "1 mile and −1 °C"),
        (
            "{{convert|5|to|10|km|mi}}, {{convert|5|-|10|km}}, {{convert|5–10|km|abbr=on}}",
            "5 to 10 kilometres, 5–10 kilometres, 5–10 km",
        ),
        ("{{convert|10|x|20|x|30|ft|m}}, {{cvt|10|x|20|ft|m}}", "10 by 20 by 30 feet, 10 × 20 ft"),
        ("{{convert|3|and|5|lb|kg}}, {{convert|3|or|5|kg|lb|sigfig=2}}", "3 and 5 pounds, 3 or 5 kilograms"),
        ("a {{convert|740|mi|km|adj=on}} road, {{convert|5|sqmi|adj=on}} lake", "a 740-mile road, 5-square-mile lake"),
        ("{{convert|10|ft|m|adj=mid|-long}} wall", "10-foot-long wall"),
        (
            "{{convert|6|ft|2|in|m|0}}, {{cvt|6|ft|2|in}}, {{convert|100|km|0}}",
            "6 feet 2 inches, 6 ft 2 in, 100 kilometres",
        ),
        (
            "{{convert|14000|m|ft|sp=us}}, {{convert|1.5e6|km}}, {{convert|3+1/2|in}}",
            "14,000 meters, 1.5×10⁶ kilometres, 3 1/2 inches",
        ),
        (
            "{{convert|5|e6acre}}, {{convert|5|e6km|abbr=unit}}, {{convert|0.5|mi}}, {{convert|1/2|mi}}",
            "5 million acres, 5 million km, 0.5 miles, 1/2 mile",
        ),
        ("{{convert|20|C}}, {{convert|300|km/h}}, {{cvt|120|PD/sqkm}}", "20 °C, 300 kilometres per hour, 120 per km²"),
        ("{{convert\n| 5 \n| km \n| mi }}", "5 kilometres"),
        ("{{height|ft=5|in=11}}, {{height|m=1.80}}, {{weight|kg=70}}", "5 ft 11 in, 1.80 m, 70 kg"),
    ]);
}

#[test]
fn numbers_are_read() {
    assert_reads(&[
        ("{{formatnum:1234567.891}}, {{formatnum:1,234|R}}, {{formatnum:-5000}}", "1,234,567.891, 1234, −5,000"),
        ("{{frac|1|2}}, 5{{frac|1|2}}, {{frac|3|1|2}}, {{sfrac|2}}", "1/2, 5 1/2, 3 1/2, 1/2"),
        (
            "{{val|1.23|0.05|e=6|u=kg}}, {{val|5|u=%}}, {{val|1.23|(5)|e=-3|ul=m}}",
            "(1.23±0.05)×10⁶ kg, 5%, 1.23(5)×10⁻³ m",
        ),
        ("{{val|299792458|u=m/s}}, {{val|1234|+0.5|-0.3}}, {{val|e=6|u=K}}", "299,792,458 m/s, 1234+0.5−0.3, 10⁶ K"),
        (
            "{{ordinal|3}}, {{ordinal|112}}, {{ordinal-word|3}}, {{ordinal to word|42}}",
            "3rd, 112th, third, forty-second",
        ),
        ("{{percentage|1|4}}, {{percentage|1|3|1}}", "25%, 33.3%"),
        (
            "{{US$|5}}, {{US$|1500000|1999}}, {{GBP|5.2 million}}, {{€|5}}, {{INR}}500 {{crore}}, {{currency|100|EUR}}",
            "US$5, US$1,500,000, £5.2 million, €5, ₹500 crore, €100",
        ),
        (
            "10{{sup|30}}, x{{sub|2}}, {{e|-6}}, {{chem|SO|4|2-}}, {{chem2|Fe(2+)}}, {{chem2|C6H12O6}}, {{chem|14|C}}",
            "10³⁰, x₂, ×10⁻⁶, SO₄²⁻, Fe²⁺, C₆H₁₂O₆, ¹⁴C",
        ),
        ("{{duration|m=3|s=5}}, {{gaps|1|000|000}}, {{su|p=+1|b=-2}}", "3:05, 1000000, ⁺¹₋₂"),
    ]);
}

#[test]
fn dates_are_read() {
    assert_reads(&[
        ("{{circa|1450}}, {{c.|1450|1500}}, {{ca}}1400, {{fl.|1450}}", "c. 1450, c. 1450 – c. 1500, c. 1400, fl. 1450"),
        (
            "{{birth date|1950|5|3}}; {{birth date and age|1950|05|03|df=yes}}; {{Birth_date|1950|5}}",
            "May 3, 1950; 3 May 1950; May 1950",
        ),
        (
            "{{death date and age|2000|1|2|1950|5|3}}; {{death date|2000|1|2}}",
            "January 2, 2000 (aged 49); January 2, 2000",
        ),
        ("{{birth year and age|1950}}; {{start date|1999|5|1}}; {{end date|2001}}", "1950; May 1, 1999; 2001"),
        ("{{age|1950|5|3|2000|5|3}}, {{start date|-44|3|15|df=y}}", "50, 15 March 44 BC"),
        ("{{as of|2021|July|lc=y}}, {{start date|1950|Jan|2}}", "as of July 2021, January 2, 1950"),
        ("{{marriage|Bob|1990|2000|end=div}}, {{marriage|Ann|2001}}", "Bob (m. 1990; div. 2000), Ann (m. 2001)"),
        (
            "{{as of|2015|3|1}}, it was; {{As of|2015|lc=y}} too; {{as of|2015|alt=since 2015}}",
            "As of 1 March 2015, it was; as of 2015 too; since 2015",
        ),
    ]);
}

#[test]
fn words_of_templates_are_read() {
    assert_reads(&[
        ("Copper serves in {{w|electrical cable|cables}} and {{w|plumbing}}.", "Copper serves in cables and plumbing."),
        (
            "The {{abbr|IMO|International Maritime Organization}} had {{nowrap|300 people}} in {{lang|fr|Genève}}.",
            "The IMO had 300 people in Genève.",
        ),
        (
            "The ferry {{MV|Sol Norte}} sank, 5{{nbsp}}km{{snd}}or 3{{nbsp}}mi off Lima.",
            "The ferry MV Sol Norte sank, 5 km – or 3 mi off Lima.",
        ),
        (
            "{{USS|Enterprise|CV-6}}, {{HMS|Victory|1765|6}}, {{ship||Titanic}}, {{sclass|Nimitz|aircraft carrier}}",
            "USS Enterprise (CV-6), HMS Victory, Titanic, Nimitz-class aircraft carrier",
        ),
        (
            "({{lang-fr|Genève}}), ({{langx|de|Genf}}), ({{lang-ru|Москва|Moskva}})",
            "(French: Genève), (German: Genf), (Russian: Москва, romanized: Moskva)",
        ),
        (
            "{{nihongo|Tokyo|東京|Tōkyō}}, {{zh|s=汉|t=漢|p=hàn}}, {{transliteration|ru|Moskva}}",
            "Tokyo (東京, Tōkyō), simplified Chinese: 汉; traditional Chinese: 漢; pinyin: hàn, Moskva",
        ),
        (
            "Bach (Johann; {{IPA-de|bax}}; 1685) and Ona ({{IPAc-en|o}}) {{respell|OH|na}}.",
            "Bach (Johann; 1685) and Ona.",
        ),
        ("{{ill|Jean Dupont|fr}}, {{Interlanguage_link|A|de|B|lt=C}}", "Jean Dupont, C"),
        ("It's{{efn|a}} known{{sfn|Smith|1999|p=3}} well{{cn|date=May 2020}}{{who|a}}{{dubious}}.", "It's known well."),
        ("''Hamlet''{{'s}} and {{'}}tis; a{{ndash}}b{{mdash}}c{{!}}d{{=}}e", "Hamlet's and 'tis; a–b—c|d=e"),
        ("{{flag|Japan}}, {{flagicon|USA}} {{flagcountry|USA}}, {{JPN}}", "Japan, United States, Japan"),
        ("They are {{hlist|a|b|c}}. {{plainlist|\n* d\n* e\n}}", "They are a, b, c. d, e"),
        ("He said:\n{{quote|text=To be.|author=Hamlet}}\nThen he left.", "He said:|“To be.” — Hamlet|Then he left."),
        (
            "It is {{sic|teh|end}} {{small|small}} {{em|very}} {{sortname|Ann|Lee}} {{sort|001|one}}.",
            "It is tehend small very Ann Lee one.",
        ),
        (
            "By {{harvtxt|Smith|1999}} it is. {{clarify span|Some}} {{font color|red|blue|x}} are.{{harvnb|A|1}}",
            "Some x are.",
        ),
        ("{{PAGENAME}} is {{uc:x}}", "Page is X"),
    ]);
}

#[test]
fn scripts_and_formulas_are_read() {
    assert_reads(&[
        ("The Sun has a mass of 2×10<sup>30</sup> kg.", "The Sun has a mass of 2×10³⁰ kg."),
        (
            "H<sub>2</sub>O, 10<sup>-3</sup>, 10<sup>&minus;3</sup>, x<sup>n</sup>, v<sub>x</sub>, 2<sup>x+1</sup>, 2<sup>a, b</sup>",
            "H₂O, 10⁻³, 10⁻³, x^n, v_x, 2^(x+1), 2^(a, b)",
        ),
        (
            "the 19<sup>th</sup> century, <sup>14</sup>C, x<sup>''n''</sup>, Note<sup>[1]</sup>",
            "the 19th century, ¹⁴C, x^n, Note",
        ),
        ("It is 10<sup>30 kg.\n\nNext <sup>2</sup>.", "Next ²."),
        ("So <math>E = mc^2</math> and <math>\\frac{1}{2} \\pi r^{10}</math> hold.", "So E = mc² and 1/2 πr¹⁰ hold."),
        ("So <math>\\sum_{i=0}^n \\begin{matrix}a\\end{matrix}</math> holds. It is so.", "It is so."),
        ("Water is <chem>H2O</chem>, with <ce>SO4^2-</ce>. <math>x", "Water is H₂O, with SO₄²⁻."),
        ("<s>Old.</s> New. <span style=\"display: none\">key</span><span>It</span> is.", "New. It is."),
    ]);
}

#[test]
fn a_less_than_sign_is_text_before_no_known_tag() {
    assert_reads(&[
        ("The drop is <2 V for a load >30 A.", "The drop is <2 V for a load >30 A."),
        (
            "a<b and c>d, x < y > z, <foo>bar</foo>, <3, 1<p then q>0",
            "a<b and c>d, x < y > z, <foo>bar</foo>, <3, 1<p then q>0",
        ),
        ("<b>Bold</b> <i >it</i> <font color=red>red</font><br clear=all />next<hr>x", "Bold it red next x"),
        ("the <source of the Nile> and x <= 5, y >= 3, a <- b", "the <source of the Nile> and x <= 5, y >= 3, a <- b"),
        ("if p <0.05 and <!-- c -->n > 3", "if p <0.05 and n > 3"),
    ]);
}

#[test]
fn apostrophes_behind_italics_stay() {
    assert_reads(&[
        ("The ''Titanic'''s captain was Smith.", "The Titanic's captain was Smith."),
        (
            "''Hamlet'''s and ''Macbeth'''s ghosts, '''Iron''''s rust, ''[[Titanic]]'''s captain",
            "Hamlet's and Macbeth's ghosts, Iron's rust, Titanic's captain",
        ),
        ("L'''amour'' and more", "L'amour and more"),
        ("The ''Cats''' tails", "The Cats' tails"),
        ("'''''a''' b'' '''c'''s", "a b cs"),
    ]);
}

#[test]
fn footnotes_are_dropped_even_if_unclosed() {
    assert_reads(&[
        ("Iron.<ref name=a>x</ref> It rusts.<ref name=\"b\" /> Red.<ref group=n name=c/>", "Iron. It rusts. Red."),
        ("Iron.<ref name=a> It rusts.<ref>Book</ref> Red.", "Iron. It rusts. Red."),
        ("Iron.<ref name=\"a\"> It rusts.\n\nNext.", "Iron. It rusts.|Next."),
        ("Iron.<ref>Smith 1999, p. 3.\nIt rusts.", "Iron. It rusts."),
    ]);
}

#[test]
fn other_markup_is_read() {
    assert_reads(&[
        ("[[File:a.png|thumb|100px|A [[b|c]] of [[d]] <ref>e</ref>]]Iron", "Iron"),
        ("[[Help:Contents|x]], [[Iron (metal)|]], [[#Uses|uses]], [[:fr:Fer]]", "x, Iron, uses, fr:Fer"),
        ("-{zh-hans:计算机; zh-hant:電腦}- -{x}- -{H|zh-cn:a}-b, -{{nowrap|c}}", "计算机 x b, -c"),
        ("<poem>\nRoses\nViolets\n</poem>\n<gallery>\nFile:a.jpg|b\n</gallery>\nEnd.", "Roses Violets|End."),
        ("1&thinsp;000&nbsp;km, &minus;5, &#8211;, &#x2013;, a&shy;b &lt;ref&gt;", "1 000 km, −5, –, –, ab <ref>"),
        ("&#42; no item\n&#124; no row", "* no item | no row"),
        ("<nowiki>''a''</nowiki> <nowiki>* b</nowiki> <nowiki/>''c''", "''a'' * b c"),
        ("[[[a]]] and [[b|[http://x.org c]]]", "[a] and c"),
    ]);
}

fn facts(markup: &str) -> Vec<String> {
    read("Page", markup, &Hidden::default()).facts
}

#[test]
fn infoboxes_become_facts() {
    let markup = "{{Infobox person\n| name = Ann\n| image = a.jpg\n| caption = She\n| birth_date = {{birth date|1950|5|3}}\n\
                  | children = 2<ref>x</ref>\n| website = {{URL|x.org}}\n| mass = {{foo}}\n| elevation_m = 35\n| area_total_km2 = 105.4\n\
                  | leader_title1 = Mayor\n| leader_name1 = [[Bob]]\n| label2 = Motto\n| data2 = ''Go''\n| module = {{Infobox x|age=1}}\n\
                  | known_for = {{plainlist|\n* Rust\n* Steel\n}}\n| spouse = A<br>B\n| empty =\n| pushpin_map = x\n| density_km2 = 5\n}}Text.";
    assert_eq!(
        facts(markup),
        [
            "Page: age: 1.",
            "Page: birth date: May 3, 1950.",
            "Page: children: 2.",
            "Page: elevation: 35 m.",
            "Page: area total: 105.4 km².",
            "Page: Mayor: Bob.",
            "Page: Motto: Go.",
            "Page: known for: Rust, Steel.",
            "Page: spouse: A, B.",
            "Page: density: 5 per km².",
        ]
    );
    assert_eq!(plain(markup), ["Text."]);
    assert_eq!(
        facts("{{Infobox f|years1=1999|clubs1=Ajax|caps1=20|years2=2003|caps2=5|p1=x|birthplace=Ona}}"),
        ["Page: years: 1999; clubs: Ajax; caps: 20.", "Page: years: 2003; caps: 5.", "Page: birth place: Ona."]
    );
    assert_eq!(facts("{{Infobox element|melting point C=1064}}"), ["Page: melting point: 1064 °C."]);
}

#[test]
fn plain_tables_become_facts() {
    let table = "{| class=\"wikitable\"\n|+ Moons\n! Moon !! Radius !! Note\n|-\n! scope=\"row\" | [[Phobos]]\n| 11 km || {{foo}}\n|- style=\"x\"\n| Deimos || 6 km\n| align=right | 2{{frac|1|2}}\n|}";
    assert_eq!(facts(table), ["Page: Phobos: Radius: 11 km.", "Page: Deimos: Radius: 6 km; Note: 2 1/2."]);
    assert_eq!(facts(&table.replace("| 11 km", "| colspan=2 | 11 km")), ["Page: Deimos: Radius: 6 km; Note: 2 1/2."]);
    let spanned = table.replace("| Deimos", "| rowspan=2 | Deimos").replace("\n|}", "\n|-\n| 7 km || 3\n|}");
    assert_eq!(facts(&spanned), facts(table));
    assert_eq!(facts(&table.replace("! Moon", "! colspan=1 | Moon")), [""; 0]);
    assert_eq!(facts("{|\n! Mass\n| 5 kg\n|-\n! Age || 3\n|-\n! Mood\n| {{foo}}\n|}"), [""; 0]);
    assert_eq!(facts("{|\n! Mass\n| 5 kg\n|-\n! Mood\n| {{foo}}\n|}"), ["Page: Mass: 5 kg."]);
    assert_eq!(facts(&table.replace("! Moon !! Radius !! Note\n|-\n", "")), [""; 0]);
    assert_eq!(facts("{|\n! a !! b\n|-\n| c\n|}"), [""; 0]);
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
    assert_eq!(one("The area <math>\\pi r^2</math> grows.<gallery>\nFile:a.png|b\n</gallery>"), "The area πr² grows.");
    assert_eq!(one("Water is H<sub>2</sub>O, <!-- not\nthis -->wet."), "Water is H₂O, wet.");
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
    assert_eq!(read("Page", "[[datei:a.png|mini]] Eisen", &german).blocks[0].text, "Eisen");
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
    assert_eq!(one("{{Infobox unclosed. Iron [[is a [https://x.org metal."), "Iron is a metal.");
    assert_eq!(plain("An [[open link\n\nand the next [[paragraph]]"), ["An open link", "and the next paragraph"]);
    assert_eq!(one("Iron<ref>is a metal</reference>."), "Iron");
    assert_eq!(
        one("Closed }} and ]] and |} before anything opens, 1 < 2 > 0, a<b."),
        "Closed }} and ]] and |} before anything opens, 1 < 2 > 0, a<b."
    );
    assert_eq!(one("{{efn|a [[b }} c ]] d"), "c ]] d");
}

// What takes time by the square of the length takes many minutes here.
#[test]
fn a_megabyte_of_brackets_takes_linear_time() {
    for piece in [
        "{{",
        "[[",
        "}}",
        "[[a|",
        "{|\n",
        "\n|}",
        "<ref>",
        "<!--",
        "[http://",
        "'",
        "(",
        "&",
        "__",
        "<a",
        "{{a|[[b",
        "{|\n{{",
        "]] }}",
        "<",
        "<sup>",
        "-{",
        "({{x}}",
        "(((({{x}} {{IPA}} ",
        "{{IPA}} ) ",
        "''a'''s ",
        "|",
        "{|\n|-\n!a!!b\n",
        "{{a|b=",
        "{{{{{{{{",
        "}}}}",
        "<ref>a\n",
        "<ref name=a>",
        "</sup>",
        "&#42;\n",
        "<nowiki>",
        "''\n",
        "[[[",
        "{{convert|",
        "{{frac|{{frac|",
        "{{#if:a|{{#if:b|",
        "a.b. {{x}} ",
        "[[a|b]]",
        "{{nowrap|é}}",
        "<s>",
        "{{Infobox|a=b}}",
        "|}}",
        "X{{IPA}}",
        " {{IPA}}",
        "|a_title=b",
        "1",
    ] {
        let text = piece.repeat((1 << 20) / piece.len());
        for before in ["", "{{Infobox", "{{formatnum:"] {
            let markup = format!("{before}{text}}}}}</ref>\n|}}");
            read("Page", &markup, &Hidden::default());
        }
    }
}

#[test]
fn a_hundred_thousand_nested_brackets_are_read() {
    for (open, close) in
        [("{{a|", "}}"), ("[[a|", "]]"), ("{{{a|", "}}}"), ("<sup>", "</sup>"), ("-{", "}-"), ("{|\n|", "\n|}")]
    {
        let nested = open.repeat(100_000) + "é" + &close.repeat(100_000);
        let blocks = plain(&format!("Before.\n\n{nested}\n\nAfter."));
        assert_eq!(blocks.first().map(String::as_str), Some("Before."), "{open}");
        assert_eq!(blocks.last().map(String::as_str), Some("After."), "{open}");
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
        "<ref name=a>",
        "<sup>",
        "</sup>",
        "<math>",
        "</math>",
        "{{convert|5|",
        "{{frac|",
        "{{foo}}",
        "{{IPA|x}}",
        "{{Infobox a|b=",
        "{{{",
        "}}}",
        "-{",
        "}-",
        "\n|-\n",
        "||",
        "\n! a !! b",
        "=",
        "<",
        "東京",
        "'''",
        "\\frac{",
        "^",
        ". ",
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
        let article = read("Page", &text, &Hidden::default());
        let private = |text: &str| text.contains(|c: char| c.is_control());
        prop_assert!(!article.blocks.iter().any(|block| private(&block.text)));
        prop_assert!(!article.facts.iter().any(|fact| private(fact)));
    }
}
