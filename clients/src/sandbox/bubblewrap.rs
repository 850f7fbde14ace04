//! Runs a program inside bubblewrap.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use rustix::fs::MemfdFlags;
use rustix::io::FdFlags;

use super::confined::{Confined, Place};
use super::filter::{self, Surroundings};
use super::hidden;
use crate::executable;
use crate::process::Namespaces;

/// An installed bubblewrap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bubblewrap {
    program: PathBuf,
    /// True if scratch folders are file systems in memory.
    in_memory: bool,
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
    "--proc",
    "/proc",
    // Root may write the kernel's settings, even without capabilities, and they belong to no namespace.
    "--ro-bind-try",
    "/proc/sys",
    "/proc/sys",
];

/// Folders of sockets and of other programs' files, where a program sees only its own.
const HIDDEN: &[&str] = &["/run", "/tmp", "/var/tmp"];
/// The maximum number of bytes of POSIX shared memory, which belongs to no process once its files are closed.
const MOST_SHARED: u64 = 256 << 20;
/// Exceptions that stay visible: the programs of NixOS.
const SHOWN: &[&str] = &["/run/current-system"];

impl Bubblewrap {
    /// All ways to run the one that is installed, the best first.
    pub(super) fn all() -> Vec<Self> {
        let found = executable::find("bwrap").into_iter();
        found
            .flat_map(|program| {
                [true, false].map(|in_memory| Self { program: program.clone(), in_memory })
            })
            .collect()
    }

    /// Returns true if scratch folders are file systems in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        self.in_memory
    }

    /// Computes how to start `argv`.
    pub(super) fn around(&self, place: &Place<'_>, argv: &[OsString]) -> io::Result<Confined> {
        let filter = self::filter(place.connects())?;
        let scratch = place.scratch;
        let mut words = vec![self.program.clone().into_os_string()];
        words.extend(OPTIONS.iter().map(OsString::from));
        let shared = place.memory.filter(|most| *most < MOST_SHARED).unwrap_or(MOST_SHARED);
        words.extend(["--size", &shared.to_string(), "--tmpfs", "/dev/shm"].map(OsString::from));
        // Devices can still be written to. The rest is memory as well.
        words.extend(["--remount-ro", "/dev"].map(OsString::from));
        let hidden: Vec<PathBuf> =
            HIDDEN.iter().filter_map(|h| Path::new(h).canonicalize().ok()).collect();
        for folder in &hidden {
            words.extend(["--tmpfs".into(), folder.into()]);
        }
        for path in visible(place, argv, &hidden) {
            words.extend(["--ro-bind".into(), (&path).into(), path.into()]);
        }
        // A device that cannot be opened, because the mount has none.
        for file in hidden::existing() {
            words.extend(["--ro-bind".into(), "/dev/null".into(), file.into()]);
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
        let mut inside = place.inside.map(Namespaces::enter).transpose()?;
        let enter = move || {
            if let Some(inside) = &mut inside {
                inside()?;
            }
            match &filter {
                // This happens only in the child, because another program must not inherit the file.
                Some(filter) => Ok(rustix::io::fcntl_setfd(filter, FdFlags::empty())?),
                None => Ok(()),
            }
        };
        Ok(Confined { argv: words, enter: Some(Box::new(enter)), forks: false })
    }
}

/// Returns the hidden folder below which `text` names a file.
pub(super) fn hidden_in(text: &str) -> Option<&str> {
    static NAMED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?:^|[^\w/.-])(/run|/tmp|/var/tmp)/").expect("constant"));
    NAMED.captures(text)?.get(1).map(|folder| folder.as_str())
}

