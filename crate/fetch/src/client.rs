//! Small answers over HTTP, such as those of a web service.

use std::io::Read;
use std::time::Duration;

use ureq::Agent;

use crate::download::user_agent;

/// The time limit for a whole answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks servers, without cookies. It takes the proxy from the environment. A redirect is an answer: an address that a
/// person chose must not lead to one that nobody did, such as that of a private network.
pub struct Client(Agent);

/// An answer, whatever its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The seconds of `Retry-After`, if that is there and has a number.
    pub retry_after: Option<u64>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No network, no such host, or no answer in time.
    #[error("it cannot be reached ({0}): check the address and the network, and try again")]
    Unreachable(String),
    /// The answer is longer than allowed.
    #[error("its answer has more than {0} bytes")]
    TooLong(u64),
}

impl Default for Client {
    fn default() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(PATIENCE))
            .user_agent(user_agent());
        Self(config.build().new_agent())
    }
}

impl Client {
    /// Gets an address. The body of the answer may have `most` bytes.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn get(&self, address: &str, most: u64) -> Result<Answer, ClientError> {
        let unreachable = |error: &dyn std::fmt::Display| ClientError::Unreachable(error.to_string());
        let mut response = self.0.get(address).call().map_err(|error| unreachable(&error))?;
        let header = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let (status, retry_after) = (response.status().as_u16(), header.and_then(|value| value.trim().parse().ok()));
        let mut body = Vec::new();
        let read = response.body_mut().as_reader().take(most + 1).read_to_end(&mut body);
        read.map_err(|error| unreachable(&error))?;
        if body.len() as u64 > most {
            return Err(ClientError::TooLong(most));
        }
        Ok(Answer { status, retry_after, body })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn a_redirect_is_not_followed() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/api.php", server.local_addr().unwrap());
        let answering = thread::spawn(move || {
            let (mut socket, _) = server.accept().unwrap();
            let _ = socket.read(&mut [0; 1024]).unwrap();
            let head =
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.write_all(head.as_bytes()).unwrap();
        });
        assert_eq!(Client::default().get(&address, 5).unwrap().status, 302);
        answering.join().unwrap();
    }

    #[test]
    fn an_answer_is_bounded_and_says_when_to_come_again() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/api.php", server.local_addr().unwrap());
        let answering = thread::spawn(move || {
            for _ in 0..2 {
                let (mut socket, _) = server.accept().unwrap();
                let _ = socket.read(&mut [0; 1024]).unwrap();
                let head = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlater";
                socket.write_all(head.as_bytes()).unwrap();
            }
        });
        let client = Client::default();
        let answer = client.get(&address, 5).unwrap();
        assert_eq!(answer, Answer { status: 429, retry_after: Some(7), body: b"later".to_vec() });
        assert!(matches!(client.get(&address, 4), Err(ClientError::TooLong(4))));
        answering.join().unwrap();
        assert!(matches!(client.get(&address, 4), Err(ClientError::Unreachable(_))));
    }
}
