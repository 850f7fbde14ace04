//! The texts of a pipeline, from which another machine can rebuild it.

use serde::{Deserialize, Serialize};

use super::file::MAX_STAGES;
use super::{Pipeline, ReadError, Stage};
use crate::check::{Records, load_recorded};
use crate::primitive::Primitives;
use crate::program::{Embedded, SpecText};
use crate::run::Executable;

/// The texts of all specs of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    stages: Vec<StageText>,
    /// True if dimensions are preceded by their stage.
    named: bool,
}

/// The name and the text of a file.
type FileText = (String, String);

/// The text of a stage's spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StageText {
    name: String,
    /// The function of the spec.
    function: String,
    /// The name and the text of the spec's own file, then those of the files that it uses.
    files: Vec<FileText>,
}

impl Texts {
    /// Returns the texts of `pipeline`.
    pub fn of(pipeline: &Pipeline) -> Self {
        let stage = |stage: &Stage| {
            let program = stage.program();
            let files = program.source.files().iter();
            StageText {
                name: stage.name.clone(),
                function: program.name.clone(),
                files: files.map(|file| (file.name.clone(), file.text.clone())).collect(),
            }
        };
        Self { stages: pipeline.stages.iter().map(stage).collect(), named: pipeline.named }
    }

    /// Rebuilds the pipeline. Specs use only files among the texts. Texts with records are not checked again
    /// ([`load_recorded`]).
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`]. The texts may come from anywhere.
    pub fn pipeline(
        &self,
        primitives: &Primitives,
        records: &Records,
    ) -> Result<Pipeline, ReadError> {
        if self.stages.len() > MAX_STAGES {
            let count = self.stages.len();
            return Err(ReadError::File(format!("{count} stages; at most {MAX_STAGES} are read")));
        }
        let mut stages = Vec::new();
        // The functions of one file are consecutive stages.
        let mut last: Option<(&[FileText], Vec<Executable>)> = None;
        for StageText { name, function, files } in &self.stages {
            let loaded = match last.take() {
                Some((same, loaded)) if same == files => loaded,
                _ => load(files, primitives, records)?,
            };
            let found = loaded.iter().find(|inverse| inverse.program().name == *function);
            let missing = || ReadError::File(format!("stage `{name}` has no function {function}"));
            stages.push(Stage::new(name.clone(), found.ok_or_else(missing)?.clone()));
            last = Some((files, loaded));
        }
        let made = Pipeline::new(stages).map_err(|error| ReadError::File(error.to_string()))?;
        Ok(Pipeline { named: self.named || self.stages.len() > 1, ..made })
    }
}

fn load(
    files: &[FileText],
    primitives: &Primitives,
    records: &Records,
) -> Result<Vec<Executable>, ReadError> {
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let Some(((name, text), used)) = files.split_first() else {
        return Err(ReadError::File("a stage without a text".to_owned()));
    };
    let spec = SpecText { name, text, files: &Embedded(used) };
    load_recorded(&spec, primitives, records).map_err(|error| ReadError::Specs(vec![error]))
}
