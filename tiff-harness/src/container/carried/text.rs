//! Texts that describe the file: ImageDescription as scientific programs write it, and XMP.

use super::facts::Fact;
use crate::container::Values;

/// A kind of text, recognized by a mark, and the facts that it mentions.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The mark.
    pub mark: &'static str,
    /// True if the text must begin with the mark, false if it may contain the mark anywhere.
    pub begins: bool,
    /// The facts that every text of this kind mentions.
    pub needs: &'static [Fact],
    /// For each word, the facts that a text with this word mentions.
    pub words: &'static [(&'static str, &'static [Fact])],
    /// A word that is followed by the number of pictures. A number other than that of the pages is wrong in every
    /// variant, because one page then contains several pictures, which only its description distinguishes.
    pub pictures: Option<&'static str>,
}

/// Returns true if a text is true for a variant of `pages` pages. `same` returns true if facts are the same as in the
/// seed, on all pages if requested. Texts of unknown kinds count as true.
pub(super) fn is_true(
    values: &Values,
    kinds: &[Kind],
    pages: usize,
    same: impl Fn(&[Fact], Pages) -> bool,
) -> bool {
    let bytes = values.encode(crate::container::ByteOrder::Little);
    let text = String::from_utf8_lossy(&bytes);
    let is = |kind: &&Kind| match kind.begins {
        true => text.starts_with(kind.mark),
        false => text.contains(kind.mark),
    };
    kinds.iter().filter(is).all(|kind| {
        let pictures = kind.pictures.and_then(|word| number_after(&text, word));
        let of = Pages::told_by(kind.needs);
        pictures.is_none_or(|number| number <= 1 || number == pages as u64)
            && same(kind.needs, of)
            && kind.words.iter().all(|(word, needs)| !text.contains(word) || same(needs, of))
    })
}

/// The pages to which a tag refers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pages {
    /// Its own page.
    Own,
    /// All pages.
    All,
}

impl Pages {
    /// Returns the pages to which a tag that needs these facts refers.
    pub(super) fn told_by(needs: &[Fact]) -> Self {
        if needs.contains(&Fact::Pages) { Pages::All } else { Pages::Own }
    }
}

/// Returns the decimal number that follows `word`. Numbers that are too large become the greatest number.
fn number_after(text: &str, word: &str) -> Option<u64> {
    let rest = text[text.find(word)? + word.len()..].trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (end > 0).then(|| rest[..end].parse().unwrap_or(u64::MAX))
}

const LEVELS: &[Fact] = &[Fact::Bits, Fact::Photometric, Fact::Palette];
const ORIENTATION: &[Fact] = &[Fact::Orientation];
const SIZE: &[Fact] = &[Fact::Size];

/// Returns a kind of text that always mentions the same facts.
const fn plain(mark: &'static str, begins: bool, needs: &'static [Fact]) -> Kind {
    Kind { mark, begins, needs, words: &[], pictures: None }
}

/// The words of ImageJ, and of programs that write in the same way.
const OF_IMAGEJ: &[(&str, &[Fact])] = &[
    ("channels=", &[Fact::Samples]),
    ("max=", LEVELS),
    ("min=", LEVELS),
    ("xorigin=", ORIENTATION),
    ("yorigin=", ORIENTATION),
];

/// The kinds of ImageDescription.
pub const DESCRIPTIONS: &[Kind] = &[
    Kind {
        mark: "ImageJ=",
        begins: true,
        needs: &[Fact::Pages],
        words: OF_IMAGEJ,
        pictures: Some("images="),
    },
    Kind {
        mark: "SCIFIO=",
        begins: true,
        needs: &[Fact::Pages],
        words: OF_IMAGEJ,
        pictures: Some("images="),
    },
    Kind {
        mark: "<OME",
        begins: false,
        needs: &[
            Fact::Bits,
            Fact::Photometric,
            Fact::Samples,
            Fact::Orientation,
            Fact::Size,
            Fact::Pages,
        ],
        words: &[("BigEndian=", &[Fact::ByteOrder]), ("Interleaved=", &[Fact::Planar])],
        pictures: None,
    },
    plain("{\"shape\":", true, &[Fact::Samples, Fact::Planar, Fact::Size, Fact::Pages]),
    plain("shape=", true, &[Fact::Samples, Fact::Planar, Fact::Size, Fact::Pages]),
    plain(
        "<MetaData>",
        true,
        &[Fact::Bits, Fact::Photometric, Fact::Orientation, Fact::Size, Fact::Pages],
    ),
    plain(
        "Aperio ",
        true,
        &[Fact::Orientation, Fact::Size, Fact::Compression, Fact::Tiles, Fact::Pages],
    ),
    plain("<scn ", false, &[Fact::Orientation, Fact::Size, Fact::Pages]),
];

/// The properties of XMP that repeat tags of the file, or are measured in pixels.
pub const XMP: &[Kind] = &[Kind {
    mark: "",
    begins: true,
    needs: &[],
    words: &[
        ("GPano:", &[Fact::Orientation, Fact::Size]),
        ("crs:Crop", ORIENTATION),
        ("exif:CFAPattern", &[Fact::Samples, Fact::Orientation]),
        ("exif:PixelXDimension", SIZE),
        ("exif:PixelYDimension", SIZE),
        ("exif:Subject", ORIENTATION),
        ("mwg-rs:", ORIENTATION),
        ("photoshop:ColorMode", &[Fact::Photometric]),
        ("photoshop:ICCProfile", &[Fact::Photometric]),
        ("tiff:BitsPerSample", &[Fact::Bits, Fact::Samples]),
        ("tiff:Compression", &[Fact::Compression]),
        ("tiff:ImageLength", SIZE),
        ("tiff:ImageWidth", SIZE),
        ("tiff:Orientation", ORIENTATION),
        ("tiff:PhotometricInterpretation", &[Fact::Photometric]),
        ("tiff:PlanarConfiguration", &[Fact::Planar]),
        ("tiff:ReferenceBlackWhite", LEVELS),
        ("tiff:SamplesPerPixel", &[Fact::Samples]),
        ("tiff:TransferFunction", LEVELS),
        ("tiff:XResolution", ORIENTATION),
        ("tiff:YResolution", ORIENTATION),
    ],
    pictures: None,
}];
