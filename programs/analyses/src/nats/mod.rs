//! Clients in separate processes, which use the protocol over NATS.
//!
//! Only one subject is known to all: that of the session, where clients ask to join. Everything else goes to
//! inboxes. One program is analysed in a session at a time.

mod guest;
mod host;

use std::ffi::OsString;
use std::time::Duration;

use async_nats::{Client, Message as Packet, StatusCode};
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use crate::protocol::Formula;
use crate::protocol::wire::{Envelope, Message};

pub use guest::{Build, serve};
pub use host::{Guard, Remote, seats};

/// The time limit for finding a NATS server or a session.
const SEARCH: Duration = Duration::from_secs(10);
/// The time between signs of life of the server.
const BEAT: Duration = Duration::from_secs(1);
/// The time after which a client believes that the server is gone.
const SILENCE: Duration = Duration::from_secs(60);

/// A session of NATS.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The server of NATS: `nats://localhost:4222`.
    pub url: String,
    /// The name of the session; if `None`, a random one.
    pub name: Option<String>,
    /// The command that runs a client, to which `NAME --nats URL --session NAME` is added.
    pub command: Vec<OsString>,
    /// The number of clients that join from elsewhere.
    pub join: usize,
}

/// A reason why NATS cannot be used.
#[derive(Debug, Error)]
pub enum Error {
    /// NATS cannot be reached.
    #[error("{url}: {why}")]
    Connect {
        /// The server.
        url: String,
        /// The reason.
        why: String,
    },
    /// A name cannot be part of a subject.
    #[error("`{0}` is no name of a session or client: use up to 40 letters, digits, `-` and `_`")]
    Name(String),
    /// Nobody serves the session.
    #[error("session {0}: nobody serves it; start the server first, and give its session and URL")]
    NoSession(String),
    /// Clients did not join.
    #[error("session {session}: {here} of {all} clients joined in {seconds} s")]
    Missing {
        /// The session.
        session: String,
        /// The number of clients that joined.
        here: usize,
        /// The number of all clients.
        all: usize,
        /// The time.
        seconds: u64,
    },
    /// A process cannot be started.
    #[error("cannot start the client {name}: {why}")]
    Start {
        /// The client.
        name: &'static str,
        /// The reason.
        why: String,
    },
    /// The server is gone.
    #[error("session {0}: the server is gone")]
    Gone(String),
    /// Anything else, in one line.
    #[error("{0}")]
    Other(String),
}

impl Error {
    fn other(why: impl std::fmt::Display) -> Self {
        Self::Other(format!("NATS: {why}"))
    }
}

/// The subject on which clients ask to join.
pub fn subject(session: &str) -> String {
    format!("repfuzz.analyze.{session}")
}

/// Returns a name that can be part of a subject.
fn checked(name: &str) -> Result<&str, Error> {
    let fits = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    if (1..=40).contains(&name.len()) && name.bytes().all(fits) {
        Ok(name)
    } else {
        Err(Error::Name(name.chars().take(60).collect()))
    }
}

fn runtime() -> Result<Runtime, Error> {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(Error::other)
}

async fn connect(url: &str) -> Result<Client, Error> {
    let fails = |why: String| Error::Connect { url: url.to_owned(), why };
    match tokio::time::timeout(SEARCH, async_nats::connect(url)).await {
        Ok(connected) => connected.map_err(|why| fails(why.to_string())),
        Err(_) => Err(fails(format!("no answer in {} s", SEARCH.as_secs()))),
    }
}

/// Returns the bytes of a message; `None` if they exceed the limit of NATS.
fn encode(client: &Client, envelope: &Envelope) -> Option<Vec<u8>> {
    let bytes = serde_json::to_vec(envelope).ok()?;
    (bytes.len() <= client.server_info().max_payload).then_some(bytes)
}

/// Returns the bytes of a message. Replaces a message that is too long by one that says that nothing is known, which is
/// always sound.
fn encode_or_true(client: &Client, id: Option<u64>, message: Message) -> Vec<u8> {
    let bytes = encode(client, &Envelope { id, message });
    let unknown = || {
        let message = Message::Values { formula: Formula::True.to_string() };
        encode(client, &Envelope { id, message })
    };
    bytes.or_else(unknown).unwrap_or_default()
}

/// Returns true if nobody listens for the message that was sent.
fn nobody(packet: &Packet) -> bool {
    packet.status == Some(StatusCode::NO_RESPONDERS)
}
