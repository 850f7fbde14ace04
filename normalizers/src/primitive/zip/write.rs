//! Writes an archive.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::super::deflate::raw::Raw;
use super::super::policy::Policy;
use super::model::*;

pub(super) const METHODS: [&str; 2] = ["deflated", "stored"];
pub(super) const ORDERS: [&str; 2] = ["directory", "reversed"];
pub(super) const DESCRIPTORS: [&str; 3] = ["none", "signed", "unsigned"];
pub(super) const ZIP64S: [&str; 4] = ["none", "local", "central", "both"];
pub(super) const ENDS: [&str; 3] = ["none", "present", "marked"];

/// The choices of an archive's writer.
pub(super) struct Style {
    pub(super) methods: Policy,
    pub(super) deflate: Raw,
    pub(super) order: Policy,
    pub(super) prefix: Policy,
    pub(super) descriptors: Policy,
    pub(super) zip64: Policy,
    /// An index into [`ENDS`].
    pub(super) end: usize,
    pub(super) extra: Policy,
    pub(super) comments: Policy,
    pub(super) comment: Policy,
    /// True if the version needed by readers is at least 2.0.
    pub(super) version: bool,
    pub(super) effort: u16,
    pub(super) utf8: bool,
    pub(super) by: u8,
}

/// A policy with a word of a list for each entry.
struct Words(Policy, Option<ChaCha8Rng>, usize);

impl Words {
    fn new(policy: Policy, count: usize) -> Self {
        Self(policy, policy.rng(), count)
    }

    fn next(&mut self) -> usize {
        match (&mut self.1, self.0) {
            (Some(rng), _) => rng.random_range(0..self.2),
            (None, Policy::Word(k)) => k,
            (None, Policy::Random(_)) => 0,
        }
    }
}

/// The form of an entry.
struct Form {
    method: u16,
    flags: u16,
    /// The data descriptor, if there is one; true if it has a signature.
    descriptor: Option<bool>,
    /// True if the local header has 64-bit numbers; and, for the length, the stored length and the offset in the
    /// central header, true if the number has 64 bits.
    local: bool,
    central: [bool; 3],
    extra: [Vec<u8>; 2],
    comment: Vec<u8>,
    data: Vec<u8>,
}

/// Draws letters and spaces, which contain no signature.
fn text(rng: &mut ChaCha8Rng, length: usize) -> Vec<u8> {
    (0..length).map(|_| *b" abcdefghijklmnopqrstuvwxyz".choose(rng).unwrap_or(&b' ')).collect()
}

/// Extra fields without a meaning for current readers: unregistered identifiers.
fn extra(rng: &mut Option<ChaCha8Rng>) -> Vec<u8> {
    let mut out = Vec::new();
    let Some(rng) = rng else { return out };
    for _ in 0..rng.random_range(0..=3) {
        let id = [0x3e15u16, 0x4c6a, 0x9d2f].choose(rng).copied().unwrap_or(0x3e15);
        let length = rng.random_range(0..=40);
        out.extend(id.to_le_bytes());
        out.extend((length as u16).to_le_bytes());
        out.extend(text(rng, length));
    }
    out
}

fn forms(entries: &[Entry<'_>], style: &Style) -> Vec<Form> {
    let mut methods = Words::new(style.methods, METHODS.len());
    let mut descriptors = Words::new(style.descriptors, DESCRIPTORS.len());
    let mut zip64s = Words::new(style.zip64, ZIP64S.len());
    let mut wide = style.zip64.rng();
    let mut extras = style.extra.rng();
    let mut comments = style.comments.rng();
    let form = |entry: &Entry<'_>| {
        // A file without content has no data (4.3.8), not even an empty stream.
        let stored = methods.next() == 1 || entry.content.is_empty();
        let (descriptor, zip64) = (descriptors.next(), zip64s.next());
        let mut flags = if style.utf8 { UTF8 } else { 0 };
        if !stored {
            flags |= style.effort << 1;
        }
        if descriptor > 0 {
            flags |= STREAMED;
        }
        let central = match (&mut wide, zip64 >= 2) {
            (_, false) => [false; 3],
            (Some(rng), _) => [rng.random(), rng.random(), rng.random()],
            (None, _) => [true; 3],
        };
        let extra = [extra(&mut extras), extra(&mut extras)];
        let comment = comments.as_mut().map(|rng| {
            let length = rng.random_range(0..=40);
            text(rng, length)
        });
        Form {
            method: if stored { STORED } else { DEFLATED },
            flags,
            descriptor: (descriptor > 0).then_some(descriptor == 1),
            // If sizes are only known after the data, the standard contradicts itself (4.4.4 and 4.5.3).
            local: zip64 % 2 == 1 && descriptor == 0,
            central,
            extra,
            comment: comment.unwrap_or_default(),
            data: if stored { entry.content.to_vec() } else { style.deflate.write(entry.content) },
        }
    };
    entries.iter().map(form).collect()
}

/// The fields of both headers: version, flags, method, time, date, checksum, sizes, lengths of name and of extra fields.
fn common(
    out: &mut Vec<u8>,
    entry: &Entry<'_>,
    form: &Form,
    version: u16,
    numbers: [u32; 3],
    extra: usize,
) {
    for field in [version, form.flags, form.method, entry.date as u16, (entry.date >> 16) as u16] {
        out.extend(field.to_le_bytes());
    }
    numbers.iter().for_each(|n| out.extend(n.to_le_bytes()));
    out.extend((entry.name.len() as u16).to_le_bytes());
    out.extend((extra as u16).to_le_bytes());
}

