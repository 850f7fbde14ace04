//! Palettes: an index for each pixel, and a color for each index (TIFF 6.0, section 5).
//!
//! | dimension | values |
//! |---|---|
//! | `palette` | `no`, `yes` |
//! | `palette size` | the number of entries that are in use, or may be: 2, 4, 16 or 256 |
//! | `palette order` | `as met`, `reversed`, `by color`, `random:N` |
//! | `palette duplicates` | `none`; `random:N`: some colors have several entries, used in turn |
//! | `unused palette entries` | `zeros`, `ones`, `random:N` |
//!
//! All values are baseline if a sample has 4 or 8 bits.

use std::collections::HashMap;
use std::hash::Hash;

use inverter::solve::{Choice, ChoiceError, ChoiceSource, Fill, policy, random_word};
use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;

use crate::dimension;

/// The maximum number of colors of a palette.
const MOST_COLORS: usize = 256;

/// A palette with a picture's pixels as indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// An index for each pixel.
    pub indices: Vec<u16>,
    /// The colors: red, green, blue.
    pub colors: Vec<[u16; 3]>,
}

/// Looks up the pixels of `indices` in a ColorMap of all reds, all greens, all blues.
///
/// # Errors
///
/// The first index that is not in the map.
pub fn look_up(indices: &[u16], map: &[u16]) -> Result<Vec<u16>, String> {
    let size = map.len() / 3;
    let mut out = Vec::with_capacity(indices.len() * 4);
    for index in indices {
        let k = usize::from(*index);
        if k >= size {
            return Err(format!("a pixel has index {index}, the color map has {size} entries"));
        }
        out.extend([map[k], map[size + k], map[2 * size + k], u16::MAX]);
    }
    Ok(out)
}

/// Returns true if the scale of these ColorMap entries is certain: some are above 255, or all are 0. Contrary to TIFF
/// 6.0, section 5, some writers scale to 255, and some readers guess whether a writer did.
pub fn has_certain_scale(entries: impl IntoIterator<Item = u16>) -> bool {
    entries.into_iter().max().is_none_or(|most| most > 255 || most == 0)
}

/// Chooses a palette for the pixels `rgba`, which have these [`colors`], or none.
///
/// # Errors
///
/// Returns an error if a given choice is not possible here.
pub fn choose(
    source: &mut ChoiceSource,
    rgba: &[u16],
    found: Option<&[[u16; 3]]>,
) -> Result<Option<Indexed>, ChoiceError> {
    if found.is_none() && !source.is_given(dimension::PALETTE) {
        return Ok(None);
    }
    let found = found.filter(|colors| has_certain_scale(colors.iter().flatten().copied()));
    let open: &[&str] = if found.is_some() { &["no", "yes"] } else { &["no"] };
    if source.named(dimension::PALETTE, open)? == 0 {
        return Ok(None);
    }
    let Some(found) = found else { return Ok(None) };
    let sizes: Vec<i128> =
        [2, 4, 16, 256].into_iter().filter(|n| *n >= found.len() as i128).collect();
    let size = match sizes[..] {
        [one] if !source.is_given(dimension::PALETTE_SIZE) => one as usize,
        _ => choose_size(source, &sizes, found.len())?,
    };
    let colors = ordered(source, found.to_vec())?;
    let entries = duplicated(source, colors, size)?;
    Ok(Some(entries.index(rgba)))
}

fn choose_size(
    source: &mut ChoiceSource,
    sizes: &[i128],
    colors: usize,
) -> Result<usize, ChoiceError> {
    source.choose(
        dimension::PALETTE_SIZE,
        |v| match v {
            Choice::Int(n) if sizes.contains(n) => Ok(*n as usize),
            _ => Err(format!("it must be 2, 4, 16 or 256, and at least {colors}")),
        },
        || Choice::Int(*sizes.last().unwrap_or(&256)),
        |rng| Choice::Int(sizes[rng.random_range(0..sizes.len())]),
    )
}

/// Returns the colors of an opaque picture in the order in which they occur; `None` if there are more than 256, or if
/// it is not entirely opaque.
pub fn colors(rgba: &[u16]) -> Option<Vec<[u16; 3]>> {
    let pixels = rgba.as_chunks::<4>().0;
    let colors = distinct(pixels.iter().map(|[r, g, b, _]| [*r, *g, *b]))?;
    pixels.iter().all(|[.., alpha]| *alpha == u16::MAX).then_some(colors)
}

