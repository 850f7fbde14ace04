//! The seeds of a night, their formats, and the clients that read them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::NightError;
use crate::cli::Format;
use crate::cli::client_selection::{Sandboxing, Seeds, Wanted, select_for_night};
use clients::{Client, ClientFailure, digest};
use reports::nightly::{Config, Coverage, Loss, Remote, SeedFile};
use reports::store::Bucket;

/// The reason why a seed of unknown format is lost.
const UNKNOWN: &str = "its format is not recognized (`repfuzz formats` lists those that are): name it in a table \
                       [[format]] of the configuration";

/// A seed of a night.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// Its file.
    pub path: PathBuf,
    /// Its name in coverage, which is relative to the folder of the configuration if the file is below it.
    pub name: String,
    /// The index of its kind; `None` if its format is unknown.
    pub kind: Option<usize>,
}

/// Seeds of the same format with the same extension.
pub struct Kind {
    /// The format.
    pub format: Format,
    /// The texts that define it; `None` for TIFF.
    pub texts: Option<Arc<str>>,
    /// The extension of the files that are made from them.
    pub extension: String,
    /// The value of `--format` with which `repfuzz fuzz` reads them; `None` if the option is not needed.
    pub option: Option<String>,
    /// The clients that read them and work.
    pub clients: Vec<Box<dyn Client>>,
}

impl Kind {
    fn new(format: Format, extension: String, option: Option<String>) -> Self {
        let texts = format.texts().map(Arc::from);
        Self { format, texts, extension, option, clients: Vec::new() }
    }

    /// Returns what identifies its format in addition to the version of the program; `None` for TIFF.
    pub fn key(&self) -> Option<String> {
        self.texts.as_ref().map(|texts| digest::hex(texts.as_bytes()))
    }

    /// Returns the client of this name.
    pub fn client(&self, name: &str) -> Option<&dyn Client> {
        self.clients.iter().find(|client| client.name() == name).map(|client| &**client)
    }
}

/// Returns the kind of the files of a finding: one of its format, if possible with the extension of its seed.
pub fn kind_of<'k>(kinds: &'k [Kind], bucket: &Bucket) -> Option<&'k Kind> {
    let mut of_format = kinds.iter().filter(|kind| kind.format.name() == bucket.key.format);
    let seed = Path::new(&bucket.example.seed_file);
    let named = |kind: &&Kind| kind.extension == kind.format.extension(seed);
    of_format.clone().find(named).or_else(|| of_format.next())
}

/// Recognizes the formats of seeds, and reads each spec once. `name` returns the name of a seed in coverage.
///
/// # Errors
///
/// Returns an error if a spec cannot be read, a named format is not shipped, or two formats have the same name.
pub fn kinds(
    config: &Config,
    files: Vec<SeedFile>,
    name: impl Fn(&Path) -> String,
) -> Result<(Vec<Seed>, Vec<Kind>), NightError> {
    let tables = tables(config)?;
    let (mut seeds, mut kinds): (Vec<Seed>, Vec<Kind>) = Default::default();
    for SeedFile { path, table } in files {
        let (format, option) = match table {
            Some(table) => {
                let option = config.format[table].named().display().to_string();
                (Some(tables[table].clone()), Some(option))
            }
            None => (recognized(&path, config, &kinds)?, None),
        };
        let kind = format.map(|format| {
            let extension = format.extension(&path);
            let same = |kind: &Kind| {
                (kind.format.name(), &kind.extension, &kind.option)
                    == (format.name(), &extension, &option)
            };
            kinds.iter().position(same).unwrap_or_else(|| {
                kinds.push(Kind::new(format, extension, option));
                kinds.len() - 1
            })
        });
        seeds.push(Seed { name: name(&path), path, kind });
    }
    if kinds.is_empty() {
        let first = seeds.first().map(|seed| seed.name.as_str()).unwrap_or_default();
        return Err(NightError::Other(format!("{first}: {UNKNOWN}")));
    }
    Ok((seeds, kinds))
}

/// Returns the format of a seed according to its content; `None` if unknown. A file that cannot be read counts as TIFF;
/// whoever opens it reports the reason.
fn recognized(path: &Path, config: &Config, kinds: &[Kind]) -> Result<Option<Format>, NightError> {
    let Some(name) = equivalents::Format::name_of_file(path).unwrap_or(Some("tiff")) else {
        return Ok(None);
    };
    let known = kinds.iter().find(|kind| kind.format.name() == name);
    let format = known
        .map_or_else(|| Format::shipped(name, config.max_size, ""), |kind| Ok(kind.format.clone()));
    format.map(Some).map_err(NightError::Other)
}

