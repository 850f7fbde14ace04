//! Functions from the expected samples or pixels to the actual ones.

use std::collections::{BTreeSet, HashMap};

use tiff_harness::Picture;

use super::samples::{Pixel, pixels};

/// The maximum number of colors of a picture whose colors may be replaced.
const MOST_COLORS: usize = 4096;

/// Returns true if the actual color samples are an increasing function of the expected ones, the same in all channels:
/// levels are scaled, clipped or shifted. At least five levels are needed as evidence, or four pixels for each level;
/// and two levels must stay different. At least a quarter of the levels must change and, if there are several, more
/// than one.
pub fn scales_levels(expected: &Picture, got: &Picture) -> bool {
    let mut levels: Vec<Option<u16>> = vec![None; 1 << 16];
    for (e, g) in pixels(expected).iter().zip(pixels(got)) {
        for channel in 0..3 {
            let level = &mut levels[usize::from(e[channel])];
            if *level.get_or_insert(g[channel]) != g[channel] {
                return false;
            }
        }
    }
    let changes =
        |(level, got): (usize, &Option<u16>)| got.is_some_and(|g| usize::from(g) != level);
    let changed = levels.iter().enumerate().filter(|pair| changes(*pair)).count();
    let levels: Vec<u16> = levels.into_iter().flatten().collect();
    levels.is_sorted()
        && changed * 4 >= levels.len()
        && (changed > 1 || levels.len() <= 2)
        && levels.first() < levels.last()
        && (levels.len() >= 5 || pixels(expected).len() >= 4 * levels.len())
}

/// Returns true if the actual pixel is a function of the expected one: each color is replaced by
/// another. Four pixels for each color are needed as evidence, and two must stay different.
pub fn replaces_colors(expected: &Picture, got: &Picture) -> bool {
    let mut colors: HashMap<Pixel, Pixel> = HashMap::new();
    for (e, g) in pixels(expected).iter().zip(pixels(got)) {
        if *colors.entry(*e).or_insert(*g) != *g || colors.len() > MOST_COLORS {
            return false;
        }
    }
    let distinct: BTreeSet<&Pixel> = colors.values().collect();
    distinct.len() > 1 && pixels(expected).len() >= 4 * colors.len()
}
