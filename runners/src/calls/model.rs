//! Models of interfaces. Each consists of a description in TOML, a model in C, and drivers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use include_dir::{Dir, include_dir};
use interfaces::c::{self, ErrorKind};
use interfaces::graph::{Call, Graph};
use interfaces::replay::with_each_value;
use interfaces::suite::{Coverage, Sequence, sequences};
use interfaces::synthesis::{self, Mode};
use interfaces::watch::Watch;
use serde::Deserialize;

/// The shipped models with their drivers.
static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/interfaces");

/// The names of the shipped models.
pub const SHIPPED: [&str; 3] = ["image", "libtiff", "tiff"];

/// The time limit for the graph of a model.
const TIME: Duration = Duration::from_secs(120);

/// The maximum number of values of an argument for all of them to be tried.
const VALUES: usize = 8;

/// The content of a description.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    summary: String,
    model: PathBuf,
    functions: Vec<String>,
    #[serde(default)]
    drivers: Vec<PathBuf>,
    #[serde(default)]
    linked: Option<String>,
    #[serde(default)]
    library: BTreeMap<String, String>,
}

/// The model of an interface.
#[derive(Debug, Clone)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// A short description.
    pub summary: String,
    /// The descriptions of drivers that are programs.
    pub drivers: Vec<PathBuf>,
    /// The name of the linked-in library that is a driver, if there is one.
    pub linked: Option<String>,
    source: PathBuf,
    functions: Vec<String>,
    library: BTreeMap<String, String>,
    /// Keeps the files of a shipped model.
    _files: Option<Arc<tempfile::TempDir>>,
}

/// The sequences of a model for files of some number of pages.
pub struct Suite {
    /// The interface graph, with an edge for each value of small ranges of arguments.
    pub graph: Graph,
    /// Sequences that cover every pair of the graph's edges, shortest first.
    pub sequences: Vec<Sequence>,
    /// The graph for drawings, with an edge for each class of arguments.
    pub classes: Graph,
    /// For each function of the graph, its meaning in the library; empty if the function only opens the file or goes to
    /// a page.
    library: Vec<String>,
}

impl Suite {
    /// Returns the calls before the first one that does more than open the file or go to a page.
    pub(super) fn opening<'c>(&self, calls: &'c [Call]) -> &'c [Call] {
        let first = calls.iter().position(|c| !self.library[c.function].is_empty());
        // The last call is the purpose of a sequence.
        &calls[..first.unwrap_or(calls.len().saturating_sub(1))]
    }

    /// Returns the meaning, in the library, of the calls after the [opening](Self::opening).
    pub(super) fn essential(&self, calls: &[Call]) -> Vec<String> {
        let rest = &calls[self.opening(calls).len()..];
        let word = |call: &Call| match self.library[call.function].as_str() {
            "" => self.graph.functions[call.function].clone(),
            word => word.to_owned(),
        };
        rest.iter().map(word).collect()
    }
}

impl Model {
    /// Reads a model, given the name of a shipped one or the path of a description.
    ///
    /// # Errors
    ///
    /// One line with the file and the reason.
    pub fn load(which: &str) -> Result<Self, String> {
        if !SHIPPED.contains(&which) {
            return Self::read(Path::new(which), None);
        }
        let failed = |e: std::io::Error| format!("the model {which} cannot be unpacked: {e}");
        let folder = tempfile::Builder::new().prefix("repfuzz-calls-").tempdir().map_err(failed)?;
        FOLDER.extract(folder.path()).map_err(failed)?;
        let file = folder.path().join(which).with_extension("toml");
        Self::read(&file, Some(Arc::new(folder)))
    }

