//! Reads and writes the chunks of AIFF and AIFF-C files.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::chunks::Form;
use super::policy::Policy;

/// `aiff_chunks(x.file)`: returns a byte that is 1 for AIFF-C and 0 for AIFF, the 18 bytes of `COMM` that
/// both have, the four bytes of the compression type, which are zeros in AIFF, and the samples of `SSND`.
///
/// Sources: Audio Interchange File Format, version 1.3, and AIFF-C, draft of 1991 (Apple). Chunks may
/// be in any order, and are padded to an even length, which is not part of their size. There is one
/// `COMM`, one `SSND`, and in AIFF-C one `FVER`. Other chunks and the name of the compression type are
/// ignored. Samples begin at the offset that `SSND` states, and are as many as `COMM` states; other bytes
/// of `SSND` are allowed only if it has blocks.
///
/// | dimension | value | |
/// |---|---|---|
/// | `chunk order` | `usual`, `sound first`, `random:N` | `FVER`, `COMM`, `SSND`; the opposite; any order |
/// | `other chunks` | `none`, `random:N` | `NAME`, `ANNO`, `APPL`, `MARK` and unknown chunks, before, between and after the others |
/// | `name` | `usual`, `empty`, `random:N` | the name of the compression type, in AIFF-C |
/// | `blocks` | `none`, `random:N` | none; blocks of 16 to 512 bytes, and zeros before or after the samples that fill the last one |
pub struct AiffChunks;

const ORDER: &str = "chunk order";
const ORDERS: [&str; 2] = ["usual", "sound first"];
const OTHERS: &str = "other chunks";
const NAME: &str = "name";
const BLOCKS: &str = "blocks";
const NAMES: [&str; 2] = ["usual", "empty"];

/// The number of bytes of `COMM` in AIFF, and the number of bytes of the compression type.
const COMMON: usize = 18;
const TYPE: usize = 4;

/// The time that `FVER` names as the version of AIFF-C.
const VERSION: [u8; 4] = [0xa2, 0x80, 0x51, 0x40];

/// The content of a file.
#[derive(Clone, Copy)]
struct Parts<'a> {
    compressed: bool,
    /// The content of `COMM` in AIFF, and the compression type.
    common: &'a [u8],
    kind: &'a [u8],
    /// The samples alone.
    sound: &'a [u8],
}

fn chunk(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    Form::Iff.write(out, name, data);
}

fn length(digits: &[u8]) -> usize {
    digits.iter().fold(0, |n, b| n << 8 | usize::from(*b))
}

fn read(file: &[u8]) -> Result<Parts<'_>, PrimitiveError> {
    let (head, rest) = file.split_at_checked(12).ok_or("there is no FORM")?;
    let compressed = match (&head[..4], &head[8..]) {
        (b"FORM", b"AIFF") => false,
        (b"FORM", b"AIFC") => true,
        _ => return Err("it is no FORM of the type AIFF or AIFC".into()),
    };
    let stated = length(&head[4..8]);
    if stated != file.len() - 8 {
        let found = file.len() - 8;
        return Err(format!("FORM has a size of {stated}, and {found} bytes").into());
    }
    let (mut version, mut common, mut sound) = (None, None, None);
    for chunk in Form::Iff.chunks(rest) {
        let (name, data) = chunk?;
        let place = match name {
            b"FVER" => &mut version,
            b"COMM" => &mut common,
            b"SSND" => &mut sound,
            _ => continue,
        };
        if place.replace(data).is_some() {
            return Err(format!("{} occurs twice", String::from_utf8_lossy(name)).into());
        }
    }
    if compressed != (version == Some(&VERSION[..])) {
        return Err("FVER is missing, wrong, or in a file without compression type".into());
    }
    let (Some(common), Some(sound)) = (common, sound) else {
        return Err("the COMM or SSND chunk is missing".into());
    };
    let (common, kind) = common.split_at_checked(COMMON).ok_or("COMM is too short")?;
    let named = |name: u8| TYPE + (1 + usize::from(name)).next_multiple_of(2);
    let kind = match (compressed, kind) {
        (false, []) => &[0; TYPE],
        // The name is a string with its length, padded to an even length.
        (true, _) if kind.get(TYPE).is_some_and(|n| kind.len() == named(*n)) => &kind[..TYPE],
        _ => return Err("COMM is of another length than its form has".into()),
    };
    Ok(Parts { compressed, common, kind, sound: samples(common, sound)? })
}

/// Returns the length of the samples that `COMM` states.
fn stated(common: &[u8]) -> usize {
    let [channels, frames, bits] = [0..2, 2..6, 6..8].map(|at| length(&common[at]));
    channels.saturating_mul(frames).saturating_mul(bits.div_ceil(8))
}

