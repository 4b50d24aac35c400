//! A pack.json with its checksum.

use evident_base::Hash;
use serde_json::{Map, Value, json};

/// The bytes of a pack.json that says this: its checksum is the SHA-256 of them with zeros in its place.
pub fn sealed(mut contents: Map<String, Value>) -> Vec<u8> {
    let zeros = "0".repeat(64);
    contents.insert("format".to_owned(), json!(2));
    contents.insert("checksum".to_owned(), json!(zeros));
    let blank = Value::Object(contents).to_string();
    blank.replacen(&zeros, &Hash::of(blank.as_bytes()).to_string(), 1).into_bytes()
}
