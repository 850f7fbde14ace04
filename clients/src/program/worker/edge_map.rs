//! The file in which a worker publishes the edges that a run reached.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;

use crate::edges::{Edges, MOST_EDGES, VARIABLE};
use crate::process::{Scratch, content};

/// The name of the file in the scratch folder.
const NAME: &str = "edges";

/// The file, which stays open, so that whatever the worker puts in its place is not read.
pub(super) struct EdgeMap {
    path: PathBuf,
    file: File,
}

impl EdgeMap {
    /// Creates an empty file in the scratch folder.
    pub(super) fn within(scratch: &Scratch) -> io::Result<Self> {
        Ok(Self { path: scratch.path().join(NAME), file: scratch.create(NAME)? })
    }

    /// The environment variable that names it.
    pub(super) fn variable(&self) -> (OsString, OsString) {
        (VARIABLE.into(), self.path.clone().into())
    }

    /// Returns the edges of a run that has ended; `None` if the worker published none.
    pub(super) fn read(&self) -> io::Result<Option<Edges>> {
        let map = content(&self.file, MOST_EDGES)?;
        Ok((!map.is_empty()).then(|| Edges::from_map(&map)))
    }
}