/// Returns the samples in the content of `SSND`.
fn samples<'a>(common: &[u8], sound: &'a [u8]) -> Result<&'a [u8], PrimitiveError> {
    let (head, data) = sound.split_at_checked(8).ok_or("SSND is too short")?;
    let (offset, block) = (length(&head[..4]), length(&head[4..]));
    let size = stated(common);
    let samples = data.get(offset..).and_then(|rest| rest.get(..size));
    let samples = samples.ok_or("SSND has fewer samples than COMM states")?;
    if block == 0 && (offset > 0 || data.len() > size) {
        return Err("SSND has no blocks, and other bytes than samples".into());
    }
    Ok(samples)
}

/// Returns the content of `SSND` that has these samples.
fn sound(samples: &[u8], blocks: Policy) -> Vec<u8> {
    let mut out = vec![0; 8];
    let Some(mut rng) = blocks.rng() else {
        out.extend(samples);
        return out;
    };
    let block = 1usize << rng.random_range(4..=9);
    let fill = samples.len().next_multiple_of(block) - samples.len();
    let offset = if rng.random() { fill } else { 0 };
    out[..4].copy_from_slice(&(offset as u32).to_be_bytes());
    out[4..].copy_from_slice(&(block as u32).to_be_bytes());
    out.resize(8 + offset, 0);
    out.extend(samples);
    out.resize(8 + samples.len() + fill, 0);
    out
}

fn parts(data: &[u8]) -> Result<Parts<'_>, PrimitiveError> {
    let Some((head, sound)) = data.split_at_checked(1 + COMMON + TYPE) else {
        return Err(format!("{} bytes are too few", data.len()).into());
    };
    let (common, kind) = head[1..].split_at(COMMON);
    if head[0] > 1 || head[0] == 0 && kind != [0; TYPE] {
        return Err(format!("the form {} with a compression type of {kind:?}", head[0]).into());
    }
    if stated(common) != sound.len() {
        return Err(format!(
            "{} bytes of samples, and COMM states {}",
            sound.len(),
            stated(common)
        )
        .into());
    }
    Ok(Parts { compressed: head[0] == 1, common, kind, sound })
}

/// Returns the name of a compression type, with its length.
fn name(policy: Policy) -> Vec<u8> {
    let mut text = match (policy.rng(), policy) {
        (Some(mut rng), _) => {
            (0..rng.random_range(0..=60)).map(|_| rng.random_range(b' '..=b'~')).collect()
        }
        (None, Policy::Word(0)) => b"not compressed".to_vec(),
        (None, _) => Vec::new(),
    };
    text.insert(0, text.len() as u8);
    text.resize(text.len().next_multiple_of(2), 0);
    text
}

/// The form of a file.
#[derive(Clone, Copy)]
struct Style {
    order: Policy,
    others: Policy,
    name: Policy,
    blocks: Policy,
}

fn write(parts: Parts<'_>, style: Style) -> Vec<u8> {
    let sound = sound(parts.sound, style.blocks);
    let mut common = parts.common.to_vec();
    let mut main = vec![(b"SSND", &sound[..])];
    if parts.compressed {
        common.extend(parts.kind);
        common.extend(name(style.name));
    }
    main.insert(0, (b"COMM", &common));
    if parts.compressed {
        main.insert(0, (b"FVER", &VERSION[..]));
    }
    match style.order.rng() {
        Some(mut rng) => main.shuffle(&mut rng),
        None if style.order == Policy::Word(0) => {}
        None => main.reverse(),
    }
    let mut rng = style.others.rng();
    let mut out = b"FORM\0\0\0\0AIFF".to_vec();
    if parts.compressed {
        out[11] = b'C';
    }
    let mut more = |out: &mut Vec<u8>| {
        if let Some(rng) = &mut rng {
            ignored(out, rng);
        }
    };
    for (name, data) in main {
        more(&mut out);
        chunk(&mut out, name, data);
    }
    more(&mut out);
    let size = (out.len() - 8) as u32;
    out[4..8].copy_from_slice(&size.to_be_bytes());
    out
}

/// Writes up to two chunks that do not affect samples.
fn ignored(out: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    for _ in 0..rng.random_range(0..=2) {
        let any: Vec<u8> = (0..rng.random_range(0..=40)).map(|_| rng.random()).collect();
        let text: Vec<u8> = any.iter().map(|b| b'a' + b % 26).collect();
        match rng.random_range(0..5) {
            0 => chunk(out, b"NAME", &text),
            1 => chunk(out, b"ANNO", &text),
            2 => chunk(out, b"APPL", &[b"rpfz", &any[..]].concat()),
            // No marker at all.
            3 => chunk(out, b"MARK", &[0, 0]),
            _ => chunk(out, b"rpfz", &any),
        }
    }
}

