//! Decodes pixels that are stored as numbers: indices into a palette, or fields of bits.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::{ChoiceSource, Choices};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::padding::Padding;
use super::policy::Policy;

/// `pixels(x.a, bits, width, colors, red, green, blue, alpha)`: decodes rows of pixels to red,
/// green, blue and alpha, one byte each.
///
/// With 1, 2, 4 or 8 `bits` the data begins with a palette of `colors` entries. An entry has three bytes (red, green,
/// blue), and a fourth unless `alpha` is 0. A pixel is the index of an entry, the most significant bits first, and
/// every row begins at a byte. If `colors` is 0, a pixel is a gray level.
///
/// With 16, 24 or 32 bits a pixel is a number, least significant byte first, in which the masks `red`, `green`, `blue`
/// and `alpha` select bits. One mask for all three colours means gray; without `alpha` the pixel is opaque. A level of
/// less than 8 bits is accepted only if the two usual ways to widen it, rounding and repeating its bits, agree.
///
/// | dimension | value | |
/// |---|---|---|
/// | `palette order` | `first use`, `last use` | colours in the order in which pixels first use them; reversed |
/// | | `random:N` | any order |
/// | `palette rest` | `zeros`, `copies` | surplus entries are black; they repeat colours, and pixels use them, too |
/// | | `random:N` | they have any colours |
/// | `unused bits` | `zeros`, `ones`, `random:N` | the bits that no mask selects, and those at the end of a row |
pub struct Pixels;

/// The place of the argument that is the mask for alpha.
const ALPHA: usize = 6;
const NO_MASK: &str = "there is no mask for alpha";
const OPAQUE: &str = "a palette has no alpha";
const ORDER: &str = "palette order";
const REST: &str = "palette rest";
const UNUSED: &str = "unused bits";
const ORDERS: [&str; 2] = ["first use", "last use"];
const RESTS: [&str; 2] = ["zeros", "copies"];

/// The arguments, parsed.
struct Form {
    bits: usize,
    width: usize,
    /// The number of entries of the palette; 0 for gray.
    colors: usize,
    /// The number of bytes of an entry.
    entry: usize,
    masks: [u32; 4],
}

impl Form {
    fn parse(args: &[i128]) -> Result<Form, PrimitiveError> {
        let &[bits, width, colors, red, green, blue, alpha] = args else {
            return Err("pixels take 7 arguments".into());
        };
        if ![1, 2, 4, 8, 16, 24, 32].contains(&bits) {
            return Err(format!("pixels of {bits} bits").into());
        }
        let size = |n: i128| usize::try_from(n).ok().filter(|n| *n < 1 << 30);
        let (Some(width), Some(colors)) = (size(width).filter(|n| *n >= 1), size(colors)) else {
            return Err(format!("rows of {width} pixels in {colors} colours").into());
        };
        let bits = bits as usize;
        if bits <= 8 && colors > 1 << bits {
            return Err(format!("{colors} colours where pixels have {bits} bits").into());
        }
        let mut masks = [0; 4];
        if bits > 8 {
            for (mask, given) in masks.iter_mut().zip([red, green, blue, alpha]) {
                *mask = u32::try_from(given).map_err(|_| format!("a mask of {given}"))?;
                let dense = *mask >> mask.trailing_zeros().min(31);
                if dense & dense.wrapping_add(1) != 0 || dense > 255 {
                    return Err(
                        format!("{given:#x} is no mask of at most 8 bits side by side").into()
                    );
                }
            }
            // One mask for all colours counts once.
            let gray = masks[0] == masks[1] && masks[1] == masks[2];
            let apart = &masks[if gray { 2 } else { 0 }..];
            let all = apart.iter().fold(0u64, |all, mask| all + u64::from(*mask));
            let apart = masks.iter().fold(0, |all, mask| all | mask);
            if all != u64::from(apart) || all >> bits != 0 || masks[..3].contains(&0) {
                return Err("the masks meet, or leave the pixel, or one is empty".into());
            }
        }
        let entry = if alpha == 0 { 3 } else { 4 };
        Ok(Form { bits, width, colors: if bits <= 8 { colors } else { 0 }, entry, masks })
    }

