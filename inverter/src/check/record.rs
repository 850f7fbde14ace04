//! Records of the check that each output element is assigned once, so that a text is proved only once. The specs that
//! ship come with a record each, so programs without Z3 have their proofs as well.
//!
//! A line of a record has the digest of all texts of a spec, one of its functions, and the outputs about which nothing
//! is proved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{DiskCache, assigned_once};
use crate::invert::invert;
use crate::primitive::Primitives;
use crate::program::{FieldId, Program, Source, SpecError, SpecText, parse_all};

/// The claims that have been proved, by text.
#[derive(Debug, Clone, Default)]
pub struct Records {
    /// The outputs about which nothing is proved, by digest and function.
    unproved: BTreeMap<(String, String), BTreeSet<String>>,
    /// The specs that have been read.
    pub(super) cache: Option<Arc<DiskCache>>,
}

impl Records {
    /// Reads records.
    pub fn new(text: &str) -> Self {
        let line = |line: &str| {
            let mut words = line.split(' ').map(str::to_owned);
            Some(((words.next()?, words.next()?), words.collect()))
        };
        Self { unproved: text.lines().filter_map(line).collect(), cache: None }
    }

    /// Adds the records of all specs that are read, from a folder.
    #[must_use]
    pub fn cached(self, cache: DiskCache) -> Self {
        Self { cache: Some(Arc::new(cache)), ..self }
    }

    /// Returns the outputs whose elements are proved to be assigned once; `None` if there is no record of the text.
    pub(super) fn proved(&self, program: &Program) -> Option<BTreeSet<FieldId>> {
        let unproved = self.unproved.get(&(digest(&program.source), program.name.clone()))?;
        let proved = program.output.indexed().filter(|(_, f)| !unproved.contains(&f.name));
        Some(proved.map(|(field, _)| field).collect())
    }
}

/// Checks and inverts all functions of a spec. Returns its record, with one line for each.
///
/// # Errors
///
/// The problems of the spec.
pub fn record(spec: &SpecText<'_>, primitives: &Primitives) -> Result<String, SpecError> {
    let mut lines = String::new();
    for program in parse_all(spec, primitives)? {
        let proved = assigned_once(&program)?.proved(&program);
        invert(&program)?;
        // Writing to a string cannot fail.
        let _ = write!(lines, "{} {}", digest(&program.source), program.name);
        for (_, f) in program.output.indexed().filter(|(field, _)| !proved.contains(field)) {
            let _ = write!(lines, " {}", f.name);
        }
        lines.push('\n');
    }
    Ok(lines)
}

/// Returns the SHA-256 of all texts of a spec.
fn digest(source: &Source) -> String {
    let mut hash = Sha256::new();
    for file in source.files() {
        hash.update(u64::try_from(file.text.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(file.text.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
