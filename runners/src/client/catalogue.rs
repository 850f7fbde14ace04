//! Every client that is known, and which of them can be used on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use rayon::prelude::*;

use super::description::{Description, DescriptionError, TIFF};
use super::{CommandClient, Entry, Origin, Sandbox, State, library};

/// The shipped descriptions and their glue.
static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/clients");

/// Trouble with the catalogue.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum CatalogueError {
    /// A description cannot be used.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// A file or folder cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Two clients of the same name.
    #[error("client {name} is described twice: in {first} and in {second}")]
    Twice {
        /// Their name.
        name: String,
        /// Where one is described.
        first: String,
        /// Where the other is.
        second: String,
    },
    /// A client from the command line that cannot be understood.
    #[error("{0}")]
    CommandLine(String),
    /// Nobody has this name.
    #[error("no client is called {name:?}{}", nearest.as_ref().map(|n| format!(": did you mean {n}?")).unwrap_or_default())]
    #[diagnostic(help("`repfuzz clients` lists them all"))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The known name most like it.
        nearest: Option<String>,
    },
    /// A client asked for by name cannot be used here.
    #[error("client {name} cannot be used here: {why}")]
    Unusable {
        /// Its name.
        name: String,
        /// Why, and how to install it.
        why: String,
    },
}

/// Every client that is known.
pub struct Catalogue {
    entries: Vec<Arc<Entry>>,
    sandbox: Arc<Sandbox>,
    /// The ending of the files that are read.
    extension: String,
}

impl Catalogue {
    /// The linked-in and the shipped clients, and those described in `extra`: description
    /// files, or folders of them. A description replaces a shipped one of the same name.
    /// Programs run in the best sandbox that there is.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or a description is wrong.
    pub fn load(extra: &[PathBuf]) -> Result<Self, CatalogueError> {
        Self::load_within(extra, Sandbox::best())
    }

