//! Relations between the samples of two pictures of the same size, found in one pass.

use tiff_harness::Picture;

/// The maximum difference, out of 65535, that rounding explains in a picture that was converted to other levels and
/// back: one level of 12 bits is 16.
const ROUNDING: u32 = 2;

/// The maximum difference that two roundings to 8 bits explain: two levels.
const TWO_LEVELS: u32 = 2 * 257;

const FULL: u32 = u16::MAX as u32;

/// A pixel: red, green, blue, alpha.
pub type Pixel = [u16; 4];

/// Returns the pixels of `picture`, row after row.
pub fn pixels(picture: &Picture) -> &[Pixel] {
    picture.rgba().as_chunks().0
}

/// A rectangle of pixels. It also represents the extent of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// The first column.
    pub left: u32,
    /// The first row.
    pub top: u32,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

impl Area {
    /// Returns true if the area contains column `x` of row `y`.
    pub fn contains(&self, x: u32, y: u32) -> bool {
        (self.left..self.left + self.width).contains(&x)
            && (self.top..self.top + self.height).contains(&y)
    }
}

/// The relations of all pixels of the actual picture to those of the expected one.
#[derive(Debug, Clone)]
pub struct Samples {
    /// For each actual channel, a bit for each expected channel that it equals everywhere.
    equal: [u8; 4],
    /// The value of each actual channel, if it is the same everywhere.
    constant: [Option<u16>; 4],
    /// True if every expected pixel has the same red, green and blue.
    flat_colors: bool,
    /// True if every expected pixel is gray.
    expected_gray: bool,
    /// True if every actual pixel is gray, and no darker or lighter than the expected channels.
    gray_between: bool,
    /// True if the actual colors are the inverse of the expected ones.
    pub inverted: bool,
    /// True if the two bytes of each color sample are exchanged.
    pub bytes_swapped: bool,
    /// True if alpha explains the difference: see [`AlphaRules`].
    pub alpha: bool,
    /// The largest difference of any sample.
    pub most: u16,
    /// The positions of the first and the last differing pixel.
    pub span: (usize, usize),
    /// The smallest rectangle with all differing pixels.
    pub area: Area,
}

impl Samples {
    /// Compares two pictures of the same size. `None` if they are equal.
    pub fn compare(expected: &Picture, got: &Picture) -> Option<Self> {
        let first = pixels(expected).iter().zip(pixels(got)).position(|(e, g)| e != g)?;
        let (first_expected, first_got) = (*pixels(expected).first()?, *pixels(got).first()?);
        let width = expected.width() as usize;
        let mut all = Self {
            equal: [0b1111; 4],
            constant: first_got.map(Some),
            flat_colors: true,
            expected_gray: true,
            gray_between: true,
            inverted: true,
            bytes_swapped: true,
            alpha: false,
            most: 0,
            span: (first, first),
            area: Area { left: 0, top: (first / width) as u32, width: 0, height: 0 },
        };
        let mut alpha = AlphaRules::default();
        let (mut left, mut right) = (usize::MAX, 0);
        for (k, (&e, &g)) in pixels(expected).iter().zip(pixels(got)).enumerate() {
            all.flat_colors &= e[..3] == first_expected[..3];
            all.add(e, g);
            alpha.add(e, g);
            if e != g {
                all.span.1 = k;
                (left, right) = (left.min(k % width), right.max(k % width));
            }
        }
        all.alpha = alpha.any();
        all.area.left = left as u32;
        all.area.width = (right - left + 1) as u32;
        all.area.height = (all.span.1 / width) as u32 - all.area.top + 1;
        Some(all)
    }

    fn add(&mut self, e: Pixel, g: Pixel) {
        for (channel, sample) in g.into_iter().enumerate() {
            let same = e.iter().enumerate().map(|(k, v)| u8::from(*v == sample) << k);
            self.equal[channel] &= same.sum::<u8>();
            self.constant[channel] = self.constant[channel].filter(|v| *v == sample);
            self.most = self.most.max(e[channel].abs_diff(sample));
        }
        let [low, high] = bounds(e);
        self.expected_gray &= low == high;
        self.gray_between &= g[0] == g[1]
            && g[0] == g[2]
            && u32::from(g[0]) + TWO_LEVELS >= low
            && u32::from(g[0]) <= high + TWO_LEVELS;
        let colors = || e.into_iter().zip(g).take(3);
        self.inverted &= colors().all(|(e, g)| u32::from(g).abs_diff(u32::from(!e)) <= ROUNDING);
        self.bytes_swapped &= colors().all(|(e, g)| g == e.swap_bytes());
    }

