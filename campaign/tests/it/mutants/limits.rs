//! Limits of small viewers: features that a reader reports not to support.

use super::container::{Directory, File};
use super::image::Image;
use super::{Failure, refused};

/// A set of files that a reader refuses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Files in the order `MM`.
    LittleEndian,
    /// BigTIFF.
    Classic,
    /// Tiles.
    Strips,
    /// Tiles whose sides differ.
    SquareTiles,
    /// More strips or tiles than this.
    Segments(usize),
    /// Planes.
    Chunky,
    /// Planes of samples of this depth.
    ChunkyIfBits(u32),
    /// Other compressions than these.
    Compressions(&'static [u64]),
    /// Other depths than this.
    Bits(u32),
    /// Greater depths than this.
    BitsUpTo(u32),
    /// Other values of PhotometricInterpretation than these.
    Photometric(&'static [u64]),
    /// ExtraSamples.
    NoExtraSamples,
    /// Pictures that are stored turned or mirrored.
    Upright,
    /// Tags that the reader has no name for.
    KnownTags,
    /// Directories whose tags do not ascend.
    SortedTags,
    /// Files with several directories.
    OnePage,
    /// Strips without RowsPerStrip.
    RowsPerStrip,
    /// Files of more bytes than this.
    Size(usize),
    /// The predictor.
    NoPredictor,
}

/// The tags of TIFF 6.0 that a small reader has names for.
const KNOWN: [u16; 26] = [
    254, 256, 257, 258, 259, 262, 266, 270, 273, 274, 277, 278, 279, 282, 283, 284, 296, 305, 306,
    317, 320, 322, 323, 324, 325, 338,
];

impl Limit {
    /// Refuses a file that exceeds the limit.
    pub fn check(
        self,
        file: &File<'_>,
        directory: &Directory,
        image: &Image,
    ) -> Result<(), Failure> {
        let tags = directory.tags();
        let exceeded = match self {
            Limit::LittleEndian => file.big_endian,
            Limit::Classic => file.big,
            Limit::Strips => image.tiled,
            Limit::SquareTiles => image.tiled && image.segment.0 != image.segment.1,
            Limit::Segments(most) => image.offsets.len() > most,
            Limit::Chunky => image.planar,
            Limit::ChunkyIfBits(bits) => image.planar && image.bits == bits,
            Limit::Compressions(known) => !known.contains(&image.compression),
            Limit::Bits(only) => image.bits != only,
            Limit::BitsUpTo(most) => image.bits > most,
            Limit::Photometric(known) => !known.contains(&image.photometric),
            Limit::NoExtraSamples => !image.extra.is_empty() || image.samples != image.colors(),
            Limit::Upright => image.orientation != 1,
            Limit::KnownTags => tags.iter().any(|tag| !KNOWN.contains(tag)),
            Limit::SortedTags => !tags.is_sorted(),
            Limit::OnePage => directory.has_next(),
            Limit::RowsPerStrip => !image.tiled && directory.entry(278).is_none(),
            Limit::Size(most) => file.data.len() > most,
            Limit::NoPredictor => image.predictor,
        };
        if exceeded { refused(format!("{self:?}")) } else { Ok(()) }
    }
}

/// The ways in which readers say no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A message that names the feature.
    Message,
    /// One message for everything.
    OneMessage,
    /// The text of an exception.
    Exception,
    /// Nothing but the exit status.
    ExitCode,
    /// Silence: no picture, and no word.
    Silent,
}

impl Style {
    /// Returns the text of a refusal for the reason `why`.
    pub fn words(self, why: &str) -> String {
        match self {
            Style::Message => format!("{why} is not supported"),
            Style::OneMessage => "cannot open the file".to_owned(),
            Style::Exception => format!("Traceback (most recent call last): ValueError({why:?})"),
            Style::ExitCode => "exit status 3".to_owned(),
            Style::Silent => String::new(),
        }
    }
}
