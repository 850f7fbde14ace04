//! Measures and removes a folder's entire content through handles, without following links.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

use super::{Folder, MOST_NAMES, single, unexpected_name};

/// The maximum number of files that a client may leave in its folder.
pub(in super::super) const MOST_FILES: u64 = 20_000;

/// The maximum time for removing a folder's content, because a surviving program may keep adding to it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The size of a folder's content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct DiskUsage {
    /// Bytes on disk.
    pub bytes: u64,
    /// The number of files and folders. A folder whose path is longer than the system allows counts as too many.
    pub files: u64,
    /// The length of the longest file.
    pub longest: u64,
}

impl DiskUsage {
    pub(crate) fn too_many_files(self) -> bool {
        self.files > MOST_FILES
    }
}

/// A folder that is still to be measured: the path of its parent, and its name.
type Pending = (Rc<Path>, OsString);

impl Folder {
    /// Measures the content, but stops if there are too many files. Files that vanish meanwhile are not counted.
    pub(crate) fn used(&self) -> DiskUsage {
        let mut used = DiskUsage::default();
        let mut pending = self.add_to(&mut used, &Path::new("").into());
        while let Some((outer, name)) = pending.pop()
            && !used.too_many_files()
        {
            let path = outer.join(name);
            match self.below(&path) {
                Ok(folder) => pending.extend(folder.add_to(&mut used, &path.into())),
                Err(Errno::NAMETOOLONG) => used.files = u64::MAX,
                Err(_) => {}
            }
        }
        used
    }

    /// Adds the entries of this folder, whose path is given; returns its subfolders.
    fn add_to(&self, used: &mut DiskUsage, path: &Rc<Path>) -> Vec<Pending> {
        let mut folders = Vec::new();
        for name in self.names(MOST_FILES as usize + 1).unwrap_or_default() {
            let stat = rustix::fs::statat(&self.handle, &name, AtFlags::SYMLINK_NOFOLLOW);
            let Ok(meta) = stat else { continue };
            used.files += 1;
            used.bytes += u64::try_from(meta.st_blocks).unwrap_or(0) * 512;
            match FileType::from_raw_mode(meta.st_mode) {
                FileType::RegularFile => {
                    used.longest = used.longest.max(u64::try_from(meta.st_size).unwrap_or(0));
                }
                FileType::Directory => folders.push((path.clone(), name)),
                _ => {}
            }
            if used.too_many_files() {
                break;
            }
        }
        folders
    }

    /// Removes everything in the folder, as far as possible.
    pub(crate) fn clear(&self) {
        let end = Instant::now() + PATIENCE;
        while let Ok(names) = self.names(MOST_NAMES)
            && !names.is_empty()
            && self.remove_all(names, end)
        {}
    }

    /// Removes a file, or a folder with everything in it, as far as possible.
    pub(crate) fn remove(&self, name: &str) {
        if single(name).is_ok() {
            self.remove_all(vec![name.into()], Instant::now() + PATIENCE);
        }
    }

    /// Removes the entries with these names; returns true if anything was removed and there is time for more.
    ///
    /// Subfolders are moved up before they are examined, so their depth costs neither stack nor handles, and no path is
    /// too long.
    fn remove_all(&self, mut names: Vec<OsString>, end: Instant) -> bool {
        let mut any = false;
        while let Some(name) = names.pop() {
            if Instant::now() > end {
                return false;
            }
            if self.unlink(&name) {
                any = true;
                continue;
            }
            let Ok(full) = self.below(Path::new(&name)) else { continue };
            let mut emptier = false;
            for inner in full.names(MOST_NAMES).unwrap_or_default() {
                if full.unlink(&inner) {
                    emptier = true;
                } else if let Some(moved) = self.take_from(&full, &inner) {
                    names.push(moved);
                    emptier = true;
                }
            }
            // There may be more files than the limit.
            if emptier && !self.unlink(&name) {
                names.push(name);
            }
            any |= emptier;
        }
        any
    }

    /// Removes a file or an empty folder; returns false if it is still there.
    fn unlink(&self, name: &OsStr) -> bool {
        let unlink = |flags| self.retrying(|| rustix::fs::unlinkat(&self.handle, name, flags));
        unlink(AtFlags::empty()).or_else(|_| unlink(AtFlags::REMOVEDIR)).is_ok()
    }

    /// Moves a folder here; returns its new name.
    fn take_from(&self, other: &Self, name: &OsStr) -> Option<OsString> {
        // A folder must be writable to be moved.
        other.below(Path::new(name)).ok()?.regain();
        let here = unexpected_name();
        let moved = rustix::fs::renameat(&other.handle, name, &self.handle, &here);
        moved.is_ok().then(|| here.into())
    }
}
