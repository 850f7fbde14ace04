//! Rows as codes: one-dimensional rows by their runs, two-dimensional rows by their differences from the row above
//! (ITU-T T.4, sections 4.1 and 4.2; T.6, section 2.2).
//!
//! In the standards' terms, a0 is the place where the coded part of a row ends, and a1 and a2 are the next places where
//! its colour changes; b1 is the first place to the right of a0 where the row above changes to the colour opposite to
//! a0's, and b2 is the place where it changes next.

use inverter::primitive::PrimitiveError;
use inverter::solve::Fill;
use rand::{Rng, RngExt};

use super::codes::Codes;
use super::row::{Growing, Rows};
use super::stream::{Reader, Writer};

/// Writes a row by its runs, white first.
pub fn write_1d(changes: &[usize], rows: Rows, out: &mut Writer) {
    let mut at = 0;
    for (k, end) in changes.iter().chain([&rows.columns]).enumerate() {
        Codes::of(k % 2 == 1).write(end - at, out);
        at = *end;
    }
}

/// The error if the row above has an empty run, where readers may or may not see a change of colour.
const NO_PIXELS: &str = "a run has no pixels in the row that ends";

/// Reads a row that is coded by its runs. Empty runs inside it are accepted if no two-dimensional row follows, because
/// some writers divide long runs with them.
pub fn read_1d(stored: &mut Reader, rows: Rows, alone: bool) -> Result<Vec<usize>, PrimitiveError> {
    let mut row = Growing::new(rows);
    while row.left() > 0 {
        let run = Codes::of(row.black).read(stored, row.left())?;
        row.end_run(row.at + run);
    }
    match row.joined && !alone {
        true => Err(stored.wrong(NO_PIXELS)),
        false => Ok(row.finish()),
    }
}

/// The mode that is used if several are possible.
#[derive(Debug, Clone, Copy)]
pub enum Modes {
    /// The standards' procedure: pass mode if possible, otherwise vertical mode if possible, otherwise horizontal mode.
    Standard,
    /// The standards' procedure, but without two consecutive pass modes.
    SinglePass,
    /// The standards' procedure, but without pass mode.
    NoPass,
    /// Always horizontal mode.
    Horizontal,
    /// A random one of the possible modes.
    Random(u64),
}

impl Modes {
    /// The values of the dimension `modes`, except `random:N`.
    pub const WORDS: [(&str, Modes); 4] = [
        ("standard", Modes::Standard),
        ("single-pass", Modes::SinglePass),
        ("no-pass", Modes::NoPass),
        ("horizontal", Modes::Horizontal),
    ];

    /// The generator of random modes, for all rows of a stream.
    pub fn rng(self) -> impl Rng {
        Fill::rng(if let Modes::Random(seed) = self { seed } else { 0 })
    }

    /// The mode to use if pass or vertical mode is possible, depending on whether a pass mode precedes.
    fn pick(self, pass: bool, vertical: bool, passed: bool, rng: &mut impl Rng) -> Mode {
        let (pass, vertical) = match self {
            Modes::Standard => (pass, vertical),
            Modes::SinglePass => (pass && !passed, vertical),
            Modes::NoPass => (false, vertical),
            Modes::Horizontal => (false, false),
            Modes::Random(_) => (pass && rng.random(), vertical && rng.random()),
        };
        match (pass, vertical) {
            (true, _) => Mode::Pass,
            (false, true) => Mode::Vertical,
            (false, false) => Mode::Horizontal,
        }
    }
}

enum Mode {
    Pass,
    Vertical,
    Horizontal,
}

/// Code and length of pass mode.
const PASS: (u32, u32) = (0b0001, 4);
/// Code and length of horizontal mode, which two runs follow.
const HORIZONTAL: (u32, u32) = (0b001, 3);
/// Code and length of vertical mode by a1 - b1 + 3.
const VERTICAL: [(u32, u32); 7] =
    [(0b10, 7), (0b10, 6), (0b10, 3), (1, 1), (0b11, 3), (0b11, 6), (0b11, 7)];

