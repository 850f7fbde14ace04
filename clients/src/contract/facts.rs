//! The facts of a TIFF file on which conventions depend.

use tiff_harness::ImageFile;

/// The facts of a TIFF file on which conventions depend.
///
/// They are read from the file itself, because choices leave a dimension out if the picture allows only one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Orientation: 1 to 8.
    pub orientation: u16,
    /// PhotometricInterpretation: 0 to 3.
    pub photometric: u16,
    /// BitsPerSample.
    pub bits: u16,
    /// ExtraSamples: one value for each sample after the colors.
    pub extra_samples: Vec<u16>,
    /// The number of pages.
    pub pages: usize,
}

/// The kind of a file's colors. A client may have different conventions for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// Levels of gray.
    Gray,
    /// Red, green and blue.
    Rgb,
    /// Indices into a palette.
    Palette,
}

impl Facts {
    /// Reads the facts of a file; `None` if it is not a supported TIFF file.
    pub fn of_file(file: &[u8]) -> Option<Self> {
        ImageFile::read(file).ok().map(|image| Self::of_image(&image))
    }

    /// Returns the facts of a file that has been read.
    pub fn of_image(image: &ImageFile) -> Self {
        Self {
            orientation: image.orientation,
            photometric: image.photometric,
            bits: image.bits,
            extra_samples: image.extra_samples.clone(),
            pages: 1 + image.further_pages,
        }
    }

    /// Returns the kind of its colors.
    pub fn colors(&self) -> Colors {
        match self.photometric {
            2 => Colors::Rgb,
            3 => Colors::Palette,
            _ => Colors::Gray,
        }
    }

    /// Returns the number of bits of a color: BitsPerSample, or 16 in a palette.
    pub fn depth(&self) -> u16 {
        if self.colors() == Colors::Palette { 16 } else { self.bits }
    }

    /// Returns true if a sample is alpha, associated or not.
    pub fn has_alpha(&self) -> bool {
        matches!(self.extra_samples.first(), Some(1 | 2))
    }

    /// Returns true if the sample after the colors is unspecified.
    pub fn has_unspecified(&self) -> bool {
        self.extra_samples.first() == Some(&0)
    }
}
