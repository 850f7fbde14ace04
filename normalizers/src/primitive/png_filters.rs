//! Applies and undoes the filters of PNG's rows.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;

use super::policy::Policy;

/// `png_filters(x.a, width, height, bits, interlaced)`: undoes the filter of each row of `width` pixels of `bits` bits,
/// and removes the filter's number at the start of the row. If `interlaced` is 1, the rows are those of the seven
/// passes, one after another (PNG, third edition, sections 7 to 9).
///
/// | dimension | value | |
/// |---|---|---|
/// | `filters` | `none`, `sub`, `up`, `average`, `paeth` | one filter for all rows |
/// | | `random:N` | a random filter for each row |
pub struct PngFilters;

const FILTERS: &str = "filters";
const KINDS: [&str; 5] = ["none", "sub", "up", "average", "paeth"];
/// The first row and column of each pass, and the steps between its rows and columns.
const PASSES: [[usize; 4]; 7] = [
    [0, 0, 8, 8],
    [0, 4, 8, 8],
    [4, 0, 8, 4],
    [0, 2, 4, 4],
    [2, 0, 4, 2],
    [0, 1, 2, 2],
    [1, 0, 2, 1],
];

/// For each pass, the number of rows and the number of bytes of a row.
struct Form {
    passes: Vec<(usize, usize)>,
    /// The distance to the previous pixel in bytes, at least 1.
    back: usize,
}

impl Form {
    fn parse(args: &[i128]) -> Result<Form, PrimitiveError> {
        let &[width, height, bits, interlaced] = args else {
            return Err("filters take 4 arguments".into());
        };
        let size = |n: i128| usize::try_from(n).ok().filter(|n| *n < 1 << 28);
        let (Some(width), Some(height)) = (size(width), size(height)) else {
            return Err(format!("{width} by {height} pixels").into());
        };
        if !(1..=64).contains(&bits) || !(0..=1).contains(&interlaced) {
            return Err(format!("pixels of {bits} bits, interlaced {interlaced}").into());
        }
        let bits = bits as usize;
        let row = |width: usize| (width * bits).div_ceil(8);
        let passes = match interlaced {
            0 => vec![(height, row(width))],
            _ => {
                let steps =
                    |n: usize, first: usize, step: usize| n.saturating_sub(first).div_ceil(step);
                let pass = |[r, c, down, right]: [usize; 4]| {
                    (steps(height, r, down), row(steps(width, c, right)))
                };
                PASSES.into_iter().map(pass).filter(|(_, bytes)| *bytes > 0).collect()
            }
        };
        Ok(Form { passes, back: bits.div_ceil(8) })
    }

    fn length(&self) -> usize {
        self.passes.iter().map(|(rows, bytes)| rows * bytes).sum()
    }

    /// Calls `each` for every row, with its number of bytes, and true for the first row of a pass.
    fn rows(
        &self,
        mut each: impl FnMut(usize, bool) -> Result<(), PrimitiveError>,
    ) -> Result<(), PrimitiveError> {
        for (rows, bytes) in &self.passes {
            (0..*rows).try_for_each(|k| each(*bytes, k == 0))?;
        }
        Ok(())
    }

    fn encode(&self, data: &[u8], filters: Policy) -> Vec<u8> {
        let mut rng = filters.rng();
        let (mut out, mut rest) = (Vec::new(), data);
        let mut before: &[u8] = &[];
        let _ = self.rows(|bytes, first| {
            let (row, later) = rest.split_at(bytes);
            let above = if first { &[] } else { before };
            let kind = match (&mut rng, filters) {
                (Some(rng), _) => rng.random_range(0..5),
                (None, Policy::Word(k)) => k as u8,
                (None, Policy::Random(_)) => 0,
            };
            out.push(kind);
            out.extend(
                (0..bytes).map(|k| row[k].wrapping_sub(guess(kind, row, above, k, self.back))),
            );
            (before, rest) = (row, later);
            Ok(())
        });
        out
    }
}

/// Predicts a byte from the bytes to the left, above, and above to the left.
fn guess(kind: u8, row: &[u8], above: &[u8], k: usize, back: usize) -> u8 {
    let left = k.checked_sub(back).map_or(0, |k| row[k]);
    let up = above.get(k).copied().unwrap_or(0);
    let corner = k.checked_sub(back).and_then(|k| above.get(k)).copied().unwrap_or(0);
    match kind {
        1 => left,
        2 => up,
        3 => ((u16::from(left) + u16::from(up)) / 2) as u8,
        4 => {
            let [a, b, c] = [left, up, corner].map(i16::from);
            let p = a + b - c;
            let [pa, pb, pc] = [a, b, c].map(|v| (p - v).abs());
            match (pa <= pb && pa <= pc, pb <= pc) {
                (true, _) => left,
                (false, true) => up,
                (false, false) => corner,
            }
        }
        _ => 0,
    }
}

