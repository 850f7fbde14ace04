//! Checks of a spec before it is used. [`load`] proves that each output element is assigned once; without the feature `z3`
//! nothing is proved. Further checks, of the inverse and its samplers, are in `repfuzz-checks`.

mod cover;
pub mod coverage;
mod disk_cache;
pub mod once;
pub mod outside;
mod record;

pub use coverage::{Coverage, assigned_once};
pub use disk_cache::DiskCache;
use disk_cache::Key;
pub use outside::{RefusedInput, outside_reads};
pub use record::{Records, record};

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::invert::{Inverse, invert};
use crate::primitive::Primitives;
use crate::program::{
    FieldId, Program, Signatures, Source, SpecError, SpecText, parse_all, parse_from,
};
use crate::run::Executable;

/// Reads a spec that uses no other file, checks that it assigns each output element once, and
/// inverts it. The proof takes some 10 ms, and at most 3 s; a search follows only if it fails.
///
/// # Errors
///
/// The problems of the spec, or the obstacles to its inversion.
pub fn load(name: &str, text: &str) -> Result<Executable, SpecError> {
    load_with(name, text, &Primitives::shipped())
}

/// [`load`], with other primitives than those that ship.
///
/// # Errors
///
/// As [`load`].
pub fn load_with(name: &str, text: &str, primitives: &Primitives) -> Result<Executable, SpecError> {
    load_from(&SpecText::alone(name, text), primitives)
}

/// [`load_with`] for a spec that may use other files.
///
/// # Errors
///
/// As [`load`].
pub fn load_from(spec: &SpecText<'_>, primitives: &Primitives) -> Result<Executable, SpecError> {
    checked(&parse_from(spec, primitives)?, primitives)
}

/// Checks that a program assigns each output element once, and inverts it.
fn checked(program: &Program, primitives: &Primitives) -> Result<Executable, SpecError> {
    let proved = assigned_once(program)?.proved(program);
    Ok(Executable::with_primitives(invert(program)?, primitives).with_proved(proved))
}

/// [`load_from`] for a spec with several functions, each a stage of a pipeline, in the order written. Returns at least
/// one stage.
///
/// # Errors
///
/// As [`load`], for the first function that has an error.
pub fn load_all(
    spec: &SpecText<'_>,
    primitives: &Primitives,
) -> Result<Vec<Executable>, SpecError> {
    load_recorded(spec, primitives, &Records::default())
}

/// [`load_all`], except that a text with a record is not checked again, and is inverted only when its inverse is first
/// needed. Programs and inverses in the cache of the records are not computed again.
///
/// # Errors
///
/// As [`load_all`].
pub fn load_recorded(
    spec: &SpecText<'_>,
    primitives: &Primitives,
    records: &Records,
) -> Result<Vec<Executable>, SpecError> {
    let entry = records.cache.clone().map(|cache| {
        let signatures = format!("{:?}", primitives.signatures());
        let programs = cache.key("programs", [&*signatures, spec.name, spec.text]);
        Entry { cache, programs }
    });
    let entry = entry.as_ref();
    let kept = entry.and_then(|e| e.cache.get::<(Source, Vec<Checked>)>(&e.programs));
    let checked = match kept.filter(|(source, _)| source.is_of(spec)) {
        Some((source, mut checked)) => {
            let source = Arc::new(source);
            checked.iter_mut().for_each(|c| c.program.source = Arc::clone(&source));
            checked
        }
        None => {
            let programs = parse_all(spec, primitives)?;
            let checked = programs.into_iter().map(|program| recorded(program, records, entry));
            let checked = checked.collect::<Result<Vec<_>, _>>()?;
            if let (Some(entry), Some(first)) = (entry, checked.first())
                && checked.iter().all(|c| c.tried)
            {
                entry.cache.put(&entry.programs, &(&*first.program.source, &checked));
            }
            checked
        }
    };
    Ok(checked.into_iter().map(|c| c.executable(primitives, entry)).collect())
}

/// A program that has an inverse, and that assigns each output element once.
#[derive(Serialize, Deserialize)]
struct Checked {
    program: Program,
    /// The outputs for which that is proved.
    proved: BTreeSet<FieldId>,
    /// False if nothing could be proved because Z3 was missing.
    #[serde(skip)]
    tried: bool,
    /// The inverse, if it was made already.
    #[serde(skip)]
    inverse: Option<Inverse>,
}

/// Checks and inverts a program, unless there is a record of it.
fn recorded(
    program: Program,
    records: &Records,
    entry: Option<&Entry>,
) -> Result<Checked, SpecError> {
    if let Some(proved) = records.proved(&program) {
        return Ok(Checked { program, proved, tried: true, inverse: None });
    }
    let coverage = assigned_once(&program)?;
    let inverse = Some(inverse(&program, entry)?);
    Ok(Checked { proved: coverage.proved(&program), tried: coverage.is_tried(), program, inverse })
}

impl Checked {
    fn executable(self, primitives: &Primitives, entry: Option<&Entry>) -> Executable {
        let Self { program, proved, .. } = self;
        let executable = match self.inverse {
            Some(made) => Executable::with_primitives(made, primitives),
            None => {
                let (program, entry) = (Arc::new(program), entry.cloned());
                Executable::lazy(Arc::clone(&program), primitives, move || {
                    let refused = |e| panic!("a spec that is known to have an inverse: {e}");
                    inverse(&program, entry.as_ref()).unwrap_or_else(refused)
                })
            }
        };
        executable.with_proved(proved)
    }
}

/// The place of a spec in a cache.
#[derive(Clone)]
struct Entry {
    cache: Arc<DiskCache>,
    /// The name of the cache entry of its programs, which depends on everything except the texts of the files that the
    /// spec uses.
    programs: Key,
}

/// Returns the inverse of a program, from the cache if it is there.
fn inverse(program: &Program, entry: Option<&Entry>) -> Result<Inverse, SpecError> {
    let Some(Entry { cache, programs }) = entry else { return invert(program) };
    let used = program.source.files().iter().skip(1).flat_map(|f| [&*f.name, &*f.text]);
    let key = cache.key("inverse", [&*programs.0, &program.name].into_iter().chain(used));
    if let Some(mut inverse) = cache.get::<Inverse>(&key) {
        inverse.program.source = Arc::clone(&program.source);
        return Ok(inverse);
    }
    let inverse = invert(program)?;
    cache.put(&key, &inverse);
    Ok(inverse)
}
