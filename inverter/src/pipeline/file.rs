//! Reads specs and pipelines from files, and inverts them.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Pipeline, Stage};
use crate::check::{Records, load_from, load_recorded};
use crate::primitive::Primitives;
use crate::program::{Disk, Files, SpecError, SpecText};
use crate::run::Executable;

/// The maximum number of stages.
pub(super) const MAX_STAGES: usize = 64;

/// The reason why a file holds no usable spec or pipeline.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read, or does not describe a pipeline, with the reason in one line.
    #[error("{0}")]
    File(String),
    /// The specs that were refused, each with its errors. There is at least one.
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Specs(Vec<SpecError>),
}

/// The contents of `pipeline.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    /// The specs' files.
    stages: Option<Vec<PathBuf>>,
    /// The specs with names.
    #[serde(default)]
    stage: Vec<Named>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    spec: PathBuf,
}

/// Reads a spec and inverts it ([`from_text`]), or reads the pipeline described by a file with the extension `toml`:
/// the specs of its stages, in the order of normalization, with paths relative to the file.
///
/// ```toml
/// stages = ["strips.rs", "orientation.rs"]
/// ```
///
/// A stage has the name of its file, without folders and extension, unless it has an explicit name:
///
/// ```toml
/// [[stage]]
/// name = "strips"
/// spec = "tiff/strips.rs"
///
/// [[stage]]
/// name = "orientation"
/// spec = "tiff/orientation.rs"
/// ```
///
/// # Errors
///
/// Returns [`ReadError`].
pub fn read(path: &Path, primitives: &Primitives) -> Result<Pipeline, ReadError> {
    read_recorded(path, primitives, &Records::default())
}

/// [`read`], except that texts with records are not checked again ([`load_recorded`]).
///
/// # Errors
///
/// Returns [`ReadError`].
pub fn read_recorded(
    path: &Path,
    primitives: &Primitives,
    records: &Records,
) -> Result<Pipeline, ReadError> {
    if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("toml")) {
        let (name, text) = (path.display().to_string(), text(path)?);
        return from_text_recorded(&SpecText::on_disk(&name, &text), primitives, records);
    }
    let file = path.display();
    let fail = |why: String| ReadError::File(format!("{file}: {why}"));
    let text = text(path)?;
    let described: Described = toml::from_str(&text).map_err(|e| {
        let at = e.span().map_or(0, |span| span.start).min(text.len());
        let line = text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
        fail(format!("line {line}: {}", e.message().replace('\n', " ")))
    })?;
    let named = match (described.stages, described.stage) {
        (Some(paths), named) if named.is_empty() => {
            let name = |p: &PathBuf| p.file_stem().unwrap_or_default().to_string_lossy().into();
            paths.into_iter().map(|spec| Named { name: name(&spec), spec }).collect()
        }
        (None, named) => named,
        _ => return Err(fail("it has both `stages` and `[[stage]]`".to_owned())),
    };
    if named.len() > MAX_STAGES {
        return Err(fail(format!("{} stages; at most {MAX_STAGES} are read", named.len())));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut stages = Vec::new();
    let mut refused = Vec::new();
    for Named { name, spec: relative } in named {
        match spec(&folder.join(relative), primitives, records) {
            Ok(inverse) => stages.push(Stage::new(name, inverse)),
            Err(ReadError::Specs(errors)) => refused.extend(errors),
            Err(ReadError::File(why)) => return Err(fail(format!("stage `{name}`: {why}"))),
        }
    }
    if !refused.is_empty() {
        return Err(ReadError::Specs(refused));
    }
    Pipeline::new(stages).map_err(|e| fail(e.to_string()))
}

/// Inverts a spec. If it has several functions, they are the stages of a pipeline, named like the functions.
///
/// # Errors
///
/// Returns [`ReadError`].
pub fn from_text(spec: &SpecText<'_>, primitives: &Primitives) -> Result<Pipeline, ReadError> {
    from_text_recorded(spec, primitives, &Records::default())
}

/// [`from_text`], except that texts with records are not checked again ([`load_recorded`]).
///
/// # Errors
///
/// Returns [`ReadError`].
pub fn from_text_recorded(
    spec: &SpecText<'_>,
    primitives: &Primitives,
    records: &Records,
) -> Result<Pipeline, ReadError> {
    let mut inverses =
        load_recorded(spec, primitives, records).map_err(|error| ReadError::Specs(vec![error]))?;
    if inverses.len() == 1 {
        return Ok(Pipeline::single(inverses.remove(0)));
    }
    let stage = |inverse: Executable| Stage::new(inverse.program().name.clone(), inverse);
    Pipeline::new(inverses.into_iter().map(stage).collect())
        .map_err(|e| ReadError::File(format!("{}: {e}", spec.name)))
}

/// A spec of one function.
fn spec(path: &Path, primitives: &Primitives, records: &Records) -> Result<Executable, ReadError> {
    let (name, text) = (path.display().to_string(), text(path)?);
    let refused = |error| ReadError::Specs(vec![error]);
    let spec = SpecText::on_disk(&name, &text);
    let mut all = load_recorded(&spec, primitives, records).map_err(refused)?;
    match all.len() {
        1 => Ok(all.remove(0)),
        // This call reports the error.
        _ => load_from(&spec, primitives).map_err(refused),
    }
}

/// The text of a file.
fn text(path: &Path) -> Result<String, ReadError> {
    Disk.read(path).map_err(|why| ReadError::File(format!("{}: {why}", path.display())))
}
