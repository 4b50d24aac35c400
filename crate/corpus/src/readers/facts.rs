//! The facts of infoboxes and tables as short sentences, such as "Gold: melting point: 1,064 °C."

use std::collections::HashMap;

use crate::readers::prose::{HOLE, mended, without_quotes};
use crate::readers::templates::Arguments;

/// The most words of a value: a longer one is running text, not a fact.
const WORDS: usize = 40;

/// Words in the names of fields that hold no fact: pictures, layout, addresses, notes.
const LAYOUT: &[&str] = &[
    "image",
    "images",
    "img",
    "imagesize",
    "caption",
    "captions",
    "width",
    "size",
    "website",
    "url",
    "homepage",
    "footnote",
    "footnotes",
    "note",
    "notes",
    "module",
    "module2",
    "module3",
    "module4",
    "module5",
    "module6",
    "alt",
    "map",
    "maps",
    "mapsize",
    "pushpin",
    "logo",
    "signature",
    "flag",
    "seal",
    "shield",
    "symbol image",
    "ref",
    "refs",
    "reference",
    "references",
    "source",
    "embed",
    "child",
    "color",
    "colour",
    "background",
    "style",
    "class",
    "bodyclass",
    "file",
    "photo",
    "photograph",
    "icon",
    "sound",
    "audio",
    "video",
    "cover",
    "embedded",
    "coordinates",
    "coord",
    "coords",
    "latd",
    "latm",
    "lats",
    "longd",
    "longm",
    "longs",
    "lat",
    "long",
    "latitude",
    "longitude",
    "zoom",
    "relief",
    "mark",
    "format",
    "link",
    "title link",
    "commons",
    "wikidata",
    "df",
    "header",
    "pronunciation",
    "ipa",
    "template",
    "misc",
    "upright",
    "position",
    "italic title",
    "italictitle",
    "mapframe",
    "display",
    "position",
];

/// Fields that repeat the title.
const TITLES: [&str; 10] = [
    "name",
    "title",
    "above",
    "subheader",
    "box title",
    "article title",
    "page title",
    "titlestyle",
    "show name",
    "conventional long name",
];

/// Ends of the names of two fields of which the first names what the second says: `leader_title1`, `leader_name1`.
const PAIRS: [(&str, &str); 8] = [
    ("title", "name"),
    ("type", "name"),
    ("title", "date"),
    ("title", "info"),
    ("name", "info"),
    ("label", "data"),
    ("label", "value"),
    ("name sec", "info sec"),
];

/// Units at the ends of names of fields, and as they are written after a number.
const UNITS: [(&str, &str); 21] = [
    ("km2", " km²"),
    ("sq mi", " sq mi"),
    ("mi2", " sq mi"),
    ("ha", " ha"),
    ("acre", " acres"),
    ("km", " km"),
    ("m", " m"),
    ("cm", " cm"),
    ("mm", " mm"),
    ("ft", " ft"),
    ("in", " in"),
    ("inch", " in"),
    ("mi", " mi"),
    ("kg", " kg"),
    ("lb", " lb"),
    ("K", " K"),
    ("C", " °C"),
    ("F", " °F"),
    ("percent", "%"),
    ("pct", "%"),
    ("kmh", " km/h"),
];

/// Whether a template is an infobox.
pub(crate) fn is_infobox(name: &str) -> bool {
    const OTHERS: [&str; 14] = [
        "taxobox",
        "automatic taxobox",
        "speciesbox",
        "subspeciesbox",
        "chembox",
        "drugbox",
        "geobox",
        "mycomorphbox",
        "starbox begin",
        "starbox character",
        "starbox detail",
        "starbox astrometry",
        "protected area",
        "planetbox orbit",
    ];
    let name = name.to_lowercase();
    name.starts_with("infobox") || name.ends_with(" infobox") || OTHERS.contains(&&*name)
}

/// The facts of an infobox in the article `title`, one sentence a field.
pub(crate) fn of_infobox(title: &str, arguments: &Arguments) -> Vec<String> {
    let fields: Vec<_> =
        arguments.named.iter().map(|(name, value)| (name.replace(['_', '-'], " "), value.as_str())).collect();
    let values: HashMap<_, _> = fields.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let find = |name: &str| values.get(name).and_then(|value| plain(value));
    let mut facts: Vec<String> = Vec::new();
    let mut row = "";
    for (name, value) in &fields {
        let (stem, number) = numbered(name);
        let partner = |from: &str, to: &str| Some(format!("{}{to}{number}", stem.strip_suffix(from)?));
        let is_label =
            PAIRS.iter().any(|(label, value)| partner(label, value).is_some_and(|name| find(&name).is_some()));
        let Some(value) = plain(value).filter(|_| !is_label) else { continue };
        let label = PAIRS.iter().find_map(|(label, value)| find(&partner(value, label)?));
        let is_labelled = label.is_some();
        let (label, value) = match label {
            Some(label) => (label, value),
            None if is_layout(stem) => continue,
            None => with_unit(stem, value),
        };
        // Fields with one number are a row: "years: 1999; clubs: Ajax; caps: 20."
        let in_row = !is_labelled && !number.is_empty() && number == row;
        match facts.last_mut().filter(|_| in_row) {
            Some(fact) => {
                fact.truncate(fact.trim_end_matches('.').len());
                fact.push_str("; ");
                fact.push_str(&sentence(&[readable(&label)], &value));
            }
            None => facts.push(sentence(&[title, readable(&label)], &value)),
        }
        row = if is_labelled { "" } else { number };
    }
    facts
}

