//! `evident serve`: a folder of static files on localhost, for trying an index or a page.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use evident_base::PlainWriter;
use evident_serve::{Server, Site};

use crate::error::{CliError, unreadable};

#[derive(Args)]
pub struct Arguments {
    /// The folder
    directory: PathBuf,
    /// The port, or the first to try where it is taken; 0 takes any
    #[arg(long, default_value_t = 8088)]
    port: u16,
    /// A further name by which the server may be asked, such as that of a proxy before it; else it answers to
    /// localhost and its own address
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Let pages of this origin read the files, such as https://example.org, or * for any
    #[arg(long, value_name = "ORIGIN")]
    cors: Option<String>,
    /// Write the address as JSON
    #[arg(long)]
    json: bool,
}

/// Serves until the program is ended.
pub fn run(arguments: &Arguments) -> Result<(), CliError> {
    let Arguments { directory, port, host, cors, json } = arguments;
    let unusable = |why| CliError::Unusable { path: directory.clone(), why };
    let site = Site::new(directory, host.clone(), cors.clone()).map_err(|source| unreadable(directory, source))?;
    if !directory.is_dir() {
        return Err(unusable("it is no folder: name the folder to serve"));
    }
    if cors.as_ref().is_some_and(|origin| !origin.bytes().all(|byte| byte.is_ascii_graphic())) {
        return Err(unusable("--cors takes one origin, such as https://example.org, or *"));
    }
    let server = Server::listen(*port)?;
    let url = server.url()?;
    let mut out = anstream::stdout().lock();
    match json {
        true => writeln!(out, "{}", serde_json::json!({ "url": url }))?,
        false => writeln!(PlainWriter(&mut out), "{} is at {url}   (Ctrl+C ends it)", directory.display())?,
    }
    out.flush()?;
    server.serve(site);
    Ok(())
}
