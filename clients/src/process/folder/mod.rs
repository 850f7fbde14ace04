//! The files of a folder to which clients write. repfuzz opens them only through this module.
//!
//! A client may replace any file by a link, a pipe or a folder at any moment, while repfuzz has all rights of its user.
//! Therefore nothing is opened by its path. Each file is reached from a handle on the folder that was opened before the
//! client ran. No link is followed, no pipe is waited for, and only regular files are read. A written file is always a
//! new one, which takes its name atomically. `cargo xtask style` keeps other client code away from the file system.

mod walk;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};

pub(super) use walk::MOST_FILES;

/// The maximum number of temporary names that are tried for a file before it takes its own name.
const TRIES: u32 = 64;
/// The maximum number of names that are listed at a time.
const MOST_NAMES: usize = 100_000;
/// The permissions without which a folder cannot be used.
const OWNER: u32 = 0o700;

/// A folder to which clients write.
pub(crate) struct Folder {
    handle: File,
}

/// The result of a search for a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The content of a regular file, as far as the limit allows.
    File(Vec<u8>),
    /// The name belongs to something else than a regular file; the text is its kind, with an article.
    Other(&'static str),
    /// Nothing has that name.
    Nothing,
}

impl Folder {
    /// Opens a folder. No client may be able to change its path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(Self { handle: rustix::fs::openat(CWD, path, flags, Mode::empty())?.into() })
    }

    /// The folder of a handle.
    pub(super) fn of(handle: File) -> Self {
        Self { handle }
    }

    /// The handle on the folder itself.
    pub(super) fn handle(&self) -> &File {
        &self.handle
    }

    /// Replaces whatever has this name by a new file.
    ///
    /// # Errors
    ///
    /// Returns an error if that is a folder, or if the file cannot be written. [`is_obstacle`] is true for errors that
    /// a client may cause.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let name = single(name)?;
        let (staged, mut file) = self.stage()?;
        let put = file
            .write_all(bytes)
            .and_then(|()| Ok(rustix::fs::renameat(&self.handle, &staged, &self.handle, name)?));
        if put.is_err() {
            self.remove(&staged);
        }
        put
    }

    /// Creates an empty file for reading and writing. It is an error if the name is taken.
    pub(crate) fn create(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
        Ok(self.at(Path::new(single(name)?), flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Creates an empty file without a name, for reading and writing.
    pub(crate) fn nameless(&self) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::EXCL | OFlags::CLOEXEC;
        match rustix::fs::openat(&self.handle, ".", flags, Mode::from_raw_mode(0o600)) {
            Ok(file) => Ok(file.into()),
            // Not every file system has such files.
            Err(_) => {
                let (staged, file) = self.stage()?;
                rustix::fs::unlinkat(&self.handle, &staged, AtFlags::empty())?;
                Ok(file)
            }
        }
    }

    /// Creates a folder in this one.
    pub(crate) fn make(&self, name: &str) -> io::Result<Self> {
        let (name, mode) = (single(name)?, Mode::from_raw_mode(0o777));
        self.retrying(|| rustix::fs::mkdirat(&self.handle, name, mode))?;
        Ok(self.below(Path::new(name))?)
    }

    /// Reads the first regular file, by name, that is `wanted`, up to `limit` bytes.
    pub(crate) fn read(&self, wanted: impl Fn(&str) -> bool, limit: u64) -> io::Result<Found> {
        let mut names = match self.names(MOST_NAMES) {
            Err(e) if is_obstacle(&e) => Vec::new(),
            names => names?,
        };
        names.retain(|name| name.to_str().is_some_and(&wanted));
        names.sort();
        let mut found = Found::Nothing;
        for name in names {
            match self.regular(Path::new(&name)) {
                Ok(Ok(file)) => return Ok(Found::File(content(&file, limit)?)),
                Ok(Err(kind)) if found == Found::Nothing => found = Found::Other(kind),
                Ok(Err(_)) => {}
                Err(e) if is_obstacle(&e) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(found)
    }

    /// Reads all regular files that are `wanted`, in the order of these ranks, up to `limit` bytes in total.
    pub(crate) fn read_all<R: Ord>(
        &self,
        wanted: impl Fn(&str) -> Option<R>,
        limit: u64,
    ) -> io::Result<Vec<Vec<u8>>> {
        let names = self.names(MOST_NAMES)?;
        let mut ranked: Vec<(R, OsString)> =
            names.into_iter().filter_map(|name| Some((wanted(name.to_str()?)?, name))).collect();
        ranked.sort();
        let mut all: Vec<Vec<u8>> = Vec::new();
        let mut left = limit;
        for (_, name) in ranked {
            match self.regular(Path::new(&name)) {
                Ok(Ok(file)) => {
                    let bytes = content(&file, left)?;
                    left = left.saturating_sub(bytes.len() as u64);
                    all.push(bytes);
                }
                Ok(Err(_)) => {}
                Err(e) if is_obstacle(&e) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(all)
    }

    /// Opens a regular file for reading, without waiting. It is an error if the name belongs to anything else.
    pub(crate) fn reader(&self, name: &str) -> io::Result<File> {
        self.regular(Path::new(single(name)?))?.map_err(io::Error::other)
    }

    /// Connects to a socket below the folder, without waiting.
    pub(crate) fn connect(&self, path: &Path) -> io::Result<UnixStream> {
        let socket = self.at(path, OFlags::PATH, Mode::empty())?;
        let kind = FileType::from_raw_mode(rustix::fs::fstat(&socket)?.st_mode);
        if kind != FileType::Socket {
            return Err(io::ErrorKind::InvalidData.into());
        }
        // Without this, a program that accepts no connection would block us forever.
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let ours = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
        rustix::net::connect(&ours, &SocketAddrUnix::new(itself(socket.as_fd()))?)?;
        let stream = UnixStream::from(ours);
        stream.set_nonblocking(false)?;
        Ok(stream)
    }

    /// Opens a regular file; otherwise returns the kind of the object with its name.
    fn regular(&self, path: &Path) -> io::Result<Result<File, &'static str>> {
        // The kind is checked first, because opening a device can have an effect.
        let there = self.at(path, OFlags::PATH, Mode::empty())?;
        let kind = |file: BorrowedFd<'_>| {
            Ok::<_, Errno>(FileType::from_raw_mode(rustix::fs::fstat(file)?.st_mode))
        };
        let mut seen = kind(there.as_fd())?;
        if seen == FileType::RegularFile {
            let file = self.at(path, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty())?;
            seen = kind(file.as_fd())?;
            if seen == FileType::RegularFile {
                return Ok(Ok(file.into()));
            }
        }
        Ok(Err(match seen {
            FileType::Symlink => "a link",
            FileType::Directory => "a folder",
            FileType::Fifo => "a pipe",
            FileType::Socket => "a socket",
            _ => "a device",
        }))
    }

    /// Creates a file under an unpredictable name.
    fn stage(&self) -> io::Result<(String, File)> {
        let mut tries = 0..TRIES;
        loop {
            let name = unexpected_name();
            match self.create(&name) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && tries.next().is_some() => {}
                created => return created.map(|file| (name, file)),
            }
        }
    }

    /// Lists the folder, at most `most` names.
    fn names(&self, most: usize) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in self.retrying(|| Dir::read_from(&self.handle))? {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            if names.len() == most {
                break;
            }
            names.push(OsStr::from_bytes(name.to_bytes()).to_owned());
        }
        Ok(names)
    }

    /// Opens a folder below this one, even if a client has removed its permissions.
    fn below(&self, path: &Path) -> Result<Self, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let opened = match self.at(path, flags, Mode::empty()) {
            Err(Errno::ACCESS) => {
                let folder = self.at(path, OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?;
                rustix::fs::chmod(itself(folder.as_fd()), Mode::from_raw_mode(OWNER))?;
                self.at(path, flags, Mode::empty())
            }
            opened => opened,
        };
        Ok(Self { handle: opened?.into() })
    }

    /// Restores the permissions on this folder, if a client has removed them. Returns true if a client had.
    fn regain(&self) -> bool {
        let taken = rustix::fs::fstat(&self.handle).is_ok_and(|meta| meta.st_mode & OWNER != OWNER);
        taken && rustix::fs::fchmod(&self.handle, Mode::from_raw_mode(OWNER)).is_ok()
    }

    /// Opens a file below the folder.
    fn at(&self, path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
        self.retrying(|| self.resolve(path, flags, mode))
    }

    /// Repeats an operation if a client had removed the permission.
    fn retrying<T>(&self, work: impl Fn() -> Result<T, Errno>) -> Result<T, Errno> {
        match work() {
            Err(Errno::ACCESS) if self.regain() => work(),
            done => done,
        }
    }

    fn resolve(&self, path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let within = ResolveFlags::BENEATH
            | ResolveFlags::NO_SYMLINKS
            | ResolveFlags::NO_MAGICLINKS
            | ResolveFlags::NO_XDEV;
        match rustix::fs::openat2(&self.handle, path, flags, mode, within) {
            // Linux before 5.6 does not have this call, and container filters may not know it.
            Err(Errno::NOSYS | Errno::PERM) => self.step_by_step(path, flags, mode),
            opened => opened,
        }
    }

    /// Opens a file below the folder, one folder after the other.
    fn step_by_step(&self, path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
        let mut reached: Option<OwnedFd> = None;
        let mut parts = path.components().peekable();
        while let Some(part) = parts.next() {
            let Component::Normal(name) = part else { return Err(Errno::XDEV) };
            let from = reached.as_ref().map_or(self.handle.as_fd(), AsFd::as_fd);
            let (flags, mode) = match parts.peek() {
                Some(_) => (OFlags::PATH | OFlags::DIRECTORY, Mode::empty()),
                None => (flags, mode),
            };
            let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            reached = Some(rustix::fs::openat(from, name, flags, mode)?);
        }
        reached.ok_or(Errno::NOENT)
    }
}

/// Returns true for an error that a client may cause by changing the folder.
pub(crate) fn is_obstacle(error: &io::Error) -> bool {
    let errors = [
        Errno::ACCESS,
        // The file has a lease.
        Errno::AGAIN,
        Errno::EXIST,
        Errno::ISDIR,
        Errno::LOOP,
        Errno::NOENT,
        Errno::NOTDIR,
        Errno::NOTEMPTY,
        Errno::NXIO,
        Errno::PERM,
        Errno::TXTBSY,
    ];
    error.raw_os_error().is_some_and(|code| errors.iter().any(|e| e.raw_os_error() == code))
}

/// Reads an open file from its start, up to `limit` bytes.
pub(crate) fn content(mut file: &File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // While it grows, a buffer for a large file would take up twice the file's size.
    let length = file.metadata()?.len().min(limit);
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.rewind()?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns a name that is a single path component, and does not lead elsewhere.
fn single(name: &str) -> io::Result<&str> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(name),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// A name that nobody expects.
fn unexpected_name() -> String {
    format!(".repfuzz-{:016x}", RandomState::new().build_hasher().finish())
}

/// The path that leads to an open file, whatever has happened to its name.
fn itself(file: BorrowedFd<'_>) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(test)]
mod tests;
