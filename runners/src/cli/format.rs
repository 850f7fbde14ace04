//! Determines the format of seed files from the command line, and reads seeds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueEnum};
use equivalents::{NotRead, Restriction};
use inverter::pipeline::Pipeline;
use inverter::run::Bytes;
use tiff_harness::container::Profile;
use tiff_harness::mapped;

use super::{fail, note, spec};
use equivalents::max_size::{MaxSize, REMEDY};
use equivalents::subject::Subject;
use equivalents::subject::spec::extension;

/// Size limit of a seed file that is mapped. Such a file takes memory only for the parts in use.
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
    /// Format: one that ships, by its name (see `repfuzz formats`), or that of a spec or pipeline, by its
    /// file [default: by the first bytes of the seed]
    #[arg(
        long = "format",
        visible_alias = "spec",
        value_name = "NAME|SPEC",
        help_heading = "Seeds"
    )]
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
    #[arg(long, value_name = "SIZE", default_value_t, help_heading = "Seeds")]
    pub max_size: MaxSize,
}

/// A format for reading files, and the maximum size of a decoded seed.
#[derive(Clone)]
pub struct Format {
    format: equivalents::Format,
    /// The name of a shipped format, or of the file of a spec; empty for TIFF.
    name: String,
    size: u64,
    /// The advice that follows the message about a seed of another format.
    remedy: &'static str,
}

impl Default for Format {
    fn default() -> Self {
        let (format, size) = (equivalents::Format::Tiff, MaxSize::default().0);
        Self { format, name: String::new(), size, remedy: "" }
    }
}

impl FormatArgs {
    /// Returns the named format, or else that of the seeds. Prints errors on standard error.
    ///
    /// # Errors
    ///
    /// Returns the exit code.
    pub fn format<P: AsRef<Path>>(&self, seeds: &[P]) -> Result<Format, u8> {
        let size = self.size.max_size;
        match &self.spec {
            None => of_seeds(seeds, size).map_err(fail),
            Some(name) => Format::named(name, size),
        }
    }
}

/// The name of the only format without a spec.
const TIFF: &str = "tiff";

/// The remedy for a seed of no known format.
const UNKNOWN: &str =
    "; `repfuzz formats` lists what else is read, and `--format SPEC` takes a spec of your own";

/// Returns the format that all seeds have. A seed that cannot be read is assumed to have that format; whoever reads it
/// reports the reason.
///
/// # Errors
///
/// Two seeds of different formats.
fn of_seeds<P: AsRef<Path>>(seeds: &[P], size: MaxSize) -> Result<Format, String> {
    let (mut found, mut remedy): (Option<(&Path, &str)>, _) = (None, "");
    for seed in seeds.iter().map(AsRef::as_ref).filter(|seed| seed.is_file()) {
        match (found, equivalents::Format::name_of_file(seed)) {
            (_, Err(_)) => {}
            (_, Ok(None)) => remedy = UNKNOWN,
            (None, Ok(Some(name))) => found = Some((seed, name)),
            (Some((first, other)), Ok(Some(name))) if other != name => {
                let (first, seed) = (first.display(), seed.display());
                return Err(format!(
                    "{first} is a file of the format {other}, and {seed} of {name}: all must have one \
                     format"
                ));
            }
            _ => {}
        }
    }
    let name = found.map_or(TIFF, |(_, name)| name);
    Format::shipped(name, size, remedy)
}

impl Format {
    /// Returns the shipped format of this name, with a limit on the size of decoded seeds. `remedy` says what to do
    /// about a seed of another format.
    ///
    /// # Errors
    ///
    /// Returns a one-line message if there is no format of this name.
    pub fn shipped(name: &str, size: MaxSize, remedy: &'static str) -> Result<Self, String> {
        let format = equivalents::Format::shipped(name).map_err(|error| error.to_string())?;
        let name = if name == TIFF { String::new() } else { name.to_owned() };
        Ok(Self { format, name, size: size.0, remedy })
    }

    /// Returns the shipped format of this name, or that of the file of a spec or a pipeline. Prints errors on standard
    /// error.
    ///
    /// # Errors
    ///
    /// Returns the exit code.
    pub fn named(path: &Path, size: MaxSize) -> Result<Self, u8> {
        // A file has precedence.
        let shipped = |name: &str| !path.is_file() && equivalents::Format::shipped(name).is_ok();
        if let Some(name) = path.to_str().filter(|name| shipped(name)) {
            return Self::shipped(name, size, "").map_err(fail);
        }
        let format = equivalents::Format::Spec(Arc::new(spec::read(path)?));
        let mut name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains('.') {
            // Names without a dot are those of shipped formats.
            name.insert_str(0, "./");
        }
        Ok(Self { format, name, size: size.0, remedy: "" })
    }

    /// Returns the name of the format, which distinguishes its findings from those of other formats: the name of a
    /// shipped format, or of the file of its spec, which has a dot. Empty for TIFF.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the texts of its specs, which define it; `None` for TIFF.
    pub fn texts(&self) -> Option<String> {
        self.format.texts()
    }

    /// Returns the specs of the format; `None` for TIFF.
    pub fn pipeline(&self) -> Option<&Pipeline> {
        match &self.format {
            equivalents::Format::Tiff => None,
            equivalents::Format::Spec(pipeline) => Some(pipeline),
        }
    }

    /// Returns the extension, without the dot, of the names of files that are made from a seed.
    pub fn extension(&self, seed: &Path) -> String {
        match self.format {
            equivalents::Format::Tiff => "tif".to_owned(),
            equivalents::Format::Spec(_) => extension(seed),
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

    /// Reads a seed file of this format whose picture may be too large to compute. Variants with another layout can
    /// still be written.
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
        Ok(noted(path, seed.map_err(|why| self.refused(path, &why))?))
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
        Ok(noted(path, seed.map_err(|why| self.refused(path, &why))?))
    }

    /// Returns the line on a seed that cannot be read.
    fn refused(&self, path: &Path, why: &NotRead) -> String {
        let unknown = if matches!(why, NotRead::File(_)) { self.remedy } else { "" };
        format!("{}{unknown}", refused(path, why))
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

/// Returns true if this is the first call for a file, so that a note about it is printed once however often the file is
/// read.
fn is_new(path: &Path) -> bool {
    static NOTED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned())
}
