//! A seed file and its equivalents.
//!
//! [`Seed::open`] normalizes a file to its pages. [`Seed::variant`] builds another file with these pages, and checks it
//! by normalizing it as well.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use inverter::run::{Bytes, MAX_SIZE};
use inverter::solve::{self, ChoiceSource, Choices};

use crate::baseline::{self, baseline};
use crate::class;
use crate::container::carried::fits_any_picture;
use crate::container::{self, Class, Container, Profile};
use crate::error::{TiffError, VariantError};
use crate::image::{ImageFile, MAX_PAGES, PagesLeftOut, read_pages};
use crate::mapped;
use crate::pages::{Page, open_pages};
use crate::picture::Picture;
use crate::pipeline::{self, ColorStages, Content, Overlapping, Representation, Stages};
use crate::reading::Reading;
use crate::variant::{Document, build};

/// A file, its choices, and the representation of the first page in it.
struct Built {
    bytes: Bytes,
    choices: Choices,
    translated: Choices,
    /// The representation of the first page; `None` if its segments are not decoded.
    stored: Option<Arc<Representation>>,
}

/// A file that means the same as the seed.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The file.
    pub bytes: Vec<u8>,
    /// All of its choices.
    pub choices: Choices,
    /// The translated baseline: choices of the seed that this file expresses by other values, such as a place after all
    /// strips if the file has more strips.
    pub translated: Choices,
    /// The worst class among the choices.
    pub class: Class,
}

impl Variant {
    /// Returns the choices that differ from the baseline `own` of the seed. Replaying them, with all
    /// other dimensions as in the seed, gives this variant again.
    pub fn differing_from(&self, own: &Choices) -> Choices {
        let differs = |(dimension, value): &(&str, &solve::Choice)| {
            self.translated.get(dimension).or_else(|| own.get(dimension)) != Some(*value)
        };
        let differing = self.choices.iter().filter(differs);
        differing.map(|(dimension, value)| (dimension.to_owned(), value.clone())).collect()
    }
}

/// A variant that was written to a file.
#[derive(Debug, Clone)]
pub struct Written {
    /// The length of the file in bytes.
    pub length: u64,
    /// All of its choices.
    pub choices: Choices,
    /// As [`Variant::translated`].
    pub translated: Choices,
    /// The worst class among the choices.
    pub class: Class,
}

/// The reason why a variant is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The variant cannot be built.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The file cannot be written or read back.
    #[error("{0}")]
    File(String),
}

/// A file that has been read, with its canonical value: its pages, in the order of the chain of
/// directories.
#[derive(Debug, Clone)]
pub struct Seed {
    bytes: Bytes,
    reading: Reading,
    file: ImageFile,
    stages: Arc<Stages>,
    pages: Arc<[Page]>,
    left_out: Option<PagesLeftOut>,
    picture: OnceLock<Picture>,
    own: Arc<Choices>,
    profile: Profile,
    dimensions: OnceLock<Vec<String>>,
}

impl Seed {
    /// Reads a file. Its variants have the profile [`Profile::Strict`].
    ///
    /// A later page that is damaged or unsupported is left out, with all pages after it: [`Seed::pages_left_out`].
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a TIFF file, or if its first page is damaged or has an unsupported feature.
    pub fn open(bytes: impl Into<Bytes>) -> Result<Self, TiffError> {
        Self::open_within(bytes, MAX_SIZE)
    }

    /// Reads a file whose pages may take this many bytes once they are decoded ([`ImageFile::decoded_size`]), instead
    /// of [`MAX_SIZE`]. Later pages that would exceed this are left out.
    ///
    /// # Errors
    ///
    /// As [`Seed::open`], and [`TiffError::TooLarge`].
    pub fn open_within(bytes: impl Into<Bytes>, size: u64) -> Result<Self, TiffError> {
        Self::open_by(bytes.into(), MAX_PAGES + 1, Reading { large: false, size })
    }

