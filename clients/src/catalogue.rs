//! The catalogue of clients: linked-in libraries, shipped descriptions, and the user's own.
//!
//! Reads all descriptions, resolves names, and selects the clients that work on this machine.
//! Loading runs no client; [`Catalogue::ready`] probes each one once, in parallel.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use rayon::prelude::*;

use super::description::{Description, DescriptionError, TIFF};
use super::process::{Scratch, with_remedy};
use super::{Availability, CatalogueEntry, CommandClient, Origin, Sandbox, library};

/// The shipped descriptions and their glue.
static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/descriptions");

/// An error of the catalogue.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum CatalogueError {
    /// A description cannot be used.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// A file or folder cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// Its path.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// Two descriptions of the same rank have one name.
    #[error("client {name} is described twice: in {first} and in {second}")]
    Twice {
        /// Their name.
        name: String,
        /// Source of the first description.
        first: String,
        /// Source of the second.
        second: String,
    },
    /// A client on the command line has a syntax error.
    #[error("{0}")]
    CommandLine(String),
    /// No client has this name.
    #[error("no client is called {name:?}{}", nearest.as_ref().map(|n| format!(": did you mean {n}?")).unwrap_or_default())]
    #[diagnostic(help("`repfuzz clients` lists them all"))]
    Unknown {
        /// The requested name.
        name: String,
        /// The most similar name in the catalogue.
        nearest: Option<String>,
    },
    /// A client selected by name does not work on this machine.
    #[error("client {name} cannot be used here: {why}")]
    Unusable {
        /// Its name.
        name: String,
        /// The reason, and how to install it.
        why: String,
    },
}

/// All clients, sorted by name.
pub struct Catalogue {
    entries: Vec<Arc<CatalogueEntry>>,
    sandbox: Arc<Sandbox>,
    /// File name extension of the format under test.
    extension: String,
    /// The interpreter of clients that are Python packages, instead of separate environments.
    python: Option<PathBuf>,
}

/// The interpreter of a client that is a Python package, in the environment into which it is installed.
const PYTHON: &str = "{tools}/python/bin/python";

impl Catalogue {
    /// Loads the linked-in and the shipped clients, and those described in `extra` (description files, or folders of
    /// them). A description replaces a shipped one with the same name. Programs run in the best available sandbox.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or a description is invalid.
    pub fn load(extra: &[PathBuf]) -> Result<Self, CatalogueError> {
        Self::load_within(extra, Sandbox::best())
    }

    /// Like [`Catalogue::load`], with programs in the given sandbox.
    ///
    /// # Errors
    ///
    /// As [`Catalogue::load`].
    pub fn load_within(extra: &[PathBuf], sandbox: Arc<Sandbox>) -> Result<Self, CatalogueError> {
        Self::load_for(extra, sandbox, TIFF)
    }

    /// Like [`Catalogue::load_within`], for files with this extension.
    ///
    /// # Errors
    ///
    /// As [`Catalogue::load`].
    pub fn load_for(
        extra: &[PathBuf],
        sandbox: Arc<Sandbox>,
        extension: &str,
    ) -> Result<Self, CatalogueError> {
        let (catalogue, errors) = Self::load_usable(extra, None, sandbox, extension);
        errors.into_iter().next().map_or(Ok(catalogue), Err)
    }

    /// Like [`Catalogue::load_for`], but skips the clients that cannot be loaded; also returns the errors. With an
    /// interpreter `python`, clients that are Python packages are those that it has installed.
    pub fn load_usable(
        extra: &[PathBuf],
        python: Option<&Path>,
        sandbox: Arc<Sandbox>,
        extension: &str,
    ) -> (Self, Vec<CatalogueError>) {
        let libraries = library::all(extension).into_iter();
        let entries = libraries.map(|c| Arc::new(CatalogueEntry::library(c))).collect();
        // Clients run in separate folders, so a path is made absolute; a name alone is looked up in `PATH`.
        let full = |python: &Path| match python.components().count() {
            1 => python.to_path_buf(),
            _ => std::path::absolute(python).unwrap_or_else(|_| python.to_path_buf()),
        };
        let (extension, python) = (extension.to_owned(), python.map(full));
        let mut catalogue = Self { entries, sandbox, extension, python };
        let mut errors: Vec<CatalogueError> = catalogue.add_shipped().err().into_iter().collect();
        for path in extra {
            match description_files(path) {
                Ok(files) => {
                    errors.extend(files.iter().filter_map(|file| catalogue.add_file(file).err()));
                }
                Err(error) => errors.push(error),
            }
        }
        catalogue.sort();
        (catalogue, errors)
    }