/// Lists what stays visible below the `hidden` folders: the client's own files, the programs and files that its command
/// line and its description's environment name, everything installed with these, and the socket of its display.
fn visible(place: &Place<'_>, argv: &[OsString], hidden: &[PathBuf]) -> Vec<PathBuf> {
    // A word may be a script that names files.
    let end = |c: char| c.is_ascii_whitespace() || "\"'`=:;,()<>|&".contains(c);
    let all = || argv.iter().chain(place.values);
    let words = all().filter_map(|word| word.to_str()).flat_map(|word| word.split(end));
    let words = words.filter(|word| word.starts_with('/')).map(PathBuf::from);
    let whole = all().map(PathBuf::from).filter(|word| word.is_absolute());
    let programs = std::env::var_os("PATH").unwrap_or_default();
    let mut named: Vec<PathBuf> = std::env::split_paths(&programs)
        .chain(place.own.iter().map(|own| own.to_path_buf()))
        .chain(place.display.map(Path::to_path_buf))
        .chain(SHOWN.iter().map(PathBuf::from))
        .chain(whole)
        .chain(words)
        .collect();
    // A link that an earlier command made in the scratch folder must not reveal hidden files.
    named.retain(|path| !path.starts_with(place.scratch));
    let real = named.iter().filter_map(|path| path.canonicalize().ok());
    let mut all: Vec<PathBuf> = named.iter().cloned().chain(real).collect();
    let installed: Vec<PathBuf> = all.iter().filter_map(|path| prefix(path)).collect();
    all.extend(installed);
    // The path is neither a hidden folder itself nor the scratch folder, which is writable.
    all.retain(|path| {
        let below = hidden.iter().any(|folder| path.starts_with(folder) && path != folder);
        below && !path.starts_with(place.scratch) && path.exists()
    });
    // Outer folders come first, because mounts hide earlier mounts below them.
    all.sort();
    all.dedup();
    all
}

/// Returns the folder in which a program, or a folder of programs, is installed: the one that contains its `bin`. A
/// virtual environment has its packages there.
fn prefix(path: &Path) -> Option<PathBuf> {
    let programs = |folder: &&Path| {
        folder
            .file_name()
            .is_some_and(|name| ["bin", ".bin", "sbin"].iter().any(|bin| name == *bin))
    };
    let bin = path.ancestors().take(2).find(programs)?;
    bin.parent().map(Path::to_path_buf)
}

/// The filter of system calls as a file that bubblewrap reads.
fn filter(connects: bool) -> io::Result<Option<OwnedFd>> {
    let around = Surroundings {
        own_network: true,
        own_ipc: true,
        own_mounts: true,
        own_processes: true,
        connects,
    };
    let Some(program) = filter::build(around)? else { return Ok(None) };
    let file = rustix::fs::memfd_create(c"filter", MemfdFlags::CLOEXEC)?;
    let mut file = File::from(file);
    file.write_all(&filter::bytes(&program))?;
    io::Seek::rewind(&mut file)?;
    Ok(Some(file.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_of_a_virtual_environment_are_visible() {
        let hidden = tempfile::tempdir().unwrap();
        let hidden = hidden.path().canonicalize().unwrap();
        let at = |name: &str| hidden.join(name);
        for folder in ["venv/bin", "venv/lib", "modules", "scratch", "bin"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        std::os::unix::fs::symlink("/bin/sh", at("venv/bin/python")).unwrap();
        let values = [at("modules").into()];
        let scratch = at("scratch");
        let folder = std::fs::File::open(&scratch).unwrap();
        let place = Place {
            scratch: &scratch,
            folder: &folder,
            inside: None,
            own: &[],
            values: &values,
            sockets: false,
            display: None,
            memory: None,
        };
        let argv = [at("venv/bin/python").into(), at("scratch/in.tif").into(), at("bin").into()];
        let shown = visible(&place, &argv, std::slice::from_ref(&hidden));
        let expected = ["bin", "modules", "venv", "venv/bin/python"].map(at);
        assert_eq!(shown, expected, "never the hidden folder itself");
    }

    #[test]
    fn words_about_hidden_files_are_found() {
        for (text, folder) in [
            ("/tmp/venv/bin/python: not found", Some("/tmp")),
            ("cannot open '/var/tmp/a'", Some("/var/tmp")),
            ("No module named 'numpy'", None),
            ("/home/tmp/x: /data/tmp/y", None),
        ] {
            assert_eq!(hidden_in(text), folder, "{text}");
        }
    }
}