    /// Reads the first pages of a file, at most this number. The others are not part of the canonical value. A file
    /// that was built from a seed may take as much memory as the seed.
    ///
    /// # Errors
    ///
    /// As [`Seed::open`].
    pub fn open_first(bytes: impl Into<Bytes>, most: usize) -> Result<Self, TiffError> {
        Self::open_by(bytes.into(), most, Reading { large: false, size: u64::MAX })
    }

    /// Reads a file whose first page may have more pixels than [`Seed::picture`] can have
    /// ([`read_large_image`](crate::image::read_large_image)): for variants that store its samples unchanged, in
    /// another layout. Data that has to be decoded may take `size` bytes.
    ///
    /// # Errors
    ///
    /// As [`Seed::open_within`].
    pub fn open_large(bytes: impl Into<Bytes>, size: u64) -> Result<Self, TiffError> {
        Self::open_by(bytes.into(), MAX_PAGES + 1, Reading { large: true, size })
    }

    fn open_by(mut bytes: Bytes, most: usize, reading: Reading) -> Result<Self, TiffError> {
        bytes.settle();
        let container = container::read(&bytes)?;
        let file = reading.bounded(&container, &bytes)?;
        let (pages, left_out) = open_pages(&container, &file, &bytes, most, reading.size);
        drop(container);
        // If directory, values and segments overlap, the picture may still be intact.
        let files = pages.iter().map(Page::file);
        let (bytes, content, placed) = match pipeline::read_placement(&file, files, bytes) {
            Ok(disjoint) => {
                let placed = disjoint.own_choices();
                let (bytes, content) = Content::of_disjoint(&file, disjoint)?;
                (bytes, content, placed)
            }
            Err(Overlapping { file: bytes, .. }) => {
                let content = Content::of_overlapping(&file, &bytes)?;
                (bytes, content, Choices::new())
            }
        };
        let mut own = baseline(&file);
        let stages = Stages::of_file(&file, content, &own)?;
        stages.remove_fixed(&mut own);
        for (name, value) in placed.iter() {
            own.set(name, value.clone());
        }
        for page in &pages {
            page.own_choices().iter().for_each(|(name, value)| own.set(name, value.clone()));
        }
        let profile = Profile::default();
        Ok(Self {
            bytes,
            reading,
            file,
            stages: Arc::new(stages),
            pages: pages.into(),
            left_out,
            picture: OnceLock::new(),
            own: Arc::new(own),
            profile,
            dimensions: OnceLock::new(),
        })
    }

    /// Returns the same seed with another profile for its variants.
    pub fn with_profile(self, profile: Profile) -> Self {
        Self { profile, dimensions: OnceLock::new(), ..self }
    }

    /// Returns the profile of its variants.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the first page as it was read.
    pub fn file(&self) -> &ImageFile {
        &self.file
    }

    /// Returns the pages after the first.
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    /// Returns the pages that are not part of the canonical value, because one of them is damaged or unsupported.
    pub fn pages_left_out(&self) -> Option<&PagesLeftOut> {
        self.left_out.as_ref()
    }

    /// Returns true if the pages of one file are the first pages of the other. Variants may have further
    /// pages after those of their seed.
    pub fn means_the_same(&self, other: &Seed) -> bool {
        let mut pages = self.pages.iter().zip(other.pages.iter());
        let same = |(one, other): (&Page, &Page)| {
            one.file().subfile_type() == other.file().subfile_type()
                && one.value().is_some() == other.value().is_some()
                && one.picture() == other.picture()
        };
        self.picture() == other.picture() && pages.all(same)
    }

    /// Returns the picture of the first page or, if its canonical value is not a picture, one that represents it
    /// ([`Seed::value`]).
    ///
    /// # Panics
    ///
    /// Panics if a stage refuses the samples of an opened file, which would be an internal error; or if the picture is
    /// too large, which only [`Seed::open_large`] accepts.
    pub fn picture(&self) -> &Picture {
        let shown = || self.stages.picture().unwrap_or_else(|e| panic!("{e}"));
        self.picture.get_or_init(shown)
    }

