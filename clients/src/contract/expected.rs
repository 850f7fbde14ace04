//! The output that a contract determines.

use tiff_harness::{Picture, with_unspecified_as_alpha};

use super::convention::{
    Alpha, Channels, Depth, Orientation, Packed, Palette, Photometric, Unspecified,
};
use super::facts::{Colors, Facts};
use super::levels::Scale;
use super::terms::Contract;
use super::turn::Rows;

/// The right output for a client, with the tolerance of its conventions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    picture: Picture,
    /// The tolerance of each sample; empty if all samples must be exact.
    tolerance: Vec<u16>,
    /// Other outputs that are also right, because samples of unknown meaning may be read in several ways.
    others: Vec<Expected>,
}

impl Expected {
    fn of_rows(rows: &Rows<Pixel>) -> Self {
        let picture = rows.pixels.iter().flat_map(|pixel| pixel.0).collect();
        let exact = rows.pixels.iter().all(|pixel| pixel.1 == [0; 4]);
        let tolerance = rows.pixels.iter().filter(|_| !exact).flat_map(|pixel| pixel.1).collect();
        let picture = Picture::new(rows.width, rows.height, picture);
        Self { picture, tolerance, others: Vec::new() }
    }

    /// Returns the picture; if several are right, the one without samples of unknown meaning.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Returns the right picture that is nearest to `got`, by the sum of the differences between their samples.
    pub fn nearest(&self, got: &Picture) -> &Picture {
        let distance = |picture: &&Picture| {
            let same_size = (picture.width(), picture.height()) == (got.width(), got.height());
            let samples = picture.rgba().iter().zip(got.rgba());
            let sum: u64 = samples.map(|(want, got)| u64::from(want.abs_diff(*got))).sum();
            (!same_size, sum)
        };
        let all = std::iter::once(self).chain(&self.others).map(|expected| &expected.picture);
        all.min_by_key(distance).unwrap_or(&self.picture)
    }

    /// Returns true if only one picture is right, and every sample must be equal.
    pub fn is_exact(&self) -> bool {
        self.tolerance.is_empty() && self.others.is_empty()
    }

    /// Returns true if `got` is this output. All samples must be equal, except colors that were multiplied by alpha:
    /// documents do not say how the product is rounded, so it may be off by one level of the client's depth.
    pub fn matches(&self, got: &Picture) -> bool {
        self.is_shown_by(got) || self.others.iter().any(|other| other.is_shown_by(got))
    }

    /// Returns true if `got` is this picture, whatever else is right.
    fn is_shown_by(&self, got: &Picture) -> bool {
        let want = &self.picture;
        if (want.width(), want.height()) != (got.width(), got.height()) {
            return false;
        }
        if self.tolerance.is_empty() {
            return want == got;
        }
        let samples = want.rgba().iter().zip(got.rgba()).zip(&self.tolerance);
        samples.into_iter().all(|((want, got), tolerance)| want.abs_diff(*got) <= *tolerance)
    }
}

/// A pixel and the tolerance of its samples.
type Pixel = ([u16; 4], [u16; 4]);

impl Contract {
    /// Returns the right output for `file`, whose picture is `canonical`, like [`Contract::expected`]. Samples of
    /// unknown meaning that the client shows as alpha are those of the file; they may be associated with the colors or
    /// not, and ignoring them is right as well.
    pub fn expected_of(&self, canonical: &Picture, file: &[u8]) -> Option<Expected> {
        let facts = Facts::of_file(file)?;
        if !facts.has_unspecified() || self.unspecified? != Unspecified::Alpha {
            return self.expected(canonical, &facts);
        }
        let shown = with_unspecified_as_alpha(file)?;
        let mut as_alpha = facts.clone();
        as_alpha.extra_samples[0] = 2;
        let ignoring = Self { unspecified: Some(Unspecified::Ignored), ..self.clone() };
        Some(Expected {
            others: vec![self.expected(&shown, &as_alpha)?, self.associated(&shown, &as_alpha)?],
            ..ignoring.expected(canonical, &facts)?
        })
    }

