//! pack.json as a tool of its own would write it.

use evident_base::Hash;
use serde_json::{Value, json};

/// The bytes of a pack.json of format 2: its checksum is the SHA-256 of them with zeros in its place.
pub fn sealed(manifest: &Value) -> Vec<u8> {
    let (mut manifest, zeros) = (manifest.clone(), "0".repeat(64));
    manifest["format"] = json!(2);
    manifest["checksum"] = json!(zeros);
    let blank = manifest.to_string();
    blank.replacen(&zeros, &Hash::of(blank.as_bytes()).to_string(), 1).into_bytes()
}
