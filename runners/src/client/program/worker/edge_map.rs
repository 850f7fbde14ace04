//! The file by which a worker publishes the edges that a run reached.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use crate::client::edges::{Edges, MOST_EDGES, VARIABLE};

thread_local! {
    /// The edges of the last run on this thread.
    static LAST: RefCell<Option<Edges>> = const { RefCell::new(None) };
}

/// Returns the edges of the last run on this thread.
pub(in crate::client) fn last() -> Option<Edges> {
    LAST.with_borrow(Clone::clone)
}

/// Forgets the edges of the last run: another begins.
pub(in crate::client) fn forget() {
    LAST.set(None);
}

/// The file, which stays open: whatever the worker puts in its place is not read.
pub(super) struct EdgeMap {
    path: PathBuf,
    file: File,
}

impl EdgeMap {
    /// Creates an empty file in the scratch `folder`.
    pub(super) fn in_folder(folder: &Path) -> io::Result<Self> {
        let path = folder.join("edges");
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        Ok(Self { path, file })
    }

    /// The environment variable that names it.
    pub(super) fn variable(&self) -> (OsString, OsString) {
        (VARIABLE.into(), self.path.clone().into())
    }

    /// Reads the edges of a run that has ended: they are the last of this thread. An empty file has none.
    pub(super) fn read(&self) -> io::Result<()> {
        let (mut map, mut file) = (Vec::new(), &self.file);
        file.rewind()?;
        file.take(MOST_EDGES).read_to_end(&mut map)?;
        LAST.set((!map.is_empty()).then(|| Edges::from_map(&map)));
        Ok(())
    }
}
