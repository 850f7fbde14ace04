//! Writes a file of PNM or PAM.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::super::padding::Padding;
use super::super::policy::Policy;
use super::model::{Pnm, TUPLES};

pub(super) const SPACES: [&str; 2] = ["usual", "spaces"];
pub(super) const COMMENTS: [&str; 2] = ["none", "first"];
pub(super) const ZEROS: [&str; 2] = ["none", "one"];
pub(super) const LINES: [&str; 2] = ["rows", "samples"];
pub(super) const ORDERS: [&str; 2] = ["usual", "reversed"];
/// The maximum length of a line of plain samples.
const LINE: usize = 70;

/// The choices of a file's writer.
pub(super) struct Style {
    pub(super) space: Policy,
    pub(super) comments: Policy,
    pub(super) zeros: Policy,
    pub(super) lines: Policy,
    pub(super) order: Policy,
    pub(super) padding: Padding,
}

impl Default for Style {
    fn default() -> Self {
        let usual = Policy::Word(0);
        Style {
            space: usual,
            comments: usual,
            zeros: usual,
            lines: usual,
            order: usual,
            padding: Padding::Zeros,
        }
    }
}

/// The text so far, with its random generators.
struct Writer {
    out: Vec<u8>,
    space: Option<ChaCha8Rng>,
    comments: Option<ChaCha8Rng>,
    zeros: Option<ChaCha8Rng>,
}

impl Writer {
    fn number(&mut self, n: impl Into<u64>, style: &Style) {
        let zeros = match (&mut self.zeros, style.zeros) {
            (Some(rng), _) => rng.random_range(0..=3),
            (None, Policy::Word(1)) => 1,
            _ => 0,
        };
        self.out.extend(vec![b'0'; zeros]);
        self.out.extend(n.into().to_string().into_bytes());
    }

    /// Writes white space, of the usual kind if the policy requires it.
    fn space(&mut self, usual: u8, style: &Style) {
        match &mut self.space {
            Some(rng) => {
                for _ in 0..rng.random_range(1..=3) {
                    self.out.push(b" \t\n\r"[rng.random_range(0..4)]);
                }
            }
            None => self.out.push(if style.space == Policy::Word(1) { b' ' } else { usual }),
        }
    }

    /// Writes a comment with its line end, or nothing.
    fn comment(&mut self, first: bool, style: &Style) {
        let text: Option<String> = match (&mut self.comments, style.comments) {
            (Some(rng), _) => rng.random::<bool>().then(|| {
                let length = rng.random_range(0..=40);
                (0..length).map(|_| char::from(rng.random_range(b' '..=b'~'))).collect()
            }),
            (None, Policy::Word(1)) if first => Some(" a comment".to_owned()),
            _ => None,
        };
        if let Some(text) = text {
            self.out.push(b'#');
            self.out.extend(text.into_bytes());
            self.out.push(b'\n');
        }
    }
}

/// The file of a picture.
pub(super) fn write(pnm: &Pnm, style: &Style) -> Vec<u8> {
    let mut w = Writer {
        out: vec![b'P', b'0' + pnm.kind],
        space: style.space.rng(),
        comments: style.comments.rng(),
        zeros: style.zeros.rng(),
    };
    if pnm.kind == 7 {
        pam(&mut w, pnm, style);
    } else {
        let mut numbers = vec![pnm.width, pnm.height];
        numbers.extend((![1, 4].contains(&pnm.kind)).then_some(u32::from(pnm.maxval)));
        for (k, n) in numbers.into_iter().enumerate() {
            w.space(if k == 1 { b' ' } else { b'\n' }, style);
            w.comment(k == 0, style);
            w.number(n, style);
        }
        w.out.push(b'\n');
    }
    match pnm.kind {
        1..=3 => plain(&mut w.out, pnm, style.lines),
        4 => packed(&mut w.out, pnm, style.padding),
        _ => w.out.extend(&pnm.samples),
    }
    w.out
}

fn pam(w: &mut Writer, pnm: &Pnm, style: &Style) {
    let mut lines: Vec<(&str, Option<u32>)> = vec![
        ("WIDTH", Some(pnm.width)),
        ("HEIGHT", Some(pnm.height)),
        ("DEPTH", Some(pnm.depth.into())),
        ("MAXVAL", Some(pnm.maxval.into())),
    ];
    if pnm.tuple > 0 {
        lines.push(("TUPLTYPE", None));
    }
    match style.order.rng() {
        Some(mut rng) => lines.shuffle(&mut rng),
        None if style.order == Policy::Word(1) => lines.reverse(),
        None => {}
    }
    w.out.push(b'\n');
    for (k, (name, number)) in lines.into_iter().enumerate() {
        w.comment(k == 0, style);
        w.out.extend(name.bytes());
        let spaces = w.space.as_mut().map_or(1, |rng| rng.random_range(1..=4));
        w.out.extend(vec![b' '; spaces]);
        match number {
            Some(n) => w.number(n, style),
            None => w.out.extend(TUPLES[usize::from(pnm.tuple)].bytes()),
        }
        w.out.push(b'\n');
    }
    w.out.extend(b"ENDHDR\n");
}

/// Writes samples as text, in lines of the allowed length.
fn plain(out: &mut Vec<u8>, pnm: &Pnm, lines: Policy) {
    let mut rng = lines.rng();
    let row = pnm.width as usize * usize::from(pnm.depth);
    let mut line = 0;
    for (k, sample) in pnm.samples.chunks(pnm.size()).enumerate() {
        let text = sample.iter().fold(0, |n, b| n << 8 | u32::from(*b)).to_string();
        // Digits of plain PBM need no white space between them.
        let joined = pnm.kind == 1 && rng.as_mut().is_none_or(|rng| rng.random());
        let ends = match (&mut rng, lines) {
            _ if line + 1 + text.len() > LINE => true,
            (Some(rng), _) => rng.random_range(0..8) == 0,
            (None, Policy::Word(1)) => true,
            _ => k.is_multiple_of(row.max(1)),
        };
        if k > 0 && ends {
            out.push(b'\n');
            line = 0;
        } else if line > 0 && !joined {
            out.push(b' ');
            line += 1;
        }
        line += text.len();
        out.extend(text.into_bytes());
    }
    out.push(b'\n');
}

fn packed(out: &mut Vec<u8>, pnm: &Pnm, padding: Padding) {
    let mut fill = padding.bytes();
    for row in pnm.samples.chunks((pnm.width as usize).max(1)) {
        for eight in row.chunks(8) {
            let free = 8 - eight.len();
            let bits = eight.iter().fold(0u16, |n, bit| n << 1 | u16::from(*bit)) << free;
            let any = if free > 0 { u16::from(fill()) & ((1 << free) - 1) } else { 0 };
            out.push((bits | any) as u8);
        }
    }
}
