//! Records of the check that each output element is assigned once, beside the specs that they are of, so that a
//! build without Z3 compiles a spec as one with Z3 does, and need not search for counterexamples.
//!
//! `NAME.checked.toml` holds for each function the outputs of which nothing is proved, and a digest of the text that
//! was checked: a record of another text counts for nothing. Builds with Z3 check anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{build, unproved};
use crate::primitive::Primitives;
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

/// Checks the spec at `path` with Z3 and returns its record, to be stored at `NAME.checked.toml` beside it.
///
/// # Errors
///
/// One line: the reason why the spec cannot be read or inverted.
pub fn record(path: impl AsRef<Path>, primitives: &Primitives) -> Result<String, String> {
    let all = build::load(path.as_ref(), primitives, None)?;
    let Some(first) = all.first() else { return Err("it has no function".to_owned()) };
    let text = digest(&first.inverse.program);
    let unproved = all
        .iter()
        .map(|loaded| (loaded.inverse.program.name.clone(), unproved(&loaded.inverse.program)))
        .collect();
    let body = toml::to_string(&Checked { text, unproved }).map_err(|e| e.to_string())?;
    Ok(format!("{HEADER}{body}"))
}

fn digest(program: &Program) -> String {
    let mut hash = Sha256::new();
    for file in program.source.files() {
        hash.update(u64::try_from(file.text.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(file.text.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