/// Returns the different pixels in the order in which they occur; `None` if they do not fit in a palette.
pub fn distinct<T: Copy + Eq + Hash>(pixels: impl Iterator<Item = T>) -> Option<Vec<T>> {
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    for pixel in pixels {
        if seen.insert(pixel) {
            out.push(pixel);
            if out.len() > MOST_COLORS {
                return None;
            }
        }
    }
    Some(out)
}

/// The value of `palette order`.
#[derive(Clone, Copy)]
enum Order {
    AsMet,
    Reversed,
    ByColor,
    Random(u64),
}

fn ordered(
    source: &mut ChoiceSource,
    mut colors: Vec<[u16; 3]>,
) -> Result<Vec<[u16; 3]>, ChoiceError> {
    let words =
        [("as met", Order::AsMet), ("reversed", Order::Reversed), ("by color", Order::ByColor)];
    match source.policy(dimension::PALETTE_ORDER, &words, Order::Random)? {
        Order::AsMet => {}
        Order::Reversed => colors.reverse(),
        Order::ByColor => colors.sort_unstable(),
        Order::Random(seed) => colors.shuffle(&mut Fill::rng(seed)),
    }
    Ok(colors)
}

/// The entries of a palette. If there are `turns`, entries with the same color are used in turn.
struct Entries {
    colors: Vec<[u16; 3]>,
    turns: bool,
}

fn duplicated(
    source: &mut ChoiceSource,
    mut colors: Vec<[u16; 3]>,
    size: usize,
) -> Result<Entries, ChoiceError> {
    let room = size.saturating_sub(colors.len());
    if room == 0 || colors.is_empty() {
        return Ok(Entries { colors, turns: false });
    }
    let fit = |v: &Choice| policy(v, &[("none", None)], Some);
    let draw = |rng: &mut inverter::solve::Stream| {
        if rng.random_bool(0.5) { Choice::from("none") } else { random_word(rng) }
    };
    let Some(seed) =
        source.choose(dimension::PALETTE_DUPLICATES, fit, || Choice::from("none"), draw)?
    else {
        return Ok(Entries { colors, turns: false });
    };
    let mut rng = Fill::rng(seed);
    let distinct = colors.len();
    for _ in 0..rng.random_range(1..=room.min(32)) {
        let again = colors[rng.random_range(0..distinct)];
        colors.insert(rng.random_range(0..=colors.len()), again);
    }
    Ok(Entries { colors, turns: true })
}

impl Entries {
    /// Returns the pixels as indices. Entries after the last one in use are dropped, because the bits of the indices
    /// determine their number.
    fn index(mut self, rgba: &[u16]) -> Indexed {
        let mut places: HashMap<[u16; 3], (usize, Vec<u16>)> = HashMap::new();
        for (k, color) in self.colors.iter().enumerate() {
            places.entry(*color).or_default().1.push(k as u16);
        }
        let index = |pixel: &[u16; 4]| {
            let [r, g, b, _] = *pixel;
            let Some((next, all)) = places.get_mut(&[r, g, b]) else { return 0 };
            let index = all[*next % all.len()];
            *next += usize::from(self.turns);
            index
        };
        let indices: Vec<u16> = rgba.as_chunks::<4>().0.iter().map(index).collect();
        let most = indices.iter().copied().max().unwrap_or(0);
        self.colors.truncate(usize::from(most) + 1);
        Indexed { indices, colors: self.colors }
    }
}

