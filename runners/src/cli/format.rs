//! The format of seed files, as given on the command line, and the reading of seeds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueEnum};
use equivalents::{NotRead, Restriction};
use inverter::pipeline::Pipeline;
use inverter::run::Bytes;
use tiff_harness::container::Profile;
use tiff_harness::mapped;

use super::{note, spec};
use equivalents::max_size::{MaxSize, REMEDY};
use equivalents::subject::Subject;
use equivalents::subject::spec::extension;

/// Size limit of a seed file that is mapped: it takes memory only for the parts that are in use.
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
    /// Bound on the size of the seed.
    #[command(flatten)]
    pub size: SizeArgs,
}

/// The bound on the size of a seed.
#[derive(Debug, Clone, Default, Args)]
pub struct SizeArgs {
    /// Most bytes that a seed may take once it is decoded: 8 for each pixel of a picture, or 2 for each
    /// character of its value as JSON
    #[arg(long, value_name = "SIZE", default_value_t)]
    pub max_size: MaxSize,
}

/// A format by which files are read, and the bytes that a seed may take once it is decoded.
pub struct Format {
    format: equivalents::Format,
    size: u64,
}

impl Default for Format {
    fn default() -> Self {
        Self::tiff(MaxSize::default())
    }
}

impl FormatArgs {
    /// Returns the format. Prints the errors of a spec on standard error.
    ///
    /// # Errors
    ///
    /// Returns the exit code.
    pub fn format(&self) -> Result<Format, u8> {
        let format = match &self.spec {
            None => equivalents::Format::Tiff,
            Some(path) => equivalents::Format::Spec(Arc::new(spec::read(path)?)),
        };
        Ok(Format { format, size: self.size.max_size.0 })
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
    /// TIFF, with seeds of at most so many bytes once they are decoded.
    pub fn tiff(size: MaxSize) -> Self {
        Self { format: equivalents::Format::Tiff, size: size.0 }
    }

    /// The specs of the format; `None` for TIFF.
    pub fn pipeline(&self) -> Option<&Pipeline> {
        match &self.format {
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
        let seed = self.format.open_large(self.bytes(path)?, profile.into(), self.size);
        Ok(noted(path, seed.map_err(|why| refused(path, &why))?))
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
        let (profile, size) = (profile.into(), self.size);
        let seed = self.format.open_restricted(self.bytes(path)?, profile, restriction, size);
        Ok(noted(path, seed.map_err(|why| refused(path, &why))?))
    }

    /// Returns the bytes of a seed file. Those of TIFF are mapped, and those of other formats read.
    ///
    /// # Errors
    ///
    /// Returns one line: the file, and the error.
    pub fn bytes(&self, path: &Path) -> Result<Bytes, String> {
        let regular = std::fs::metadata(path).is_ok_and(|data| data.is_file());
        match self.format {
            equivalents::Format::Tiff if regular => {
                let mapped = mapped::read_within(path, MAX_MAPPED);
                mapped.map_err(|e| format!("{}: {e}", path.display()))
            }
            _ => MaxSize(self.size).read(path),
        }
    }
}

/// The line on a seed that cannot be read.
pub fn refused(path: &Path, why: &NotRead) -> String {
    let remedy = if matches!(why, NotRead::TooLarge(_)) { REMEDY } else { "" };
    format!("{}: {why}{remedy}", path.display())
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
