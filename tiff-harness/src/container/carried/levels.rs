//! Values of tags that are levels of samples, adjusted with the samples if this can be done exactly.

use super::facts::{Fact, Facts};
use super::table::Extreme;
use crate::container::Values;

/// The facts that decide the meaning of a sample's value.
const OF_LEVELS: [Fact; 3] = [Fact::Bits, Fact::Photometric, Fact::Palette];

/// Returns true if equal values of samples mean the same in both files.
fn same_levels(variant: &Facts, seed: &Facts) -> bool {
    OF_LEVELS.iter().all(|fact| fact.holds(variant, seed))
}

/// Returns the sample of a variant that means the same as `value` in the seed; `None` if there is none, or if that is
/// uncertain. With WhiteIsZero, levels count from the other end.
fn level(value: u64, variant: &Facts, seed: &Facts) -> Option<u64> {
    let (old, new) = (seed.max_sample(), variant.max_sample());
    if value > old {
        return None;
    }
    if same_levels(variant, seed) {
        return Some(value);
    }
    if variant.is_palette() || seed.is_palette() {
        return None;
    }
    let scaled = u128::from(value) * u128::from(new);
    let exact = scaled.is_multiple_of(old.into());
    let scaled = u64::try_from(scaled / u128::from(old)).ok().filter(|_| exact)?;
    let inverted = (variant.photometric == 0) != (seed.photometric == 0);
    Some(if inverted { new - scaled } else { scaled })
}

/// Returns values that are all levels of samples.
pub(super) fn levels(values: Values, variant: &Facts, seed: &Facts) -> Option<Values> {
    if same_levels(variant, seed) {
        return Some(values);
    }
    let numbers = values.as_integers()?;
    let numbers: Option<Vec<u64>> = numbers.iter().map(|v| level(*v, variant, seed)).collect();
    Values::integers(values.kind(), &numbers?)
}

/// Returns a text that is the decimal number of a level. Any other text, such as `nan`, is kept only while levels mean
/// the same.
pub(super) fn level_text(values: Values, variant: &Facts, seed: &Facts) -> Option<Values> {
    if same_levels(variant, seed) {
        return Some(values);
    }
    let number: u64 = values.as_text()?.trim().parse().ok()?;
    Some(Values::ascii(&level(number, variant, seed)?.to_string()))
}

/// Returns the values of a tag that has, for each sample of a pixel, a value for each of `extremes`. If the number of
/// bits changes, the values are scaled. An extra sample of a variant is arbitrary unless it is an alpha that the seed
/// also has, so its values are the extremes. Values that all samples share stay shared as long as no sample needs
/// others.
pub(super) fn per_sample(
    values: Values,
    extremes: &[Extreme],
    variant: &Facts,
    seed: &Facts,
) -> Option<Values> {
    let has_alpha = |facts: &Facts| matches!(facts.extra_samples.first(), Some(1 | 2));
    let alpha = usize::from(has_alpha(variant) && has_alpha(seed));
    let kept = variant.colors() + alpha;
    let all_kept = kept == variant.samples();
    if same_levels(variant, seed) && variant.samples() == seed.samples() && all_kept {
        return Some(values);
    }
    if variant.photometric != seed.photometric {
        return None;
    }
    let numbers = values.as_integers()?;
    let each = extremes.len();
    let shared = numbers.len() == each;
    if !shared && numbers.len() != each * seed.samples() {
        return None;
    }
    let samples = if shared && seed.samples() > 1 && all_kept { 1 } else { variant.samples() };
    let mut new = Vec::with_capacity(each * samples);
    for k in 0..samples {
        for (of, extreme) in extremes.iter().enumerate() {
            let old = numbers[if shared { of } else { (k * each + of) % numbers.len() }];
            new.push(match extreme {
                _ if k < kept => level(old, variant, seed)?,
                Extreme::Least => 0,
                Extreme::Most => variant.max_sample(),
            });
        }
    }
    Values::integers(values.kind(), &new)
}