/// The ZIP64 field of these numbers, if there are any, before or after the other fields.
fn with_wide(extra: &[u8], numbers: &[u64]) -> Vec<u8> {
    if numbers.is_empty() {
        return extra.to_vec();
    }
    let mut wide = ZIP64.to_le_bytes().to_vec();
    wide.extend((8 * numbers.len() as u16).to_le_bytes());
    numbers.iter().for_each(|n| wide.extend(n.to_le_bytes()));
    // The length of the other fields decides the order, so it needs no separate dimension.
    match extra.len() % 2 {
        0 => [&wide, extra].concat(),
        _ => [extra, &wide].concat(),
    }
}

/// Writes an archive of these files.
pub(super) fn write(entries: &[Entry<'_>], style: &Style) -> Vec<u8> {
    let forms = forms(entries, style);
    let version = |form: &Form, wide: bool| match (wide, form.method, style.version) {
        (true, ..) => 45,
        (_, STORED, false) => 10,
        _ => 20,
    };
    let mut out = Vec::new();
    if let Some(mut rng) = style.prefix.rng() {
        let length = rng.random_range(1..=300);
        out.extend(text(&mut rng, length));
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    match (style.order.rng(), style.order) {
        (Some(mut rng), _) => order.shuffle(&mut rng),
        (None, Policy::Word(1)) => order.reverse(),
        (None, _) => {}
    }
    let mut offsets = vec![0; entries.len()];
    for k in order {
        offsets[k] = out.len() as u64;
        local(&mut out, &entries[k], &forms[k], version(&forms[k], forms[k].local));
    }
    let start = out.len();
    for ((entry, form), offset) in entries.iter().zip(&forms).zip(&offsets) {
        let version = version(form, form.local || form.central != [false; 3]);
        central(&mut out, entry, form, *offset, [version, u16::from(style.by)]);
    }
    end(&mut out, entries.len(), start, style);
    out
}

fn local(out: &mut Vec<u8>, entry: &Entry<'_>, form: &Form, version: u16) {
    let crc = crc32fast::hash(entry.content);
    let sizes = [form.data.len(), entry.content.len()];
    let [stored, length] = sizes.map(|n| n as u32);
    let (numbers, wide) = match (form.descriptor, form.local) {
        (Some(_), _) => ([0; 3], vec![]),
        (None, true) => ([crc, ELSEWHERE, ELSEWHERE], vec![u64::from(length), stored.into()]),
        (None, false) => ([crc, stored, length], vec![]),
    };
    let extra = with_wide(&form.extra[0], &wide);
    out.extend(LOCAL);
    common(out, entry, form, version, numbers, extra.len());
    out.extend(entry.name);
    out.extend(extra);
    out.extend(&form.data);
    if let Some(signed) = form.descriptor {
        if signed {
            out.extend(DESCRIPTOR);
        }
        [crc, stored, length].iter().for_each(|n| out.extend(n.to_le_bytes()));
    }
}

/// Writes a central header; `versions` are the required one, and the one of its writer.
fn central(out: &mut Vec<u8>, entry: &Entry<'_>, form: &Form, offset: u64, versions: [u16; 2]) {
    let numbers = [entry.content.len() as u64, form.data.len() as u64, offset];
    let marked = form.central;
    let wide: Vec<u64> =
        numbers.iter().zip(marked).filter(|(_, marked)| *marked).map(|(n, _)| *n).collect();
    let shown = |k: usize| if marked[k] { ELSEWHERE } else { numbers[k] as u32 };
    let extra = with_wide(&form.extra[1], &wide);
    out.extend(CENTRAL);
    out.extend((u16::from(entry.host) << 8 | versions[1]).to_le_bytes());
    let crc = crc32fast::hash(entry.content);
    common(out, entry, form, versions[0], [crc, shown(1), shown(0)], extra.len());
    out.extend((form.comment.len() as u16).to_le_bytes());
    out.extend([0; 2]);
    out.extend(entry.internal.to_le_bytes());
    out.extend(entry.external.to_le_bytes());
    out.extend(shown(2).to_le_bytes());
    out.extend(entry.name);
    out.extend(extra);
    out.extend(&form.comment);
}

/// Writes the end records.
fn end(out: &mut Vec<u8>, count: usize, start: usize, style: &Style) {
    let at = out.len();
    let length = at - start;
    if style.end > 0 {
        out.extend(END64);
        out.extend((END64_SIZE as u64 - 12).to_le_bytes());
        out.extend([style.by, 0, 45, 0]);
        out.extend([0; 8]);
        [count, count, length, start].iter().for_each(|n| out.extend((*n as u64).to_le_bytes()));
        out.extend(LOCATOR);
        out.extend([0; 4]);
        out.extend((at as u64).to_le_bytes());
        out.extend(1u32.to_le_bytes());
    }
    let marked = style.end == 2;
    out.extend(END);
    out.extend([0; 4]);
    let count = if marked { u16::MAX } else { count as u16 };
    out.extend([count, count].map(u16::to_le_bytes).concat());
    let numbers = [length, start].map(|n| if marked { ELSEWHERE } else { n as u32 });
    out.extend(numbers.map(u32::to_le_bytes).concat());
    let comment = style.comment.rng().map(|mut rng| {
        let length = rng.random_range(1..=300);
        text(&mut rng, length)
    });
    let comment = comment.unwrap_or_default();
    out.extend((comment.len() as u16).to_le_bytes());
    out.extend(comment);
}
