//! The format of seed files, as given on the command line, and the reading of seeds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueEnum};
use equivalents::Restriction;
use inverter::pipeline::Pipeline;
use inverter::run::Bytes;
use tiff_harness::container::Profile;
use tiff_harness::{Seed, mapped};

use super::{note, spec};
use crate::subject::Subject;
use crate::subject::spec::extension;

/// Size limit of a seed file, in bytes.
const MAX_SEED: u64 = 1 << 30;

/// Size limit of a seed file that is mapped and whose picture is not computed.
const MAX_MAPPED: u64 = 1 << 34;

/// The range of the values that are drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ProfileName {
    /// Only clearly legal values
    #[default]
    Strict,
    /// Also values that occur in practice or whose legality is doubtful
    Wide,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Strict => Profile::Strict,
            ProfileName::Wide => Profile::Wide,
        }
    }
}

/// The format of a file.
#[derive(Debug, Clone, Default, Args)]
pub struct FormatArgs {
    /// Format as described by this spec or pipeline [default: TIFF]
    #[arg(long, value_name = "SPEC")]
    pub spec: Option<PathBuf>,
}

/// A format by which files are read.
#[derive(Default)]
pub struct Format(equivalents::Format);

impl FormatArgs {
    /// Returns the format. Prints the errors of a spec on standard error.
    ///
    /// # Errors
    ///
    /// Returns the exit code.
    pub fn format(&self) -> Result<Format, u8> {
        match &self.spec {
            None => Ok(Format(equivalents::Format::Tiff)),
            Some(path) => {
                let pipeline = Arc::new(spec::read(path)?);
                Ok(Format(equivalents::Format::Spec(pipeline)))
            }
        }
    }

    /// The file name extension of the format, for a seed.
    pub fn extension(&self, seed: &Path) -> String {
        match self.spec {
            None => "tif".to_owned(),
            Some(_) => extension(seed),
        }
    }
}

impl Format {
    /// The specs of the format; `None` for TIFF.
    pub fn pipeline(&self) -> Option<&Pipeline> {
        match &self.0 {
            equivalents::Format::Tiff => None,
            equivalents::Format::Spec(pipeline) => Some(pipeline),
        }
    }

    /// Reads a seed file of this format.
    ///
    /// # Errors
    ///
    /// Returns one line: the file, and the error with its position.
    pub fn open(&self, path: &Path, profile: ProfileName) -> Result<Box<dyn Subject>, String> {
        self.open_restricted(path, profile, &Restriction::new())
    }

    /// Reads a seed file of this format whose picture may be too large to be computed: variants in another
    /// layout can be written.
    ///
    /// # Errors
    ///
    /// As [`Format::open_restricted`].
    pub fn open_large(
        &self,
        path: &Path,
        profile: ProfileName,
    ) -> Result<Box<dyn Subject>, String> {
        let name = path.display();
        let most = if self.pipeline().is_some() { MAX_SEED } else { MAX_MAPPED };
        checked_length(path, most)?;
        let bytes = mapped::read(path).map_err(|e| format!("{name}: {e}"))?;
        let seed = self.0.open_large(bytes, profile.into());
        Ok(noted(path, seed.map_err(|e| format!("{name}: {e}"))?))
    }

    /// Reads a seed file of this format, whose variants comply with `restriction`.
    ///
    /// # Errors
    ///
    /// Returns one line: the file, and the error with its position, or the reason why the restriction
    /// does not fit it.
    pub fn open_restricted(
        &self,
        path: &Path,
        profile: ProfileName,
        restriction: &Restriction,
    ) -> Result<Box<dyn Subject>, String> {
        let name = path.display();
        let seed = self.0.open_restricted(map_seed(path)?, profile.into(), restriction);
        Ok(noted(path, seed.map_err(|e| format!("{name}: {e}"))?))
    }
}

/// Prints the note on a seed, and returns the seed.
fn noted(path: &Path, seed: Box<dyn Subject>) -> Box<dyn Subject> {
    if let Some(what) = seed.note().filter(|_| is_new(path)) {
        note(format_args!("{}: {what}", path.display()));
    }
    seed
}

/// Returns true if this is the first call for a file: a note on it is printed once, however often the file
/// is read.
fn is_new(path: &Path) -> bool {
    static NOTED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned())
}

/// Reads a TIFF seed file.
///
/// # Errors
///
/// Returns one line: the file, and the error with its position.
pub fn open(path: &Path) -> Result<Seed, String> {
    Seed::open(map_seed(path)?).map_err(|e| format!("{}: {e}", path.display()))
}

/// Maps a seed file, or reads it if it is small.
///
/// # Errors
///
/// Returns one line: the file, and the error.
pub fn map_seed(path: &Path) -> Result<Bytes, String> {
    checked_length(path, MAX_SEED)?;
    mapped::read(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Reads the bytes of a seed file.
///
/// # Errors
///
/// Returns one line: the file, and the error.
pub fn read_seed(path: &Path) -> Result<Vec<u8>, String> {
    checked_length(path, MAX_SEED)?;
    std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Refuses files of more than `most` bytes.
fn checked_length(path: &Path, most: u64) -> Result<(), String> {
    let name = path.display();
    let len = std::fs::metadata(path).map_err(|e| format!("{name}: {e}"))?.len();
    match len > most {
        true => Err(format!("{name}: {len} bytes; at most {most} are read")),
        false => Ok(()),
    }
}