/// The row above, from which b1 and b2 are read.
struct Above<'a> {
    changes: &'a [usize],
    columns: usize,
    /// The index of the first change that may be to the right of a0.
    next: usize,
}

impl Above<'_> {
    /// b1 and b2 for an a0 of this colour that begins at `start`, which must not decrease between calls. At the
    /// beginning of a row, a0 is before the first pixel.
    fn b(&mut self, start: usize, first: bool, black: bool) -> (usize, usize) {
        let passed = |at: &usize| if first { *at < start } else { *at <= start };
        while self.changes.get(self.next).is_some_and(passed) {
            self.next += 1;
        }
        let at = self.next + usize::from((self.next % 2 == 1) != black);
        let get = |k: usize| self.changes.get(k).copied().unwrap_or(self.columns);
        (get(at), get(at + 1))
    }
}

/// Writes a row by its differences from the row above.
pub fn write_2d(
    changes: &[usize],
    above: &[usize],
    rows: Rows,
    modes: Modes,
    rng: &mut impl Rng,
    out: &mut Writer,
) {
    let columns = rows.columns;
    let mut above = Above { changes: above, columns, next: 0 };
    let (mut a0, mut first, mut passed) = (0, true, false);
    // The index of the change a1.
    let mut k = 0;
    while a0 < columns {
        let get = |k: usize| changes.get(k).copied().unwrap_or(columns);
        let (a1, a2) = (get(k), get(k + 1));
        let black = k % 2 == 1;
        let (b1, b2) = above.b(a0, first, black);
        let mode = modes.pick(b2 < a1, a1.abs_diff(b1) <= 3, passed, rng);
        (first, passed) = (false, matches!(mode, Mode::Pass));
        match mode {
            Mode::Pass => {
                out.put(PASS.0, PASS.1);
                a0 = b2;
            }
            Mode::Vertical => {
                let (bits, length) = VERTICAL[a1 + 3 - b1];
                out.put(bits, length);
                (a0, k) = (a1, k + 1);
            }
            Mode::Horizontal => {
                out.put(HORIZONTAL.0, HORIZONTAL.1);
                Codes::of(black).write(a1 - a0, out);
                Codes::of(!black).write(a2 - a1, out);
                (a0, k) = (a2, k + 2);
            }
        }
    }
}

