//! The scratch folder in which a client runs.
//!
//! Each is locked while it is in use. If repfuzz is killed, it leaves unlocked folders, which the next run removes.

use std::fs;
use std::io;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Once;

use rustix::fs::FlockOperation;

use super::folder::{Folder, MOST_FILES};
use super::memory_disk::{self, Namespaces};
use crate::description::Limits;

/// The prefix of the names of scratch folders, which nothing else should use.
const PREFIX: &str = "repfuzz-scratch-";

/// The minimum room in bytes, and in files, with which a client can be expected to work.
const LEAST_ROOM: (u64, u64) = (1 << 20, 8);

/// Returns true if a disk with this room is not full; `least` is the room that a client needs.
fn enough(bytes: u64, files: u64, least: u64) -> bool {
    bytes >= LEAST_ROOM.0.max(least) && files >= LEAST_ROOM.1
}

/// The room in bytes, and in files, beyond the limit, so that exceeding the limit is usually noticed before a write is
/// refused, which might look like an error of the program.
const BEYOND: (u64, u64) = (64 << 20, 1000);

/// A temporary folder, removed when dropped. Its files are accessed through the [`Folder`].
pub(crate) struct Scratch {
    path: PathBuf,
    /// The folder of that path, with its lock.
    locked: Folder,
    /// An in-memory file system that is mounted on it, in separate namespaces.
    mounted: Option<(Folder, Namespaces)>,
}

impl Deref for Scratch {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        self.mounted.as_ref().map_or(&self.locked, |(folder, _)| folder)
    }
}

impl Scratch {
    /// Creates a folder in the temporary folder.
    ///
    /// # Errors
    ///
    /// Returns [`io::ErrorKind::StorageFull`], with the folder and a remedy; or the reason why it cannot be created.
    pub(crate) fn new() -> io::Result<Self> {
        static LEFT: Once = Once::new();
        // Programs print the real path if the temporary folder is reached through a link.
        let temporary = std::env::temp_dir().canonicalize()?;
        LEFT.call_once(|| remove_left(&temporary));
        Self::within(&temporary).map_err(with_remedy)
    }

    /// Creates a folder for a program with these limits. If `in_memory`, it is an in-memory file system, which the
    /// kernel limits.
    ///
    /// # Errors
    ///
    /// As [`Scratch::new`], or if there can be no namespaces.
    pub(crate) fn sized(in_memory: bool, limits: &Limits) -> io::Result<Self> {
        let mut scratch = Self::new()?;
        if in_memory {
            let (bytes, files) = ((limits.disk_mb << 20) + BEYOND.0, MOST_FILES + BEYOND.1);
            let (handle, namespaces) = memory_disk::mount(&scratch.path, bytes, files)?;
            scratch.mounted = Some((Folder::of(handle), namespaces));
        }
        Ok(scratch)
    }

    /// The namespaces in which the path leads to the folder; `None` if it does so everywhere.
    pub(super) fn namespaces(&self) -> Option<&Namespaces> {
        self.mounted.as_ref().map(|(_, namespaces)| namespaces)
    }

    /// The number of bytes that all files of the folder take up, including those without a name; `None` if only files
    /// with a name can be counted.
    pub(super) fn occupied(&self) -> Option<u64> {
        let (folder, _) = self.mounted.as_ref()?;
        let disk = rustix::fs::fstatvfs(folder.handle()).ok()?;
        Some(disk.f_blocks.saturating_sub(disk.f_bfree).saturating_mul(disk.f_frsize))
    }

    /// Returns true if its files are in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        rustix::fs::fstatfs(self.handle()).is_ok_and(|disk| disk.f_type == libc::TMPFS_MAGIC)
    }

    fn within(temporary: &Path) -> io::Result<Self> {
        loop {
            let created = tempfile::Builder::new().prefix(PREFIX).tempdir_in(temporary)?;
            // Before the folder was locked, another repfuzz may have removed it as a leftover.
            if let Some(locked) = locked(created.path())? {
                return Ok(Self { path: created.keep(), locked, mounted: None });
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that there are at least `least` bytes of room on the disk, or in any case a small amount.
    ///
    /// # Errors
    ///
    /// Returns [`io::ErrorKind::StorageFull`], with the folder and a remedy.
    pub(crate) fn require_room(&self, least: u64) -> io::Result<()> {
        // Nobody else can use the program's room.
        if self.mounted.is_some() {
            return Ok(());
        }
        let disk = rustix::fs::fstatvfs(self.handle())?;
        let bytes = disk.f_bavail.saturating_mul(disk.f_frsize);
        // Some file systems count no files.
        let files = if disk.f_files == 0 { u64::MAX } else { disk.f_favail };
        match enough(bytes, files, least) {
            true => Ok(()),
            false => Err(with_remedy(io::ErrorKind::StorageFull.into())),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path, &self.locked);
    }
}

/// Adds the temporary folder and a remedy to an error of writing there, if its disk or its quota is full.
pub(crate) fn with_remedy(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            let folder = std::env::temp_dir();
            let folder = folder.display();
            // The message has no numbers, so that the same failure of many clients is reported once.
            let why = format!(
                "the disk of {folder} is full; make room, or name another folder by TMPDIR"
            );
            io::Error::new(io::ErrorKind::StorageFull, why)
        }
        _ => error,
    }
}

