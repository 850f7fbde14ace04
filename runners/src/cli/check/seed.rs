//! The file of the format whose canonical value a check uses first.

use std::path::{Path, PathBuf};

use checks::reaches;
use inverter::pipeline::{Pipeline, StageError};
use inverter::program::StmtKind;
use inverter::program::fold::statements;
use inverter::run::{Executable, Limits, Record};
use inverter::solve::ChoiceSource;

use crate::cli::format::refused;
use crate::cli::note;
use equivalents::max_size::MaxSize;

/// Returns the file that a spec names in a line `// seed: FILE`, relative to the folder of the spec: a file of its
/// format, or a canonical value, `FILE.json`.
pub(super) fn own_seed(spec: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(spec).ok()?;
    let named = text.lines().find_map(|line| line.strip_prefix("// seed:"))?;
    let path = spec.parent()?.join(named.trim());
    if path.is_file() {
        return Some(path);
    }
    note(format_args!("{}: the file that the spec names is not there", path.display()));
    None
}

/// A file of the format.
#[derive(Debug, Clone)]
pub(super) struct Seed {
    /// The canonical value of each stage.
    pub values: Vec<Record>,
    /// The reason why the inverses do not make this file itself.
    pub not_made: Option<String>,
}

impl Seed {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the spec does not accept the file, in one line.
    pub fn read(pipeline: &Pipeline, path: &Path, size: MaxSize) -> Result<Self, String> {
        let bytes = size.read(path)?.into_vec();
        let failed = |e: StageError| refused(path, &e.into());
        let x = pipeline.open(bytes.clone()).map_err(failed)?;
        pipeline.normalize_in(&x, size.room()).map_err(failed)?;
        let values = pipeline.stage_values(&x).map_err(failed)?;
        let limits = Limits::default();
        let made = pipeline.own_choices(&x, &limits).and_then(|own| {
            let y = pipeline.normalize(&x)?;
            pipeline.invert(&y, &mut ChoiceSource::replaying(own), &limits)
        });
        let not_made = match made.and_then(|x| pipeline.file(x)) {
            Ok(file) if file == bytes => None,
            // Choices of a primitive record the kind of a stream, not the whole stream.
            Ok(_) if pipeline.stages().iter().any(|s| calls_primitive(s.inverse())) => None,
            // Bytes that the spec does not read are free.
            Ok(_) => reaches(pipeline.stages()[0].inverse(), &x).err(),
            Err(e) => Some(e.to_string()),
        };
        Ok(Self { values, not_made })
    }
}

fn calls_primitive(inverse: &Executable) -> bool {
    let mut found = false;
    statements(&inverse.program.body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Decode { .. });
    });
    found
}
