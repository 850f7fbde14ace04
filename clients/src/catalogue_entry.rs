//! An entry of the catalogue: one client, and whether it works on this machine.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tiff_harness::Picture;

use super::description::{Description, Info, TIFF};
use super::library::LibraryClient;
use super::output::Format;
use super::{Client, CommandClient, Kind, Reply, probe};

/// The source of a client's description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Linked into repfuzz.
    Library,
    /// Shipped with repfuzz.
    Shipped,
    /// Described in this file.
    File(PathBuf),
    /// Given on the command line.
    CommandLine,
}

/// The result of probing a client on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// It decoded the probe picture.
    Ready {
        /// Time from its start to the decoded picture.
        took: Duration,
    },
    /// This program or module is not installed.
    Missing {
        /// The name of the program or module.
        what: String,
    },
    /// It is installed, but fails on plain files.
    Broken {
        /// The observed behaviour.
        why: String,
        /// True if it shows a wrong picture of the plain file.
        shows_wrongly: bool,
    },
}

/// A client of the catalogue.
pub struct CatalogueEntry {
    info: Info,
    origin: Origin,
    driven: Driven,
    state: OnceLock<Availability>,
}

enum Driven {
    Library(Arc<LibraryClient>),
    Command(Arc<CommandClient>),
}

impl CatalogueEntry {
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

    /// The facts that reports and listings show.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The source of its description.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the client itself.
    pub fn client(&self) -> Arc<dyn Client> {
        match &self.driven {
            Driven::Library(client) => client.clone(),
            Driven::Command(client) => client.clone(),
        }
    }

    /// Returns the description if it is a program.
    pub fn description(&self) -> Option<&Description> {
        match &self.driven {
            Driven::Library(_) => None,
            Driven::Command(client) => Some(client.description()),
        }
    }

    /// Returns true if it is declared to read files with this extension.
    pub fn reads(&self, extension: &str) -> bool {
        match &self.driven {
            Driven::Library(client) => client.reads(extension),
            Driven::Command(client) => client.reads(extension),
        }
    }

    /// Returns true if its output is compared as bytes, not as a picture.
    pub fn returns_bytes(&self) -> bool {
        self.description().is_some_and(|description| description.output.format == Format::Bytes)
    }

    /// Probes the client on a tiny picture. The result is cached.
    pub fn state(&self) -> &Availability {
        self.state.get_or_init(|| self.find_out())
    }

    fn find_out(&self) -> Availability {
        if let Driven::Command(client) = &self.driven
            && let Some(what) = client.missing()
        {
            return Availability::Missing { what };
        }
        // Other formats have no probe picture, so the baseline on the seed decides.
        let of_tiff = match &self.driven {
            Driven::Library(client) => client.extension() == TIFF,
            Driven::Command(client) => client.description().extension == TIFF,
        };
        if !of_tiff || !self.reads(TIFF) {
            return Availability::Ready { took: Duration::ZERO };
        }
        let first = self.try_on(&probe::file(1));
        match first {
            // Some readers refuse fields that others need.
            Availability::Broken { .. } => match self.try_on(&probe::plainest_file()) {
                ready @ Availability::Ready { .. } => ready,
                _ => first,
            },
            state => state,
        }
    }

    /// Returns true if a client that fails on plain files shows a picture of the seed `file`, so that it can be judged.
    /// `expected` computes the right picture. A client that misreads plain files must show exactly this picture; any
    /// other is later compared with its own picture of the seed. `None` if it hangs.
    pub fn shows(&self, file: &[u8], expected: impl FnOnce() -> Option<Picture>) -> Option<bool> {
        let Availability::Broken { shows_wrongly, .. } = self.state() else { return Some(false) };
        match self.client().run(file) {
            Ok(Reply::Picture(shown)) => Some(!shows_wrongly || expected() == Some(shown)),
            Ok(Reply::Hang) => None,
            _ => Some(false),
        }
    }

    /// Runs the client on a file of [the probe picture](probe::picture).
    fn try_on(&self, file: &[u8]) -> Availability {
        let start = Instant::now();
        let reply = self.client().run(file);
        let took = start.elapsed();
        let shows_wrongly = matches!(reply, Ok(Reply::Picture(_)));
        let why = match reply {
            Ok(Reply::Picture(picture)) if picture == probe::picture() => {
                return Availability::Ready { took };
            }
            // A viewer may enlarge the picture, or center it in a window; bytes need not represent a picture.
            Ok(Reply::Picture(_)) if self.info.kind == Kind::Viewer || self.returns_bytes() => {
                return Availability::Ready { took };
            }
            Ok(Reply::Picture(picture)) => format!(
                "decodes a plain {}x{} picture wrongly (as {}x{})",
                probe::picture().width(),
                probe::picture().height(),
                picture.width(),
                picture.height()
            ),
            Ok(Reply::Refused { message }) => match message.strip_prefix(NOT_INSTALLED) {
                Some(what) => return Availability::Missing { what: what.trim().to_string() },
                None => format!("refuses a plain picture: {message}"),
            },
            Ok(Reply::Empty { message }) => {
                format!("makes an empty picture of a plain one: {message}")
            }
            Ok(Reply::Crash { message }) => format!("crashes on a plain picture: {message}"),
            Ok(Reply::Hang) => "does not finish on a plain picture".to_string(),
            Ok(Reply::Resource { message }) => {
                format!("exceeds a limit on a plain picture: {message}")
            }
            Err(e) => e.to_string(),
        };
        let hint = match &self.driven {
            Driven::Command(client) => client.hint(&why),
            Driven::Library(_) => None,
        };
        let why = hint.map(|hint| format!("{why} ({hint})")).unwrap_or(why);
        Availability::Broken { why, shows_wrongly }
    }
}

/// The prefix with which glue reports that its library is missing.
const NOT_INSTALLED: &str = "not installed:";