/// Opens and locks a folder. Returns `None` if another process has the lock, or had it and removed the folder.
fn locked(path: &Path) -> io::Result<Option<Folder>> {
    let folder = match Folder::open(path) {
        Ok(folder) => folder,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    match rustix::fs::flock(folder.handle(), FlockOperation::NonBlockingLockExclusive) {
        // A removed folder has no links.
        Ok(()) => Ok((folder.handle().metadata()?.nlink() > 0).then_some(folder)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(e) => Err(e.into()),
    }
}

/// Removes the scratch folders in `temporary` that belong to this user and to no process.
fn remove_left(temporary: &Path) {
    let us = rustix::process::geteuid().as_raw();
    let Ok(entries) = fs::read_dir(temporary) else { return };
    for entry in entries.flatten() {
        let named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // This must not be a link, which could lead anywhere.
        let ours = entry.file_type().is_ok_and(|t| t.is_dir())
            && entry.metadata().is_ok_and(|meta| meta.uid() == us);
        if named
            && ours
            && let Ok(Some(folder)) = locked(&entry.path())
        {
            remove(&entry.path(), &folder);
        }
    }
}

/// Removes a locked folder. Anything that cannot be removed is left to the next run.
fn remove(path: &Path, folder: &Folder) {
    folder.clear();
    let _ = fs::remove_dir(path);
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn folders_are_made_while_others_remove_what_was_left() {
        let temporary = tempfile::tempdir().unwrap();
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            // With fewer threads, a folder that has been created but not locked yet is rarely found.
            for _ in 0..16 {
                scope.spawn(|| {
                    while !done.load(std::sync::atomic::Ordering::Relaxed) {
                        remove_left(temporary.path());
                    }
                });
            }
            let made = (0..150).try_for_each(|_| {
                let scratch = Scratch::within(temporary.path())?;
                fs::write(scratch.path().join("file"), "")
            });
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            made.unwrap();
        });
    }

    #[test]
    fn folders_of_killed_runs_are_removed_and_others_kept() {
        let temporary = tempfile::tempdir().unwrap();
        let at = |name: &str| temporary.path().join(name);
        let (left, used, other) =
            (at("repfuzz-scratch-1"), at("repfuzz-scratch-2"), at("repfuzz-report"));
        for folder in [&left, &used, &other] {
            fs::create_dir_all(folder.join("within")).unwrap();
            fs::write(folder.join("within/file"), "x").unwrap();
        }
        // The client has made the folder unreadable.
        fs::set_permissions(left.join("within"), fs::Permissions::from_mode(0o000)).unwrap();
        std::os::unix::fs::symlink(&other, at("repfuzz-scratch-3")).unwrap();
        let lock = locked(&used).unwrap();
        assert!(lock.is_some() && locked(&used).unwrap().is_none());
        remove_left(temporary.path());
        assert!(!left.exists() && used.exists() && other.join("within/file").exists());
        drop(lock);
        remove_left(temporary.path());
        assert!(!used.exists() && other.exists());
    }

    #[test]
    fn a_folder_in_use_is_locked() {
        let scratch = Scratch::new().unwrap();
        assert!(locked(scratch.path()).unwrap().is_none());
        let path = scratch.path().to_path_buf();
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn a_disk_without_room_is_full() {
        for (bytes, files, least, is_enough) in [
            (1 << 30, 1000, 0, true),
            (1 << 30, 1000, 2 << 30, false),
            (1 << 19, 1000, 0, false),
            (1 << 30, 0, 0, false),
        ] {
            assert_eq!(enough(bytes, files, least), is_enough, "{bytes} {files} {least}");
        }
        let scratch = Scratch::new().unwrap();
        assert!(scratch.require_room(0).is_ok());
        let error = scratch.require_room(u64::MAX).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("TMPDIR"), "{error}");
    }
}
