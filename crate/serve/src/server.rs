//! A port, and the conversations over it.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::request::{Received, Requests};
use crate::response::{self, Site};

/// Ports that are tried after a taken one.
const PORTS: u16 = 100;
/// Connections at one time; a browser opens six to a host.
const CONNECTIONS: usize = 256;
/// How long a connection may keep silent.
const SILENCE: Duration = Duration::from_secs(30);

/// A port that could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("port {port} could not be opened: {source}")]
pub struct ListenError {
    /// The port.
    pub port: u16,
    /// What the system said.
    pub source: io::Error,
}

/// A port of this machine that answers only this machine.
pub struct Server(TcpListener);

impl Server {
    /// Opens `port`, or the next that is free; any for 0.
    ///
    /// # Errors
    /// [`ListenError`] if none of a hundred is free.
    pub fn listen(port: u16) -> Result<Self, ListenError> {
        let mut candidate = port;
        loop {
            match TcpListener::bind((Ipv4Addr::LOCALHOST, candidate)) {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse && candidate < port.saturating_add(PORTS) => {
                    candidate += 1
                }
                Err(source) => return Err(ListenError { port: candidate, source }),
                Ok(listener) => return Ok(Self(listener)),
            }
        }
    }

    /// Its address, for a browser.
    ///
    /// # Errors
    /// The system's.
    pub fn url(&self) -> io::Result<String> {
        Ok(format!("http://localhost:{}/", self.0.local_addr()?.port()))
    }

    /// Serves `site` until the program is ended.
    pub fn serve(self, site: Site) {
        let (site, open) = (Arc::new(site), Arc::new(AtomicUsize::new(0)));
        for connection in self.0.incoming() {
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