    /// The numbers that encode pixels, if no bit is set that no mask selects.
    fn numbers(&self, data: &[u8]) -> Result<Vec<u32>, PrimitiveError> {
        let [red, green, blue, _] = self.masks;
        let gray = red == green && green == blue;
        let number = |pixel: &[u8]| {
            let mut number = 0;
            if gray && (pixel[0] != pixel[1] || pixel[1] != pixel[2]) {
                return Err(format!("{pixel:?} is not gray").into());
            }
            for (sample, mask) in pixel.iter().zip(self.masks) {
                if mask == 0 {
                    if *sample != 255 {
                        return Err(NO_MASK.into());
                    }
                    continue;
                }
                let (shift, most) = (mask.trailing_zeros(), mask >> mask.trailing_zeros());
                let level = (u32::from(*sample) * most + 127) / 255;
                if widened(level, most) != Some(*sample) {
                    return Err(format!("{sample} is no level of {most}").into());
                }
                number |= level << shift;
            }
            Ok(number)
        };
        data.chunks_exact(4).map(number).collect()
    }

    /// The colours of pixels that a palette can hold; empty for gray.
    fn used(&self, data: &[u8]) -> Result<Vec<[u8; 4]>, PrimitiveError> {
        if self.colors == 0 {
            let most = u8::MAX >> (8 - self.bits);
            let gray = |p: &[u8]| p[0] == p[1] && p[1] == p[2] && p[3] == 255;
            let level = |p: &[u8]| p[0].is_multiple_of(255 / most);
            return match data.chunks_exact(4).find(|p| !gray(p) || !level(p)) {
                Some(p) => Err(format!("{p:?} is no gray level of {most}").into()),
                None => Ok(Vec::new()),
            };
        }
        let most = 1 << self.bits;
        let used = places(data, most)
            .ok_or_else(|| format!("more than {most} colours do not fit into {}", self.colors))?;
        if used.len() > self.colors {
            return Err(format!("{} colours do not fit into {}", used.len(), self.colors).into());
        }
        match self.entry == 3 && data.chunks_exact(4).any(|pixel| pixel[3] != 255) {
            true => Err(OPAQUE.into()),
            false => Ok(used),
        }
    }

    /// The bytes of a row.
    fn row(&self) -> usize {
        (self.width * self.bits).div_ceil(8)
    }

    /// The bits at the end of a row that belong to no pixel.
    fn left(&self) -> usize {
        self.row() * 8 - self.width * self.bits
    }

    /// The bits of a pixel that no mask selects.
    fn loose(&self) -> u32 {
        let whole = (u64::MAX >> (64 - self.bits)) as u32;
        if self.bits <= 8 { 0 } else { whole & !self.masks.iter().fold(0, |all, m| all | m) }
    }
}

/// Widens a level between 0 and `most`, all of whose bits are set, to 8 bits; `None` if readers may differ.
fn widened(level: u32, most: u32) -> Option<u8> {
    u8::try_from(WIDENED[most.count_ones() as usize][level as usize]).ok()
}

/// Indexed by number of bits and level; 256 if readers may differ.
static WIDENED: [[u16; 256]; 9] = {
    let mut all = [[256; 256]; 9];
    let mut bits = 1;
    while bits <= 8 {
        let most = (1 << bits) - 1;
        let mut level = 0;
        while level <= most {
            if let Some(sample) = widen(level, most) {
                all[bits][level as usize] = sample as u16;
            }
            level += 1;
        }
        bits += 1;
    }
    all
};

const fn widen(level: u32, most: u32) -> Option<u8> {
    let rounded = (level * 255 + most / 2) / most;
    let bits = most.count_ones();
    let (mut repeated, mut k) = (0, 0);
    while k < 8 {
        repeated |= (level >> (bits - 1 - k % bits) & 1) << (7 - k);
        k += 1;
    }
    if rounded == repeated { Some(rounded as u8) } else { None }
}

