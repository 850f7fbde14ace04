//! The normalization programs and primitives that ship with repfuzz.
//!
//! A format is a pipeline of stages; its inverse consists of the stages' inverses in reverse order.
//! The specs are under `specs/`. Their comments name the section of the standard that each
//! statement comes from. A harness runs the stages of TIFF:
//!
//! | stage | from | to |
//! |---|---|---|
//! | [`tiff::PLACEMENT`] | a file, its directory and values reserved | the bytes of strips or tiles, in order |
//! | [`tiff::SEGMENTS`] | decoded strips or tiles | the bytes of each sample |
//! | [`tiff::SAMPLES`] | the bytes of each sample | its level, or its index |
//! | [`tiff::PHOTOMETRIC`] | levels | red, green, blue, alpha |
//! | [`tiff::ORIENTATION`] | the stored picture | the picture in display orientation |
//! | [`tiff::BYTE_ORDER`] | the bytes of each sample | the same, the most significant byte first |
//! | [`tiff::TURNED`] | stored pixels of any samples | the pixels in display orientation |
//!
//! A [`Stage`] is a spec's text, which is parsed and inverted on first use:
//!
//! ```
//! use normalizers::tiff::ORIENTATION;
//!
//! let inverse = ORIENTATION.inverse();
//! assert!(inverse.losses.is_empty(), "every representation can be made");
//! println!("{inverse}");
//! ```
//!
//! Other formats are specs alone ([`read`]). The code that reads TIFF files into the first stage's
//! input and writes its output is in the format's harness.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

/// The reference of all [`primitives`], in Markdown: a section for each.
pub const PRIMITIVES: &str = include_str!("../docs/primitives.md");

pub mod primitive;
mod records;
pub mod shipped;
mod stage;
pub mod tiff;

use std::path::Path;
use std::sync::Arc;

use inverter::pipeline::{self, Pipeline, ReadError, Texts};
use inverter::primitive::{Primitive, Primitives};
use inverter::program::SpecText;

pub use records::cache_in;
pub use stage::Stage;

/// The stages of every format that has a harness.
pub fn all() -> impl Iterator<Item = &'static Stage> {
    use tiff::{BYTE_ORDER, ORIENTATION, PHOTOMETRIC, PLACEMENT, SAMPLES, SEGMENTS, TURNED};
    let of_colors = [&PLACEMENT, &SEGMENTS, &SAMPLES, &PHOTOMETRIC, &ORIENTATION];
    of_colors.into_iter().chain([&BYTE_ORDER, &TURNED])
}

/// Reads a spec or a pipeline ([`inverter::pipeline::read`]), which may call all [`primitives`].
/// Specs that ship are not checked again.
///
/// # Errors
///
/// Returns [`ReadError`].
pub fn read(path: &Path) -> Result<Pipeline, ReadError> {
    pipeline::read_recorded(path, &primitives(), records::all())
}

/// [`read`] for the text of a spec.
///
/// # Errors
///
/// Returns [`ReadError`].
pub fn from_text(spec: &SpecText<'_>) -> Result<Pipeline, ReadError> {
    pipeline::from_text_recorded(spec, &primitives(), records::all())
}

/// Rebuilds a pipeline from its texts, which may have been read on another machine ([`Texts`]).
///
/// # Errors
///
/// Returns [`ReadError`].
pub fn from_texts(texts: &Texts) -> Result<Pipeline, ReadError> {
    texts.pipeline(&primitives(), records::all())
}

/// Returns all primitives that specs may call: those of [`inverter`] and those of this crate.
///
/// # Panics
///
/// Panics if two have the same name, which a test excludes.
pub fn primitives() -> Primitives {
    use primitive::{
        AiffChunks, BmpRle, Chunks, DbfTable, Deflate, FloatPredictor, GifBlocks, GifLzw, Levels,
        Lzma, Lzw,
    };
    use primitive::{
        ModifiedHuffman, NetcdfClassic, NpyHeader, PackedBits, Pcm, Pixels, PngChunks, PngFilters,
        PnmText, Predictor, RunLengths, StringTable, T4, T6, TarEntries, TgaRuns,
    };
    use primitive::{Varints, WaveChunks, WebpLossless, ZipEntries, Zstd};
    let mut all = Primitives::shipped();
    let ours: [Arc<dyn Primitive>; 37] = [
        Arc::new(AiffChunks),
        Arc::new(BmpRle),
        Arc::new(Chunks::IFF),
        Arc::new(Chunks::RIFF),
        Arc::new(Chunks::CRC),
        Arc::new(Chunks::BOXES),
        Arc::new(DbfTable),
        Arc::new(Deflate),
        Arc::new(FloatPredictor),
        Arc::new(GifBlocks),
        Arc::new(GifLzw),
        Arc::new(Levels),
        Arc::new(Lzma),
        Arc::new(Lzw),
        Arc::new(ModifiedHuffman),
        Arc::new(NetcdfClassic),
        Arc::new(NpyHeader),
        Arc::new(PackedBits),
        Arc::new(Pcm),
        Arc::new(Pixels),
        Arc::new(PngChunks),
        Arc::new(PngFilters),
        Arc::new(PnmText),
        Arc::new(Predictor),
        Arc::new(StringTable),
        Arc::new(T4),
        Arc::new(T6),
        Arc::new(RunLengths),
        Arc::new(TarEntries),
        Arc::new(TgaRuns),
        Arc::new(Varints::UNSIGNED),
        Arc::new(Varints::SIGNED),
        Arc::new(Varints::BIG),
        Arc::new(WaveChunks),
        Arc::new(WebpLossless),
        Arc::new(ZipEntries),
        Arc::new(Zstd),
    ];
    for one in ours {
        all.add(one).unwrap_or_else(|e| panic!("{e}"));
    }
    all
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_spec_inverts_without_loss() {
        for stage in super::all() {
            let checked = inverter::check::load(stage.name, stage.text).unwrap();
            assert_eq!(checked.losses, [], "{}", stage.name);
            assert_eq!(checked.to_string(), stage.inverse().to_string());
        }
    }
}
