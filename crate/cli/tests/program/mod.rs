//! The program as the tests run it, and how its runs end.
#![allow(dead_code)] // each test file uses its own part of it

use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A path under the project's folder.
pub fn root(path: &str) -> String {
    format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
}

/// A small random checkpoint of tests/parity/models, or a file of one.
pub fn golden(name: &str) -> String {
    root(&format!("tests/parity/models/golden/{name}"))
}

pub fn embedded() -> String {
    root("models/embedded")
}

/// The program, apart from what the tester's surroundings would tell it.
pub fn evident(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evident"));
    // The pack's smaller NLI model: the tests are of the program and not of how good the verdicts are.
    command.args(arguments).stdin(Stdio::null()).env_remove("EVIDENT_PACK").env("EVIDENT_MODEL", "small");
    for proxy in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
    command
}

pub fn run(arguments: &[&str]) -> Output {
    evident(arguments).output().unwrap()
}

/// What a run that succeeded wrote.
#[track_caller]
pub fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::str::from_utf8(&output.stdout).unwrap()
}

/// What a command that succeeds writes as JSON.
#[track_caller]
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(stdout(&run(arguments))).unwrap()
}

/// The last line of a run that failed, which has its code and message.
#[track_caller]
pub fn error(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    std::str::from_utf8(&output.stderr).unwrap().lines().last().unwrap()
}

#[track_caller]
pub fn assert_error(output: &Output, code: &str, says: &str) {
    let error = error(output);
    assert!(error.starts_with(&format!("error[{code}]: ")) && error.contains(says), "{error}");
}