    fn read(file: &Path, files: Option<Arc<tempfile::TempDir>>) -> Result<Self, String> {
        let shown = file.display();
        let text = fs::read_to_string(file).map_err(|e| {
            let names = SHIPPED.join(", ");
            format!("{shown}: {e}; a model is one of {names}, or the file of a description")
        })?;
        let description: Description = toml::from_str(&text)
            .map_err(|e| format!("{shown}: {}{}", place(&text, e.span()), e.message()))?;
        let functions = &description.functions;
        if let Some(unknown) = description.library.keys().find(|name| !functions.contains(name)) {
            return Err(format!("{shown}: [library] names {unknown:?}, which is no function"));
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self {
            name,
            summary: description.summary,
            drivers: description.drivers.iter().map(|d| folder.join(d)).collect(),
            linked: description.linked,
            source: folder.join(description.model),
            functions: description.functions,
            library: description.library,
            _files: files,
        })
    }

    /// Returns the graph and the sequences for files with `pages` pages, which is `PAGES` in the model.
    ///
    /// # Errors
    ///
    /// Returns a one-line message with the place if the model has no graph.
    pub fn suite(&self, pages: usize) -> Result<Suite, String> {
        let options = c::Options {
            functions: self.functions.clone(),
            error: ErrorKind::Either,
            stack: 8,
            front_end: canonical::c::Options {
                arguments: vec![format!("-DPAGES={pages}")],
                ..canonical::c::Options::default()
            },
        };
        let file = self.source.display().to_string();
        let translated = c::read(self.source.clone(), &options)
            .map_err(|problem| problem.in_file(&file).to_string())?;
        let watch = Watch::new(Some(TIME));
        let library = translated.library;
        let graph = move |watch: &Watch| synthesis::synthesize_within(library, Mode::Stable, watch);
        let classes = watch.run(graph).map_err(|problem| problem.in_file(&file).to_string())?;
        let graph = with_each_value(&classes, VALUES);
        let sequences = sequences(&graph, Coverage::Pairs);
        let word = |function: &String| self.library.get(function).unwrap_or(function).clone();
        let library = graph.functions.iter().map(word).collect();
        Ok(Suite { graph, sequences, classes, library })
    }
}

/// The place of an error as `line:column: `.
fn place(text: &str, span: Option<std::ops::Range<usize>>) -> String {
    let Some(before) = span.and_then(|span| text.get(..span.start)) else { return String::new() };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
    format!("{line}:{column}: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_compiler() -> bool {
        std::process::Command::new("cc").arg("--version").output().is_ok()
    }

    #[test]
    fn shipped_models_have_graphs() {
        if !has_compiler() {
            return;
        }
        for name in SHIPPED {
            let model = Model::load(name).unwrap();
            let (one, three) = (model.suite(1).unwrap(), model.suite(3).unwrap());
            assert!(one.graph.ambiguous().is_empty(), "{name}");
            assert!(one.sequences.len() > 100, "{name}: {}", one.sequences.len());
            let more = three.graph.regions() - one.graph.regions();
            assert_eq!(more > 0, name != "image", "{name}");
        }
    }

    #[test]
    fn wrong_descriptions_are_refused_with_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("m.toml");
        let error = |text: &str| {
            fs::write(&file, text).unwrap();
            let error = Model::load(file.to_str().unwrap()).unwrap_err();
            error.rsplit_once("m.toml: ").unwrap().1.to_owned()
        };
        let library =
            "summary = \"a\"\nmodel = \"m.c\"\nfunctions = [\"f\"]\n[library]\ng = \"G\"\n";
        assert_eq!(error(library), "[library] names \"g\", which is no function");
        assert_eq!(error("summary = 1\n"), "1:11: invalid type: integer `1`, expected a string");
        assert!(error("summary = \"a\"\nmodle = 1\n").starts_with("2:1: unknown field `modle`"));
        let missing = Model::load("libtif").unwrap_err();
        assert!(missing.contains("a model is one of image, libtiff, tiff"), "{missing}");
        fs::write(&file, "summary = \"a\"\nmodel = \"m.c\"\nfunctions = [\"f\"]\n").unwrap();
        let model = Model::load(file.to_str().unwrap()).unwrap();
        assert!(model.suite(1).err().unwrap().contains("m.c"));
    }
}
