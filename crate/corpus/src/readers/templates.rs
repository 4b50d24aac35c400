//! The templates that are part of a sentence, as text: the commonest of the English Wikipedia and of the wikis that
//! copy it. [`TABLE`] says what each shows. A template that is in no table leaves a hole.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::readers::numbers::{grouped, number, ordinal, words};
use crate::readers::prose::{APOSTROPHE, GAP};
use crate::readers::scripts::{chemical, subscript, superscript};
use crate::readers::units::{Writing, quantity};

/// The arguments of a template, as text.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// The title of the page.
    pub title: String,
    /// The arguments without a name, as they stand.
    pub positional: Vec<String>,
    /// The others, in their order.
    pub named: Vec<(String, String)>,
}

impl Arguments {
    /// The argument at a place, from 1, without spaces around it; empty if there is none.
    fn at(&self, place: usize) -> &str {
        self.get(&place.to_string()).unwrap_or_else(|| self.positional.get(place - 1).map_or("", |text| text.trim()))
    }

    /// The named argument, unless it is empty.
    fn get(&self, name: &str) -> Option<&str> {
        let found = self.named.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The first of several named arguments.
    fn any(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.get(name))
    }

    fn is(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| matches!(value, "y" | "yes" | "Y" | "Yes" | "true" | "1" | "on"))
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.positional.iter().map(|text| text.trim()).filter(|text| !text.is_empty())
    }
}

/// The text that a template shows; none if that is unknown.
type Render = fn(&Arguments) -> Option<String>;

/// What the template `name` shows. None if it is in no table, or if its arguments make no sense.
pub(crate) fn render(name: &str, arguments: &mut Arguments) -> Option<String> {
    if let Some((function, first)) = name.split_once(':') {
        arguments.positional.insert(0, first.trim().to_owned());
        return parser_function(&function.trim().to_lowercase(), arguments);
    }
    let key = first_lower(name);
    if let Some(render) = BY_NAME.get(key.as_str()) {
        return render(arguments);
    }
    if let Some(sign) = currency(name) {
        return money(sign, arguments);
    }
    if let Some(prefix) = SHIPS.iter().find(|prefix| **prefix == name) {
        return Some(ship(prefix, arguments.at(1), arguments.at(2), arguments.at(3)));
    }
    if let Some((_, country)) = COUNTRIES.iter().find(|(code, _)| *code == name) {
        return Some((*country).into());
    }
    let family = FAMILIES.iter().find_map(|(prefix, render)| Some((key.strip_prefix(&*first_lower(prefix))?, render)));
    family.and_then(|(rest, render)| render(rest, arguments))
}

