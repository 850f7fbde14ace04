//! Formats, and their files as seeds.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use inverter::pipeline::{Pipeline, Texts};
use inverter::program::SpecText;
use inverter::run::{Bytes, MAX_SIZE};
use normalizers::shipped;
use tiff_harness::container::Profile;
use tiff_harness::{Seed, TiffError};

use crate::Restriction;
use crate::equivalent::Equivalents;
use crate::not_read::NotRead;
use crate::restriction::resolved;
use crate::subject::Subject;
use crate::subject::spec::SpecSeed;

/// The format of files.
#[derive(Debug, Clone, Default)]
pub enum Format {
    /// TIFF.
    #[default]
    Tiff,
    /// The format that a spec, or a pipeline of specs, describes.
    Spec(Arc<Pipeline>),
}

impl Format {
    /// Returns the format with this name: `tiff`, or one whose spec ships, such as `bmp` or `zip`.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::Spec`], which lists the names.
    pub fn shipped(name: &str) -> Result<Self, NotRead> {
        if name == "tiff" {
            return Ok(Format::Tiff);
        }
        let Some(read) = shipped::shipped(name) else {
            let known = std::iter::once("tiff").chain(shipped::names()).collect::<Vec<_>>();
            let known = known.join(", ");
            return Err(NotRead::Spec(format!("no format {name:?} ships; these do: {known}")));
        };
        Ok(Format::Spec(Arc::new(read?)))
    }

    /// Returns the name of the format of a file: `tiff`, or one whose spec ships. The file's first bytes identify it; a
    /// format without such bytes is identified by the file's extension. `None` if there is no such format.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`] if the file cannot be read.
    pub fn name_of_file(path: impl AsRef<Path>) -> Result<Option<&'static str>, NotRead> {
        let path = path.as_ref();
        let mut start = Vec::new();
        let file = std::fs::File::open(path);
        file.and_then(|file| file.take(shipped::SIGNATURE as u64).read_to_end(&mut start))
            .map_err(|e| NotRead::File(e.to_string()))?;
        if start.starts_with(b"II") || start.starts_with(b"MM") {
            return Ok(Some("tiff"));
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        Ok(shipped::of_file(&start, extension))
    }

    /// Reads the format described by the spec at `path`, or by the pipeline if the path ends in `.toml`.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::Spec`].
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, NotRead> {
        let read = normalizers::read(path.as_ref())?;
        Ok(Format::Spec(Arc::new(read)))
    }

    /// Reads the format described by the spec in `text`, which errors call `name`. The spec may not use other files;
    /// [`Format::from_spec`] reads one that does.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::Spec`].
    pub fn from_text(name: &str, text: &str) -> Result<Self, NotRead> {
        Self::from_spec(&SpecText::alone(name, text))
    }

    /// Reads the format that a spec describes.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::Spec`].
    pub fn from_spec(spec: &SpecText<'_>) -> Result<Self, NotRead> {
        let read = normalizers::from_text(spec)?;
        Ok(Format::Spec(Arc::new(read)))
    }

    /// Returns the texts of the specs, as JSON, from which [`Format::from_texts`] makes the same format on another machine;
    /// `None` for TIFF, which has none.
    #[doc(hidden)]
    pub fn texts(&self) -> Option<String> {
        let Format::Spec(pipeline) = self else { return None };
        Some(serde_json::to_string(&Texts::of(pipeline)).unwrap_or_default())
    }

    /// Rebuilds the format from [`Format::texts`]. The texts may come from anywhere; no file is read.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::Spec`].
    #[doc(hidden)]
    pub fn from_texts(texts: &str) -> Result<Self, NotRead> {
        let texts: Texts =
            serde_json::from_str(texts).map_err(|error| NotRead::Spec(error.to_string()))?;
        Ok(Format::Spec(Arc::new(normalizers::from_texts(&texts)?)))
    }