/// Reads a row that is coded by its differences from the row above.
pub fn read_2d(
    stored: &mut Reader,
    above: &[usize],
    rows: Rows,
) -> Result<Vec<usize>, PrimitiveError> {
    let mut above = Above { changes: above, columns: rows.columns, next: 0 };
    let mut row = Growing::new(rows);
    let mut first = true;
    while row.left() > 0 {
        let (b1, b2) = above.b(row.at, first, row.black);
        first = false;
        let is = |&(bits, length): &(u32, u32)| stored.peek(length) == bits;
        if is(&PASS) {
            stored.skip(PASS.1 as usize)?;
            row.at = b2;
        } else if is(&HORIZONTAL) {
            stored.skip(HORIZONTAL.1 as usize)?;
            for _ in 0..2 {
                let run = Codes::of(row.black).read(stored, row.left())?;
                row.end_run(row.at + run);
            }
        } else if let Some(k) = VERTICAL.iter().position(is) {
            let a1 = (b1 + k).checked_sub(3).filter(|a1| (row.at..=rows.columns).contains(a1));
            let a1 = a1.ok_or_else(|| stored.wrong("a vertical mode leaves its row"))?;
            stored.skip(VERTICAL[k].1 as usize)?;
            row.end_run(a1);
        } else if stored.peek(7) == 1 {
            return Err(stored.wrong("an extension, such as uncompressed mode,"));
        } else {
            return Err(stored.wrong("no mode begins"));
        }
    }
    match row.joined {
        true => Err(stored.wrong(NO_PIXELS)),
        false => Ok(row.finish()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream of a row of 16 pixels as text, and back.
    fn coded(changes: &[usize], above: &[usize], modes: Modes) -> String {
        let rows = Rows { columns: 16 };
        let mut out = Writer::default();
        write_2d(changes, above, rows, modes, &mut modes.rng(), &mut out);
        let length = out.length();
        let bytes = out.finish();
        let read = read_2d(&mut Reader::new(&bytes), above, rows).unwrap();
        assert_eq!(read, changes);
        let text: String = bytes.iter().map(|b| format!("{b:08b}")).collect();
        text[..length].to_owned()
    }

    #[test]
    fn each_mode() {
        let of = |changes: &[usize], above: &[usize]| coded(changes, above, Modes::Standard);
        assert_eq!(of(&[], &[]), "1");
        assert_eq!(of(&[0], &[]), ["001", "00110101", "0000010111"].concat());
        assert_eq!(of(&[0], &[0]), ["1", "1"].concat());
        assert_eq!(of(&[4, 9], &[5, 7]), ["010", "000011", "1"].concat());
        assert_eq!(of(&[8], &[5, 11]), ["0000011", "001", "000101", "00110101"].concat());
        assert_eq!(of(&[12], &[3, 5, 12]), ["0001", "1", "1"].concat());
        assert_eq!(of(&[2, 4], &[5, 7]), ["0000010", "0000010", "0001", "1"].concat());
        assert_eq!(of(&[3, 6], &[5, 7]), ["000010", "010", "1"].concat());
    }

    #[test]
    fn modes_that_do_as_well() {
        let above = [2, 3, 4, 5, 14];
        assert_eq!(coded(&[14], &above, Modes::Standard), ["0001", "0001", "1", "1"].concat());
        let single = ["0001", "001", "01000", "11"].concat();
        assert_eq!(coded(&[14], &above, Modes::SinglePass), single);
        let none = ["001", "110100", "11"].concat();
        assert_eq!(coded(&[14], &above, Modes::NoPass), none);
        assert_eq!(coded(&[5], &[3, 4, 5], Modes::NoPass), ["000011", "1"].concat());
        let all = ["001", "1000", "011", "001", "10100", "0000110111"].concat();
        assert_eq!(coded(&[3, 7], &[3, 7], Modes::Horizontal), all);
        let several: std::collections::BTreeSet<String> =
            (0..50).map(|seed| coded(&[14], &above, Modes::Random(seed))).collect();
        assert!(several.len() >= 4, "{several:?}");
    }

    #[test]
    fn what_no_row_has_is_said() {
        let rows = Rows { columns: 16 };
        let why =
            |bytes: &[u8]| read_2d(&mut Reader::new(bytes), &[2], rows).unwrap_err().to_string();
        assert_eq!(why(&[0b0000_0100]), "a vertical mode leaves its row at bit 0 of byte 0");
        let extension = "an extension, such as uncompressed mode, at bit 0 of byte 0";
        assert_eq!(why(&[0b0000_0011, 0b1100_0000]), extension);
        assert_eq!(why(&[0b0000_0000]), "no mode begins at bit 0 of byte 0");
        assert_eq!(why(&[]), "no mode begins at bit 0 of byte 0");
        let run = read_1d(&mut Reader::new(&[0b1010_1100]), rows, true).unwrap_err().to_string();
        assert_eq!(run, "a run ends past the end of its row at bit 6 of byte 0");
        let cut = read_1d(&mut Reader::new(&[0b1000_1110]), rows, true).unwrap_err().to_string();
        assert_eq!(cut, "the stream ends inside a code");
        // White 3, black 0, white 13.
        let divided = [0b1000_0000, 0b1101_1100, 0b0011_0000];
        let read = |alone| read_1d(&mut Reader::new(&divided), rows, alone);
        assert_eq!(read(true).unwrap(), [0; 0]);
        let why = "a run has no pixels in the row that ends at bit 4 of byte 2";
        assert_eq!(read(false).unwrap_err().to_string(), why);
    }
}
