//! An index of the reader's own passages, built in the page: byte for byte what `evident index build` writes.

use std::io::BufRead;

use evident_index::{BuildError, BuildOptions, Passage, assemble, parse_line};
use js_sys::{Array, Map, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::error::WebError;

/// Gathers the passages of one file after another, then builds their index.
#[wasm_bindgen]
#[derive(Default)]
pub struct IndexBuilder {
    passages: Vec<Passage>,
    /// Each file's name, and the number of passages before it.
    files: Vec<(String, usize)>,
}

#[wasm_bindgen]
impl IndexBuilder {
    /// A builder without passages.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the passages of the JSONL file `name`, whose bytes are `jsonl`; returns the number of passages of all files
    /// so far.
    ///
    /// # Errors
    /// An `Error` with the code "bad-passages" that names file and line. The file is then not added.
    pub fn add(&mut self, name: String, jsonl: &[u8]) -> Result<usize, WebError> {
        let lines = BufRead::split(jsonl, b'\n').map_while(Result::ok).zip(1..); // memory gives no errors
        let lines = lines.filter(|(text, _)| !text.trim_ascii().is_empty());
        let passages: Result<Vec<Passage>, BuildError> = lines.map(|(text, line)| parse_line(&text, line)).collect();
        let passages = passages.map_err(|source| WebError::Build { place: format!("{name}: "), source })?;
        self.files.push((name, self.passages.len()));
        self.passages.extend(passages);
        Ok(self.passages.len())
    }

    /// The files of the index: a `Map` of their names to `Uint8Array`s.
    ///
    /// # Errors
    /// An `Error` with the code "bad-passages" that names file and line.
    pub fn build(self) -> Result<Map, WebError> {
        self.files_as(Into::into)
    }
}

impl IndexBuilder {
    /// The files of the index: a `Map` of their names to `Blob`s.
    ///
    /// # Errors
    /// Those of [`Self::build`].
    pub fn blobs(self) -> Result<Map, WebError> {
        // A file that cannot become a blob is reported as missing when it is read.
        self.files_as(|bytes| {
            Blob::new_with_u8_array_sequence(&Array::of1(&bytes)).map_or(JsValue::UNDEFINED, Into::into)
        })
    }

    fn files_as(self, make: impl Fn(Uint8Array) -> JsValue) -> Result<Map, WebError> {
        let passages = self.passages.into_iter().map(Ok);
        let (_, built) = assemble(passages, &BuildOptions::default()).map_err(|source| at(&self.files, source))?;
        let files = Map::new();
        for (name, bytes) in built {
            files.set(&name.into(), &make(Uint8Array::from(&bytes[..])));
        }
        Ok(files)
    }
}

/// The error with its lines counted within their files, as the reader sees them.
fn at(files: &[(String, usize)], error: BuildError) -> WebError {
    let place = |line: usize| {
        let file = files.iter().rev().find(|(_, before)| *before < line);
        file.map_or((String::new(), line), |(name, before)| (name.clone(), line - before))
    };
    match error {
        BuildError::EmptyText { line, id } => {
            let (file, line) = place(line);
            WebError::Build { place: format!("{file}: "), source: BuildError::EmptyText { line, id } }
        }
        BuildError::TooManyNames { line, id } => {
            let (file, line) = place(line);
            WebError::Build { place: format!("{file}: "), source: BuildError::TooManyNames { line, id } }
        }
        BuildError::DuplicateId { line, first, id } => {
            let ((file, line), (other, first)) = (place(line), place(first));
            if file == other {
                WebError::Build { place: format!("{file}: "), source: BuildError::DuplicateId { line, first, id } }
            } else {
                WebError::SharedId { file, line, other, first, id }
            }
        }
        source => WebError::Build { place: String::new(), source },
    }
}
