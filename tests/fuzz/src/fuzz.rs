//! The targets under libFuzzer; the variable TARGET says which.

#![no_main]

use std::sync::OnceLock;

use evident_fuzz::TARGETS;
use libfuzzer_sys::fuzz_target;

static RUN: OnceLock<fn(&[u8])> = OnceLock::new();

fn chosen() -> fn(&[u8]) {
    let wanted = std::env::var("TARGET").unwrap_or_default();
    let names = TARGETS.map(|(name, _)| name);
    let found = TARGETS.into_iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("set TARGET to one of {names:?}")).1
}

fuzz_target!(|bytes: &[u8]| RUN.get_or_init(chosen)(bytes));