impl Primitive for Pixels {
    fn signature(&self) -> Signature<'_> {
        Signature::new("pixels").arguments(7).dimensions(&[ORDER, REST, UNUSED])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let form = Form::parse(args)?;
        let Some((palette, rows)) = stored.split_at_checked(form.entry * form.colors) else {
            return Err(
                format!("{} bytes are too few for {} colours", stored.len(), form.colors).into()
            );
        };
        let mut out = Vec::new();
        for row in rows.chunks(form.row()) {
            if row.len() < form.row() {
                return Err(
                    format!("the last row has {} of {} bytes", row.len(), form.row()).into()
                );
            }
            if 4 * form.width > most.saturating_sub(out.len()) {
                return Err(PrimitiveError::of_size());
            }
            for x in 0..form.width {
                if form.bits <= 8 {
                    let shift = 8 - form.bits - x * form.bits % 8;
                    let mask = u8::MAX >> (8 - form.bits);
                    let place = row[x * form.bits / 8] >> shift & mask;
                    if form.colors == 0 {
                        let level = place * (255 / mask);
                        out.extend([level, level, level, 255]);
                        continue;
                    }
                    let color = palette.chunks_exact(form.entry).nth(place.into());
                    let color = color.ok_or_else(|| {
                        format!("a pixel names colour {place} of {}", form.colors)
                    })?;
                    out.extend(color);
                    out.extend((form.entry == 3).then_some(255));
                } else {
                    let bytes = &row[x * form.bits / 8..(x + 1) * form.bits / 8];
                    let number = bytes.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b));
                    for mask in form.masks {
                        if mask == 0 {
                            out.push(255);
                            continue;
                        }
                        let shift = mask.trailing_zeros();
                        let (level, most) = ((number & mask) >> shift, mask >> shift);
                        out.push(widened(level, most).ok_or_else(|| {
                            format!("level {level} of {most}: readers widen it in different ways")
                        })?);
                    }
                }
            }
        }
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let form = Form::parse(args)?;
        if !data.len().is_multiple_of(4 * form.width) {
            let why = format!("{} bytes are not a whole number of rows of pixels", data.len());
            return Err(EncodeError::Impossible(why.into()));
        }
        if form.bits <= 8 {
            let used = form.used(data)?;
            let order = match form.colors {
                0 | 1 => Policy::Word(0),
                _ => Policy::choose(source, ORDER, &ORDERS)?,
            };
            let rest = match form.colors - used.len() {
                0 => Policy::Word(0),
                _ => Policy::choose(source, REST, &RESTS)?,
            };
            let unused = match form.left() {
                0 => Padding::Zeros,
                _ => Padding::choose(source, UNUSED)?,
            };
            return of_length(indexed(&form, data, &used, order, rest, unused), lengths);
        }
        let numbers = form.numbers(data)?;
        let unused = match form.loose() {
            0 => Padding::Zeros,
            _ => Padding::choose(source, UNUSED)?,
        };
        let mut loose = unused.bytes();
        let mut out = Vec::with_capacity(numbers.len() * form.bits / 8);
        for number in numbers {
            let any = u32::from_le_bytes([loose(), loose(), loose(), loose()]);
            let number = number | any & form.loose();
            out.extend(&number.to_le_bytes()[..form.bits / 8]);
        }
        of_length(out, lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let unfit = |argument| move |why| Unfit { argument: Some(argument), why };
        let form = Form::parse(args).map_err(|why| Unfit { argument: None, why })?;
        // Another number of bits alone would not help.
        let lacks_alpha = match form.bits > 8 {
            true => (form.masks[3] == 0).then_some(NO_MASK),
            false => (form.colors > 0 && form.entry == 3).then_some(OPAQUE),
        };
        if let Some(why) = lacks_alpha
            && data.chunks_exact(4).any(|pixel| pixel[3] != 255)
        {
            return Err(unfit(ALPHA)(why.into()));
        }
        if form.bits > 8 {
            return form.numbers(data).map(drop).map_err(unfit(0));
        }
        // With more entries there may be room, unless there cannot be more.
        if form.colors == 0 {
            return form.used(data).map(drop).map_err(unfit(0));
        }
        form.used(data).map(drop).map_err(|why| {
            let most = 1 << form.bits;
            let few = form.colors < places(data, most).map_or(most, |used| used.len());
            unfit(if few { 2 } else { 0 })(why)
        })
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let form = Form::parse(args).ok()?;
        let mut own = Choices::new();
        if form.bits > 8 {
            if form.loose() != 0 {
                let same = |padding| {
                    let mut given = Choices::new();
                    given.set(UNUSED, padding);
                    let mut source = ChoiceSource::replaying(given);
                    let made = self.encode(data, Encoding::any_length(args, &mut source));
                    made.is_ok_and(|made| made == stored)
                };
                own.set(UNUSED, ["zeros", "ones"].into_iter().find(|p| same(*p))?);
            }
            return Some(own);
        }
        let used = form.used(data).ok()?;
        for (order, order_word) in ORDERS.iter().enumerate() {
            for (rest, rest_word) in RESTS.iter().enumerate() {
                for (word, unused) in Padding::WORDS {
                    let made = indexed(
                        &form,
                        data,
                        &used,
                        Policy::Word(order),
                        Policy::Word(rest),
                        unused,
                    );
                    if made != stored {
                        continue;
                    }
                    if form.colors > 1 {
                        own.set(ORDER, *order_word);
                    }
                    if form.colors > used.len() {
                        own.set(REST, *rest_word);
                    }
                    if form.left() > 0 {
                        own.set(UNUSED, word);
                    }
                    return Some(own);
                }
            }
        }
        None
    }
}

