//! A seed file and its equivalents.

use std::sync::{Arc, OnceLock};

use inverter::primitive::EncodeError;
use inverter::run::RunError;
use inverter::solve::{self, ChoiceError, ChoiceSource, Choices};

use crate::class;
use crate::coding;
use crate::container::{Class, Profile};
use crate::error::TiffError;
use crate::image::ImageFile;
use crate::own;
use crate::picture::Picture;
use crate::pipeline::{self, Overlapping, Representation, Stages};
use crate::variant::build;

/// Why there is no variant.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VariantError {
    /// These choices have no file: what they break is named.
    #[error("{0}")]
    Impossible(String),
    /// A file was made that does not mean the same: a defect of repfuzz.
    #[error("internal error: {0}; please report this with the seed file and the choices")]
    Internal(String),
}

impl VariantError {
    /// That a choice was given that nothing has asked for, if so.
    ///
    /// # Errors
    ///
    /// [`VariantError::Impossible`], with the first such choice.
    pub fn refuse_unused(source: &ChoiceSource) -> Result<(), Self> {
        match source.unused().first() {
            Some(unknown) => Err(VariantError::Impossible(format!(
                "there is no choice `{unknown}` to be made in this file"
            ))),
            None => Ok(()),
        }
    }
}

impl From<ChoiceError> for VariantError {
    fn from(e: ChoiceError) -> Self {
        VariantError::Impossible(e.to_string())
    }
}

impl From<EncodeError> for VariantError {
    fn from(e: EncodeError) -> Self {
        VariantError::Impossible(e.to_string())
    }
}

impl From<RunError> for VariantError {
    fn from(e: RunError) -> Self {
        match e {
            RunError::Refused { .. } => VariantError::Internal(e.to_string()),
            other => VariantError::Impossible(other.to_string()),
        }
    }
}

/// A file, the choices that made it, and how the picture is stored in it.
struct Built {
    bytes: Vec<u8>,
    choices: Choices,
    translated: Choices,
    stored: Arc<Representation>,
}

/// A file that means the same as the seed.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The file.
    pub bytes: Vec<u8>,
    /// Every choice that made it.
    pub choices: Choices,
    /// What the seed's own choices come to where that is told by another value: a place
    /// behind all strips, where there are more of them.
    pub translated: Choices,
    /// The worst class among the choices.
    pub class: Class,
}

