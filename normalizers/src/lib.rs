//! The normalization programs that ship with repfuzz, inverted once a process.
//!
//! A format is a pipeline of stages, and its inverse the inverses of the stages in reverse
//! order. The specs themselves are under `specs/`, a file for each stage; their comments
//! name the section of the standard that each statement comes from.
//!
//! | stage | from | to |
//! |---|---|---|
//! | [`tiff::PLACEMENT`] | a file, its directory and values reserved | the bytes of strips or tiles, in order |
//! | [`tiff::SEGMENTS`] | decoded strips or tiles | the bytes of each sample |
//! | [`tiff::SAMPLES`] | the bytes of each sample | its level, or its index |
//! | [`tiff::PHOTOMETRIC`] | levels | red, green, blue, alpha |
//! | [`tiff::ORIENTATION`] | the stored picture | the picture as it is to be seen |
//!
//! A [`Stage`] is a spec's text, with what the build script compiled of it; it is parsed and
//! inverted when it is first used:
//!
//! ```
//! use normalizers::tiff::ORIENTATION;
//!
//! let inverse = ORIENTATION.inverse();
//! assert!(inverse.losses.is_empty(), "every representation can be made");
//! println!("{inverse}");
//! ```
//!
//! What reads files into the first stage's input and writes its output is not here, but in
//! the harness of the format.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod compiled;
pub mod primitive;
pub mod tiff;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use inverter::invert::invert;
use inverter::pipeline::{self, Pipeline, ReadError};
use inverter::primitive::{Primitive, Primitives};
use inverter::program::{SpecError, SpecText, parse};
use inverter::run::compiled::Compiled;
use inverter::run::{Executable, Limits, Runner};

/// A spec with its inverse, made when it is first asked for.
pub struct Stage {
    /// The file's name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    compiled: &'static Compiled,
    inverse: OnceLock<Executable>,
    runner: OnceLock<Arc<Runner<'static>>>,
}

impl Stage {
    const fn new(name: &'static str, text: &'static str, compiled: &'static Compiled) -> Self {
        Self { name, text, compiled, inverse: OnceLock::new(), runner: OnceLock::new() }
    }

    /// The spec with its inverse.
    ///
    /// # Panics
    ///
    /// If a spec that ships cannot be inverted; a test inverts them all.
    pub fn inverse(&self) -> &Executable {
        // What `check::load` would look at beside this is held by a test.
        let made =
            || Executable::new(invert(&parse(self.name, self.text)?)?).with_compiled(self.compiled);
        self.inverse
            .get_or_init(|| made().unwrap_or_else(|e: SpecError| panic!("{}: {e}", self.name)))
    }

    /// What runs the inverse, nothing in one place with something else: what it works out is
    /// worked out once a process.
    ///
    /// # Panics
    ///
    /// As [`Stage::inverse`].
    pub fn runner(&'static self) -> &'static Arc<Runner<'static>> {
        let limits = Limits { sharing: false, ..Limits::default() };
        self.runner.get_or_init(|| Arc::new(Runner::new(self.inverse(), limits)))
    }
}

/// Every spec that ships.
pub fn all() -> impl Iterator<Item = &'static Stage> {
    use tiff::{ORIENTATION, PHOTOMETRIC, PLACEMENT, SAMPLES, SEGMENTS};
    [&PLACEMENT, &SEGMENTS, &SAMPLES, &PHOTOMETRIC, &ORIENTATION].into_iter()
}

/// Reads a spec or a pipeline ([`inverter::pipeline::read`]), which may call all [`primitives`]. Those
/// that ship run as compiled, and are not looked at for coverage again.
///
/// # Errors
///
/// [`ReadError`].
pub fn read(path: &Path) -> Result<Pipeline, ReadError> {
    pipeline::read_compiled(path, &primitives(), &compiled::formats())
}

/// [`read`] for the text of a spec.
///
/// # Errors
///
/// [`ReadError`].
pub fn from_text(spec: &SpecText<'_>) -> Result<Pipeline, ReadError> {
    pipeline::from_text_compiled(spec, &primitives(), &compiled::formats())
}

/// All primitives that specs may call: those of any use to every format, and those of this crate.
///
/// # Panics
///
/// If two have one name; a test looks at them all.
pub fn primitives() -> Primitives {
    use primitive::{BmpRle, Deflate, Levels, Lzma, Lzw, ModifiedHuffman, PackedBits, Pcm, Pixels};
    use primitive::{PngChunks, PngFilters, PnmText, Predictor, T4, T6, TarEntries, TgaRuns};
    use primitive::{WaveChunks, WebpLossless, Zstd};
    let mut all = Primitives::shipped();
    let ours: [Arc<dyn Primitive>; 20] = [
        Arc::new(BmpRle),
        Arc::new(Deflate),
        Arc::new(Levels),
        Arc::new(Lzma),
        Arc::new(Lzw),
        Arc::new(ModifiedHuffman),
        Arc::new(PackedBits),
        Arc::new(Pcm),
        Arc::new(Pixels),
        Arc::new(PngChunks),
        Arc::new(PngFilters),
        Arc::new(PnmText),
        Arc::new(Predictor),
        Arc::new(T4),
        Arc::new(T6),
        Arc::new(TarEntries),
        Arc::new(TgaRuns),
        Arc::new(WaveChunks),
        Arc::new(WebpLossless),
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