impl Primitive for PngFilters {
    fn signature(&self) -> Signature<'_> {
        Signature::new("png_filters").arguments(4).dimensions(&[FILTERS])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let form = Form::parse(args)?;
        let rows: usize = form.passes.iter().map(|(rows, _)| rows).sum();
        if form.length() > most || stored.len() != form.length() + rows {
            return Err(format!(
                "{} bytes, but {rows} rows need {}",
                stored.len(),
                form.length() + rows
            )
            .into());
        }
        let (mut out, mut rest) = (Vec::with_capacity(form.length()), stored);
        form.rows(|bytes, first| {
            let (row, later) = rest.split_at(1 + bytes);
            let kind = row[0];
            if kind > 4 {
                return Err(format!("there is no filter {kind}").into());
            }
            let start = out.len();
            let above: Vec<u8> = if first { Vec::new() } else { out[start - bytes..].to_vec() };
            for (k, byte) in row[1..].iter().enumerate() {
                let guess = guess(kind, &out[start..], &above, k, form.back);
                out.push(byte.wrapping_add(guess));
            }
            rest = later;
            Ok(())
        })?;
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        self.accepts(data, args)?;
        let form = Form::parse(args)?;
        let filters = Policy::choose(source, FILTERS, &KINDS)?;
        of_length(form.encode(data, filters), lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let unfit = |why| Unfit { argument: None, why };
        let length = Form::parse(args).map_err(unfit)?.length();
        match data.len() == length {
            true => Ok(()),
            false => Err(unfit(format!("{} bytes, but all rows have {length}", data.len()).into())),
        }
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let form = Form::parse(args).ok()?;
        let same = |k: &usize| form.encode(data, Policy::Word(*k)) == stored;
        let all = (0..KINDS.len()).find(same)?;
        let mut own = Choices::new();
        own.set(FILTERS, KINDS[all]);
        Some(own)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;

    use super::*;

    #[test]
    fn filters_are_as_the_standard_defines_them() {
        // Two rows of three one-byte pixels, encoded under each filter by hand.
        let rows = [10, 20, 40, 13, 21, 250];
        for (stored, kind) in [
            ([0, 10, 20, 40, 0, 13, 21, 250], "none"),
            ([1, 10, 10, 20, 1, 13, 8, 229], "sub"),
            ([2, 10, 20, 40, 2, 3, 1, 210], "up"),
            ([3, 10, 15, 30, 3, 8, 5, 220], "average"),
            ([4, 10, 10, 20, 4, 3, 1, 210], "paeth"),
        ] {
            let args = [3, 2, 8, 0];
            assert_eq!(PngFilters.decode(&stored, &args, 6).unwrap(), rows, "{kind}");
            let own = PngFilters.own_choices(&stored, &rows, &args).unwrap();
            assert_eq!(own.get(FILTERS), Some(&inverter::solve::Choice::from(kind)));
        }
        assert!(
            PngFilters
                .decode(&[5, 1], &[1, 1, 8, 0], 9)
                .unwrap_err()
                .to_string()
                .contains("no filter 5")
        );
        assert!(PngFilters.decode(&[0, 1, 1], &[1, 1, 8, 0], 9).is_err());
    }

    #[test]
    fn rows_are_filtered_in_many_ways() {
        for (width, height, bits, interlaced) in
            [(7, 5, 24, 0), (7, 5, 24, 1), (9, 9, 1, 1), (1, 1, 64, 1), (3, 2, 2, 0)]
        {
            let args = [width, height, bits, interlaced];
            let data: Vec<u8> =
                (0..Form::parse(&args).unwrap().length()).map(|k| (k * k) as u8).collect();
            encodings(&PngFilters, &args, &data, 60).unwrap();
        }
        // 7 by 5 pixels make seven passes of 35 pixels and 11 rows.
        let form = Form::parse(&[7, 5, 8, 1]).unwrap();
        assert_eq!((form.length(), form.passes.iter().map(|p| p.0).sum::<usize>()), (35, 11));
    }
}