/// The colours of pixels, in the order of first use; `None` if there are more than `most`.
fn places(data: &[u8], most: usize) -> Option<Vec<[u8; 4]>> {
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for pixel in data.chunks_exact(4) {
        let color = [pixel[0], pixel[1], pixel[2], pixel[3]];
        if out.last() != Some(&color) && seen.insert(color) {
            if out.len() == most {
                return None;
            }
            out.push(color);
        }
    }
    Some(out)
}

fn indexed(
    form: &Form,
    data: &[u8],
    used: &[[u8; 4]],
    order: Policy,
    rest: Policy,
    unused: Padding,
) -> Vec<u8> {
    // The entry of each colour; the remaining entries are unused.
    let mut slots: Vec<usize> = (0..form.colors).collect();
    match order.rng() {
        Some(mut rng) => slots.shuffle(&mut rng),
        None if order == Policy::Word(1) => slots[..used.len()].reverse(),
        None => {}
    }
    let mut palette = vec![[0, 0, 0, 255]; form.colors];
    let mut names: BTreeMap<[u8; 4], Vec<usize>> = BTreeMap::new();
    for (color, slot) in used.iter().zip(&slots) {
        palette[*slot] = *color;
        names.entry(*color).or_default().push(*slot);
    }
    let mut rng = rest.rng();
    for (k, slot) in slots[used.len()..].iter().enumerate() {
        if let Some(rng) = &mut rng {
            palette[*slot] = rng.random();
            // If all colours in use are opaque, so are the others.
            if used.iter().all(|color| color[3] == 255) {
                palette[*slot][3] = 255;
            }
        } else if rest == Policy::Word(1) && !used.is_empty() {
            let color = used[k % used.len()];
            palette[*slot] = color;
            names.entry(color).or_default().push(*slot);
        }
    }
    let mut out: Vec<u8> = palette.iter().flat_map(|color| &color[..form.entry]).copied().collect();
    let mut padding = unused.bytes();
    let mut turn = 0;
    for row in data.chunks_exact(4 * form.width) {
        let mut bytes = vec![0u8; form.row()];
        for (x, pixel) in row.chunks_exact(4).enumerate() {
            let place = if form.colors == 0 {
                pixel[0] / (255 / (u8::MAX >> (8 - form.bits)))
            } else {
                let names = &names[&[pixel[0], pixel[1], pixel[2], pixel[3]]];
                turn += 1;
                names[turn % names.len()] as u8
            };
            bytes[x * form.bits / 8] |= place << (8 - form.bits - x * form.bits % 8);
        }
        let any = padding();
        if let Some(last) = bytes.last_mut() {
            *last |= any & ((1u16 << form.left()) - 1) as u8;
        }
        out.extend(bytes);
    }
    out
}