    /// Returns the right output for a file with the picture `canonical`, or `None` if this contract does not determine
    /// it: a convention on which the file depends is unknown, or makes the output depend on more than the picture. The
    /// client is then compared with itself.
    pub fn expected(&self, canonical: &Picture, facts: &Facts) -> Option<Expected> {
        if facts.pages > 1 {
            self.pages?;
        }
        let colors = facts.colors();
        if colors == Colors::Palette && self.palette? != Palette::Applied {
            return None;
        }
        if facts.has_unspecified() && self.unspecified? != Unspecified::Ignored {
            return None;
        }
        self.shown(canonical, facts, output)
    }

    /// Returns the output for a file whose stored pixels have associated alpha; `stored` has its unchanged,
    /// premultiplied colors.
    ///
    /// A file with associated alpha that is not opaque has no exact canonical picture, so no contract depends on it;
    /// but a client may treat a sample of unknown meaning as associated alpha.
    pub(super) fn associated(&self, stored: &Picture, facts: &Facts) -> Option<Expected> {
        self.shown(stored, facts, associated)
    }

    /// Returns the output for a picture whose pixels `pixel` computes.
    fn shown(
        &self,
        canonical: &Picture,
        facts: &Facts,
        pixel: fn(Scale, Alpha, [u16; 4]) -> Pixel,
    ) -> Option<Expected> {
        let colors = facts.colors();
        let inverted = facts.photometric == 0 && self.photometric? == Photometric::Raw;
        let first_only = colors == Colors::Rgb && self.channels? == Channels::First;
        // On levels of 8 bits, all depths agree.
        let bits = facts.depth();
        let depth = if bits <= 8 { Depth::Exact } else { self.depth_of(facts)? };
        let scale = Scale::new(depth, bits);
        let alpha = if facts.has_alpha() { self.alpha_of(colors)? } else { Alpha::Kept };

        let pixels = canonical.rgba().chunks_exact(4).map(|p| {
            let [mut r, mut g, mut b, a] = [p[0], p[1], p[2], p[3]];
            if first_only {
                (g, b) = (r, r);
            }
            if inverted {
                [r, g, b] = [r, g, b].map(|level| u16::MAX - level);
            }
            pixel(scale, alpha, [r, g, b, a])
        });
        let pixels = pixels.map(|(pixel, tolerance)| (self.unscaled(pixel, facts), tolerance));
        let (width, height) = (canonical.width(), canonical.height());
        let rows = Rows { width, height, pixels: pixels.collect::<Vec<Pixel>>() };
        let rows = match facts.orientation {
            1 => rows,
            orientation => match self.orientation? {
                Orientation::Applied => rows,
                Orientation::Stored => rows.stored(orientation),
                Orientation::Flips => rows.stored(orientation).flipped(orientation),
            },
        };
        Some(Expected::of_rows(&rows))
    }
}

impl Contract {
    /// Returns a pixel of levels as the numbers that the file stores, if the client returns these numbers.
    fn unscaled(&self, pixel: [u16; 4], facts: &Facts) -> [u16; 4] {
        let packed = facts.colors() != Colors::Palette && matches!(facts.bits, 2 | 4);
        if !packed || self.packed != Some(Packed::Numbers) {
            return pixel;
        }
        let [r, g, b, alpha] = pixel;
        let number = |level: u16| level / (u16::MAX / ((1 << facts.bits) - 1)) * 257;
        // If the file has no alpha, alpha is opaque in any case.
        let alpha = if facts.has_alpha() { number(alpha) } else { alpha };
        [number(r), number(g), number(b), alpha]
    }
}