    /// Returns true if actual and expected alpha are equal.
    pub fn same_alpha(&self) -> bool {
        self.equal[3] & 0b1000 != 0
    }

    /// Returns the only actual pixel value, if there is only one.
    pub fn blank(&self) -> Option<Pixel> {
        let [r, g, b, a] = self.constant;
        Some([r?, g?, b?, a?])
    }

    /// Returns true if all expected pixels have the same color, whatever their alpha is.
    pub fn flat(&self) -> bool {
        self.flat_colors
    }

    /// Returns the expected channel of each actual one if they are a permutation.
    pub fn permutation(&self) -> Option<[u8; 4]> {
        let is = |channel: usize, of: u8| self.equal[channel] >> of & 1 != 0;
        // Permutations are tried in lexicographic order, so that alpha stays in place if possible.
        (0..256u16)
            .map(|n| [6, 4, 2, 0].map(|shift| (n >> shift & 3) as u8))
            .filter(|p| p.iter().fold(0, |bits, k| bits | 1 << k) == 0b1111)
            .find(|p| (0..4).all(|channel| is(channel, p[channel])))
    }

    /// Returns true if each actual color channel is an expected one, or is black or full
    /// everywhere; or if a colored picture is gray.
    pub fn planes_lost(&self) -> bool {
        let color_or_constant = |channel: usize| {
            self.equal[channel] & 0b111 != 0 || matches!(self.constant[channel], Some(0 | u16::MAX))
        };
        let dropped = (0..3).all(color_or_constant);
        self.same_alpha()
            && self.blank().is_none()
            && (dropped || (self.gray_between && !self.expected_gray))
    }
}

/// Returns the smallest and the largest color sample.
fn bounds(pixel: Pixel) -> [u32; 2] {
    let [r, g, b, _] = pixel.map(u32::from);
    [r.min(g).min(b), r.max(g).max(b)]
}

/// The ways in which readers treat alpha, each with whether all pixels so far obey it. The colors of pixels that are
/// expected to be transparent do not matter.
#[derive(Debug)]
struct AlphaRules {
    /// Colors are as expected.
    kept: bool,
    /// Colors are multiplied by alpha, which is the same as a black background.
    multiplied: bool,
    /// Colors are divided by alpha.
    divided: bool,
    /// Colors are blended with a white background.
    over_white: bool,
    /// At least one pixel is expected to be visible.
    visible: bool,
    /// All colors are as expected, including those of transparent pixels.
    same_colors: bool,
}

impl Default for AlphaRules {
    fn default() -> Self {
        Self {
            kept: true,
            multiplied: true,
            divided: true,
            over_white: true,
            visible: false,
            same_colors: true,
        }
    }
}

impl AlphaRules {
    fn add(&mut self, e: Pixel, g: Pixel) {
        let alpha = u32::from(e[3]);
        self.visible |= alpha > 0;
        self.same_colors &= e[..3] == g[..3];
        if e == g || e[..3] == g[..3] && e[3] == u16::MAX {
            return;
        }
        let all = |rule: &dyn Fn(u32) -> u32, tolerance: u32| {
            let colors = || e.into_iter().zip(g).take(3);
            colors().all(|(e, g)| rule(u32::from(e)).abs_diff(u32::from(g)) <= tolerance)
        };
        self.kept &= alpha == 0 || e[..3] == g[..3];
        self.multiplied &= all(&|v| v * alpha / FULL, TWO_LEVELS);
        self.divided &= alpha == 0 || all(&|v| (v * FULL / alpha).min(FULL), TWO_LEVELS);
        self.over_white &= all(&|v| v * alpha / FULL + FULL - alpha, TWO_LEVELS);
        if e[3] == u16::MAX {
            // Alpha does not explain another color of an opaque pixel.
            (self.kept, self.multiplied) = (false, false);
            (self.divided, self.over_white) = (false, false);
        }
    }

    fn any(&self) -> bool {
        // If nothing is visible, all colors obey the rules.
        (self.visible || self.same_colors)
            && (self.kept || self.multiplied || self.divided || self.over_white)
    }
}
