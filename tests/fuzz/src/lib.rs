//! What a fuzzer may feed. Each target takes any bytes as something that a stranger may send, and panics where the code
//! panics or breaks a promise.

#![forbid(unsafe_code)]

mod blocks;
mod checkpoint;
mod claims;
mod corpus_file;
mod directory;
mod html;
mod index;
mod markdown;
mod pack;
mod safetensors;
mod sealed;
mod signature;
mod tokenizer;
mod wiki;
mod wikitext;
mod zim;

/// The name of a target, which is that of its folder in `corpus`, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 13] = [
    ("blocks", blocks::run),
    ("claims", claims::run),
    ("directory", directory::run),
    ("html", html::run),
    ("index", index::run),
    ("markdown", markdown::run),
    ("pack", pack::run),
    ("safetensors", safetensors::run),
    ("signature", signature::run),
    ("tokenizer", tokenizer::run),
    ("wiki", wiki::run),
    ("wikitext", wikitext::run),
    ("zim", zim::run),
];