/// Reduces a pixel with associated alpha to the client's depth, then applies its treatment of alpha.
fn associated(scale: Scale, convention: Alpha, pixel: [u16; 4]) -> Pixel {
    let [r, g, b, alpha] = pixel.map(|level| scale.reduce(level));
    let max = scale.max;
    let colors = |of: &dyn Fn(u32) -> u32| [r, g, b].map(|color| scale.widen(of(color)));
    // A color multiplied by alpha cannot be greater than alpha, so such a pixel has no right colors.
    let lost = |level: u32| if level > alpha || alpha == 0 { u16::MAX } else { scale.step() };
    let exact = [0; 3];
    let (colors, alpha_out, tolerance) = match convention {
        Alpha::Kept | Alpha::KeptWhereVisible => {
            let divided = |c: u32| (c * max + alpha / 2).checked_div(alpha).unwrap_or(0);
            (colors(&|c| divided(c).min(max)), alpha, [r, g, b].map(lost))
        }
        Alpha::Premultiplied => (colors(&|c| c), alpha, exact),
        Alpha::Dropped | Alpha::OverBlack => (colors(&|c| c), max, exact),
        Alpha::OverWhite => (colors(&|c| (c + max - alpha).min(max)), max, exact),
    };
    let ([r, g, b], [of_r, of_g, of_b]) = (colors, tolerance);
    ([r, g, b, scale.widen(alpha_out)], [of_r, of_g, of_b, 0])
}