    /// Returns true if the first page is a picture of exact colors.
    pub fn has_colors(&self) -> bool {
        matches!(*self.stages, Stages::Colors(_))
    }

    /// Returns the canonical value of the first page in one line, if it is not a picture: samples with a
    /// label, or streams as they are stored.
    pub fn value(&self) -> Option<String> {
        self.stages.summary()
    }

    /// Returns the baseline: the choices that the seed file embodies.
    pub fn own_choices(&self) -> &Choices {
        &self.own
    }

    /// Returns the names of the dimensions, in the order in which they are chosen.
    pub fn dimensions(&self) -> &[String] {
        let build =
            |source: &mut ChoiceSource| build(self.document(), self.profile, source).is_ok();
        self.dimensions.get_or_init(|| solve::discover::names(&self.own, build))
    }

    fn document(&self) -> Document<'_> {
        Document { file: &self.file, stages: &self.stages, pages: &self.pages }
    }

    /// Builds the file that `source` determines, reads it back, and checks that its first pages are the seed's.
    /// Dimensions that do not vary are as in the source's own baseline, or otherwise as in the seed.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError`].
    pub fn variant(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        let Built { bytes, choices, translated, stored } = self.built(source)?;
        // A representation that is not cached will not be looked up again.
        let stored = stored.filter(|stored| Arc::strong_count(stored) > 1);
        let whole = Bytes::from(bytes.into_vec());
        let checked = self.check(whole, stored.as_deref()).map_err(VariantError::Internal)?;
        let bytes = checked.into_vec();
        let class = self.class(&choices);
        Ok(Variant { bytes, choices, translated, class })
    }

    /// Builds the file that `source` determines and writes it to `path`, where it is read back and checked as in
    /// [`Seed::variant`]. Parts that a large file shares with the seed are copied from file to file, so neither file is
    /// in memory as a whole. If writing or checking fails, the file is removed.
    ///
    /// # Errors
    ///
    /// Returns [`WriteError`].
    pub fn variant_to(&self, source: ChoiceSource, path: &Path) -> Result<Written, WriteError> {
        let failed = |why: io::Error| WriteError::File(format!("{}: {why}", path.display()));
        if path.metadata().is_ok_and(|data| !data.is_file()) {
            // A device or a pipe cannot be read back.
            let Variant { bytes, choices, translated, class } = self.variant(source)?;
            std::fs::write(path, &bytes).map_err(failed)?;
            return Ok(Written { length: bytes.len() as u64, choices, translated, class });
        }
        let Built { bytes, choices, translated, stored } = self.built(source)?;
        let stored = stored.filter(|stored| Arc::strong_count(stored) > 1);
        // The file at `path` may be the seed, whose parts the new file contains, so it is replaced, not overwritten.
        if let Ok(old) = path.canonicalize() {
            std::fs::remove_file(old).map_err(failed)?;
        }
        let written = (|| {
            bytes.write_to(File::create(path).map_err(failed)?).map_err(failed)?;
            let file = mapped::read(path).map_err(failed)?;
            if file.len() != bytes.len() {
                return Err(WriteError::File(format!("{}: it was changed", path.display())));
            }
            self.check(file, stored.as_deref()).map_err(VariantError::Internal)?;
            Ok(bytes.len() as u64)
        })();
        if written.is_err() {
            // The first error is the one that is reported.
            let _ = std::fs::remove_file(path);
        }
        let class = self.class(&choices);
        Ok(Written { length: written?, choices, translated, class })
    }

    /// Returns the choices of the variant that `source` determines, without reading its file back.
    ///
    /// # Errors
    ///
    /// Returns [`VariantError`].
    pub fn choices(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        Ok(self.built(source)?.choices)
    }

    fn built(&self, source: ChoiceSource) -> Result<Built, VariantError> {
        let mut source = source.or_baseline(&self.own);
        let (bytes, stored) = build(self.document(), self.profile, &mut source)?;
        VariantError::refuse_unmet(&source)?;
        let translated = source.translated().clone();
        Ok(Built { bytes, choices: source.into_recorded(), translated, stored })
    }

    /// Returns a seed with another picture in its first page that is stored like this one, as far as possible; `None`
    /// if that is impossible, for example because the picture needs more bits. The other pages are the same.
    pub fn of_picture(&self, picture: &Picture) -> Option<Seed> {
        if !self.has_colors() {
            return None;
        }
        let display = pipeline::display(picture).ok()?;
        let mut source = ChoiceSource::replaying(Choices::new()).or_baseline(&self.own);
        let stages = Stages::Colors(Box::new(ColorStages::new(display).ok()?));
        let mut file = Cow::Borrowed(&self.file);
        if self.file.carried.iter().any(|(tag, _)| !fits_any_picture(*tag))
            && self.picture() != picture
        {
            file.to_mut().carried.retain(|(tag, _)| fits_any_picture(*tag));
        }
        let document = Document { file: &file, stages: &stages, pages: &self.pages };
        let bytes = build(document, self.profile, &mut source).ok()?.0;
        let seed = self.opened(bytes.into_vec())?;
        (seed.picture() == picture).then_some(seed)
    }

    /// Returns the plainest file of the same picture as a seed: one strip without compression, the
    /// fields that TIFF 6.0 requires, and the simplest value of every other dimension. `None` if the
    /// picture has no such file.
    pub fn plainest(&self) -> Option<Seed> {
        let plainest = self.plainest_choices();
        let mut source = ChoiceSource::replaying(Choices::new()).with_baseline(plainest);
        self.reopened(build(self.document(), self.profile, &mut source).ok()?.0.into_vec())
    }

    /// Returns the choices in which the plainest file does not have the simplest values.
    pub fn plainest_choices(&self) -> Choices {
        let of = |file: &ImageFile| {
            let ImageFile { orientation, width, height, .. } = *file;
            baseline::plainest(if orientation >= 5 { width } else { height })
        };
        let mut plainest = of(&self.file);
        for page in self.pages.iter().filter(|page| page.varies()) {
            let own = page.named(&of(page.file()));
            own.iter().for_each(|(name, value)| plainest.set(name, value.clone()));
        }
        plainest
    }

    /// Reads another file with the same canonical value as a seed with this one's profile; `None` if its value differs.
    /// If the other file has more pages than this one, the additional pages are not part of it.
    pub fn reopened(&self, bytes: Vec<u8>) -> Option<Seed> {
        let seed = self.opened(bytes)?;
        (seed.pages.len() == self.pages.len() && seed.means_the_same(self)).then_some(seed)
    }

    /// Reads as many pages of a file as this seed has.
    fn opened(&self, bytes: Vec<u8>) -> Option<Seed> {
        let seed = Seed::open_first(bytes, 1 + self.pages.len()).ok()?;
        Some(seed.with_profile(self.profile))
    }

    /// Returns the worst class among `choices`.
    pub fn class(&self, choices: &Choices) -> Class {
        class::class(choices)
    }

    /// Returns the class that `value` in `dimension` gives a file with the choices `all`; `None` for a dimension that
    /// has no influence on it.
    pub fn class_of(&self, dimension: &str, value: &solve::Choice, all: &Choices) -> Option<Class> {
        class::class_of(dimension, value, all)
    }

    /// Returns the class of a value, for tables.
    pub fn value_class(&self, dimension: &str, value: &solve::Choice) -> String {
        class::value_class(&self.sides(), dimension, value)
    }

    /// Returns [`Seed::value_class`] as a function that does not borrow the seed.
    pub fn classify(&self) -> solve::Classify {
        let sides = self.sides();
        Arc::new(move |dimension, value| class::value_class(&sides, dimension, value))
    }

    /// Returns the greater side of each page that varies.
    fn sides(&self) -> Vec<i128> {
        let varying = self.pages.iter().filter(|page| page.varies()).map(Page::file);
        let files = std::iter::once(&self.file).chain(varying);
        files.map(|file| file.height.max(file.width).into()).collect()
    }

    /// Reads a variant back, and checks that it means the same as the seed. Returns the variant.
    fn check(&self, mut bytes: Bytes, stored: Option<&Representation>) -> Result<Bytes, String> {
        bytes.settle();
        let refused = |e: TiffError| format!("a variant is refused: {e}");
        let container = container::read(&bytes).map_err(refused)?;
        let file = self.reading.image(&container, &bytes).map_err(refused)?;
        let pages = self.check_pages(&container, &file, &bytes)?;
        let disjoint = pipeline::read_placement(&file, &pages, bytes);
        let disjoint = disjoint.map_err(|overlapping| overlapping.why)?;
        let (bytes, content) = Content::of_disjoint(&file, disjoint).map_err(refused)?;
        // The label of samples is not part of a representation.
        if let (Some(stored), Stages::Colors(_), Content::Samples(data)) =
            (stored, &*self.stages, &content)
            && stored.is_checked(&file, data)
        {
            return Ok(bytes);
        }
        if self.stages.shows(&file, content).map_err(refused)? {
            stored.into_iter().for_each(Representation::set_checked);
            Ok(bytes)
        } else {
            Err("a variant normalizes to another picture than its seed".to_owned())
        }
    }

    /// Checks that the pages of a variant after its first one are the seed's, and returns them.
    fn check_pages(
        &self,
        container: &Container,
        first: &ImageFile,
        bytes: &[u8],
    ) -> Result<Vec<ImageFile>, String> {
        let most = 1 + self.pages.len();
        // There are as many pages as in the seed, whose memory was within the limit.
        let (files, left_out) = read_pages(container, first, bytes, most, u64::MAX);
        if let Some(left_out) = left_out {
            return Err(format!("a variant is refused: {left_out}"));
        }
        if files.len() != self.pages.len() {
            return Err(format!("a variant has {} pages, not those of its seed", 1 + files.len()));
        }
        if !files.is_empty() && first.subfile_type() != self.file.subfile_type() {
            return Err("a variant's first page has another NewSubfileType".to_owned());
        }
        for (page, file) in self.pages.iter().zip(&files) {
            let (number, shows) = (page.number(), page.shows(file, bytes));
            match shows {
                Ok(true) => {}
                Ok(false) => return Err(format!("a variant has another page {number}")),
                Err(e) => return Err(format!("page {number} of a variant is refused: {e}")),
            }
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a seed of more than a mebibyte.
    fn large() -> Seed {
        let like = std::fs::read("../corpus/seeds/tiny.tif").unwrap();
        let (width, height) = (640, 560);
        let samples: Vec<u8> = (0..width * height * 3u32).map(|k| (k % 251) as u8).collect();
        let picture = Picture::from_8bit(width, height, 3, &samples).unwrap();
        Seed::open(like).unwrap().of_picture(&picture).unwrap()
    }

    #[test]
    fn a_changed_byte_of_a_large_file_is_found() {
        let seed = large();
        for given in [
            &[("rows_per_strip", 37)][..],
            &[("planar", 2), ("rows_per_strip", 100)],
            &[("tiled", 1), ("tile_width", 128), ("tile_length", 80)],
            &[("tiled", 1), ("tile_width", 640), ("tile_length", 16), ("planar", 2)],
        ] {
            let mut choices = Choices::new();
            given.iter().for_each(|(name, n)| choices.set(name, i128::from(*n)));
            let variant = seed.variant(ChoiceSource::replaying(choices)).unwrap();
            let file = ImageFile::read(&variant.bytes).unwrap();
            assert!(seed.check(variant.bytes.clone().into(), None).is_ok());
            for (k, segment) in file.segments.iter().enumerate().step_by(4) {
                // Both sides are multiples of the tile size, so there is no padding.
                let last = segment.byte_count - 1;
                let at = segment.offset + last * (k as u64 % 12) / 11;
                let mut changed = variant.bytes.clone();
                changed[at as usize] ^= 1;
                assert!(seed.check(changed.into(), None).is_err(), "{given:?}: byte {at}");
            }
        }
    }
}