/// A template's name with its first letter in lower case, for MediaWiki does not tell them apart.
fn first_lower(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

static BY_NAME: LazyLock<HashMap<String, Render>> = LazyLock::new(|| {
    TABLE.iter().flat_map(|(names, render)| names.split(", ").map(|name| (first_lower(name), *render))).collect()
});

/// Names of templates, with commas between them, and what they show.
const TABLE: &[(&str, Render)] = &[
    // Quantities and numbers.
    ("convert", |a| convert(a, false)),
    ("cvt, convert abbreviated", |a| convert(a, true)),
    ("frac, fraction, sfrac, sfr, tfrac, dfrac, 1/2", fraction),
    ("val", val),
    ("e, x10^", |a| number(a.at(1)).map(|power| format!("×10{}", superscript(&power)))),
    ("10^", |a| Some(format!("10{}", superscript(a.at(1))))),
    ("gaps, gapnum", |a| Some(a.texts().collect())),
    ("formatnum, fmtn, nts, number table sorting, commas, FORMATNUM", |a| number(a.at(1))),
    ("ordinal, ord", |a| ordinal(a.at(1))),
    ("ordinal-word, ordinal to word, ordinalword", |a| words(a.at(1)).map(|(_, ordinal)| ordinal)),
    ("number to word, spellnum, spell number, num2word", |a| words(a.at(1)).map(|(cardinal, _)| cardinal)),
    ("percentage, percent, pct", percentage),
    ("height", |a| measured(a, &["m", "cm", "ft", "in"])),
    ("weight, mass", |a| measured(a, &["kg", "st", "lb", "oz"])),
    ("duration", duration),
    ("rating, stars", |a| Some(format!("{} out of {}", number(a.at(1))?, or(a.at(2), "5")))),
    ("RA", |a| angle(a, ["h", "m", "s"])),
    ("DEC, dec", |a| angle(a, ["°", "′", "″"])),
    ("±, pm, plusminus, +-", |a| Some(format!("±{}", a.at(1)))),
    ("deg, degree, degrees", |a| Some(format!("{}°", a.at(1)))),
    ("sqrt, radic, square root", |a| Some(format!("√{}", a.at(1)))),
    // Dates.
    ("circa, c., ca, ca., circ", |a| approximate("c. ", a)),
    ("floruit, fl., fl", |a| approximate("fl. ", a)),
    ("reign, r.", |a| Some(format!("r. {}", a.texts().collect::<Vec<_>>().join("–")))),
    (
        "birth date, bda, dob, birth date and age, birthdate, birth-date, birth-date and age, \
          birth date and age2, birthdate and age, start date, start date and age, start-date, end date, \
          end-date, death date, death-date, deathdate, film date, dts, launch date, date, release date, \
          death date text, birth date text, television release date, start date text",
        |a| date(a, &a.positional),
    ),
    ("birth year and age, birth year, birth-year, bya, death year and age, death year", year),
    ("death date and age, dda, death-date and age, deathdateandage", death),
    ("age, age in years, ageyears", |a| age(&numbers(&a.positional)).map(|age| age.to_string())),
    ("as of, asof", as_of),
    // Languages.
    ("lang", |a| Some(a.get("text").unwrap_or(a.at(2)).into())),
    ("langx", |a| language(a.at(1), a, 2)),
    ("transliteration, translit, transl, tlit, xlit", last),
    ("nihongo, nihongo krt, nihongo2", |a| gloss(a, [1, 2, 3, 4])),
    ("nihongo3", |a| gloss(a, [3, 2, 1, 4])),
    ("nihongo foot, nihongo core", |a| Some(a.at(1).into())),
    ("zh, zh-cn, chinese, lang-zh", |a| labelled(a, &CHINESE)),
    ("korean, ko-hhrm", |a| labelled(a, &KOREAN)),
    ("ill, interlanguage link, illm, interlanguage link multi, link-interwiki", |a| {
        Some(a.any(&["lt", "text", "display"]).unwrap_or(a.at(1)).into())
    }),
    (
        "IPA, IPAc-en, respell, pronunciation respelling, audio, pronunciation, pron, IPA-all, coord, \
          coordinate, coords, IPA link, listen, pronounced, usdict, small IPA, audio IPA",
        |_| Some(GAP.into()),
    ),
    // Text as it stands.
    (
        "nowrap, nobr, nobreak, nwr, j, small, smaller, smalldiv, big, larger, large, em, strong, bold, \
          bold span, italic, italics, i, b, u, underline, smallcaps, sc, sc1, allcaps, noitalic, nobold, \
          normal, math, mvar, big math, var, mono, code, kbd, samp, tt, visible anchor, vanchor, plain text, \
          no italic, noital, tq, gem, abbr, tooltip, abbrlink, hover title, title case, noflag, wikt-lang, \
          bigger, resize text, center, nowraplinks, nobreak2, large text, plainlinks, columns-list, col-list, \
          div col list, clarify span, citation needed span, cn span",
        shown,
    ),
    ("w, link, internal link, color, font color, fontcolor, colour, resize, sort, sortas", last),
    ("sortname", |a| Some([a.at(1), a.at(2)].join(" ").trim().into())),
    ("sic, SIC, not a typo, typo, as written, proper name, chem name", |a| {
        Some(a.positional.iter().filter(|text| text.trim() != "?").map(String::as_str).collect())
    }),
    ("url, URL", |a| Some(or(a.at(2), a.at(1)).into())),
    ("angbr, angle bracket", |a| Some(format!("⟨{}⟩", a.at(1)))),
    ("interp, bracket, brackets, bracketed", |a| Some(format!("[{}]", a.at(1)))),
    ("quote, blockquote, cquote, quotation, bquote, quote frame, block quote, centered quote", quote),
    ("sup, superscript, super", |a| Some(superscript(shown(a)?.as_str()))),
    ("sub, subscript", |a| Some(subscript(shown(a)?.as_str()))),
    ("su", |a| {
        let script = |name, script: fn(&str) -> String| a.get(name).map(script).unwrap_or_default();
        Some(script("p", superscript) + &script("b", subscript))
    }),
    ("chem", chem),
    ("chem2, ce", |a| chemical(&a.texts().collect::<String>())),
    ("currency", |a| money(currency(a.at(2))?, a)),
    ("ISBN, isbn", |a| Some(format!("ISBN {}", a.at(1)))),
    // Names.
    ("marriage", marriage),
    ("ship", |a| Some(ship(a.at(1), a.at(2), a.at(3), a.at(4)))),
    ("sclass, sclass2, sclass-, sclass2-", |a| Some(format!("{}-class {}", a.at(1), a.at(2)))),
    (
        "flag, flagcountry, flagu, flag country, flagg, flagathlete, fb, fbu, flag link, nft, fbw, flagteam, \
          flagmedalist, flagIOC, flagcu, flagright, country",
        |a| Some(country(a.at(1)).into()),
    ),
    // Lists.
    ("plainlist, plain list, flatlist, flat list, startplainlist", |a| list(&[a.at(1)])),
    (
        "ubl, unbulleted list, ublist, hlist, hidden list, bulleted list, ordered list, blist, cslist, \
          comma separated entries, unordered list, ubt, horizontal list, nblist, olist, indented plainlist",
        |a| list(&a.texts().collect::<Vec<_>>()),
    ),
    // Signs.
    ("nbsp, space, thinsp, thin space, spaces, hsp, hair space, nnbsp, pad, sp, nbs", |_| sign(" ")),
    ("break, br, pb, paragraph break, -, clear, crlf", |_| sign("\n")),
    ("ndash, en dash, –, nndash", |_| sign("–")),
    ("snd, spnd, spaced ndash, spaced en dash, snds, dash, sndash, spndash, sdash, spaced endash", |_| sign(" – ")),
    ("mdash, em dash, —, emdash", |_| sign("—")),
    ("spaced mdash, spaced em dash, smd", |_| sign(" — ")),
    ("minus, −", |_| sign("−")),
    ("times, ×", |_| sign("×")),
    ("hyphen, nbhyph, nbhyphen, non breaking hyphen", |_| sign("-")),
    ("·, dot, middot, •, bull, bullet, \\, spaced middot, *, sdot", |_| sign(" · ")),
    ("slash, /", |_| sign("/")),
    ("!, pipe", |_| sign("|")),
    ("!!", |_| sign("||")),
    ("=, equals", |_| sign("=")),
    ("(, lbrace", |_| sign("{")),
    ("), rbrace", |_| sign("}")),
    ("((", |_| sign("{{")),
    ("))", |_| sign("}}")),
    ("', apostrophe, `", |_| Some(APOSTROPHE.into())),
    ("'s, `s", |_| Some(format!("{APOSTROPHE}s"))),
    ("'\", ' \"", |_| Some(format!("{APOSTROPHE}\""))),
    ("\"', \" '", |_| Some(format!("\"{APOSTROPHE}"))),
    ("okina, ʻokina", |_| sign("ʻ")),
    ("ayin", |_| sign("ʿ")),
    ("hamza", |_| sign("ʾ")),
    ("°, degree symbol", |_| sign("°")),
    ("pi", |_| sign("π")),
    ("ellipsis, ..., …", |_| sign("…")),
    ("crore", |_| sign("crore")),
    ("lakh", |_| sign("lakh")),
    ("solar mass", |_| sign("M☉")),
    ("solar radius", |_| sign("R☉")),
    ("solar luminosity", |_| sign("L☉")),
    ("earth mass", |_| sign("M⊕")),
    ("jupiter mass", |_| sign("MJ")),
    // Cells of tables.
    ("yes, ya, tick", |a| Some(or(a.at(1), "Yes").into())),
    ("no, na, cross", |a| Some(or(a.at(1), "No").into())),
    ("n/a, N/A", |a| Some(or(a.at(1), "N/A").into())),
    ("won", |a| Some(or(a.at(1), "Won").into())),
    ("nom, nominated", |a| Some(or(a.at(1), "Nominated").into())),
    ("PAGENAME, FULLPAGENAME, BASEPAGENAME, SUBPAGENAME, title without disambig", |a| Some(a.title.clone())),
    // What a sentence can do without: notes, complaints, anchors, flags, arrows.
    (
        "efn, refn, sfn, sfnp, sfnm, harv, r, rp, ref, note, cn, fact, \
          citation needed, who, whom, when, which, where, why, how, what, by whom, according to whom, whose, \
          clarify, clarification needed, dubious, disputed inline, disputed, vague, \
          weasel inline, weasel-inline, peacock inline, failed verification, fv, verify source, \
          verify inline, better source needed, better source, bsn, page needed, pn, dead link, or, or?, \
          original research inline, pov inline, pov-statement, update inline, update after, \
          full citation needed, specify, nonspecific, unreliable source?, unreliable source, \
          self-published inline, sps, undue inline, primary source inline, primary inline, \
          non-primary source needed, medical citation needed, mcn, quantify, synthesis inline, \
          editorializing, contradict-inline, contradictory inline, ambiguous, incomprehensible inline, \
          relevance inline, excessive detail inline, importance inline, needs update, lead too short, \
          expand acronym, ref label, note label, ref supports2, anchor, anchors, shy, zwsp, zwj, zwnj, wbr, \
          refbegin, refend, notelist, reflist, webarchive, cbignore, registration required, \
          subscription required, isbn missing, hs, hidden sort key, ntsh, dtsh, nowrap begin, nowrap end, \
          sortkey, flagicon, flagdeco, flag icon, flagicon image, increase, decrease, steady, up, down, \
          profit, loss, nochange, gain, increasenegative, decreasepositive, citation, unreferenced inline, \
          source needed, inline citation needed, clarifyme, inconsistent inline, definition needed, \
          example needed, examples, further explanation needed, further, off topic inline, volume needed, \
          year needed, time needed, author missing, anachronism inline, sup note, efn-ua, efn-lr, efn-la, \
          efn-lg, short description, italic title, use dmy dates, use mdy dates, toc limit, endplainlist, \
          good article, featured article",
        |_| Some(String::new()),
    ),
];

/// What a template shows, given the rest of its name.
type Family = fn(&str, &Arguments) -> Option<String>;

/// Templates by the beginning of their names, and what they show, given the rest of the name.
const FAMILIES: [(&str, Family); 7] = [
    ("lang-", |code, arguments| language(code, arguments, 1)),
    ("IPA-", |_, _| Some(GAP.into())),
    ("IPAc-", |_, _| Some(GAP.into())),
    ("cite ", |_, _| Some(String::new())),
    ("refn-", |_, _| Some(String::new())),
    ("use ", |rest, _| rest.contains("nglish").then(String::new)),
    ("pp-", |_, _| Some(String::new())),
];

/// The prefixes of ships' names. (Their templates have no other names.)
const SHIPS: [&str; 40] = [
    "USS", "HMS", "SS", "MV", "MS", "RMS", "SMS", "HMAS", "HMCS", "HMNZS", "USCGC", "USNS", "USAT", "USRC", "RV",
    "RRS", "INS", "IJN", "JS", "JDS", "HNoMS", "HNLMS", "HDMS", "HSwMS", "ORP", "ROKS", "PNS", "TSS", "TS", "PS", "MT",
    "MY", "SY", "FV", "GTS", "HMY", "HMT", "RFA", "NRP", "CSS",
];

/// The names of currency templates, and what stands before the amount.
const CURRENCIES: [(&[&str], &str); 17] = [
    (&["US$", "USD", "us$", "US dollar", "$"], "US$"),
    (&["A$", "AUD", "AU$"], "A$"),
    (&["C$", "CAD", "CA$", "CAN$"], "C$"),
    (&["NZ$", "NZD"], "NZ$"),
    (&["HK$", "HKD"], "HK$"),
    (&["S$", "SGD"], "S$"),
    (&["GBP", "£", "Pound sterling", "pound sterling"], "£"),
    (&["€", "EUR", "Euro", "euro"], "€"),
    (&["INR", "₹", "Indian rupee", "Indian Rupee", "indian rupee"], "₹"),
    (&["JPY", "¥", "JP¥"], "¥"),
    (&["CNY", "RMB", "CN¥"], "CN¥"),
    (&["KRW", "₩", "South Korean won"], "₩"),
    (&["PHP", "₱", "Philippine peso"], "₱"),
    (&["CHF"], "CHF "),
    (&["RUB", "₽", "Russian ruble"], "₽"),
    (&["NIS", "ILS", "₪"], "₪"),
    (&["R$", "BRL"], "R$"),
];

/// Languages by the codes that `{{lang-xx}}` and `{{langx}}` take.
const LANGUAGES: [(&str, &str); 52] = [
    ("af", "Afrikaans"),
    ("ar", "Arabic"),
    ("bg", "Bulgarian"),
    ("bn", "Bengali"),
    ("br", "Breton"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("cy", "Welsh"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("eo", "Esperanto"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("eu", "Basque"),
    ("fa", "Persian"),
    ("fi", "Finnish"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("gl", "Galician"),
    ("grc", "Ancient Greek"),
    ("he", "Hebrew"),
    ("hi", "Hindi"),
    ("hr", "Croatian"),
    ("hu", "Hungarian"),
    ("hy", "Armenian"),
    ("id", "Indonesian"),
    ("is", "Icelandic"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("ka", "Georgian"),
    ("ko", "Korean"),
    ("la", "Latin"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mk", "Macedonian"),
    ("ms", "Malay"),
    ("nl", "Dutch"),
    ("no", "Norwegian"),
    ("pl", "Polish"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("sk", "Slovak"),
    ("sl", "Slovene"),
    ("sr", "Serbian"),
    ("sv", "Swedish"),
    ("ta", "Tamil"),
    ("tr", "Turkish"),
    ("uk", "Ukrainian"),
    ("ur", "Urdu"),
];

/// The arguments of `{{zh}}` and what they are, in the order in which they are shown.
const CHINESE: [(&str, &str); 9] = [
    ("c", "Chinese"),
    ("s", "simplified Chinese"),
    ("t", "traditional Chinese"),
    ("p", "pinyin"),
    ("hp", "pinyin"),
    ("w", "Wade–Giles"),
    ("j", "Jyutping"),
    ("poj", "Pe̍h-ōe-jī"),
    ("l", "lit."),
];

const KOREAN: [(&str, &str); 5] =
    [("hangul", "Korean"), ("k", "Korean"), ("hanja", "Hanja"), ("rr", "RR"), ("mr", "MR")];

/// Countries by the codes that flags take.
const COUNTRIES: [(&str, &str); 63] = [
    ("ARG", "Argentina"),
    ("AUS", "Australia"),
    ("AUT", "Austria"),
    ("BEL", "Belgium"),
    ("BRA", "Brazil"),
    ("BUL", "Bulgaria"),
    ("CAN", "Canada"),
    ("CHI", "Chile"),
    ("CHN", "China"),
    ("COL", "Colombia"),
    ("CRO", "Croatia"),
    ("CUB", "Cuba"),
    ("CZE", "Czech Republic"),
    ("DEN", "Denmark"),
    ("DNK", "Denmark"),
    ("EGY", "Egypt"),
    ("ENG", "England"),
    ("ESP", "Spain"),
    ("EST", "Estonia"),
    ("FIN", "Finland"),
    ("FRA", "France"),
    ("GBR", "United Kingdom"),
    ("UK", "United Kingdom"),
    ("US", "United States"),
    ("DEU", "Germany"),
    ("GER", "Germany"),
    ("GRC", "Greece"),
    ("GRE", "Greece"),
    ("HUN", "Hungary"),
    ("IDN", "Indonesia"),
    ("IND", "India"),
    ("IRL", "Ireland"),
    ("IRN", "Iran"),
    ("ISL", "Iceland"),
    ("ISR", "Israel"),
    ("ITA", "Italy"),
    ("JAM", "Jamaica"),
    ("JPN", "Japan"),
    ("KEN", "Kenya"),
    ("KOR", "South Korea"),
    ("LAT", "Latvia"),
    ("LTU", "Lithuania"),
    ("MAR", "Morocco"),
    ("MEX", "Mexico"),
    ("NED", "Netherlands"),
    ("NLD", "Netherlands"),
    ("NOR", "Norway"),
    ("NZL", "New Zealand"),
    ("PER", "Peru"),
    ("POL", "Poland"),
    ("POR", "Portugal"),
    ("ROU", "Romania"),
    ("RSA", "South Africa"),
    ("RUS", "Russia"),
    ("SCO", "Scotland"),
    ("SRB", "Serbia"),
    ("SUI", "Switzerland"),
    ("SWE", "Sweden"),
    ("TUR", "Turkey"),
    ("UKR", "Ukraine"),
    ("URU", "Uruguay"),
    ("USA", "United States"),
    ("WAL", "Wales"),
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn sign(text: &str) -> Option<String> {
    Some(text.into())
}

/// The text, or another one if it is empty.
fn or<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}

/// The first argument as it stands.
fn shown(arguments: &Arguments) -> Option<String> {
    let first = arguments.any(&["1", "text"]).or_else(|| arguments.positional.first().map(String::as_str));
    first.map(Into::into)
}

/// The last argument.
fn last(arguments: &Arguments) -> Option<String> {
    arguments.texts().last().map(Into::into)
}

/// MediaWiki's own functions: `{{formatnum:1234}}`.
fn parser_function(name: &str, arguments: &Arguments) -> Option<String> {
    let (first, second) = (arguments.at(1), arguments.at(2));
    match name {
        "formatnum" if second.eq_ignore_ascii_case("R") => Some(first.replace(',', "")),
        "formatnum" => number(first),
        "lc" => Some(first.to_lowercase()),
        "uc" => Some(first.to_uppercase()),
        "lcfirst" => Some(first_lower(first)),
        "ucfirst" => {
            let mut chars = first.chars();
            Some(chars.next()?.to_uppercase().chain(chars).collect())
        }
        "#if" => Some(if first.is_empty() { arguments.at(3) } else { second }.into()),
        "displaytitle" | "defaultsort" | "defaultsortkey" | "#seo" | "anchorencode" => Some(String::new()),
        "#tag" => matches!(first, "ref" | "references").then(String::new),
        _ => None,
    }
}

fn convert(arguments: &Arguments, is_short: bool) -> Option<String> {
    if arguments.get("disp").is_some_and(|disp| matches!(disp, "number" | "unit" | "unit2" | "preunit")) {
        return None;
    }
    let positional: Vec<_> = arguments.positional.iter().map(String::as_str).collect();
    let adjective = arguments.get("adj");
    let is_adjective = adjective.is_some_and(|adj| matches!(adj, "on" | "mid" | "1"));
    let is_short = match arguments.get("abbr") {
        Some("on" | "in" | "unit" | "y" | "yes" | "1" | "~") => true,
        Some("off" | "out" | "none") => false,
        Some(_) => return None,
        None => is_short,
    };
    let writing = match (is_short, is_adjective) {
        (true, _) => Writing::Symbol,
        (false, true) => Writing::Adjective,
        (false, false) => Writing::Name,
    };
    let text = quantity(&positional, writing)?;
    let text = match arguments.get("sp") {
        Some("us" | "US") => text.replace("metre", "meter").replace("litre", "liter"),
        _ => text,
    };
    Some(match adjective {
        Some("mid") => text + arguments.texts().last().filter(|last| last.starts_with('-')).unwrap_or_default(),
        _ => text,
    })
}

/// `{{frac|1|2}}` is 1/2, `{{frac|3|1|2}}` is 3 1/2, `{{frac|2}}` is 1/2.
fn fraction(arguments: &Arguments) -> Option<String> {
    match arguments.texts().collect::<Vec<_>>()[..] {
        [] => Some("1/2".into()),
        [below] => Some(format!("1/{below}")),
        [above, below] => Some(format!("{above}/{below}")),
        [whole, above, below] => Some(format!("{whole} {above}/{below}")),
        _ => None,
    }
}

/// `{{val|1.23|0.05|e=6|u=kg}}` is (1.23±0.05)×10⁶ kg.
fn val(arguments: &Arguments) -> Option<String> {
    let mut texts = arguments.texts();
    let Some(value) = texts.next() else {
        let exponent = arguments.get("e")?;
        return Some(format!("10{}{}", superscript(exponent), unit(arguments)));
    };
    let digits = value.trim_start_matches(['-', '−', '+']).chars().filter(char::is_ascii_digit).count();
    let mut text = if digits < 5 { number(value)?.replace(',', "") } else { number(value)? };
    let uncertain: Vec<_> = texts.collect();
    match uncertain[..] {
        [] => {}
        [digits] if digits.starts_with('(') => text.push_str(digits),
        [uncertainty] => text.push_str(&format!("±{}", number(uncertainty)?)),
        [above, below] => {
            let below = below.trim_start_matches(['-', '−']);
            text.push_str(&format!("+{}−{}", number(above.trim_start_matches('+'))?, number(below)?));
        }
        _ => return None,
    }
    if let Some(end) = arguments.get("end") {
        text.push_str(end);
    }
    if let Some(exponent) = arguments.get("e") {
        let open = !uncertain.is_empty() && !uncertain[0].starts_with('(');
        let power = superscript(exponent);
        text = if open { format!("({text})×10{power}") } else { format!("{text}×10{power}") };
    }
    let (before, after) = (arguments.get("p").unwrap_or_default(), arguments.get("s").unwrap_or_default());
    Some(format!("{before}{text}{after}{}", unit(arguments)))
}

/// The unit of `{{val}}`, after its value.
fn unit(arguments: &Arguments) -> String {
    let mut unit = match arguments.any(&["u", "ul"]) {
        Some(unit @ ("%" | "°" | "′" | "″" | "'" | "\"")) => unit.to_owned(),
        Some(unit) => format!(" {unit}"),
        None => String::new(),
    };
    if let Some(per) = arguments.any(&["up", "upl"]) {
        unit.push('/');
        unit.push_str(per);
    }
    unit
}

/// `{{percentage|1|4|0}}` is 25%.
fn percentage(arguments: &Arguments) -> Option<String> {
    let value = |place: usize| arguments.at(place).replace(',', "").parse::<f64>().ok();
    let (part, whole) = (value(1)?, value(2)?);
    let decimals = arguments.at(3).parse().unwrap_or(0_usize).min(10);
    let share = part / whole * 100.0;
    share.is_finite().then(|| format!("{share:.decimals$}%"))
}

/// `{{height|ft=5|in=11}}` is 5 ft 11 in.
fn measured(arguments: &Arguments, units: &[&str]) -> Option<String> {
    let given = units.iter().filter_map(|unit| Some((arguments.get(unit)?, unit)));
    let parts = given.map(|(value, unit)| Some(format!("{} {unit}", number(value)?)));
    parts.collect::<Option<Vec<_>>>().map(|parts| parts.join(" ")).filter(|text| !text.is_empty())
}

/// `{{duration|m=3|s=20}}` is 3:20.
fn duration(arguments: &Arguments) -> Option<String> {
    let part = |name: &str, place: usize| {
        let text = arguments.get(name).unwrap_or(arguments.at(place));
        if text.is_empty() { Some(0) } else { text.parse::<u32>().ok() }
    };
    let (hours, minutes, seconds) = (part("h", 1)?, part("m", 2)?, part("s", 3)?);
    Some(if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") })
}

fn angle(arguments: &Arguments, units: [&str; 3]) -> Option<String> {
    let parts = arguments.texts().zip(units).map(|(value, unit)| format!("{value}{unit}"));
    Some(parts.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

/// `{{circa|1450|1500}}` is c. 1450 – c. 1500.
fn approximate(word: &str, arguments: &Arguments) -> Option<String> {
    let years: Vec<_> = arguments.texts().map(|year| format!("{word}{year}")).collect();
    Some(if years.is_empty() { word.to_owned() } else { years.join(" – ") })
}

/// The whole numbers that arguments begin with.
fn numbers(texts: &[String]) -> Vec<i32> {
    texts.iter().map_while(|text| text.trim().parse().ok()).collect()
}

/// The date of these arguments: year, month and day, the last two where they are given.
fn date(arguments: &Arguments, texts: &[String]) -> Option<String> {
    let first = texts.first()?.trim();
    let Ok(year) = first.parse::<i32>() else {
        // A date that is written out.
        return first.contains(|c: char| c.is_ascii_digit()).then(|| first.to_owned());
    };
    let (era, year) = if year < 0 { (" BC", year.unsigned_abs()) } else { ("", year.unsigned_abs()) };
    let part = |index: usize| texts.get(index).map_or("", |text| text.trim());
    if part(1).is_empty() {
        return Some(format!("{year}{era}"));
    }
    let named = |month: &&&str| part(1).len() >= 3 && month.to_lowercase().starts_with(&part(1).to_lowercase());
    let month = match part(1).parse::<usize>() {
        Ok(number) => MONTHS.get(number.checked_sub(1)?)?,
        Err(_) => MONTHS.iter().find(named)?,
    };
    let Ok(day @ 1..=31) = part(2).parse::<u32>() else { return Some(format!("{month} {year}{era}")) };
    let day_first = arguments.get("df").is_some_and(|df| !matches!(df, "n" | "no" | "US" | "us"));
    Some(if day_first { format!("{day} {month} {year}{era}") } else { format!("{month} {day}, {year}{era}") })
}

fn year(arguments: &Arguments) -> Option<String> {
    let year = arguments.at(1);
    year.parse::<i32>().ok().map(|year| year.to_string())
}

/// `{{marriage|Bob|1990|2000|end=div}}` is Bob (m. 1990; div. 2000).
fn marriage(arguments: &Arguments) -> Option<String> {
    let (name, from, to) = (arguments.at(1), arguments.at(2), arguments.at(3));
    let end = match arguments.get("end").or_else(|| arguments.get("reason")).unwrap_or_default() {
        "div" | "div." | "divorce" | "divorced" => "div.",
        "d" | "d." | "died" | "death" | "her death" | "his death" => "died",
        "ann" | "annulled" => "ann.",
        "sep" | "separated" => "sep.",
        "" => "end",
        _ => return None,
    };
    Some(match (from, to) {
        ("", _) => name.into(),
        (from, "") => format!("{name} (m. {from})"),
        (from, to) if end == "end" => format!("{name} (m. {from}–{to})"),
        (from, to) => format!("{name} (m. {from}; {end} {to})"),
    })
}

/// A date of death, with the age that follows from it: year, month and day of death, then of birth.
fn death(arguments: &Arguments) -> Option<String> {
    let numbers = numbers(&arguments.positional);
    let [year, month, day, birth @ ..] = &numbers[..] else { return date(arguments, &arguments.positional) };
    let death = date(arguments, &arguments.positional)?;
    let age = (birth.len() == 3).then(|| age(&[birth, &[*year, *month, *day]].concat())).flatten();
    Some(age.map_or(death.clone(), |age| format!("{death} (aged {age})")))
}

/// The full years from one date to another. None without the second, for then they depend on the day of reading.
fn age(numbers: &[i32]) -> Option<i32> {
    let [from_year, from_month, from_day, year, month, day] = *numbers else { return None };
    let before = (month, day) < (from_month, from_day);
    year.checked_sub(from_year)?.checked_sub(i32::from(before)).filter(|age| *age >= 0)
}

/// `{{as of|2015|3}}` is "As of March 2015".
fn as_of(arguments: &Arguments) -> Option<String> {
    if let Some(text) = arguments.get("alt") {
        return Some(text.into());
    }
    let month_first = matches!(arguments.get("df"), Some("US" | "us" | "mdy"));
    let mut by_day = Arguments { positional: arguments.positional.clone(), ..Arguments::default() };
    if !month_first {
        by_day.named.push(("df".into(), "y".into()));
    }
    let when = date(&by_day, &by_day.positional)?;
    let word = match (arguments.is("since"), arguments.is("lc")) {
        (true, true) => "since",
        (true, false) => "Since",
        (false, true) => "as of",
        (false, false) => "As of",
    };
    Some(format!("{word} {when}{}", arguments.get("post").unwrap_or_default()))
}

/// `{{lang-fr|Genève}}` is "French: Genève". The text is the argument at `place`, its transliteration the next one.
fn language(code: &str, arguments: &Arguments, place: usize) -> Option<String> {
    let text = arguments.get("text").unwrap_or(arguments.at(place));
    if text.is_empty() {
        return None;
    }
    let base = code.split('-').next().unwrap_or_default();
    let language = LANGUAGES.iter().find(|(known, _)| *known == base).map(|(_, name)| *name);
    let label = match (arguments.get("label"), language) {
        (Some("none"), _) => String::new(),
        (Some(label), _) => format!("{label}: "),
        (None, Some(language)) => format!("{language}: "),
        (None, None) => String::new(),
    };
    let roman = arguments.any(&["translit", "tr"]).unwrap_or(arguments.at(place + 1));
    let is_latin = text.chars().all(|c| !c.is_alphabetic() || c < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(&c));
    let roman = if is_latin || roman.is_empty() { String::new() } else { format!(", romanized: {roman}") };
    let meaning = arguments.any(&["lit", "translation"]).map(|text| format!(", lit. '{text}'")).unwrap_or_default();
    Some(format!("{label}{text}{roman}{}", meaning.replace('\'', &APOSTROPHE.to_string())))
}

/// The argument at the first place, with the others in brackets.
fn gloss(arguments: &Arguments, places: [usize; 4]) -> Option<String> {
    let mut texts = places.iter().map(|place| arguments.at(*place)).filter(|text| !text.is_empty());
    let first = texts.next()?;
    let others = texts.collect::<Vec<_>>().join(", ");
    Some(if others.is_empty() { first.into() } else { format!("{first} ({others})") })
}

fn labelled(arguments: &Arguments, labels: &[(&str, &str)]) -> Option<String> {
    let bare = arguments.get("labels").is_some_and(|labels| labels == "no");
    let given = labels.iter().filter_map(|(name, label)| Some((label, arguments.get(name)?)));
    let texts = given.map(|(label, text)| if bare { text.to_owned() } else { format!("{label}: {text}") });
    let text = texts.collect::<Vec<_>>().join("; ");
    if text.is_empty() { shown(arguments) } else { Some(text) }
}

/// A quotation with its author, in quotation marks.
fn quote(arguments: &Arguments) -> Option<String> {
    let text = arguments.any(&["text", "quote"]).unwrap_or(arguments.at(1));
    let text = text.trim_matches(['"', '“', '”']);
    let positional = |place| Some(arguments.at(place)).filter(|text| !text.is_empty());
    let author = arguments.any(&["author", "sign", "by"]).or(positional(2));
    let source = arguments.any(&["source", "title"]).or(positional(3));
    let from: Vec<_> = author.into_iter().chain(source).collect();
    if text.is_empty() {
        return None;
    }
    let from = if from.is_empty() { String::new() } else { format!(" — {}", from.join(", ")) };
    Some(format!("\n\n“{text}”{from}\n\n"))
}

/// `{{chem|SO|4|2-}}` is SO₄²⁻: elements, numbers of their atoms, charges. Numbers before the first element are those
/// of an isotope.
fn chem(arguments: &Arguments) -> Option<String> {
    let (mut out, mut numbers) = (String::new(), 0);
    for part in arguments.texts() {
        let number = part.bytes().all(|byte| byte.is_ascii_digit());
        let charge = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if number && numbers == out.chars().count() && out.is_empty() {
            out.push_str(&superscript(part));
            numbers = out.chars().count();
        } else if number {
            out.push_str(&subscript(part));
        } else if matches!(charge, "+" | "-" | "−") {
            out.push_str(&superscript(part));
        } else {
            out.push_str(part);
        }
    }
    Some(out).filter(|text| !text.is_empty())
}

/// `{{USS|Enterprise|CV-6}}` is USS Enterprise (CV-6). A fourth argument says that not all of it is shown.
fn ship(prefix: &str, name: &str, number: &str, format: &str) -> String {
    let number = if number.is_empty() || !format.is_empty() { String::new() } else { format!(" ({number})") };
    format!("{prefix} {name}{number}").trim().to_owned()
}

fn country(name: &str) -> &str {
    COUNTRIES.iter().find(|(code, _)| *code == name).map_or(name, |(_, country)| country)
}

/// Items in one line. Each argument is an item, or a list of items on lines of their own.
fn list(texts: &[&str]) -> Option<String> {
    let lines = texts.iter().flat_map(|text| text.lines());
    let items: Vec<_> = lines.map(|line| line.trim_start_matches(['*', '#', ':', ' ']).trim()).collect();
    let items: Vec<_> = items.into_iter().filter(|item| !item.is_empty()).collect();
    let sentences = items.iter().any(|item| item.ends_with(['.', '!', '?']));
    Some(items.join(if sentences { " " } else { ", " }))
}

/// What stands before an amount in a currency.
fn currency(name: &str) -> Option<&'static str> {
    CURRENCIES.iter().find(|(names, _)| names.contains(&name)).map(|(_, sign)| *sign)
}

/// An amount of money. A year after it is the date of the amount, and is left out.
fn money(sign: &str, arguments: &Arguments) -> Option<String> {
    let amount = arguments.at(1);
    if amount.is_empty() {
        return Some(sign.trim().into());
    }
    let scaled = amount.split_once(' ').filter(|(value, _)| number(value).is_some());
    Some(match scaled {
        Some((value, scale)) => format!("{sign}{} {scale}", grouped(value)),
        None => format!("{sign}{}", number(amount).unwrap_or_else(|| amount.into())),
    })
}
