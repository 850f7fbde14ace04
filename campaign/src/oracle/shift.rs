//! Displacement of the pixel sequence by a constant number of pixels.
//!
//! A rolling hash finds the windows at some sample positions of the expected picture in the actual one. The most
//! frequent distances are candidates, and each is verified.

use std::collections::{BTreeMap, HashMap};

use tiff_harness::Picture;

use super::samples::{Pixel, pixels};

/// The number of sample positions.
const ANCHORS: usize = 64;

/// The maximum number of matches that are counted. Periodic pictures have many.
const MOST_MATCHES: usize = 1 << 14;

/// The number of candidates that are verified.
const CANDIDATES: usize = 4;

/// The minimum number of pixels that show a displacement.
const FEWEST: usize = 8;

/// An odd number with well mixed bits: the base of the rolling hash.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns `k` if the pixels from the first to the last differing one, `span`, equal those expected `k` pixels earlier.
/// This requires that they are a quarter of the picture, and that 7/8 of them, and 3/4 of the differing ones, agree,
/// because a background alone is not evidence. If several distances occur equally often, the shortest is returned.
pub fn displacement(expected: &Picture, got: &Picture, span: (usize, usize)) -> Option<i64> {
    let (expected, got) = (pixels(expected), pixels(got));
    let length = span.1 - span.0 + 1;
    if length < FEWEST || length < expected.len() / 4 {
        return None;
    }
    let window = match expected.len() {
        ..256 => 4,
        256..4096 => 8,
        _ => 16,
    };
    candidates(expected, got, span, window)
        .into_iter()
        .find(|k| is_displaced(expected, got, span, *k))
}

/// Returns the most frequent distances between equal windows of both pictures.
fn candidates(
    expected: &[Pixel],
    got: &[Pixel],
    (first, last): (usize, usize),
    window: usize,
) -> Vec<i64> {
    let mut anchors: HashMap<u64, Vec<usize>> = HashMap::new();
    let starts = first..(last + 2).saturating_sub(window).max(first);
    let step = (starts.len() / ANCHORS).max(1);
    for start in starts.step_by(step) {
        let part = &expected[start..start + window];
        if part.iter().any(|pixel| pixel != &part[0]) {
            let hash = part.iter().fold(0, |hash, pixel| extend(hash, *pixel));
            anchors.entry(hash).or_default().push(start);
        }
    }
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    let mut matches = 0;
    let highest = (1..window).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = 0;
    for (end, pixel) in got.iter().enumerate() {
        if end >= window {
            hash = u64::wrapping_sub(hash, digit(got[end - window]).wrapping_mul(highest));
        }
        hash = extend(hash, *pixel);
        let Some(start) = (end + 1).checked_sub(window) else { continue };
        for anchor in anchors.get(&hash).into_iter().flatten() {
            let distance = start as i64 - *anchor as i64;
            if distance != 0 && matches < MOST_MATCHES {
                *counts.entry(distance).or_default() += 1;
                matches += 1;
            }
        }
    }
    let mut candidates: Vec<(i64, usize)> = counts.into_iter().collect();
    candidates.sort_by_key(|(k, count)| (std::cmp::Reverse(*count), k.unsigned_abs(), *k));
    candidates.into_iter().take(CANDIDATES).map(|(k, _)| k).collect()
}

fn extend(hash: u64, pixel: Pixel) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(digit(pixel))
}

fn digit(pixel: Pixel) -> u64 {
    let bits = pixel.into_iter().fold(0, |bits, sample| bits << 16 | u64::from(sample));
    bits.wrapping_mul(BASE) >> 7
}

fn is_displaced(expected: &[Pixel], got: &[Pixel], (first, last): (usize, usize), k: i64) -> bool {
    let (mut compared, mut equal, mut differing, mut explained) = (0, 0, 0, 0);
    for at in first..=last {
        let differs = usize::from(expected[at] != got[at]);
        differing += differs;
        let source = usize::try_from(at as i64 - k).ok();
        let Some(source) = source.and_then(|source| expected.get(source)) else { continue };
        compared += 1;
        if *source == got[at] {
            equal += 1;
            explained += differs;
        }
    }
    2 * compared > last - first
        && 8 * equal >= 7 * compared
        && 4 * explained >= 3 * differing.min(compared)
        && explained >= FEWEST / 2
}