    /// Reads a file as a seed whose variants draw from `profile`.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`], and [`NotRead::TooLarge`] for one that takes more than [`MAX_SIZE`] bytes.
    #[doc(hidden)]
    pub fn open(
        &self,
        bytes: impl Into<Bytes>,
        profile: Profile,
    ) -> Result<Box<dyn Subject>, NotRead> {
        self.open_within(bytes, profile, MAX_SIZE)
    }

    /// Like [`Format::open`], for a file that may take `size` bytes once it is decoded.
    ///
    /// # Errors
    ///
    /// As [`Format::open`].
    #[doc(hidden)]
    pub fn open_within(
        &self,
        bytes: impl Into<Bytes>,
        profile: Profile,
        size: u64,
    ) -> Result<Box<dyn Subject>, NotRead> {
        self.open_by(Seed::open_within, bytes.into(), profile, size)
    }

    /// Like [`Format::open_within`], for a file whose picture may be too large to be computed ([`Seed::open_large`]);
    /// its variants are files in another layout.
    ///
    /// # Errors
    ///
    /// As [`Format::open`].
    #[doc(hidden)]
    pub fn open_large(
        &self,
        bytes: impl Into<Bytes>,
        profile: Profile,
        size: u64,
    ) -> Result<Box<dyn Subject>, NotRead> {
        self.open_by(Seed::open_large, bytes.into(), profile, size)
    }

    fn open_by(
        &self,
        open: impl FnOnce(Bytes, u64) -> Result<Seed, TiffError>,
        bytes: Bytes,
        profile: Profile,
        size: u64,
    ) -> Result<Box<dyn Subject>, NotRead> {
        Ok(match self {
            Format::Tiff => Box::new(open(bytes, size)?.with_profile(profile)),
            Format::Spec(pipeline) => {
                Box::new(SpecSeed::open(Arc::clone(pipeline), bytes.into_vec(), size)?)
            }
        })
    }

    /// Reads a file as a seed, as [`Format::open_within`] does, whose variants comply with `restriction`.
    ///
    /// # Errors
    ///
    /// The errors of [`Format::open`], and [`NotRead::File`] if the restriction does not fit the seed.
    #[doc(hidden)]
    pub fn open_restricted(
        &self,
        bytes: impl Into<Bytes>,
        profile: Profile,
        restriction: &Restriction,
        size: u64,
    ) -> Result<Box<dyn Subject>, NotRead> {
        let seed = self.open_within(bytes, profile, size)?;
        if restriction.is_empty() {
            return Ok(seed);
        }
        let made = resolved(Arc::from(seed), restriction);
        Ok(Box::new(made.map_err(|error| NotRead::File(error.to_string()))?))
    }

    /// Reads a file as a seed whose variants have no questionable values.
    pub(crate) fn seed(&self, bytes: &[u8]) -> Result<Arc<dyn Subject>, NotRead> {
        self.open(bytes.to_vec(), Profile::Strict).map(Arc::from)
    }

    /// Returns an unlimited number of files that mean the same as `bytes`, which may take at most [`MAX_SIZE`] bytes
    /// once they are decoded.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`] and [`NotRead::TooLarge`].
    pub fn equivalents(&self, bytes: &[u8]) -> Result<Equivalents, NotRead> {
        Ok(Equivalents::of(self.seed(bytes)?))
    }

    /// Like [`Format::equivalents`], for bytes that may take `size` bytes once they are decoded: 8 for each pixel of a
    /// picture.
    ///
    /// # Errors
    ///
    /// As [`Format::equivalents`].
    pub fn equivalents_within(&self, bytes: &[u8], size: u64) -> Result<Equivalents, NotRead> {
        let seed = self.open_within(bytes.to_vec(), Profile::Strict, size)?;
        Ok(Equivalents::of(Arc::from(seed)))
    }

    /// Returns true if a file means the same as the seed of `files`, which belongs to this format.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`] and [`NotRead::TooLarge`].
    pub fn is_equivalent(&self, bytes: &[u8], files: &Equivalents) -> Result<bool, NotRead> {
        self.is_equivalent_within(bytes, files, MAX_SIZE)
    }