/// Reduces a pixel to the client's depth, then applies its treatment of alpha.
fn output(scale: Scale, convention: Alpha, pixel: [u16; 4]) -> Pixel {
    let [r, g, b, alpha] = pixel.map(|level| scale.reduce(level));
    let max = scale.max;
    // Opaque and transparent pixels need no rounding.
    let partly = alpha > 0 && alpha < max;
    let step = if partly { scale.step() } else { 0 };
    let colors = |of: &dyn Fn(u32) -> u32| [r, g, b].map(|color| scale.widen(of(color)));
    let times = |color: u32| scale.times(color, alpha);
    let (colors, alpha_out, tolerance) = match convention {
        Alpha::Kept => (colors(&|c| c), alpha, 0),
        // The colors of a transparent pixel are invisible.
        Alpha::KeptWhereVisible if alpha == 0 => ([0; 3], 0, u16::MAX),
        Alpha::KeptWhereVisible => {
            // One level of the product, divided by alpha, plus the rounding of the quotient.
            let lost = if partly { max.div_ceil(alpha) + 1 } else { 0 };
            (colors(&|c| c), alpha, scale.widen(lost.min(max)))
        }
        Alpha::Premultiplied => (colors(&times), alpha, step),
        Alpha::Dropped => (colors(&|c| c), max, 0),
        Alpha::OverBlack => (colors(&times), max, step),
        Alpha::OverWhite => (colors(&|c| times(c) + (max - alpha)), max, step),
    };
    let [r, g, b] = colors;
    ([r, g, b, scale.widen(alpha_out)], [tolerance, tolerance, tolerance, 0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::solve::{ChoiceSource, Choices};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use tiff_harness::{Seed, dimension};

    fn facts(photometric: u16, bits: u16, extra_samples: &[u16]) -> Facts {
        let extra_samples = extra_samples.to_vec();
        Facts { orientation: 1, photometric, bits, extra_samples, pages: 1 }
    }

    fn random(rng: &mut ChaCha8Rng, width: u32, height: u32) -> Picture {
        // Transparent and opaque pixels are frequent.
        let mut sample = |k: u32| match rng.random_range(0..if k % 4 == 3 { 4 } else { 9u32 }) {
            0 => 0,
            1 => u16::MAX,
            _ => rng.random(),
        };
        Picture::new(width, height, (0..4 * width * height).map(&mut sample).collect())
    }

    /// The definitions of the conventions in floating point, on levels from 0 to 1.
    fn real(alpha: Alpha, [r, g, b, a]: [f64; 4]) -> [f64; 4] {
        let colors = |of: &dyn Fn(f64) -> f64| [of(r), of(g), of(b)];
        let ([r, g, b], a) = match alpha {
            Alpha::Kept => (colors(&|c| c), a),
            Alpha::KeptWhereVisible => (colors(&|c| if a > 0.0 { c } else { 0.0 }), a),
            Alpha::Premultiplied => (colors(&|c| c * a), a),
            Alpha::Dropped => (colors(&|c| c), 1.0),
            Alpha::OverBlack => (colors(&|c| c * a), 1.0),
            Alpha::OverWhite => (colors(&|c| c * a + (1.0 - a)), 1.0),
        };
        [r, g, b, a]
    }

    #[test]
    fn depth_and_alpha_follow_their_definitions() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for depth in Depth::ALL {
            for alpha in Alpha::ALL {
                let picture = random(&mut rng, 40, 30);
                let (max, step) = if *depth == Depth::Exact { (65535.0, 1) } else { (255.0, 257) };
                let contract =
                    Contract { depth: Some(*depth), alpha: Some(*alpha), ..Contract::exact() };
                let expected = contract.expected(&picture, &facts(2, 16, &[2])).unwrap();
                let pairs = picture.rgba().chunks(4).zip(expected.picture().rgba().chunks(4));
                for (canonical, got) in pairs {
                    let level = |v: u16| match depth {
                        Depth::Exact => f64::from(v) / 65535.0,
                        Depth::Nearest => (f64::from(v) * 255.0 / 65535.0).round() / 255.0,
                        Depth::HighByte => f64::from(v / 256) / 255.0,
                        Depth::Floor => (f64::from(v) / 257.0).floor() / 255.0,
                    };
                    let pixel: Vec<f64> = canonical.iter().map(|v| level(*v)).collect();
                    let want = real(*alpha, [pixel[0], pixel[1], pixel[2], pixel[3]]);
                    for (want, got) in want.iter().zip(got) {
                        let want = (want * max + 1e-9).round() as u16 * step;
                        assert!(want.abs_diff(*got) <= step, "{depth}, {alpha}: {canonical:?}");
                        let rounded = matches!(
                            alpha,
                            Alpha::Premultiplied | Alpha::OverBlack | Alpha::OverWhite
                        );
                        assert!(rounded || want == *got, "{depth}, {alpha}: {canonical:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn stored_rows_are_those_that_another_decoder_returns() {
        let workspace = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        if !workspace.join("docs").is_dir() {
            eprintln!("skipped: corpus/seeds/tiny.tif is outside of the package");
            return;
        }
        let bytes = std::fs::read(workspace.join("corpus/seeds/tiny.tif")).unwrap();
        let plain = Seed::open(bytes).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for (orientation, photometric) in (1..=8).flat_map(|o| [(o, 2), (o, 1), (o, 0)]) {
            let mut picture = random(&mut rng, 5, 3).rgba().to_vec();
            for pixel in picture.chunks_mut(4) {
                let level = pixel[0];
                let gray =
                    if photometric == 2 { [pixel[0], pixel[1], pixel[2]] } else { [level; 3] };
                pixel[..3].copy_from_slice(&gray);
                pixel[3] = u16::MAX;
            }
            let picture = Picture::new(5, 3, picture);
            let mut choices = Choices::new();
            choices.set(dimension::ORIENTATION, i128::from(orientation));
            choices.set(dimension::BITS, 16);
            if photometric != 2 {
                choices.set(dimension::PHOTOMETRIC, i128::from(photometric));
                choices.set(dimension::SAMPLES_PER_PIXEL, 1);
            }
            let seed = plain.of_picture(&picture).unwrap();
            let file = seed.variant(ChoiceSource::replaying(choices)).unwrap().bytes;
            let facts = Facts::of_file(&file).unwrap();
            assert_eq!(facts.orientation, orientation);

            let mut decoder = tiff::decoder::Decoder::new(std::io::Cursor::new(&file)).unwrap();
            let size = decoder.dimensions().unwrap();
            let tiff::decoder::DecodingResult::U16(samples) = decoder.read_image().unwrap() else {
                panic!("not 16 bits");
            };
            let channels = samples.len() / 15;
            let rgba = samples.chunks(channels).flat_map(|p| match *p {
                [r, g, b] => [r, g, b, u16::MAX],
                // This decoder inverts WhiteIsZero.
                [level] if photometric == 0 => {
                    let raw = u16::MAX - level;
                    [raw, raw, raw, u16::MAX]
                }
                _ => [p[0], p[0], p[0], u16::MAX],
            });
            let stored = Picture::new(size.0, size.1, rgba.collect());
            let contract = Contract {
                orientation: Some(Orientation::Stored),
                photometric: Some(Photometric::Raw),
                ..Contract::exact()
            };
            let expected = contract.expected(&picture, &facts).unwrap();
            assert_eq!(expected.picture().rgba(), stored.rgba(), "{orientation} {photometric}");
            assert!(expected.matches(&stored));
            // With `flips only`, orientations 5 to 8 are read as 1 to 4.
            let flips = Contract { orientation: Some(Orientation::Flips), ..contract };
            let flipped = flips.expected(&picture, &facts).unwrap();
            let at = |x: u32, y: u32| (4 * (y * size.0 + x)) as usize;
            for (x, y) in (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))) {
                let (right, bottom) = (size.0 - 1 - x, size.1 - 1 - y);
                let from = match orientation {
                    1 | 5 => at(x, y),
                    2 | 6 => at(right, y),
                    3 | 7 => at(right, bottom),
                    _ => at(x, bottom),
                };
                let pixel = &flipped.picture().rgba()[at(x, y)..at(x, y) + 4];
                assert_eq!(pixel, &stored.rgba()[from..from + 4], "{orientation}");
            }
        }
    }

    #[test]
    fn unknown_conventions_matter_only_to_files_that_depend_on_them() {
        let picture = Picture::new(1, 1, vec![257, 257, 257, 65535]);
        let nothing = Contract { channels: Some(Channels::Rgb), ..Contract::default() };
        let determined =
            |contract: &Contract, facts: &Facts| contract.expected(&picture, facts).is_some();
        for plain in [facts(1, 8, &[]), facts(2, 4, &[])] {
            assert!(determined(&nothing, &plain), "{plain:?}");
        }
        let dependent = [
            facts(1, 16, &[]),
            facts(0, 8, &[]),
            facts(3, 8, &[]),
            facts(2, 8, &[2]),
            facts(2, 8, &[0]),
            Facts { orientation: 2, ..facts(2, 8, &[]) },
            Facts { pages: 2, ..facts(2, 8, &[]) },
        ];
        for facts in dependent {
            assert!(!determined(&nothing, &facts), "{facts:?}");
            assert!(determined(&Contract::exact(), &facts), "{facts:?}");
        }
    }

    #[test]
    fn an_unknown_depth_of_gray_is_not_that_of_color() {
        let mut contract = Contract::exact();
        contract.unknown.insert("gray_depth".to_owned(), "mirrored".to_owned());
        let picture = Picture::new(1, 1, vec![300, 300, 300, 65535]);
        assert!(contract.expected(&picture, &facts(1, 16, &[])).is_none());
        assert!(contract.expected(&picture, &facts(2, 16, &[])).is_some());
    }

    #[test]
    fn only_products_with_alpha_have_a_tolerance() {
        let picture = Picture::new(2, 1, vec![9000, 0, 0, 30000, 5, 6, 7, 65535]);
        let contract = Contract { alpha: Some(Alpha::Premultiplied), ..Contract::exact() };
        let expected = contract.expected(&picture, &facts(2, 16, &[2])).unwrap();
        let change = |at: usize, by: u16| {
            let mut rgba = expected.picture().rgba().to_vec();
            rgba[at] += by;
            Picture::new(2, 1, rgba)
        };
        assert!(expected.matches(&change(0, 1)));
        assert!(!expected.matches(&change(0, 2)));
        assert!(!expected.matches(&change(3, 1)), "alpha itself is exact");
        assert!(!expected.matches(&change(4, 1)), "an opaque pixel is exact");
        let kept = Contract::exact().expected(&picture, &facts(2, 16, &[2])).unwrap();
        assert!(kept.is_exact() && kept.matches(&picture));
    }
}
