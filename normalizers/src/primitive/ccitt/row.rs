//! Converts rows of pixels to and from the places where the colour changes.

use inverter::primitive::PrimitiveError;

/// The width of the rows of a picture.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// The number of pixels in a row; at least 1.
    pub columns: usize,
}

impl Rows {
    /// Rows whose width is the first argument.
    pub fn parse(columns: i128) -> Result<Rows, PrimitiveError> {
        match u32::try_from(columns).ok().and_then(|n| usize::try_from(n).ok()) {
            Some(columns @ 1..) => Ok(Rows { columns }),
            _ => Err(format!("rows of {columns} pixels").into()),
        }
    }

    /// The number of bytes of a row.
    pub fn bytes(self) -> usize {
        self.columns.div_ceil(8)
    }

    /// The rows of `data`, each as the places where its colour changes.
    pub fn split(self, data: &[u8]) -> Result<impl Iterator<Item = Vec<usize>>, PrimitiveError> {
        if !data.len().is_multiple_of(self.bytes()) {
            return Err(format!(
                "{} bytes are not a whole number of rows of {} bytes",
                data.len(),
                self.bytes()
            )
            .into());
        }
        Ok(data.chunks(self.bytes()).map(move |row| self.changes(row)))
    }

    /// The places where the colour of a row changes, assuming white before it: the first pixel of each run, starting
    /// with black. Unused bits are ignored.
    fn changes(self, row: &[u8]) -> Vec<usize> {
        let mut changes = Vec::new();
        let mut black = false;
        for (k, byte) in row.iter().enumerate() {
            let mut rest = if black { !byte } else { *byte };
            // In `rest`, pixels of the present colour are zeros.
            while rest != 0 {
                let bit = rest.leading_zeros();
                let at = 8 * k + bit as usize;
                if at >= self.columns {
                    break;
                }
                changes.push(at);
                black = !black;
                rest = !rest & (u8::MAX >> bit);
            }
        }
        changes
    }

    /// Adds the row with these colour changes to `out`; unused bits are zero.
    fn paint(self, changes: &[usize], out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + self.bytes(), 0);
        let row = &mut out[start..];
        for run in changes.chunks(2) {
            let (from, to) = (run[0], run.get(1).copied().unwrap_or(self.columns));
            let (first, last) = (from / 8, (to - 1) / 8);
            let head = u8::MAX >> (from % 8);
            let tail = u8::MAX << (7 - (to - 1) % 8);
            if first == last {
                row[first] |= head & tail;
            } else {
                row[first] |= head;
                row[first + 1..last].fill(u8::MAX);
                row[last] |= tail;
            }
        }
    }

    /// Returns as many rows as `most` bytes hold. `next` makes each from the previous row; the first is made from a
    /// white row. Stops earlier if `next` returns `None`.
    pub fn join(
        self,
        most: usize,
        mut next: impl FnMut(&[usize], usize) -> Result<Option<Vec<usize>>, PrimitiveError>,
    ) -> Result<Vec<u8>, PrimitiveError> {
        let mut out = Vec::new();
        let mut above = Vec::new();
        for row in 0..most / self.bytes() {
            match next(&above, row).map_err(|why| format!("row {row}: {why}"))? {
                Some(changes) => above = changes,
                None => break,
            }
            self.paint(&above, &mut out);
        }
        Ok(out)
    }
}

/// A row that is being read.
pub struct Growing {
    columns: usize,
    changes: Vec<usize>,
    /// The start of the next run.
    pub at: usize,
    /// The colour of the next run.
    pub black: bool,
    /// True if the row has an empty run inside.
    pub joined: bool,
}

impl Growing {
    /// A row without pixels.
    pub fn new(rows: Rows) -> Self {
        Self { columns: rows.columns, changes: Vec::new(), at: 0, black: false, joined: false }
    }

    /// The number of missing pixels.
    pub fn left(&self) -> usize {
        self.columns - self.at
    }

    /// Ends the run at `to`, which is not before its start.
    pub fn end_run(&mut self, to: usize) {
        // A run without pixels joins the two runs next to it.
        if self.changes.last() == Some(&to) {
            self.changes.pop();
            self.joined = true;
        } else if to < self.columns {
            self.changes.push(to);
        }
        self.black = !self.black;
        self.at = to;
    }

    /// The places where its colour changes.
    pub fn finish(self) -> Vec<usize> {
        self.changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(columns: usize, row: &[u8]) -> Vec<usize> {
        let rows = Rows { columns };
        let changes = rows.changes(row);
        let mut out = Vec::new();
        rows.paint(&changes, &mut out);
        assert_eq!(out, row);
        changes
    }

    #[test]
    fn changes_of_rows() {
        assert_eq!(both(8, &[0b0110_0001]), [1, 3, 7]);
        assert_eq!(both(9, &[0b1000_0000, 0]), [0, 1]);
        assert_eq!(both(24, &[0x0F, 0xFF, 0xF0]), [4, 20]);
        assert_eq!(both(16, &[0xFF, 0xFF]), [0]);
        assert_eq!(both(12, &[0, 0x10]), [11]);
        assert_eq!(both(16, &[0x01, 0x80]), [7, 9]);
        assert_eq!(both(8, &[0]), [0; 0]);
        assert_eq!(Rows { columns: 11 }.changes(&[0, 0x15]), [0; 0], "unused bits");
        assert_eq!(Rows { columns: 12 }.changes(&[0, 0x1F]), [11], "unused bits");
    }

    #[test]
    fn runs_without_pixels_join_others() {
        let mut row = Growing::new(Rows { columns: 8 });
        for to in [0, 0, 3, 3, 5] {
            row.end_run(to);
        }
        assert_eq!((row.black, row.left(), row.joined), (true, 3, true));
        row.end_run(8);
        assert_eq!(row.finish(), [5]);
    }
}
