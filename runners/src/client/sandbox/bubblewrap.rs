//! Runs a program inside bubblewrap.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::MemfdFlags;
use rustix::io::FdFlags;

use super::confined::{Confined, Place};
use super::filter::{self, Surroundings};
use crate::client::executable;

/// An installed bubblewrap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bubblewrap {
    program: PathBuf,
}

/// Options: new namespaces without privileges, read-only folders, and harmless devices.
const OPTIONS: &[&str] = &[
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    // Shared memory takes up space, too.
    "--size",
    "268435456",
    "--tmpfs",
    "/dev/shm",
    "--proc",
    "/proc",
    // The kernel's settings are root's to write, even without capabilities, and belong to no namespace.
    "--ro-bind-try",
    "/proc/sys",
    "/proc/sys",
];

/// Folders of sockets and of other programs' files, of which a program sees nothing but its own.
const HIDDEN: &[&str] = &["/run", "/tmp", "/var/tmp"];
/// Exceptions that stay visible: the programs of NixOS.
const SHOWN: &[&str] = &["/run/current-system"];

impl Bubblewrap {
    pub(super) fn find() -> Option<Self> {
        executable::find("bwrap").map(|program| Self { program })
    }

    /// Computes how to start `argv`.
    pub(super) fn around(&self, place: &Place<'_>, argv: &[OsString]) -> io::Result<Confined> {
        let filter = self::filter(place.connects())?;
        let scratch = place.scratch;
        let mut words = vec![self.program.clone().into_os_string()];
        words.extend(OPTIONS.iter().map(OsString::from));
        let hidden: Vec<PathBuf> =
            HIDDEN.iter().filter_map(|h| Path::new(h).canonicalize().ok()).collect();
        for folder in &hidden {
            words.extend(["--tmpfs".into(), folder.into()]);
        }
        for path in visible(place, argv, &hidden) {
            words.extend(["--ro-bind".into(), (&path).into(), path.into()]);
        }
        words.extend(["--bind".into(), scratch.into(), scratch.into()]);
        for folder in &hidden {
            words.extend(["--remount-ro".into(), folder.into()]);
        }
        if let Some(filter) = &filter {
            words.extend(["--seccomp".into(), filter.as_raw_fd().to_string().into()]);
        }
        words.extend(["--chdir".into(), scratch.into(), "--".into()]);
        words.extend_from_slice(argv);
        let keep_open = move || match &filter {
            // In the child alone: another program must not get it.
            Some(filter) => Ok(rustix::io::fcntl_setfd(filter, FdFlags::empty())?),
            None => Ok(()),
        };
        Ok(Confined { argv: words, enter: Some(Box::new(keep_open)), forks: false })
    }
}

/// Lists what stays visible below the `hidden` folders: the client's own files, the programs and files that its
/// command line names, and the socket of its display.
fn visible(place: &Place<'_>, argv: &[OsString], hidden: &[PathBuf]) -> Vec<PathBuf> {
    // A word may be a script that names files.
    let end = |c: char| c.is_ascii_whitespace() || "\"'`=:;,()<>|&".contains(c);
    let words = argv.iter().filter_map(|word| word.to_str()).flat_map(|word| word.split(end));
    let words = words.filter(|word| word.starts_with('/')).map(PathBuf::from);
    let whole = argv.iter().map(PathBuf::from).filter(|word| word.is_absolute());
    let programs = std::env::var_os("PATH").unwrap_or_default();
    let mut named: Vec<PathBuf> = std::env::split_paths(&programs)
        .chain(place.own.iter().map(|own| own.to_path_buf()))
        .chain(place.display.map(Path::to_path_buf))
        .chain(SHOWN.iter().map(PathBuf::from))
        .chain(whole)
        .chain(words)
        .collect();
    // A link that an earlier command made in the scratch folder must not show what is hidden.
    named.retain(|path| !path.starts_with(place.scratch));
    let real = named.iter().filter_map(|path| path.canonicalize().ok());
    let mut all: Vec<PathBuf> = named.iter().cloned().chain(real).collect();
    // Never a hidden folder itself, nor the scratch folder, which can be written.
    all.retain(|path| {
        let below = hidden.iter().any(|folder| path.starts_with(folder) && path != folder);
        below && !path.starts_with(place.scratch) && path.exists()
    });
    // Outer folders first: mounts hide what was mounted below them.
    all.sort();
    all.dedup();
    all
}

/// The filter of system calls as a file that bubblewrap reads.
fn filter(connects: bool) -> io::Result<Option<OwnedFd>> {
    let around = Surroundings { own_network: true, own_ipc: true, own_processes: true, connects };
    let Some(program) = filter::build(around)? else { return Ok(None) };
    let file = rustix::fs::memfd_create(c"filter", MemfdFlags::CLOEXEC)?;
    let mut file = File::from(file);
    file.write_all(&filter::bytes(&program))?;
    io::Seek::rewind(&mut file)?;
    Ok(Some(file.into()))
}