/// Names of fields that run words together, and as they are read.
const NAMES: [(&str, &str); 8] = [
    ("birthdate", "birth date"),
    ("birthplace", "birth place"),
    ("deathdate", "death date"),
    ("deathplace", "death place"),
    ("yearsactive", "years active"),
    ("othername", "other name"),
    ("birthname", "birth name"),
    ("almamater", "alma mater"),
];

fn readable(label: &str) -> &str {
    NAMES.iter().find(|(name, _)| *name == label).map_or(label, |(_, read)| read)
}

/// A field's name without the number at its end, and that number. A year does not count as one.
fn numbered(name: &str) -> (&str, &str) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_number = name.len() - stem.len() <= 2 && stem.len() > 1 && !name.ends_with("km2") && !name.ends_with("mi2");
    if is_number { (stem, &name[stem.len()..]) } else { (name, "") }
}

fn is_layout(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let is_code = lower.trim_end_matches(|c: char| c.is_ascii_digit()).len() == 1 && lower.len() > 1;
    is_code
        || TITLES.contains(&&*lower)
        || LAYOUT.contains(&&*lower)
        || lower.split(' ').any(|word| LAYOUT.contains(&word))
}

/// A field's name without the unit at its end, which its number gets.
fn with_unit(name: &str, value: String) -> (String, String) {
    let name = name.trim();
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit() || b".,-".contains(&byte));
    let unit = UNITS.iter().find_map(|(end, unit)| Some((name.strip_suffix(end)?.strip_suffix(' ')?, unit)));
    match unit.filter(|_| is_number) {
        Some((name, unit)) if name.contains("density") => (name.into(), format!("{value} per{unit}")),
        Some((name, unit)) => (name.into(), format!("{value}{unit}")),
        None => (name.into(), value),
    }
}

/// A cell of a table.
#[derive(Debug)]
pub(crate) struct Cell {
    pub is_header: bool,
    pub attributes: String,
    pub text: String,
}

/// The facts of a table in the article `title`, one sentence a row: the row's header with every column's header and
/// value. Where each row is a header and a value, these two. None of a table whose first row is not all headers, or has
/// headers that span columns; and none of a row that does not fit below them.
pub(crate) fn of_table(title: &str, rows: &[Vec<Cell>]) -> Vec<String> {
    let is_pair = |row: &Vec<Cell>| matches!(&row[..], [name, value] if name.is_header && !value.is_header);
    if rows.iter().all(is_pair) {
        let fact = |row: &Vec<Cell>| Some(sentence(&[title, &plain(&row[0].text)?], &plain(&row[1].text)?));
        return rows.iter().filter_map(fact).collect();
    }
    let Some((headers, rows)) = rows.split_first() else { return Vec::new() };
    let spans = |cell: &Cell| cell.attributes.contains("colspan");
    let is_plain = headers.len() > 1
        && headers.iter().all(|cell| cell.is_header && !spans(cell) && !cell.attributes.contains("rowspan"));
    if !is_plain {
        return Vec::new();
    }
    let names: Vec<_> = headers.iter().map(|cell| plain(&cell.text)).collect();
    let fits = |row: &&Vec<Cell>| {
        row.len() == headers.len() && !row.iter().any(spans) && !row.iter().all(|cell| cell.is_header)
    };
    let fact = |row: &Vec<Cell>| {
        let name = plain(&row.first()?.text)?;
        let cells = names.iter().zip(row).skip(1);
        let values = cells.filter_map(|(name, cell)| Some(format!("{}: {}", name.as_ref()?, plain(&cell.text)?)));
        let values = values.collect::<Vec<_>>().join("; ");
        (!values.is_empty()).then(|| sentence(&[title, &name], &values))
    };
    rows.iter().filter(fits).filter_map(fact).collect()
}

fn sentence(heads: &[&str], value: &str) -> String {
    let heads = heads.iter().filter(|head| !head.is_empty());
    let text = heads.map(|head| format!("{}: ", head.trim_end_matches(':'))).collect::<String>() + value;
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    text + end
}

/// A value in one line, its lines as a list. None if it is empty, a switch, a file's name, a web address, longer than
/// [`WORDS`] words, or has a hole.
fn plain(value: &str) -> Option<String> {
    if value.contains(HOLE) {
        return None;
    }
    let lines = value.lines().map(|line| line.trim().trim_start_matches(['*', '#', ':', ';']));
    let lines = lines.map(|line| mended(&without_quotes(line))).filter(|line| !line.is_empty());
    let text = lines.fold(String::new(), |text, line| match text.as_str() {
        "" => line,
        before if before.ends_with([',', ';', ':']) || line.starts_with(['(', ',', ';']) => format!("{text} {line}"),
        _ => format!("{text}, {line}"),
    });
    let text = text.trim_end_matches([',', ';', ' ']);
    const SWITCHES: [&str; 12] = ["yes", "no", "y", "n", "true", "false", "on", "off", "auto", "none", "–", "—"];
    const FILES: [&str; 10] = [".jpg", ".jpeg", ".png", ".svg", ".gif", ".tif", ".webp", ".ogg", ".oga", ".webm"];
    let lower = text.to_lowercase();
    let is_address = lower.contains("://") || lower.starts_with("www.");
    let is_fact = text.contains(char::is_alphanumeric)
        && !SWITCHES.contains(&&*lower)
        && !FILES.iter().any(|file| lower.ends_with(file))
        && !is_address
        && text.split(' ').count() <= WORDS;
    is_fact.then(|| text.to_owned())
}
