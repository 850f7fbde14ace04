//! Records of the check that each output element is assigned once, beside the specs that they are of, so that a
//! build without Z3 compiles a spec as one with Z3 does, and need not search for counterexamples.
//!
//! `NAME.checked.toml` holds for each function the outputs of which nothing is proved, and a digest of the text that
//! was checked: a record of another text counts for nothing. Builds with Z3 check anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::program::Program;

/// The first line of a record.
const HEADER: &str =
    "# What Z3 has proved of this spec, for builds without Z3. Made by `inverter::emit::record`.\n";

/// A record of the check of one spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Checked {
    /// SHA-256 of the texts of all of the spec's files.
    text: String,
    /// The outputs of which nothing is proved, by function.
    unproved: BTreeMap<String, BTreeSet<String>>,
}

impl Checked {
    /// Makes the record of a spec's functions, with the outputs of each of which nothing is proved.
    pub(super) fn new<'p>(all: impl Iterator<Item = (&'p Program, BTreeSet<String>)>) -> Self {
        let mut record = Self { text: String::new(), unproved: BTreeMap::new() };
        for (program, unproved) in all {
            record.text = digest(program);
            record.unproved.insert(program.name.clone(), unproved);
        }
        record
    }

    /// Returns the text of the record.
    ///
    /// # Errors
    ///
    /// If it cannot be written as TOML.
    pub(super) fn to_text(&self) -> Result<String, String> {
        Ok(format!("{HEADER}{}", toml::to_string(self).map_err(|e| e.to_string())?))
    }

    /// Returns the place of the record of the spec at `path`.
    pub(super) fn path(spec: &Path) -> PathBuf {
        spec.with_extension("checked.toml")
    }

    /// Reads the record of the spec at `path`; `None` if there is none that can be read.
    pub(super) fn of(spec: &Path) -> Option<Self> {
        toml::from_str(&std::fs::read_to_string(Self::path(spec)).ok()?).ok()
    }

    /// Returns the outputs of `program` of which nothing is proved; `None` if the record is of another text.
    pub(super) fn unproved(&self, program: &Program) -> Option<&BTreeSet<String>> {
        if self.text != digest(program) {
            return None;
        }
        self.unproved.get(&program.name)
    }
}

fn digest(program: &Program) -> String {
    let mut hash = Sha256::new();
    for file in program.source.files() {
        hash.update(u64::try_from(file.text.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(file.text.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
