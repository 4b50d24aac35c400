//! The names of the fields of passages in JSONL.

use std::str::FromStr;

use evident_index::Passage;
use serde_json::{Map, Value};

/// The fields of a passage.
const FIELDS: [&str; 6] = ["id", "title", "section", "text", "source", "names"];

/// Fields of JSONL with other names than those of a passage: `title=name,text=body`. Those that are not named have the
/// passage's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    /// A passage's field and its name.
    named: Vec<(&'static str, String)>,
}

/// Why fields could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldsError {
    /// Not a field of a passage.
    #[error("a passage has no field {0:?}: name {known}, such as title=name,text=body", known = FIELDS.join(", "))]
    Unknown(String),
    /// A field without a name.
    #[error("{0} has no name: write {0}=NAME")]
    NoName(&'static str),
    /// A field with two names.
    #[error("{0} has two names: keep one")]
    Twice(&'static str),
}

impl FromStr for Fields {
    type Err = FieldsError;

    fn from_str(text: &str) -> Result<Self, FieldsError> {
        let mut named = Vec::<(&str, String)>::new();
        for part in text.split(',') {
            let (field, name) = part.split_once('=').unwrap_or((part, ""));
            let known = FIELDS.into_iter().find(|known| *known == field.trim());
            let field = known.ok_or_else(|| FieldsError::Unknown(field.trim().into()))?;
            match name.trim() {
                "" => return Err(FieldsError::NoName(field)),
                _ if named.iter().any(|(known, _)| *known == field) => return Err(FieldsError::Twice(field)),
                name => named.push((field, name.into())),
            }
        }
        Ok(Self { named })
    }
}

impl Fields {
    fn name<'a>(&'a self, field: &'a str) -> &'a str {
        self.named.iter().find(|(named, _)| *named == field).map_or(field, |(_, name)| name)
    }

    /// The passage in the line with this number, which is its id if it has no other; or what is wrong with it.
    pub(crate) fn passage(&self, line: &[u8], number: usize) -> Result<Passage, String> {
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        let object: Map<String, Value> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let mut passage = Map::new();
        for field in FIELDS {
            let name = self.name(field);
            let value = match object.get(name) {
                Some(Value::Null) | None if name == "id" => number.into(),
                None if matches!(field, "id" | "title" | "text") => return Err(format!("it has no field {name:?}")),
                Some(value) if matches!(field, "title" | "text") && !value.is_string() => {
                    return Err(format!("the field {name:?} is no text"));
                }
                Some(value) => value.clone(),
                None => continue,
            };
            passage.insert(field.into(), value);
        }
        serde_json::from_value(passage.into()).map_err(|error| error.to_string())
    }
}
