//! The values of the tag Predictor, and the samples to which each applies.

/// A preparation of samples for compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Predictor {
    /// 1: the samples themselves.
    #[default]
    None,
    /// 2: differences of samples (TIFF 6.0, section 14).
    Horizontal,
    /// 3: differences of the bytes of floating point numbers (Adobe Photoshop TIFF Technical Note 3).
    FloatingPoint,
}

/// Unsigned, signed, floating point and undefined samples (TIFF 6.0, section 19, SampleFormat). libtiff's complex
/// formats, 5 and 6, consist of two numbers each.
const NUMBERS: std::ops::RangeInclusive<u16> = 1..=4;

/// SampleFormat of floating point numbers (section 19).
pub(super) const FLOATING_POINT: u16 = 3;

impl Predictor {
    /// All predictors.
    pub const ALL: [Predictor; 3] =
        [Predictor::None, Predictor::Horizontal, Predictor::FloatingPoint];

    /// Returns the predictor with this value of the tag Predictor.
    pub fn of_code(code: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|predictor| predictor.code() == code)
    }

    /// Returns its value of the tag Predictor: 1, 2 or 3.
    pub fn code(self) -> u16 {
        match self {
            Predictor::None => 1,
            Predictor::Horizontal => 2,
            Predictor::FloatingPoint => 3,
        }
    }

    /// Returns its name in choices and reports.
    pub fn name(self) -> &'static str {
        match self {
            Predictor::None => "none",
            Predictor::Horizontal => "horizontal",
            Predictor::FloatingPoint => "floating point",
        }
    }

    /// Returns true if it supports samples of `bits` bits with this value of SampleFormat.
    ///
    /// Section 14 does not say which samples may have differences. Readers follow libtiff, whose `PredictorSetup`
    /// accepts 8, 16, 32 and 64 bits of any format, and for floating-point numbers also the note's predictor with 16,
    /// 24, 32 and 64 bits.
    pub fn suits(self, bits: u16, sample_format: u16) -> bool {
        match self {
            Predictor::None => true,
            Predictor::Horizontal => self.has_size(bits) && NUMBERS.contains(&sample_format),
            Predictor::FloatingPoint => self.has_size(bits) && sample_format == FLOATING_POINT,
        }
    }

    /// Returns true if it supports samples of `bits` bits in some format.
    pub(super) fn has_size(self, bits: u16) -> bool {
        match self {
            Predictor::None => true,
            Predictor::Horizontal => matches!(bits, 8 | 16 | 32 | 64),
            Predictor::FloatingPoint => matches!(bits, 16 | 24 | 32 | 64),
        }
    }
}
