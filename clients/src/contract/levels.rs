//! Levels of one sample: rounding to fewer bits, and alpha.

use super::convention::Depth;

/// Levels of 8 or 16 bits, in which alpha is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// The greatest level: 255 or 65535.
    pub max: u32,
    depth: Depth,
}

impl Scale {
    /// Returns the levels with which a client of this depth computes on samples of `bits`.
    pub fn new(depth: Depth, bits: u16) -> Self {
        // A client that returns stored bits also computes with them.
        let eight = depth != Depth::Exact || bits <= 8;
        Self { max: if eight { 255 } else { 65535 }, depth }
    }

    /// Rounds a canonical level to this scale.
    pub fn reduce(self, level: u16) -> u32 {
        let level = u32::from(level);
        match (self.max, self.depth) {
            (65535, _) => level,
            (_, Depth::HighByte) => level >> 8,
            (_, Depth::Floor) => level / 257,
            (_, Depth::Nearest | Depth::Exact) => (level * 255 + 32767) / 65535,
        }
    }

    /// Converts a level of this scale to a canonical level.
    pub fn widen(self, level: u32) -> u16 {
        (level * (65535 / self.max)) as u16
    }

    /// The distance between two neighboring levels, in canonical levels.
    pub fn step(self) -> u16 {
        (65535 / self.max) as u16
    }

    /// Multiplies a color by alpha, to the nearest level.
    pub fn times(self, color: u32, alpha: u32) -> u32 {
        // The sum is at most 65535 * 65535 + 32767, which is below 2^32.
        (color * alpha + self.max / 2) / self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roundings_agree_with_exact_arithmetic_on_all_levels() {
        for level in 0..=65535u16 {
            let exact = f64::from(level) * 255.0 / 65535.0;
            let reduced = |depth| Scale::new(depth, 16).reduce(level);
            assert_eq!(reduced(Depth::Nearest), exact.round() as u32, "{level}");
            assert_eq!(reduced(Depth::Floor), (exact + 1e-9).floor() as u32, "{level}");
            assert_eq!(reduced(Depth::HighByte).to_be_bytes()[3], level.to_be_bytes()[0]);
            assert_eq!(reduced(Depth::Exact), u32::from(level));
            // The formulas of libpng's png_set_scale_16 and of libtiff's Bitdepth16To8.
            let level = u32::from(level);
            let libpng = (level * 255 + 32895) >> 16;
            assert_eq!(reduced(Depth::Nearest), libpng, "{level}");
            assert_eq!(reduced(Depth::Nearest), (level + 128) / 257, "{level}");
        }
    }

    #[test]
    fn levels_of_8_bits_survive_any_rounding() {
        for depth in Depth::ALL {
            for level in 0..=255u16 {
                let scale = Scale::new(*depth, 8);
                assert_eq!(scale.widen(scale.reduce(level * 257)), level * 257, "{depth}");
            }
        }
    }
}
