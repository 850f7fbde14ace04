//! The file by which a worker publishes the edges that a run reached.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use crate::client::edges::{Edges, MOST_EDGES, VARIABLE};

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

    /// Returns the edges of a run that has ended; `None` if the worker published none.
    pub(super) fn read(&self) -> io::Result<Option<Edges>> {
        let (mut map, mut file) = (Vec::new(), &self.file);
        file.rewind()?;
        file.take(MOST_EDGES).read_to_end(&mut map)?;
        Ok((!map.is_empty()).then(|| Edges::from_map(&map)))
    }
}
