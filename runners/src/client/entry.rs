//! A client of the catalogue, and whether it can be used here.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::description::{Description, Info, TIFF};
use super::library::LibraryClient;
use super::{Client, CommandClient, Kind, Reply, probe};

/// Where a client is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Linked into repfuzz.
    Library,
    /// Described in repfuzz.
    Shipped,
    /// Described in this file.
    File(PathBuf),
    /// Given on the command line.
    CommandLine,
}

/// Whether a client can be used here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It decoded the probe picture, in this time.
    Ready {
        /// From its start to the decoded picture.
        took: Duration,
    },
    /// This program or module is not installed.
    Missing {
        /// What was not found.
        what: String,
    },
    /// It is there, but does not decode a plain file.
    Broken {
        /// What it did instead.
        why: String,
    },
}

/// A client of the catalogue.
pub struct Entry {
    info: Info,
    origin: Origin,
    driven: Driven,
    state: OnceLock<State>,
}

enum Driven {
    Library(Arc<LibraryClient>),
    Command(Arc<CommandClient>),
}

impl Entry {
    pub(super) fn library(client: Arc<LibraryClient>) -> Self {
        let info = client.info().clone();
        let driven = Driven::Library(client);
        Self { info, origin: Origin::Library, driven, state: OnceLock::new() }
    }

    pub(super) fn command(client: CommandClient, origin: Origin) -> Self {
        let info = client.description().info();
        let driven = Driven::Command(Arc::new(client));
        Self { info, origin, driven, state: OnceLock::new() }
    }

    /// What people are told about it.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Where it is from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The client itself.
    pub fn client(&self) -> Arc<dyn Client> {
        match &self.driven {
            Driven::Library(client) => client.clone(),
            Driven::Command(client) => client.clone(),
        }
    }

    /// The description, if it is a program.
    pub fn description(&self) -> Option<&Description> {
        match &self.driven {
            Driven::Library(_) => None,
            Driven::Command(client) => Some(client.description()),
        }
    }

    /// Whether it is said to read files with this ending.
    pub fn reads(&self, extension: &str) -> bool {
        match &self.driven {
            Driven::Library(client) => client.reads(extension),
            Driven::Command(client) => client.description().formats.iter().any(|f| f == extension),
        }
    }

    /// Whether it can be used here: found out the first time, by decoding a tiny picture.
    pub fn state(&self) -> &State {
        self.state.get_or_init(|| self.find_out())
    }

    fn find_out(&self) -> State {
        if let Driven::Command(client) = &self.driven
            && let Some(what) = client.missing()
        {
            return State::Missing { what };
        }
        // Of another format there is no plain picture: the seed will tell.
        let of_tiff = match &self.driven {
            Driven::Library(client) => client.extension() == TIFF,
            Driven::Command(client) => client.description().extension == TIFF,
        };
        if !of_tiff || !self.reads(TIFF) {
            return State::Ready { took: Duration::ZERO };
        }
        let start = Instant::now();
        let reply = self.client().run(&probe::file(1));
        let took = start.elapsed();
        let why = match reply {
            Ok(Reply::Picture(picture)) if picture == probe::picture() => {
                return State::Ready { took };
            }
            // It may be enlarged, or in the middle of a window.
            Ok(Reply::Picture(_)) if self.info.kind == Kind::Viewer => {
                return State::Ready { took };
            }
            Ok(Reply::Picture(picture)) => format!(
                "decodes a plain {}x{} picture wrongly (as {}x{})",
                probe::picture().width(),
                probe::picture().height(),
                picture.width(),
                picture.height()
            ),
            Ok(Reply::Refused { message }) => match message.strip_prefix(NOT_INSTALLED) {
                Some(what) => return State::Missing { what: what.trim().to_string() },
                None => format!("refuses a plain picture: {message}"),
            },
            Ok(Reply::Crash { message }) => format!("crashes on a plain picture: {message}"),
            Ok(Reply::Hang) => "does not end on a plain picture".to_string(),
            Ok(Reply::Resource { message }) => format!("a plain picture is too much: {message}"),
            Err(e) => e.to_string(),
        };
        State::Broken { why }
    }
}

/// How glue says that the library it drives is not there.
const NOT_INSTALLED: &str = "not installed:";
