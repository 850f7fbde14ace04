//! The guarantees of a sandbox, in words for its user.
//!
//! `tests/clients_sandbox.rs` tries each way out.

/// One thing that a program should be kept from, and whether it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guarantee {
    /// A short name: `files`, `network`, ….
    pub subject: &'static str,
    /// True if it is held, but for what `detail` says.
    pub held: bool,
    /// The extent of it.
    pub detail: &'static str,
}

const fn held(subject: &'static str, detail: &'static str) -> Guarantee {
    Guarantee { subject, held: true, detail }
}

const fn open(subject: &'static str, detail: &'static str) -> Guarantee {
    Guarantee { subject, held: false, detail }
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
    ]
}

pub(super) fn of_kernel(namespaces: bool) -> Vec<Guarantee> {
    let files = match namespaces {
        true => ONLY_SCRATCH,
        false => open(
            "files",
            "only the scratch folder can be written; modes and times of your files can be changed",
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
    ]
}

const FILE_SOCKETS: &str =
    "none can be connected to, but by viewers and by clients with `sockets = true`";