/// Returns the ColorMap of `colors` for samples of `bits` bits.
///
/// # Errors
///
/// Returns an error if a given choice does not fit.
pub fn color_map(
    source: &mut ChoiceSource,
    colors: &[[u16; 3]],
    bits: u16,
) -> Result<Vec<u16>, ChoiceError> {
    let size = 1usize << bits.min(16);
    let mut all = colors.to_vec();
    if all.len() < size {
        let words = [("zeros", Fill::Zeros), ("ones", Fill::Ones)];
        let rest = size - all.len();
        match source.policy(dimension::UNUSED_PALETTE_ENTRIES, &words, Fill::Random)? {
            Fill::Random(seed) => {
                let mut rng = Fill::rng(seed);
                all.extend(std::iter::repeat_with(|| rng.random::<[u16; 3]>()).take(rest));
            }
            Fill::Ones => all.extend(std::iter::repeat_n([u16::MAX; 3], rest)),
            _ => all.extend(std::iter::repeat_n([0; 3], rest)),
        }
    }
    // Random entries may all be dark if the colors in use are all 0.
    if !has_certain_scale(all.iter().flatten().copied())
        && let Some(last) = all.last_mut()
    {
        *last = [u16::MAX; 3];
    }
    Ok((0..3).flat_map(|c| all.iter().map(move |color| color[c])).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A picture of `n` colors.
    fn picture(n: u16) -> Vec<u16> {
        (0..200u16).flat_map(|k| [k % n * 257, 5, k % n, u16::MAX]).collect()
    }

    fn chosen(source: &mut ChoiceSource, rgba: &[u16]) -> Result<Option<Indexed>, ChoiceError> {
        choose(source, rgba, colors(rgba).as_deref())
    }

    #[test]
    fn every_palette_gives_the_picture_back() {
        let mut seen = std::collections::BTreeSet::new();
        for index in 0..400 {
            let rgba = picture([1, 2, 3, 16, 150][index as usize % 5]);
            let mut source = ChoiceSource::seeded(3, index);
            let Some(indexed) = chosen(&mut source, &rgba).unwrap() else { continue };
            let top = indexed.indices.iter().copied().max().unwrap();
            let bits = [1u16, 2, 4, 8].into_iter().find(|b| 1u16 << b > top).unwrap();
            let bits = bits.max(if indexed.colors.len() > 1 << bits { 8 } else { bits });
            let map = color_map(&mut source, &indexed.colors, bits).unwrap();
            assert_eq!(map.len(), 3 << bits);
            assert_eq!(look_up(&indexed.indices, &map).unwrap(), rgba);
            let choices = source.into_recorded();
            seen.extend(choices.iter().map(|(name, _)| name.to_owned()));
            let mut again = ChoiceSource::replaying(choices);
            assert_eq!(chosen(&mut again, &rgba).unwrap().unwrap(), indexed);
        }
        assert_eq!(seen.len(), 5, "{seen:?}");
    }

    #[test]
    fn some_pictures_have_no_palette() {
        let mut clear = picture(3);
        clear[7] = 100;
        let many: Vec<u16> = (0..257).flat_map(|k| [k, 0, 0, u16::MAX]).collect();
        for rgba in [clear, many] {
            let mut given = inverter::solve::Choices::new();
            given.set(dimension::PALETTE, "yes");
            let error = chosen(&mut ChoiceSource::replaying(given), &rgba).unwrap_err();
            assert!(error.to_string().ends_with("it must be one of no"), "{error}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// For any picture and choices, the map must reproduce the picture, and the recorded choices must reproduce the
        /// palette.
        #[test]
        fn indices_and_map_are_the_picture(
            colors in prop::collection::vec(any::<[u16; 3]>(), 1..=256),
            pixels in prop::collection::vec(any::<prop::sample::Index>(), 0..300),
            index in any::<u64>(),
        ) {
            let pixel = |k: &prop::sample::Index| {
                let [r, g, b] = *k.get(&colors);
                [r, g, b, u16::MAX]
            };
            let rgba: Vec<u16> = pixels.iter().flat_map(pixel).collect();
            let mut source = ChoiceSource::seeded(5, index);
            let Some(indexed) = chosen(&mut source, &rgba).unwrap() else { return Ok(()) };
            prop_assert_eq!(indexed.indices.len() * 4, rgba.len());
            let most = source.chosen(dimension::PALETTE_SIZE).cloned().unwrap_or(Choice::Int(256));
            let fits = |n: i128| indexed.colors.len() as i128 <= n;
            prop_assert!(matches!(most, Choice::Int(n) if fits(n)), "{most}");
            let bits = (0..=8u16).find(|b| 1usize << b >= indexed.colors.len()).unwrap();
            let map = color_map(&mut source, &indexed.colors, bits).unwrap();
            prop_assert_eq!(map.len(), 3 << bits);
            prop_assert_eq!(look_up(&indexed.indices, &map).unwrap(), rgba.clone());
            let mut again = ChoiceSource::replaying(source.into_recorded());
            prop_assert_eq!(chosen(&mut again, &rgba).unwrap(), Some(indexed.clone()));
            prop_assert_eq!(color_map(&mut again, &indexed.colors, bits).unwrap(), map);
        }
    }

    #[test]
    fn an_index_outside_the_map_is_refused() {
        let why = look_up(&[0, 2], &[0; 6]).unwrap_err();
        assert_eq!(why, "a pixel has index 2, the color map has 2 entries");
    }
}