    /// Adds a client given on the command line as `name=CMD {in} {out}`. It replaces a described client with the same
    /// name.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be parsed, or if two have the same name.
    pub fn add_command_line(&mut self, spec: &str) -> Result<(), CatalogueError> {
        let description =
            Description::from_command_line(spec).map_err(CatalogueError::CommandLine)?;
        self.add(CatalogueEntry::command(self.program(description), Origin::CommandLine))?;
        self.sort();
        Ok(())
    }

    /// Reads a description, with the interpreter of the catalogue.
    fn description(
        &self,
        text: &str,
        file: &str,
        here: &Path,
    ) -> Result<Description, DescriptionError> {
        let Some(python) = self.python.as_ref().filter(|_| text.contains(PYTHON)) else {
            return Description::parse(text, file, here);
        };
        let python = python.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        let mut description = Description::parse(&text.replace(PYTHON, &python), file, here)?;
        // The interpreter already has these packages.
        description.tools.pip.clear();
        Ok(description)
    }

    fn program(&self, mut description: Description) -> CommandClient {
        description.extension.clone_from(&self.extension);
        CommandClient::within(description, self.sandbox.clone())
    }

    /// The sandbox in which programs run.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    fn add_shipped(&mut self) -> Result<(), CatalogueError> {
        let io = |path: &Path| {
            let path = path.to_path_buf();
            move |error| CatalogueError::Io { path, error }
        };
        // Interpreters can only read the glue from files.
        let glue = Scratch::new().map_err(io(&std::env::temp_dir()))?;
        let here = glue.path().to_path_buf();
        SHIPPED.extract(&here).map_err(with_remedy).map_err(io(&here))?;
        let glue = Arc::new(glue);
        for file in SHIPPED.files() {
            let name = file.path().display().to_string();
            if let Some(text) = file.contents_utf8().filter(|_| name.ends_with(".toml")) {
                let description = self.description(text, &name, &here)?;
                let client = self.program(description).keeping(glue.clone());
                self.add(CatalogueEntry::command(client, Origin::Shipped))?;
            }
        }
        Ok(())
    }

    fn add_file(&mut self, file: &Path) -> Result<(), CatalogueError> {
        let io = |error| CatalogueError::Io { path: file.to_path_buf(), error };
        let text = fs::read_to_string(file).map_err(io)?;
        let full = file.canonicalize().map_err(io)?;
        let here = full.parent().unwrap_or(Path::new("/"));
        let description = self.description(&text, &file.display().to_string(), here)?;
        self.add(CatalogueEntry::command(
            self.program(description),
            Origin::File(file.to_path_buf()),
        ))
    }

    fn add(&mut self, entry: CatalogueEntry) -> Result<(), CatalogueError> {
        let name = &entry.info().name;
        match self.entries.iter_mut().find(|e| e.info().name == *name) {
            // A later origin overrides earlier ones; within one origin, names are unique.
            Some(old) if rank(old.origin()) < rank(entry.origin()) => *old = Arc::new(entry),
            Some(old) => {
                return Err(CatalogueError::Twice {
                    name: name.clone(),
                    first: place(old.origin()),
                    second: place(entry.origin()),
                });
            }
            None => self.entries.push(Arc::new(entry)),
        }
        Ok(())
    }

    fn sort(&mut self) {
        self.entries.sort_by(|a, b| a.info().name.cmp(&b.info().name));
    }

    /// The names of the shipped clients that read a file in a few milliseconds and are small to
    /// install.
    pub fn fast() -> impl Iterator<Item = &'static str> {
        let list = SHIPPED.get_file("fast").and_then(|file| file.contents_utf8());
        list.unwrap_or_default().lines()
    }

    /// All clients, sorted by name.
    pub fn entries(&self) -> &[Arc<CatalogueEntry>] {
        &self.entries
    }

    /// Returns the client of this name.
    ///
    /// # Errors
    ///
    /// Returns an error that suggests the nearest name if the client does not exist.
    pub fn get(&self, name: &str) -> Result<&Arc<CatalogueEntry>, CatalogueError> {
        self.entries.iter().find(|e| e.info().name == name).ok_or_else(|| CatalogueError::Unknown {
            name: name.to_string(),
            nearest: self.nearest(name),
        })
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let lower = name.to_lowercase();
        let likeness = |e: &&Arc<CatalogueEntry>| {
            let known = e.info().name.as_str();
            // `magick` finds `imagemagick`: a substring counts as much as a typo.
            let part = lower.len() >= 3 && known.contains(&lower);
            if part { 1.0 } else { strsim::jaro_winkler(known, &lower) }
        };
        self.entries
            .iter()
            .map(|e| (likeness(&e), e))
            .filter(|(likeness, _)| *likeness > 0.75)
            // Among several names that contain it, prefer the shortest.
            .max_by(|a, b| {
                let length = |e: &Arc<CatalogueEntry>| e.info().name.len();
                a.0.total_cmp(&b.0).then(length(b.1).cmp(&length(a.1)))
            })
            .map(|(_, e)| e.info().name.clone())
    }

    /// Returns the clients with these names, in this order and without duplicates. Does not probe them.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is unknown.
    pub fn select<S: AsRef<str>>(
        &self,
        names: &[S],
    ) -> Result<Vec<Arc<CatalogueEntry>>, CatalogueError> {
        let mut selected: Vec<Arc<CatalogueEntry>> = Vec::new();
        for name in names {
            let entry = self.get(name.as_ref().trim())?;
            if !selected.iter().any(|e| Arc::ptr_eq(e, entry)) {
                selected.push(entry.clone());
            }
        }
        Ok(selected)
    }

    /// Returns the clients with these names and checks that each one is ready.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is unknown, or a client is missing or broken.
    pub fn select_ready<S: AsRef<str>>(
        &self,
        names: &[S],
    ) -> Result<Vec<Arc<CatalogueEntry>>, CatalogueError> {
        let selected = self.select(names)?;
        selected.par_iter().for_each(|e| {
            e.state();
        });
        for entry in &selected {
            let why = match entry.state() {
                Availability::Ready { .. } => continue,
                Availability::Broken { why, .. } => why.clone(),
                Availability::Missing { what } => match entry.info().install.as_slice() {
                    [] => format!("{what} is not installed"),
                    _ => format!(
                        "{what} is not installed (on Debian: repfuzz clients --install {})",
                        entry.info().name
                    ),
                },
            };
            return Err(CatalogueError::Unusable { name: entry.info().name.clone(), why });
        }
        Ok(selected)
    }

    /// Returns every client that reads the format and works on this machine. Probes each one
    /// once, in parallel.
    pub fn ready(&self) -> Vec<Arc<CatalogueEntry>> {
        let reads = |e: &&Arc<CatalogueEntry>| e.reads(&self.extension);
        self.entries.par_iter().filter(|e| reads(e)).for_each(|e| {
            e.state();
        });
        let ready = |e: &&Arc<CatalogueEntry>| matches!(e.state(), Availability::Ready { .. });
        self.entries.iter().filter(reads).filter(ready).cloned().collect()
    }

    /// Determines the state of all clients, in parallel.
    pub fn probe(&self) {
        self.entries.par_iter().for_each(|e| {
            e.state();
        });
    }
}

fn rank(origin: &Origin) -> u8 {
    match origin {
        Origin::Library => 0,
        Origin::Shipped => 1,
        Origin::File(_) => 2,
        Origin::CommandLine => 3,
    }
}

fn place(origin: &Origin) -> String {
    match origin {
        Origin::Library => "repfuzz itself".to_string(),
        Origin::Shipped => "the shipped descriptions".to_string(),
        Origin::File(path) => path.display().to_string(),
        Origin::CommandLine => "the command line".to_string(),
    }
}

/// Lists the description files that a path denotes: the file itself, or the `.toml` files in the folder.
fn description_files(path: &Path) -> Result<Vec<PathBuf>, CatalogueError> {
    let io = |error| CatalogueError::Io { path: path.to_path_buf(), error };
    if !fs::metadata(path).map_err(io)?.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(io)? {
        let file = entry.map_err(io)?.path();
        if file.extension().is_some_and(|e| e == "toml") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