impl Primitive for AiffChunks {
    fn signature(&self) -> Signature<'_> {
        Signature::new("aiff_chunks").dimensions(&[ORDER, OTHERS, NAME, BLOCKS])
    }

    fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        let Parts { compressed, common, kind, sound } = read(stored)?;
        Ok([&[u8::from(compressed)], common, kind, sound].concat())
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let parts = parts(data)?;
        let style = Style {
            order: Policy::choose(source, ORDER, &ORDERS)?,
            others: Policy::choose(source, OTHERS, &["none"])?,
            name: match parts.compressed {
                true => Policy::choose(source, NAME, &NAMES)?,
                false => Policy::Word(0),
            },
            blocks: Policy::choose(source, BLOCKS, &["none"])?,
        };
        of_length(write(parts, style), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        parts(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns the choices of the plainest file, if the file has that form, with either of the two names.
    fn own_choices(&self, stored: &[u8], data: &[u8], _: &[i128]) -> Option<Choices> {
        let parts = parts(data).ok()?;
        let [order, others, blocks] = [Policy::Word(0); 3];
        let named = (0..2).find(|k| {
            let name = Policy::Word(*k);
            write(parts, Style { order, others, name, blocks }) == stored
        })?;
        let mut own = Choices::new();
        own.set(ORDER, ORDERS[0]);
        own.set(OTHERS, "none");
        own.set(BLOCKS, "none");
        if parts.compressed {
            own.set(NAME, NAMES[named]);
        }
        Some(own)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;

    use super::*;

    /// A FORM with these chunks.
    fn form(kind: &[u8; 4], chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut out = [&b"FORM\0\0\0\0"[..], kind].concat();
        for (name, data) in chunks {
            chunk(&mut out, name, data);
        }
        out[7] = (out.len() - 8) as u8;
        out
    }

    fn decoded(file: &[u8]) -> Result<Vec<u8>, PrimitiveError> {
        AiffChunks.decode(file, &[], 99)
    }

    /// One channel, three frames, eight bits.
    const PLAIN: &[u8] = b"\0\x01\0\0\0\x03\0\x08ten bytes.";
    const TYPED: &[u8] = b"\0\x01\0\0\0\x03\0\x08ten bytes.sowt\x02no\0";
    const SOUND: &[u8] = b"\0\0\0\0\0\0\0\0xyz";
    const BLOCK: &[u8] = b"\0\0\0\x01\0\0\0\x05?xyz?";

    #[test]
    fn chunks_are_found_in_any_order() {
        let file = form(b"AIFF", &[(b"SSND", SOUND), (b"odd!", b"?"), (b"COMM", PLAIN)]);
        assert_eq!(decoded(&file).unwrap(), [b"\0", PLAIN, b"\0\0\0\0xyz"].concat());
        let file = form(b"AIFC", &[(b"COMM", TYPED), (b"FVER", &VERSION), (b"SSND", BLOCK)]);
        assert_eq!(decoded(&file).unwrap(), [b"\x01", PLAIN, b"sowtxyz"].concat());
    }

    #[test]
    fn files_that_the_standard_does_not_allow_are_refused() {
        let mut long = form(b"AIFF", &[(b"SSND", SOUND), (b"COMM", PLAIN)]);
        long.push(0);
        let mut cut = form(b"AIFF", &[(b"COMM", PLAIN), (b"SSND", SOUND)]);
        cut.pop();
        cut[7] -= 1;
        for (file, why) in [
            (form(b"8SVX", &[]), "no FORM of the type"),
            (long, "FORM has a size"),
            (cut, "cut off"),
            (form(b"AIFF", &[(b"SSND", b""), (b"SSND", b"")]), "SSND occurs twice"),
            (form(b"AIFF", &[(b"SSND", b"")]), "is missing"),
            (form(b"AIFC", &[(b"SSND", b""), (b"COMM", TYPED)]), "FVER"),
            (form(b"AIFF", &[(b"SSND", b""), (b"COMM", TYPED)]), "another length"),
            (form(b"AIFF", &[(b"SSND", b""), (b"COMM", b"")]), "COMM is too short"),
            (form(b"AIFF", &[(b"SSND", b""), (b"COMM", PLAIN)]), "SSND is too short"),
            (form(b"AIFF", &[(b"SSND", &SOUND[..10]), (b"COMM", PLAIN)]), "fewer samples"),
            (form(b"AIFF", &[(b"SSND", &[SOUND, b"."].concat()), (b"COMM", PLAIN)]), "no blocks"),
        ] {
            let found = decoded(&file).unwrap_err().to_string();
            assert!(found.contains(why), "{why}: {found}");
        }
    }

    #[test]
    fn files_are_made_in_many_ways() {
        let plain = [b"\0", PLAIN, b"\0\0\0\0xyz"].concat();
        for data in [&plain, &[b"\x01", PLAIN, b"sowtxyz"].concat()] {
            let made = encodings(&AiffChunks, &[], data, 100).unwrap();
            assert!(made.len() > 30, "{}", made.len());
        }
        assert!(AiffChunks.accepts(&plain[..plain.len() - 1], &[]).is_err());
        assert!(AiffChunks.accepts(&[b"\x02", &plain[1..]].concat(), &[]).is_err());
    }
}