    /// Like [`Format::is_equivalent`], for bytes that may take `size` bytes once they are decoded.
    ///
    /// # Errors
    ///
    /// As [`Format::is_equivalent`].
    pub fn is_equivalent_within(
        &self,
        bytes: &[u8],
        files: &Equivalents,
        size: u64,
    ) -> Result<bool, NotRead> {
        let other = self.open_within(bytes.to_vec(), Profile::Strict, size)?;
        Ok(files.subject().means_the_same(&*other))
    }

    /// Returns the canonical hash of a file: equal for two files if and only if they mean the same. It is SHA-256 in
    /// hexadecimal, as `repfuzz normalize` prints it. For a TIFF file with several pages it is the hash of the first.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`].
    pub fn canonical_hash(&self, bytes: &[u8]) -> Result<String, NotRead> {
        Ok(self.seed(bytes)?.picture().digest())
    }

    /// Returns true if two files mean the same; false if one of them cannot be read.
    pub fn means_the_same(&self, one: &[u8], other: &[u8]) -> bool {
        match (self.seed(one), self.seed(other)) {
            (Ok(one), Ok(other)) => one.means_the_same(&*other),
            _ => false,
        }
    }
}

/// Returns an unlimited number of files that mean the same as a TIFF file. [`Format::equivalents`] does this for other
/// formats.
///
/// # Errors
///
/// Returns [`NotRead::File`].
pub fn equivalents(bytes: &[u8]) -> Result<Equivalents, NotRead> {
    Format::Tiff.equivalents(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_of_itself_is_counted_first() {
        let zip = Format::shipped("zip").unwrap();
        let mut file = include_bytes!("../../corpus/zip/7z.zip").to_vec();
        assert!(zip.equivalents(&file).is_ok());
        let central = file.windows(4).position(|part| part == b"PK\x01\x02").unwrap();
        file[central + 24..central + 28].copy_from_slice(&u32::to_le_bytes(1 << 30));
        assert!(matches!(zip.equivalents(&file), Err(NotRead::TooLarge(_))));
    }

    #[test]
    fn a_format_is_made_again_of_its_texts() {
        let bmp = Format::shipped("bmp").unwrap();
        let again = Format::from_texts(&bmp.texts().unwrap()).unwrap();
        assert_eq!(again.texts(), bmp.texts());
        let gm24 = include_bytes!("../../corpus/bmp/gm24.bmp");
        let [one, other] = [bmp, again].map(|format| format.seed(gm24).unwrap());
        assert_eq!(one.dimensions(), other.dimensions());
        let variant = |seed: &dyn Subject| seed.variant(7, 3, inverter::solve::Vary::All).unwrap();
        assert_eq!(variant(&*one).bytes, variant(&*other).bytes);
        assert_eq!(Format::Tiff.texts(), None);
        for wrong in ["", "{}", r#"{"stages":[],"named":false}"#] {
            assert!(matches!(Format::from_texts(wrong), Err(NotRead::Spec(_))), "{wrong}");
        }
    }

    #[test]
    fn a_picture_takes_eight_bytes_for_each_pixel() {
        let tiny = include_bytes!("../../corpus/seeds/tiny.tif");
        let bmp = Format::shipped("bmp").unwrap();
        let gm24 = include_bytes!("../../corpus/bmp/gm24.bmp");
        for (format, file) in [(Format::Tiff, &tiny[..]), (bmp, &gm24[..])] {
            let picture = format.seed(file).unwrap().picture().clone();
            let size = 8 * u64::from(picture.width()) * u64::from(picture.height());
            assert!(format.equivalents_within(file, size).is_ok());
            let refused = format.equivalents_within(file, size - 1);
            assert!(matches!(refused, Err(NotRead::TooLarge(_))), "{size}");
        }
    }
}
