//! Measures how good Evident's judgments and scores are.

#![forbid(unsafe_code)]

pub mod measures;