    /// [`Catalogue::load`], with programs in this sandbox.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn load_within(extra: &[PathBuf], sandbox: Arc<Sandbox>) -> Result<Self, CatalogueError> {
        Self::load_for(extra, sandbox, TIFF)
    }

    /// [`Catalogue::load_within`], for files with this ending.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn load_for(
        extra: &[PathBuf],
        sandbox: Arc<Sandbox>,
        extension: &str,
    ) -> Result<Self, CatalogueError> {
        let libraries = library::all(extension).into_iter();
        let entries = libraries.map(|c| Arc::new(Entry::library(c))).collect();
        let mut catalogue = Self { entries, sandbox, extension: extension.to_owned() };
        catalogue.add_shipped()?;
        for path in extra {
            for file in description_files(path)? {
                catalogue.add_file(&file)?;
            }
        }
        catalogue.sort();
        Ok(catalogue)
    }

    /// Adds a client from the command line: `name=CMD {in} {out}`. It replaces a described
    /// one of the same name.
    ///
    /// # Errors
    ///
    /// If it cannot be understood, or two have the same name.
    pub fn add_command_line(&mut self, spec: &str) -> Result<(), CatalogueError> {
        let description =
            Description::from_command_line(spec).map_err(CatalogueError::CommandLine)?;
        self.add(Entry::command(self.program(description), Origin::CommandLine))?;
        self.sort();
        Ok(())
    }

    fn program(&self, mut description: Description) -> CommandClient {
        description.extension.clone_from(&self.extension);
        CommandClient::within(description, self.sandbox.clone())
    }

    /// What is around the programs.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    fn add_shipped(&mut self) -> Result<(), CatalogueError> {
        let io = |path: &Path| {
            let path = path.to_path_buf();
            move |error| CatalogueError::Io { path, error }
        };
        // The glue must be files: interpreters read nothing else.
        let temporary = std::env::temp_dir();
        let glue =
            tempfile::Builder::new().prefix("repfuzz-glue-").tempdir().map_err(io(&temporary))?;
        let here = glue.path().canonicalize().map_err(io(glue.path()))?;
        SHIPPED.extract(&here).map_err(io(&here))?;
        let glue = Arc::new(glue);
        for file in SHIPPED.files() {
            let name = file.path().display().to_string();
            if let Some(text) = file.contents_utf8().filter(|_| name.ends_with(".toml")) {
                let description = Description::parse(text, &name, &here)?;
                let client = self.program(description).keeping(glue.clone());
                self.add(Entry::command(client, Origin::Shipped))?;
            }
        }
        Ok(())
    }

    fn add_file(&mut self, file: &Path) -> Result<(), CatalogueError> {
        let io = |error| CatalogueError::Io { path: file.to_path_buf(), error };
        let text = fs::read_to_string(file).map_err(io)?;
        let full = file.canonicalize().map_err(io)?;
        let here = full.parent().unwrap_or(Path::new("/"));
        let description = Description::parse(&text, &file.display().to_string(), here)?;
        self.add(Entry::command(self.program(description), Origin::File(file.to_path_buf())))
    }

    fn add(&mut self, entry: Entry) -> Result<(), CatalogueError> {
        let name = &entry.info().name;
        match self.entries.iter_mut().find(|e| e.info().name == *name) {
            // Each origin overrides those before it; within one, a name is given once.
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

    /// The names of the shipped clients that take a few milliseconds a file, and little to
    /// install.
    pub fn fast() -> impl Iterator<Item = &'static str> {
        let list = SHIPPED.get_file("fast").and_then(|file| file.contents_utf8());
        list.unwrap_or_default().lines()
    }

    /// All of them, by name.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The client of this name.
    ///
    /// # Errors
    ///
    /// If there is none; names the nearest.
    pub fn get(&self, name: &str) -> Result<&Arc<Entry>, CatalogueError> {
        self.entries.iter().find(|e| e.info().name == name).ok_or_else(|| CatalogueError::Unknown {
            name: name.to_string(),
            nearest: self.nearest(name),
        })
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let lower = name.to_lowercase();
        let likeness = |e: &&Arc<Entry>| {
            let known = e.info().name.as_str();
            // `magick` for `imagemagick`: a part counts as much as a slip.
            let part = lower.len() >= 3 && known.contains(&lower);
            if part { 1.0 } else { strsim::jaro_winkler(known, &lower) }
        };
        self.entries
            .iter()
            .map(|e| (likeness(&e), e))
            .filter(|(likeness, _)| *likeness > 0.75)
            // Of several with that part, the one that it is most of.
            .max_by(|a, b| {
                let length = |e: &Arc<Entry>| e.info().name.len();
                a.0.total_cmp(&b.0).then(length(b.1).cmp(&length(a.1)))
            })
            .map(|(_, e)| e.info().name.clone())
    }

    /// The clients of these names, in this order, each once. They are not probed.
    ///
    /// # Errors
    ///
    /// If a name is unknown.
    pub fn select<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Arc<Entry>>, CatalogueError> {
        let mut selected: Vec<Arc<Entry>> = Vec::new();
        for name in names {
            let entry = self.get(name.as_ref().trim())?;
            if !selected.iter().any(|e| Arc::ptr_eq(e, entry)) {
                selected.push(entry.clone());
            }
        }
        Ok(selected)
    }

    /// The clients of these names, every one of which must be ready.
    ///
    /// # Errors
    ///
    /// If a name is unknown, or a client is missing or broken.
    pub fn select_ready<S: AsRef<str>>(
        &self,
        names: &[S],
    ) -> Result<Vec<Arc<Entry>>, CatalogueError> {
        let selected = self.select(names)?;
        selected.par_iter().for_each(|e| {
            e.state();
        });
        for entry in &selected {
            let why = match entry.state() {
                State::Ready { .. } => continue,
                State::Broken { why } => why.clone(),
                State::Missing { what } => match entry.info().install.as_slice() {
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

    /// Every client that reads these files and is ready on this machine. They are probed, in
    /// parallel, once.
    pub fn ready(&self) -> Vec<Arc<Entry>> {
        let reads = |e: &&Arc<Entry>| e.reads(&self.extension);
        self.entries.par_iter().filter(|e| reads(e)).for_each(|e| {
            e.state();
        });
        let ready = |e: &&Arc<Entry>| matches!(e.state(), State::Ready { .. });
        self.entries.iter().filter(reads).filter(ready).cloned().collect()
    }

    /// Finds out the state of all, in parallel.
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

/// The description files that a path names: itself, or the `.toml` files in it.
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
