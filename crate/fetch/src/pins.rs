//! models/packs.toml: the published checkpoints, each pinned to a revision.

use std::collections::BTreeMap;

use evident_base::Hash;
use serde::Deserialize;

/// The contents of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pins {
    /// Addresses with `{repository}`, `{revision}` and `{path}` in them, the publisher's first.
    pub mirrors: Vec<String>,
    /// The checkpoints by name.
    pub pack: BTreeMap<String, Pin>,
}

/// One checkpoint.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Where it is published, such as "google/flan-t5-small".
    pub repository: String,
    /// The commit of that repository.
    pub revision: String,
    /// Its licence.
    pub license: String,
    /// Its files.
    pub files: Vec<PinnedFile>,
}

/// One file of a checkpoint.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedFile {
    /// Its name in the repository and in the folder.
    pub path: String,
    /// Its size, where it is known.
    pub bytes: Option<u64>,
    /// Its SHA-256; without one, the first fetch records it in the lock.
    pub sha256: Option<Hash>,
}

impl Pins {
    /// The models/packs.toml that is built into this program.
    pub const BUILT_IN: &str = include_str!("../../../models/packs.toml");

    /// Reads a packs.toml.
    ///
    /// # Errors
    /// What is wrong with the file, with the line.
    pub fn parse(toml: &str) -> Result<Self, String> {
        let pins: Self = toml::from_str(toml).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + toml[..span.start].matches('\n').count());
            format!("line {line}: {}", error.message())
        })?;
        let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['/', '\\', ':']);
        for (name, pin) in &pins.pack {
            if !is_name(name) {
                return Err(format!("{name:?} is no name for a folder"));
            }
            if let Some(file) = pin.files.iter().find(|file| !is_name(&file.path)) {
                return Err(format!("{name}: {:?} is no name of a file", file.path));
            }
        }
        if pins.mirrors.is_empty() {
            return Err("it names no mirror".to_owned());
        }
        Ok(pins)
    }
}

impl Pin {
    /// The size of all files whose size is known.
    pub fn bytes(&self) -> u64 {
        self.files.iter().filter_map(|file| file.bytes).sum()
    }

    /// The address of a file at a mirror.
    pub fn url(&self, mirror: &str, path: &str) -> String {
        mirror.replace("{repository}", &self.repository).replace("{revision}", &self.revision).replace("{path}", path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_this_program_pins_every_checkpoint() {
        let pins = Pins::parse(Pins::BUILT_IN).unwrap();
        assert_eq!(pins.pack.len(), 11);
        for (name, pin) in &pins.pack {
            assert_eq!(pin.revision.len(), 40, "{name}");
            let paths: Vec<&str> = pin.files.iter().map(|file| file.path.as_str()).collect();
            assert_eq!(paths, ["config.json", "tokenizer.json", "model.safetensors"], "{name}");
        }
        let url = pins.pack["distilgpt2"].url(&pins.mirrors[0], "config.json");
        let revision = "2290a62682d06624634c1f46a6ad5be0f47f38aa";
        assert_eq!(url, format!("https://huggingface.co/distilbert/distilgpt2/resolve/{revision}/config.json"));
    }

    #[test]
    fn names_that_lead_elsewhere_and_hashes_that_are_none_are_refused() {
        let parse = |name: &str, path: &str, hash: &str| {
            Pins::parse(&format!(
                "mirrors = [\"http://localhost\"]\n[pack.\"{name}\"]\nrepository = \"a/b\"\nrevision = \"1\"\nlicense = \"MIT\"\n\
                 files = [{{ path = \"{path}\", sha256 = \"{hash}\" }}]"
            ))
        };
        let hash = "0".repeat(64);
        assert!(parse("small", "config.json", &hash).is_ok());
        assert!(parse("../small", "config.json", &hash).is_err());
        assert!(parse("small", "../config.json", &hash).is_err());
        assert!(parse("small", "config.json", "abc").is_err());
        assert!(Pins::parse("mirrors = []\n[pack]").is_err());
        assert!(Pins::parse("mirrors = [\"x\"]\n[pack]\n\nother = 1").unwrap_err().starts_with("line 4: "));
        assert!(Pins::parse("mirrors = [\"x\"]\n[pack]\n[packs]").is_err());
    }
}
