//! A seed file and its equivalents.
//!
//! [`Seed::open`] normalizes a file to its picture, [`Seed::variant`] builds another file of that
//! picture and checks it by normalizing it as well.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use inverter::solve::{self, ChoiceSource, Choices};

use crate::baseline::{self, baseline};
use crate::class;
use crate::container::carried::fits_any_picture;
use crate::container::{Class, Profile};
use crate::error::{TiffError, VariantError};
use crate::image::ImageFile;
use crate::picture::Picture;
use crate::pipeline::{self, ColorStages, Content, Overlapping, Representation, Stages};
use crate::variant::build;

/// A file, its choices, and the representation of the picture in it.
struct Built {
    bytes: Vec<u8>,
    choices: Choices,
    translated: Choices,
    /// `None` if its segments are not decoded.
    stored: Option<Arc<Representation>>,
}

/// A file that means the same as the seed.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The file.
    pub bytes: Vec<u8>,
    /// All of its choices.
    pub choices: Choices,
    /// The translated baseline: choices of the seed that this file expresses by other values, such as
    /// a place behind all strips where there are more of them.
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

/// A file that has been read, with its canonical picture.
#[derive(Debug, Clone)]
pub struct Seed {
    bytes: Vec<u8>,
    file: ImageFile,
    stages: Arc<Stages>,
    picture: OnceLock<Picture>,
    own: Arc<Choices>,
    profile: Profile,
    dimensions: OnceLock<Vec<String>>,
}

impl Seed {
    /// Reads a file. Its variants have the profile [`Profile::Strict`].
    ///
    /// # Errors
    ///
    /// If it is not a TIFF file, is damaged, or has a feature that is not supported.
    pub fn open(bytes: Vec<u8>) -> Result<Self, TiffError> {
        let file = ImageFile::read(&bytes)?;
        // If directory, values and segments overlap, the picture may still be fine.
        let (bytes, content, placed) = match pipeline::read_placement(&file, bytes) {
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
        let profile = Profile::default();
        Ok(Self {
            bytes,
            file,
            stages: Arc::new(stages),
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

    /// Returns the file as it was read.
    pub fn file(&self) -> &ImageFile {
        &self.file
    }

    /// Returns the canonical picture, or the one that stands for a canonical value that is no picture
    /// ([`Seed::value`]).
    ///
    /// # Panics
    ///
    /// If a stage refuses the samples of a file that was opened, which would be an internal error.
    pub fn picture(&self) -> &Picture {
        let shown = || self.stages.picture().unwrap_or_else(|e| panic!("{e}"));
        self.picture.get_or_init(shown)
    }

    /// Returns true if the canonical value is a picture of exact colors.
    pub fn has_colors(&self) -> bool {
        matches!(*self.stages, Stages::Colors(_))
    }

    /// Returns the canonical value in one line, if it is not a picture: samples with a label, or streams
    /// as they are stored.
    pub fn value(&self) -> Option<String> {
        self.stages.summary()
    }

    /// Returns the baseline: the choices that the seed file embodies.
    pub fn own_choices(&self) -> &Choices {
        &self.own
    }

    /// Returns the names of the dimensions, in the order in which they are chosen.
    pub fn dimensions(&self) -> &[String] {
        let build = |source: &mut ChoiceSource| {
            build(&self.file, &self.stages, self.profile, source).is_ok()
        };
        self.dimensions.get_or_init(|| solve::discover::names(&self.own, build))
    }

    /// Builds the file that `source` decides on, reads it back, and checks that its canonical picture
    /// is the seed's. Dimensions that do not vary are as in the source's own baseline, or else as in
    /// the seed.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    pub fn variant(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        let Built { bytes, choices, translated, stored } = self.built(source)?;
        // A representation that is not cached will not be looked up again.
        let stored = stored.filter(|stored| Arc::strong_count(stored) > 1);
        let bytes = self.check(bytes, stored.as_deref()).map_err(VariantError::Internal)?;
        let class = self.class(&choices);
        Ok(Variant { bytes, choices, translated, class })
    }

    /// Returns the choices of the variant that `source` decides on, without reading its file back.
    /// Callers that try many variants check the few that they keep with [`Seed::variant`].
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    pub fn choices(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        Ok(self.built(source)?.choices)
    }

    fn built(&self, source: ChoiceSource) -> Result<Built, VariantError> {
        let mut source = source.or_baseline(&self.own);
        let (bytes, stored) = build(&self.file, &self.stages, self.profile, &mut source)?;
        VariantError::refuse_unmet(&source)?;
        let translated = source.translated().clone();
        Ok(Built { bytes, choices: source.into_recorded(), translated, stored })
    }

    /// Returns a seed of another picture that is stored like this one, as far as that fits; `None` if
    /// it does not fit at all, for example because the picture needs more bits.
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
        let bytes = build(&file, &stages, self.profile, &mut source).ok()?.0;
        let seed = Seed::open(bytes).ok()?.with_profile(self.profile);
        (seed.picture() == picture).then_some(seed)
    }

    /// Returns the plainest file of the same picture as a seed: one strip without compression, the
    /// fields that TIFF 6.0 requires, and the simplest value of every other dimension. `None` if the
    /// picture has no such file.
    pub fn plainest(&self) -> Option<Seed> {
        let plainest = self.plainest_choices();
        let mut source = ChoiceSource::replaying(Choices::new()).with_baseline(plainest);
        self.reopened(build(&self.file, &self.stages, self.profile, &mut source).ok()?.0)
    }

    /// Returns the choices in which the plainest file does not have the simplest values.
    pub fn plainest_choices(&self) -> Choices {
        let ImageFile { orientation, width, height, .. } = self.file;
        baseline::plainest(if orientation >= 5 { width } else { height })
    }

    /// Reads another file of the same picture as a seed with this one's profile; `None` if it is none.
    pub fn reopened(&self, bytes: Vec<u8>) -> Option<Seed> {
        let seed = Seed::open(bytes).ok()?.with_profile(self.profile);
        (seed.picture() == self.picture()).then_some(seed)
    }

    /// Returns the worst class among `choices`.
    pub fn class(&self, choices: &Choices) -> Class {
        class::class(choices)
    }

    /// Returns the class that `value` in `dimension` gives a file of `all` choices; `None` for a
    /// dimension that has no influence on it.
    pub fn class_of(&self, dimension: &str, value: &solve::Choice, all: &Choices) -> Option<Class> {
        class::class_of(dimension, value, all)
    }

    /// Returns the class of a value, for tables.
    pub fn value_class(&self, dimension: &str, value: &solve::Choice) -> String {
        class::value_class(self.side(), dimension, value)
    }

    /// Returns [`Seed::value_class`] as a function that does not borrow the seed.
    pub fn classify(&self) -> solve::Classify {
        let side = self.side();
        Arc::new(move |dimension, value| class::value_class(side, dimension, value))
    }

    fn side(&self) -> i128 {
        self.file.height.max(self.file.width).into()
    }

    /// Reads a variant back, and checks that it means the same as the seed. Returns the variant.
    fn check(&self, bytes: Vec<u8>, stored: Option<&Representation>) -> Result<Vec<u8>, String> {
        let refused = |e: TiffError| format!("a variant is refused: {e}");
        let file = ImageFile::read(&bytes).map_err(refused)?;
        let disjoint =
            pipeline::read_placement(&file, bytes).map_err(|overlapping| overlapping.why)?;
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
}
