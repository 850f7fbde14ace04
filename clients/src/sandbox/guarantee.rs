//! The guarantees of a sandbox, in words for its user.
//!
//! `tests/clients_escapes.rs` tries each way out. [`limits`](super::limits) tests the limits.

use std::borrow::Cow;

/// An action that a sandbox should prevent, and whether it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarantee {
    /// A short name: `files`, `network`, ….
    pub subject: &'static str,
    /// The degree to which the guarantee holds.
    pub hold: Hold,
    /// The extent of the guarantee, or the reason why it does not hold, with a remedy.
    pub detail: Cow<'static, str>,
}

/// The degree to which a guarantee holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// It holds, with the exceptions in [`Guarantee::detail`].
    Held,
    /// repfuzz examines the program at intervals, and kills it if it exceeds the limit. In between, the limit can be
    /// exceeded.
    Sampled,
    /// It does not hold.
    Open,
}

impl Hold {
    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Sampled => "partly",
            Self::Open => "open",
        }
    }
}

impl Guarantee {
    pub(super) fn new(
        subject: &'static str,
        hold: Hold,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { subject, hold, detail: detail.into() }
    }
}

const fn held(subject: &'static str, detail: &'static str) -> Guarantee {
    Guarantee { subject, hold: Hold::Held, detail: Cow::Borrowed(detail) }
}

const fn open(subject: &'static str, detail: &'static str) -> Guarantee {
    Guarantee { subject, hold: Hold::Open, detail: Cow::Borrowed(detail) }
}

const ONLY_SCRATCH: Guarantee =
    held("files", "only the scratch folder can be changed; all can be read");
const NO_NETWORK: Guarantee = held("network", "none");
const NO_ABSTRACT: Guarantee = held("abstract sockets", "none of other programs can be reached");
const NO_SIGNAL: Guarantee = held("signals", "only to processes of its own");
const NO_IPC: Guarantee = held(
    "shared memory",
    "System V and POSIX objects of other programs can be neither read nor written",
);

pub(super) fn of_bubblewrap() -> Vec<Guarantee> {
    let files = "only the scratch folder can be changed; /run, /tmp and /var/tmp are hidden, the rest can be read";
    vec![
        held("files", files),
        NO_NETWORK,
        NO_ABSTRACT,
        held("file-system sockets", FILE_SOCKETS),
        NO_SIGNAL,
        NO_IPC,
        held("processes", "all end with the client, by its process namespace"),
        NO_LOCKS,
    ]
}

pub(super) fn of_kernel(namespaces: bool) -> Vec<Guarantee> {
    let files = match namespaces {
        true => ONLY_SCRATCH,
        false => open(
            "files",
            "only the scratch folder can be written, all can be read; modes and times of your files can be changed, as there is no \
             mount namespace: install bubblewrap, or permit user namespaces",
        ),
    };
    vec![
        files,
        NO_NETWORK,
        NO_ABSTRACT,
        held("file-system sockets", FILE_SOCKETS),
        NO_SIGNAL,
        NO_IPC,
        held("processes", "all end with the client, as none can leave its process group"),
        if namespaces { NO_LOCKS } else { LOCKS },
    ]
}

pub(super) fn of_limits() -> Vec<Guarantee> {
    let processes =
        "those of the client's session end with it, others where control groups can be written";
    vec![
        open("files", "all that you may change"),
        open("network", "open"),
        open("abstract sockets", "open"),
        open("file-system sockets", "open"),
        open("signals", "to all processes that you may stop"),
        open("shared memory", "open"),
        open("processes", processes),
        LOCKS,
    ]
}

const NO_LOCKS: Guarantee = held(
    "locks",
    "repfuzz's store and log are hidden, and repfuzz waits for no lock on another file",
);
const LOCKS: Guarantee = open(
    "locks",
    "files that can be read can be locked, repfuzz's store too; a client that keeps it locked is killed",
);
const FILE_SOCKETS: &str =
    "none can be connected to, but by viewers and by clients with `sockets = true`";
