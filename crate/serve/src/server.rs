//! A port, and the connections to it.

use std::collections::HashMap;
use std::io::{self, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::request::{Received, Requests};
use crate::response::{self, Site};

/// Ports that are tried after a taken one.
const PORTS: u16 = 100;
/// Connections at one time; a browser opens six to a host.
const CONNECTIONS: usize = 256;
/// How long a connection may keep silent.
const SILENCE: Duration = Duration::from_secs(if cfg!(test) { 5 } else { 30 });
/// The bytes a second, on average, at which a client must read an answer after the first [`SILENCE`].
const PACE: u64 = if cfg!(test) { 8 << 20 } else { 16 << 10 };

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
        let (site, open) = (Arc::new(site), Arc::new(Connections::default()));
        for (number, connection) in self.0.incoming().enumerate() {
            // The browser repeats a connection that fails.
            let Ok(connection) = connection else { continue };
            let connection = Arc::new(connection);
            open.add(number, connection.clone());
            let (site, open) = (site.clone(), open.clone());
            thread::spawn(move || {
                let _ = converse(&site, &connection, &|| open.gets_on(number));
                open.remove(number);
            });
        }
    }
}

/// The open connections by their numbers, each with the time of its last progress: when a whole request had arrived, or
/// a part of the answer was written.
#[derive(Default)]
struct Connections(Mutex<HashMap<usize, (Instant, Arc<TcpStream>)>>);

impl Connections {
    /// Adds a connection. If there are too many, the one whose last progress is the oldest is closed, so that slow
    /// clients do not keep out others.
    fn add(&self, number: usize, connection: Arc<TcpStream>) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= CONNECTIONS
            && let Some(slowest) = open.iter().min_by_key(|(_, (since, _))| *since).map(|(&number, _)| number)
            && let Some((_, connection)) = open.remove(&slowest)
        {
            let _ = connection.shutdown(Shutdown::Both); // its thread ends at its next read or write
        }
        open.insert(number, (Instant::now(), connection));
    }

    fn gets_on(&self, number: usize) {
        if let Some((since, _)) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&number) {
            *since = Instant::now();
        }
    }

    fn remove(&self, number: usize) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }
}

/// Answers one request after the other, until the browser has no more. `gets_on` is called at each progress of the
/// connection.
fn converse(site: &Site, connection: &TcpStream, gets_on: &impl Fn()) -> io::Result<()> {
    connection.set_read_timeout(Some(SILENCE))?;
    connection.set_nodelay(true)?;
    let mut requests = Requests::new(connection);
    loop {
        let received = requests.next()?;
        gets_on();
        let paced = Paced { connection, began: Instant::now(), written: 0, gets_on };
        match received {
            Received::Request(request) => {
                site.answer(&request).send(&request, paced)?;
                if request.last {
                    return Ok(());
                }
            }
            Received::Malformed => return response::malformed(paced),
            Received::End => return Ok(()),
        }
    }
}

/// Writes an answer to a connection in bounded time: the client must read it at [`PACE`], and never pause for a
/// [`SILENCE`].
struct Paced<'a, F> {
    connection: &'a TcpStream,
    began: Instant,
    written: u64,
    gets_on: &'a F,
}

impl<F: Fn()> Write for Paced<'_, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let allowed = SILENCE + Duration::from_secs(self.written / PACE);
        let left = allowed.saturating_sub(self.began.elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.connection.set_write_timeout(Some(left.min(SILENCE)))?;
        let written = (&mut &*self.connection).write(bytes)?;
        self.written += written as u64;
        (self.gets_on)();
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::fs::{self, File};
    use std::io::Read;
    use std::path::PathBuf;
    use std::process;

    use super::*;

    const SLOW: usize = 300;
    /// More than the time that a connection may take here, however busy the machine.
    const BOUND: Duration = Duration::from_secs(60);

    /// A folder with a page and a file that is too large for a connection's buffers; removed after the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("evident-serve-{name}-{}", process::id()));
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join("index.html"), "<p>").unwrap();
            File::create(path.join("large.bin")).unwrap().set_len(1 << 30).unwrap(); // sparse: it takes no room on disk
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// The port of a server of this folder, which ends with the program.
    fn served(folder: &Folder) -> u16 {
        let server = Server::listen(0).unwrap();
        let port = server.0.local_addr().unwrap().port();
        let site = Site::new(&folder.0, Vec::new(), None).unwrap();
        thread::spawn(move || server.serve(site));
        port
    }

    fn connect(port: u16) -> TcpStream {
        TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap()
    }

    const LARGE: &[u8] = b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n";

    fn answer(port: u16) -> String {
        let mut connection = connect(port);
        connection.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Opens [`SLOW`] connections, sends `sent` on each, and checks that other requests are still answered.
    fn slow(port: u16, sent: &[u8]) -> Vec<TcpStream> {
        let mut slow: Vec<_> = (0..SLOW).map(|_| connect(port)).collect();
        for connection in &mut slow {
            let _ = connection.write_all(sent); // the first were cut off for later ones
        }
        for _ in 0..20 {
            assert!(answer(port).starts_with("HTTP/1.1 200 "));
        }
        slow
    }

    #[test]
    fn heads_that_come_byte_by_byte_keep_nobody_from_an_answer_and_are_cut_off() {
        let folder = Folder::new("heads");
        let began = Instant::now();
        let mut slow = slow(served(&folder), b"G");
        while !slow.is_empty() {
            assert!(began.elapsed() < BOUND, "{} are still open", slow.len());
            slow.retain_mut(|connection| connection.write_all(b"E").is_ok());
            thread::sleep(SILENCE / 20);
        }
    }

    #[test]
    fn bodies_that_nobody_reads_keep_nobody_from_an_answer_and_are_cut_off() {
        let folder = Folder::new("bodies");
        let began = Instant::now();
        let slow = slow(served(&folder), LARGE);
        thread::sleep(2 * SILENCE);
        let mut chunk = vec![0; 1 << 20];
        for mut connection in slow {
            let mut taken = 0;
            while let Ok(read @ 1..) = connection.read(&mut chunk) {
                taken += read;
            }
            assert!(taken < 1 << 30, "all of the body came");
        }
        assert!(began.elapsed() < BOUND);
    }

    #[test]
    fn a_body_that_is_read_too_slowly_is_cut_off() {
        let folder = Folder::new("pace");
        let mut connection = connect(served(&folder));
        connection.write_all(LARGE).unwrap();
        let (began, mut chunk) = (Instant::now(), vec![0; 64 << 10]);
        // The client reads at half of the pace, without a silence.
        while connection.read(&mut chunk).is_ok_and(|read| read > 0) {
            assert!(began.elapsed() < BOUND);
            thread::sleep(Duration::from_millis(16));
        }
        assert!(began.elapsed() >= SILENCE);
    }
}
