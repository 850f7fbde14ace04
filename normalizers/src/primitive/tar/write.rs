//! Writes an archive.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::super::padding::Padding;
use super::super::policy::Policy;
use super::entry::{BLOCK, Entry};

pub(super) const KINDS: [&str; 4] = ["ustar", "gnu", "v7", "pax"];
pub(super) const NUMBERS: [&str; 4] = ["zeros", "spaces", "short", "base-256"];

/// Kinds of headers, as indices into [`KINDS`].
const USTAR: usize = 0;
const GNU: usize = 1;
const V7: usize = 2;
const PAX: usize = 3;

/// The choices of an archive's writer.
pub(super) struct Style {
    pub(super) headers: Policy,
    pub(super) numbers: Policy,
    /// True if names are split at the first slash, even if they need not be split.
    pub(super) split_first: bool,
    /// True if the type of a regular file is a NUL, as before POSIX.
    pub(super) nul: bool,
    pub(super) padding: Padding,
    /// The end of the archive: two blocks, a whole record, or one block.
    pub(super) end: usize,
}

struct Writer {
    style: Style,
    out: Vec<u8>,
    headers: Option<ChaCha8Rng>,
    numbers: Option<ChaCha8Rng>,
}

/// Writes an archive of these files.
pub(super) fn write(entries: &[Entry], style: Style) -> Vec<u8> {
    let (headers, numbers) = (style.headers.rng(), style.numbers.rng());
    let mut w = Writer { out: Vec::new(), headers, numbers, style };
    let mut fill = w.style.padding.bytes();
    for entry in entries {
        w.entry(entry);
        w.out.extend(&entry.content);
        while !w.out.len().is_multiple_of(BLOCK) {
            w.out.push(fill());
        }
    }
    let blocks = w.out.len() / BLOCK;
    let zeros = match w.style.end {
        0 => 2,
        1 => (blocks + 2).next_multiple_of(20) - blocks,
        _ => 1,
    };
    w.out.resize((blocks + zeros) * BLOCK, 0);
    w.out
}

impl Writer {
    fn entry(&mut self, entry: &Entry) {
        let kind = match (&mut self.headers, self.style.headers) {
            (Some(rng), _) => rng.random_range(0..KINDS.len()),
            (None, Policy::Word(k)) => k,
            (None, Policy::Random(_)) => USTAR,
        };
        let split = split(&entry.name, self.style.split_first);
        // Owners have seven digits, and names in old headers have at most a hundred bytes.
        let large = entry.numbers[1..3].iter().any(|n| *n > 0o777_7777);
        let (fits, digits) = (entry.name.len() <= 100, self.style.numbers);
        let kind = match kind {
            V7 if !fits || large => PAX,
            USTAR if split.is_none() || large => PAX,
            kind => kind,
        };
        match kind {
            PAX => {
                let mut records = record("path", &entry.name);
                for (key, n) in ["uid", "gid", "mtime"].into_iter().zip(&entry.numbers[1..]) {
                    records.extend(record(key, n.to_string().as_bytes()));
                }
                records.extend(record("size", entry.content.len().to_string().as_bytes()));
                let name = b"PaxHeaders/entry";
                self.header(USTAR, b"", name, [0o644, 0, 0, 0], records.len(), b'x');
                self.block(&records);
                let shown = entry.numbers.map(|n| if n > 0o777_7777 { 0 } else { n });
                let shown = [shown[0], shown[1], shown[2], entry.numbers[3]];
                let name = &entry.name[..entry.name.len().min(100)];
                self.header(USTAR, b"", name, shown, entry.content.len(), b'0');
            }
            GNU => {
                if !fits {
                    let name = [&entry.name, &b"\0"[..]].concat();
                    self.header(GNU, b"", b"././@LongLink", [0; 4], name.len(), b'L');
                    self.block(&name);
                }
                if large {
                    self.style.numbers = Policy::Word(3);
                }
                let rng = if large { self.numbers.take() } else { None };
                let name = &entry.name[..entry.name.len().min(100)];
                self.header(GNU, b"", name, entry.numbers, entry.content.len(), b'0');
                self.style.numbers = digits;
                self.numbers = self.numbers.take().or(rng);
            }
            kind => {
                let (prefix, name) = match split {
                    Some(split) if kind == USTAR => split,
                    _ => (&b""[..], &entry.name[..]),
                };
                self.header(kind, prefix, name, entry.numbers, entry.content.len(), b'0');
            }
        }
    }

    fn block(&mut self, content: &[u8]) {
        self.out.extend(content);
        self.out.resize(self.out.len().next_multiple_of(BLOCK), 0);
    }

    fn header(
        &mut self,
        kind: usize,
        prefix: &[u8],
        name: &[u8],
        numbers: [u32; 4],
        size: usize,
        flag: u8,
    ) {
        let mut h = [0; BLOCK];
        h[..name.len()].copy_from_slice(name);
        for (at, length, n) in [
            (100, 8, numbers[0].into()),
            (108, 8, numbers[1].into()),
            (116, 8, numbers[2].into()),
            (124, 12, size as u64),
            (136, 12, numbers[3].into()),
        ] {
            let field = self.number(n, length, kind == GNU);
            h[at..at + length].copy_from_slice(&field);
        }
        h[156] = if flag == b'0' && self.style.nul { 0 } else { flag };
        match kind {
            USTAR => h[257..265].copy_from_slice(b"ustar\x0000"),
            GNU => h[257..265].copy_from_slice(b"ustar  \0"),
            _ => {}
        }
        h[345..345 + prefix.len()].copy_from_slice(prefix);
        h[148..156].fill(b' ');
        let sum: u32 = h.iter().map(|b| u32::from(*b)).sum();
        h[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        self.out.extend(h);
    }

    /// Writes a number to a field of a header.
    fn number(&mut self, n: u64, length: usize, gnu: bool) -> Vec<u8> {
        let kinds = if gnu { 4 } else { 3 };
        let kind = match (&mut self.numbers, self.style.numbers) {
            (Some(rng), _) => rng.random_range(0..kinds),
            (None, Policy::Word(k)) if k < kinds => k,
            _ => 0,
        };
        let digits = format!("{n:o}");
        let mut out = match kind {
            1 if digits.len() < length - 1 => format!("{digits:>0$} ", length - 2).into_bytes(),
            2 => digits.into_bytes(),
            3 => {
                let mut bytes = vec![0; length - 8];
                bytes.extend(n.to_be_bytes());
                bytes[0] = 0x80;
                bytes
            }
            _ => format!("{digits:0>0$}", length - 1).into_bytes(),
        };
        out.resize(length, 0);
        out
    }
}

/// Returns a record of an extended header, which begins with its own length.
fn record(key: &str, value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + 1;
    while rest + length.to_string().len() != length {
        length += 1;
    }
    [format!("{length} {key}=").as_bytes(), value, b"\n"].concat()
}

/// Returns ustar's prefix and name; `None` if ustar cannot represent the name.
fn split(name: &[u8], first: bool) -> Option<(&[u8], &[u8])> {
    let mut slashes = (1..name.len()).filter(|k| {
        let (prefix, rest) = (*k, name.len() - k - 1);
        name[*k] == b'/' && prefix <= 155 && (1..=100).contains(&rest)
    });
    let at = match (first, name.len() <= 100) {
        (false, true) => None,
        (true, _) => slashes.next(),
        (false, false) => slashes.next_back(),
    };
    match at {
        Some(at) => Some((&name[..at], &name[at + 1..])),
        None => (name.len() <= 100).then_some((&b""[..], name)),
    }
}
