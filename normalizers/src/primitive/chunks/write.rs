//! The choices of the encoder: order, other chunks, pieces, padding, lengths of boxes.

use inverter::solve::{ChoiceError, ChoiceSource};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::form::{Form, Length, Name};
use super::pattern::{Pattern, Step, Times};
use crate::primitive::padding::Padding;
use crate::primitive::policy::Policy;

/// The dimension of the order of chunks that are shuffled.
pub(super) const ORDER: &str = "chunk order";
/// The dimension of chunks that are not listed.
pub(super) const OTHERS: &str = "other chunks";
/// The dimension of contents that may be cut.
pub(super) const PIECES: &str = "pieces";
/// The dimension of the bytes after contents of odd length.
pub(super) const PADDING: &str = "chunk padding";
/// The dimension of the forms of lengths of boxes.
pub(super) const LENGTHS: &str = "box lengths";

/// The choices that decide which chunks there are.
pub(super) struct Style {
    order: Policy,
    others: Policy,
    pieces: Policy,
}

/// The maximum number of bytes of an unlisted chunk.
const MOST: usize = 40;

impl Style {
    /// Makes the choices that exist for these contents.
    pub(super) fn choose(
        form: Form,
        pattern: &Pattern,
        contents: &[&[u8]],
        source: &mut ChoiceSource,
    ) -> Result<Style, ChoiceError> {
        let several = |s: &Step| match s {
            Step::Shuffled { chunks, .. } => {
                chunks.iter().filter(|k| present(pattern, **k, contents)).count() > 1
            }
            _ => false,
        };
        let others = pattern.has_others() && !names(form, pattern).is_empty();
        let cut = pattern.listed.iter().any(|l| l.times == Times::Pieces);
        let mut choose = |exists: bool, dimension, words: &[&str]| match exists {
            true => Policy::choose(source, dimension, words),
            false => Ok(Policy::Word(0)),
        };
        Ok(Style {
            order: choose(pattern.steps.iter().any(several), ORDER, &["listed", "reversed"])?,
            others: choose(others, OTHERS, &["none"])?,
            pieces: choose(cut, PIECES, &["one", "bytes"])?,
        })
    }
}

/// Returns true if the chunk at this position in the list occurs.
fn present(pattern: &Pattern, place: usize, contents: &[&[u8]]) -> bool {
    pattern.listed[place].times != Times::Optional || !contents[place].is_empty()
}

/// Returns the names of chunks that may be added.
fn names(form: Form, pattern: &Pattern) -> Vec<&'static Name> {
    form.ignored().iter().copied().filter(|name| pattern.find(name).is_none()).collect()
}

/// A chunk to be written.
pub(super) type Chunk = (Name, Vec<u8>);

/// Returns the chunks of these contents in their order.
pub(super) fn chunks(
    form: Form,
    pattern: &Pattern,
    contents: &[&[u8]],
    style: &Style,
) -> Vec<Chunk> {
    let names = names(form, pattern);
    let mut more = style.others.rng();
    let mut order = style.order.rng();
    let mut out = Vec::new();
    let listed = |out: &mut Vec<Chunk>, place: usize| {
        if !present(pattern, place, contents) {
            return;
        }
        let listed = pattern.listed[place];
        let content = contents[place];
        if listed.times == Times::Pieces && !content.is_empty() {
            out.extend(
                cut(content, style.pieces).into_iter().map(|piece| (listed.name, piece.to_vec())),
            );
        } else {
            out.push((listed.name, content.to_vec()));
        }
    };
    let mut others = |out: &mut Vec<Chunk>| {
        if let Some(rng) = &mut more {
            ignored(out, &names, rng);
        }
    };
    for step in &pattern.steps {
        match step {
            Step::Chunk(place) => listed(&mut out, *place),
            Step::Others => others(&mut out),
            Step::Shuffled { chunks, others: between } => {
                let mut chunks = chunks.clone();
                match &mut order {
                    Some(rng) => chunks.shuffle(rng),
                    None if style.order == Policy::Word(0) => {}
                    None => chunks.reverse(),
                }
                for place in chunks {
                    if *between {
                        others(&mut out);
                    }
                    listed(&mut out, place);
                }
                if *between {
                    others(&mut out);
                }
            }
        }
    }
    out
}

/// Cuts a content into pieces: a single one, one for each byte, or pieces that end at random places, some of them
/// empty.
pub(in crate::primitive) fn cut(content: &[u8], policy: Policy) -> Vec<&[u8]> {
    let mut rng = match (policy.rng(), policy) {
        (Some(rng), _) => rng,
        (None, Policy::Word(1)) => return content.chunks(1).collect(),
        (None, _) => return vec![content],
    };
    let most = 1 << rng.random_range(2..=12);
    let (mut rest, mut out) = (content, Vec::new());
    loop {
        let (piece, after) = rest.split_at(rng.random_range(0..=most).min(rest.len()));
        out.push(piece);
        rest = after;
        if rest.is_empty() {
            return out;
        }
    }
}

/// Appends up to two chunks that readers ignore.
fn ignored(out: &mut Vec<Chunk>, names: &[&'static Name], rng: &mut ChaCha8Rng) {
    for _ in 0..rng.random_range(0..=2) {
        let Some(name) = names.choose(rng) else { return };
        let content = (0..rng.random_range(0..=MOST)).map(|_| rng.random()).collect();
        out.push((**name, content));
    }
}

/// Appends the bytes of these chunks.
pub(super) fn write(
    form: Form,
    pattern: &Pattern,
    chunks: &[Chunk],
    source: &mut ChoiceSource,
    out: &mut Vec<u8>,
) -> Result<(), ChoiceError> {
    let padding = match chunks.iter().any(|(_, content)| form.pads(content)) {
        true => Padding::choose(source, PADDING)?,
        false => Padding::Zeros,
    };
    let mut pad = padding.bytes();
    let lengths = match (form, pattern.open) {
        (Form::Box, true) => Policy::choose(source, LENGTHS, &["short", "long", "open"])?,
        (Form::Box, false) => Policy::choose(source, LENGTHS, &["short", "long"])?,
        _ => Policy::Word(0),
    };
    let mut any = lengths.rng();
    for (k, (name, content)) in chunks.iter().enumerate() {
        let last = pattern.open && k + 1 == chunks.len();
        let length = match (&mut any, lengths) {
            (Some(rng), _) => match rng.random_range(0..4) {
                0 => Length::Long,
                1 if last => Length::Open,
                _ => Length::Short,
            },
            (None, Policy::Word(1)) => Length::Long,
            (None, Policy::Word(2)) if last => Length::Open,
            _ => Length::Short,
        };
        let pad = if form.pads(content) { pad() } else { 0 };
        form.write_as(out, name, content, length, pad);
    }
    Ok(())
}
