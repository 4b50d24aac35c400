//! Writes a browser module and its JavaScript: `evident-glue MODULE.wasm FOLDER` makes `FOLDER/evident.js` and
//! `FOLDER/evident_bg.wasm`, as `wasm-bindgen --target web` does. That tool brings an HTTP client and a test server,
//! and its version and its dependencies would stand outside this workspace's lock file.

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let module = arguments.next().context("the first argument is a module, as cargo built it")?;
    let folder = arguments.next().context("the second argument is the folder to write to")?;
    Bindgen::new()
        .web(true)?
        .input_path(module)
        .out_name("evident")
        .typescript(true)
        .omit_default_module_path(false)
        .generate(folder)
}