impl Variant {
    /// The choices that are not as in the seed, which has its `own`: with them, and all else
    /// as in the seed, the variant is made again.
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
    /// Reads a file. Its variants do nothing questionable ([`Profile::Strict`]).
    ///
    /// # Errors
    ///
    /// If it is not a TIFF file, damaged, or more than is supported.
    pub fn open(bytes: Vec<u8>) -> Result<Self, TiffError> {
        let file = ImageFile::read(&bytes)?;
        // Where directory, values and segments overlap, the picture may still be fine.
        let (bytes, data, placed) = match pipeline::placed(&file, bytes) {
            Ok(apart) => {
                let placed = apart.own_choices();
                let (bytes, data) = pipeline::decoded(&file, apart)?;
                (bytes, data, placed)
            }
            Err(Overlapping { file: bytes, .. }) => {
                let stored = |k| file.stored(&bytes, k).unwrap_or_default();
                let data = coding::decode(&file, stored)?;
                (bytes, data, Choices::new())
            }
        };
        let mut own = own::own_choices(&file);
        let sampled = pipeline::sampled(&pipeline::segmented(&file, data)?)?;
        let stages = Stages::of_file(&file, sampled, &own)?;
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

    /// The same seed with variants of another profile.
    pub fn with_profile(self, profile: Profile) -> Self {
        Self { profile, dimensions: OnceLock::new(), ..self }
    }

    /// Which values are drawn for variants.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was read.
    pub fn file(&self) -> &ImageFile {
        &self.file
    }

    /// The canonical picture.
    ///
    /// # Panics
    ///
    /// If a stage refuses the samples of a file that was opened, which would be a defect.
    pub fn picture(&self) -> &Picture {
        let shown = || self.stages.picture().unwrap_or_else(|e| panic!("{e}"));
        self.picture.get_or_init(shown)
    }

    /// How the seed itself is stored.
    pub fn own_choices(&self) -> &Choices {
        &self.own
    }

    /// The names of the dimensions, in the order in which they are chosen.
    pub fn dimensions(&self) -> &[String] {
        let build = |source: &mut ChoiceSource| {
            build(&self.file, &self.stages, self.profile, source).is_ok()
        };
        self.dimensions.get_or_init(|| solve::discover::dimensions(&self.own, build))
    }

    /// The file that `source` decides on, checked: it is read back, and its canonical
    /// picture is the seed's. What does not vary is as in the source's own baseline, or else
    /// as in the seed.
    ///
    /// # Errors
    ///
    /// [`VariantError`].
    pub fn variant(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        let Built { bytes, choices, translated, stored } = self.built(source)?;
        // Nobody will ask for what is not kept.
        let stored = (Arc::strong_count(&stored) > 1).then_some(stored);
        let bytes = self.check(bytes, stored.as_deref()).map_err(VariantError::Internal)?;
        let class = self.class(&choices);
        Ok(Variant { bytes, choices, translated, class })
    }

    /// The choices of the variant that `source` decides on. Its file is not read back: where
    /// many are made and few are kept, [`Seed::variant`] checks those.
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
        VariantError::refuse_unused(&source)?;
        let translated = source.likewise().clone();
        Ok(Built { bytes, choices: source.into_recorded(), translated, stored })
    }

    /// A seed of another picture that is stored as this one is, as far as that fits; `None`
    /// if it does not fit at all, as where the picture needs more bits.
    pub fn of_picture(&self, picture: &Picture) -> Option<Seed> {
        let display = pipeline::display(picture).ok()?;
        let mut source = ChoiceSource::replaying(Choices::new()).or_baseline(&self.own);
        let stages = Stages::new(display).ok()?;
        let bytes = build(&self.file, &stages, self.profile, &mut source).ok()?.0;
        let seed = Seed::open(bytes).ok()?.with_profile(self.profile);
        (seed.picture() == picture).then_some(seed)
    }

    /// The worst class among `choices`.
    pub fn class(&self, choices: &Choices) -> Class {
        class::class(choices)
    }

    /// The class of a value, for tables.
    pub fn value_class(&self, dimension: &str, value: &solve::Choice) -> String {
        class::value_class(self.side(), dimension, value)
    }

    /// The same, as a function that does not hold on to the seed.
    pub fn classify(&self) -> solve::Classify {
        let side = self.side();
        Arc::new(move |dimension, value| class::value_class(side, dimension, value))
    }

    fn side(&self) -> i128 {
        self.file.height.max(self.file.width).into()
    }

    /// Reads a variant back, and gives it back: it must mean just what the seed means.
    fn check(&self, bytes: Vec<u8>, stored: Option<&Representation>) -> Result<Vec<u8>, String> {
        let refused = |e: TiffError| format!("a variant is refused: {e}");
        let file = ImageFile::read(&bytes).map_err(refused)?;
        let apart = pipeline::placed(&file, bytes).map_err(|overlapping| overlapping.why)?;
        let (bytes, data) = pipeline::decoded(&file, apart).map_err(refused)?;
        if stored.is_some_and(|stored| stored.is_checked(&file, &data)) {
            return Ok(bytes);
        }
        let x = pipeline::segmented(&file, data).map_err(refused)?;
        if self.stages.shows(&file, x).map_err(refused)? {
            stored.into_iter().for_each(Representation::set_checked);
            Ok(bytes)
        } else {
            Err("a variant normalizes to another picture than its seed".to_owned())
        }
    }
}