/// Reads the formats of the tables.
fn tables(config: &Config) -> Result<Vec<Format>, NightError> {
    let mut formats: Vec<Format> = Vec::new();
    for (place, table) in config.format.iter().enumerate() {
        let same = config.format[..place].iter().position(|other| other.named() == table.named());
        let format = match (same, &table.name) {
            (Some(same), _) => formats[same].clone(),
            (None, Some(name)) => {
                Format::shipped(name, config.max_size, "").map_err(NightError::Other)?
            }
            // The errors of the spec are printed.
            (None, None) => Format::named(table.named(), config.max_size).map_err(|_| {
                let (number, spec) = (place + 1, table.named().display());
                NightError::Other(format!("[[format]] {number}: {spec} cannot be used"))
            })?,
        };
        let other =
            |other: &&Format| other.name() == format.name() && other.texts() != format.texts();
        if let Some(other) = formats.iter().find(other) {
            let name = other.name();
            return Err(NightError::Other(format!(
                "[[format]]: two specs are called {name}, and findings have that name: rename one"
            )));
        }
        formats.push(format);
    }
    Ok(formats)
}

/// Selects the clients of each kind; returns the seeds and the clients that are lost. A client that works for no kind
/// is lost completely. One that works for some kinds is lost for the seeds of the others that it should read according
/// to its description. Unless the night `fuzzes`, clients need not be installed.
///
/// # Errors
///
/// No client works at all.
pub fn select(
    remote: Option<&dyn Remote>,
    config: &Config,
    seeds: &[Seed],
    kinds: &mut [Kind],
    before: Option<&Coverage>,
    fuzzes: bool,
) -> Result<Vec<Loss>, NightError> {
    let unknown = seeds.iter().filter(|seed| seed.kind.is_none());
    let mut losses: Vec<Loss> =
        unknown.map(|seed| Loss::new(None, Some(&seed.name), UNKNOWN)).collect();
    let expected: Vec<String> =
        before.map(|last| last.last_read.keys().cloned().collect()).unwrap_or_default();
    let of = |place: usize| seeds.iter().filter(move |seed| seed.kind == Some(place));
    let all = match remote {
        Some(remote) => {
            let extensions: Vec<&str> = kinds.iter().map(|kind| &*kind.extension).collect();
            remote.select(config, &expected, &extensions)
        }
        None => {
            let files: Vec<Vec<PathBuf>> = (0..kinds.len())
                .map(|place| of(place).map(|seed| seed.path.clone()).collect())
                .collect();
            let of_kind = |(kind, files)| {
                let Kind { format, extension, .. }: &Kind = kind;
                Seeds { files, format, extension }
            };
            let seeds: Vec<Seeds<'_>> =
                kinds.iter().zip(files.iter().map(Vec::as_slice)).map(of_kind).collect();
            let Config { clients, client, describe, .. } = config;
            let wanted = Wanted { names: clients, extra: client, describe, python: None };
            select_for_night(wanted, &expected, Sandboxing::Wanted, &seeds)
        }
    };
    if all.is_empty() && fuzzes {
        let why = all.failures.into_iter().next().map(|failure| failure.why);
        return Err(NightError::Other(why.unwrap_or_else(|| "no client to test".to_owned())));
    }
    for (kind, clients) in kinds.iter_mut().zip(all.clients) {
        kind.clients = clients;
    }
    // The parts of the night may have had clients that are not on this machine.
    if fuzzes {
        let whole = |ClientFailure { name, why }: &ClientFailure| {
            Loss::new(name.as_deref(), None, why.as_str())
        };
        losses.extend(all.failures.iter().map(whole));
        for (place, ClientFailure { name, why }) in &all.partial {
            let lost = |seed: &Seed| Loss::new(name.as_deref(), Some(&seed.name), why.as_str());
            losses.extend(of(*place).map(lost));
        }
        for (place, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.clients.is_empty()) {
            let why = format!("no client that works here reads .{} files", kind.extension);
            losses.extend(of(place).map(|seed| Loss::new(None, Some(&seed.name), why.as_str())));
        }
    }
    Ok(losses)
}
