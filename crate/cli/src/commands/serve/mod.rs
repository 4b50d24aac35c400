//! `evident serve`: a folder of static files on localhost, the way any static host would serve it: for trying an index or a page.

mod request;
mod response;

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;

use crate::CliError;
use request::{Received, Requests};
use response::Site;

/// Ports that are tried after a taken one.
const PORTS: u16 = 100;
/// Connections at one time; a browser opens six to a host.
const CONNECTIONS: usize = 256;
/// How long a connection may keep silent.
const SILENCE: Duration = Duration::from_secs(30);

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
    let unreadable = |source| CliError::Unreadable { path: directory.clone(), source };
    let root = directory.canonicalize().map_err(unreadable)?;
    if !root.is_dir() {
        return Err(CliError::Unusable { path: directory.clone(), why: "it is no folder: name the folder to serve" });
    }
    if cors.as_ref().is_some_and(|origin| !origin.bytes().all(|byte| byte.is_ascii_graphic())) {
        let why = "--cors takes one origin, such as https://example.org, or *";
        return Err(CliError::Unusable { path: directory.clone(), why });
    }
    let listener = listen(*port)?;
    let url = format!("http://localhost:{}/", listener.local_addr()?.port());
    let mut out = anstream::stdout().lock();
    match json {
        true => writeln!(out, "{}", serde_json::json!({ "url": url }))?,
        false => writeln!(out, "{} is at {url}   (Ctrl+C ends it)", directory.display())?,
    }
    out.flush()?;

    let (site, open) =
        (Arc::new(Site { root, hosts: host.clone(), cors: cors.clone() }), Arc::new(AtomicUsize::new(0)));
    for connection in listener.incoming() {
        // A connection that fails is the browser's to repeat.
        let Ok(connection) = connection else { continue };
        if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
            open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (site, open) = (site.clone(), open.clone());
        thread::spawn(move || {
            let _ = converse(&site, connection);
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(())
}

fn listen(port: u16) -> Result<TcpListener, CliError> {
    let mut candidate = port;
    loop {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, candidate)) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && candidate < port.saturating_add(PORTS) => {
                candidate += 1
            }
            Err(source) => return Err(CliError::Listen { port: candidate, source }),
            Ok(listener) => return Ok(listener),
        }
    }
}

/// Answers one request after the other, until the browser has no more.
fn converse(site: &Site, connection: TcpStream) -> io::Result<()> {
    connection.set_read_timeout(Some(SILENCE))?;
    connection.set_write_timeout(Some(SILENCE))?;
    connection.set_nodelay(true)?;
    let mut requests = Requests::new(&connection);
    loop {
        match requests.next()? {
            Received::Request(request) => {
                site.answer(&request).send(&request, &connection)?;
                if request.last {
                    return Ok(());
                }
            }
            Received::Malformed => return response::malformed(&connection),
            Received::End => return Ok(()),
        }
    }
}
