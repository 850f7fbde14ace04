//! Decodes and encodes the run lengths of BMP files.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;

use super::padding::Padding;
use super::policy::Policy;

/// `bmp_rle(x.a, compression, skip, width)`: decodes run-length encoded rows, from the bottom, to pixels of one byte
/// each, from the top (`BI_RLE8` for compression 1, `BI_RLE4` for 2). With any other compression all bytes remain
/// unchanged. The first `skip` bytes always remain unchanged.
///
/// Every pixel must be present, every row but the last must have an end of line, and the end of the
/// bitmap must end the stream: the documentation does not define the meaning of other streams.
///
/// | dimension | value | |
/// |---|---|---|
/// | `runs` | `longest`, `absolute`, `single` | as few bytes as equal pixels allow; absolute wherever there are 3 pixels; a run for each pixel |
/// | | `random:N` | either, of any length |
/// | `last line` | `ended`, `open` | whether the last row has an end of line, too |
/// | `absolute padding` | `zeros`, `ones`, `random:N` | the bits that pad absolute pixels to two bytes |
pub struct BmpRle;

const RUNS: &str = "runs";
const LAST: &str = "last line";
const PADDING: &str = "absolute padding";
const HABITS: [&str; 3] = ["longest", "absolute", "single"];
const LASTS: [&str; 2] = ["ended", "open"];

struct Form {
    /// The number of pixels in a byte; 0 if nothing is encoded.
    per_byte: usize,
    skip: usize,
    width: usize,
}

impl Form {
    fn parse(args: &[i128]) -> Result<Form, PrimitiveError> {
        let &[compression, skip, width] = args else {
            return Err("run lengths take 3 arguments".into());
        };
        let size = |n: i128| usize::try_from(n).ok().filter(|n| *n < 1 << 30);
        match (size(skip), size(width)) {
            (Some(skip), Some(width)) if width >= 1 => Ok(Form {
                per_byte: if compression == 1 || compression == 2 {
                    compression as usize
                } else {
                    0
                },
                skip,
                width,
            }),
            _ => Err(format!("rows of {width} pixels behind {skip} bytes").into()),
        }
    }

    fn check(&self, pixels: &[u8]) -> Result<(), PrimitiveError> {
        if !pixels.len().is_multiple_of(self.width) {
            return Err(format!(
                "{} pixels are not a whole number of rows of {}",
                pixels.len(),
                self.width
            )
            .into());
        }
        match pixels.iter().find(|p| self.per_byte == 2 && **p > 15) {
            Some(p) => Err(format!("{p} does not fit into 4 bits").into()),
            None => Ok(()),
        }
    }

    /// The bytes of absolute pixels, without padding.
    fn packed(&self, pixels: &[u8]) -> Vec<u8> {
        match self.per_byte {
            1 => pixels.to_vec(),
            _ => pixels.chunks(2).map(|p| p[0] << 4 | p.get(1).copied().unwrap_or(0)).collect(),
        }
    }

    fn encode(&self, pixels: &[u8], runs: Policy, ended: bool, padding: Padding) -> Vec<u8> {
        let (mut out, mut rng, mut fill) = (Vec::new(), runs.rng(), padding.bytes());
        let count = pixels.len() / self.width;
        for (k, row) in pixels.chunks_exact(self.width).rev().enumerate() {
            let mut rest = row;
            while !rest.is_empty() {
                // Two alternating values, for 4 bits: the pixels that one run can represent.
                let alike = (0..rest.len().min(255))
                    .take_while(|k| rest[*k] == rest[k % self.per_byte.min(rest.len())])
                    .count();
                let most = rest.len().min(255);
                let coin = rng.as_mut().is_some_and(|rng| rng.random());
                let (absolute, n) = match (&mut rng, runs) {
                    (Some(rng), _) if most >= 3 && coin => (true, rng.random_range(3..=most)),
                    (Some(rng), _) => (false, rng.random_range(1..=alike)),
                    (None, Policy::Word(1)) if most >= 3 => (true, most),
                    (None, Policy::Word(2)) => (false, 1),
                    _ => (false, alike),
                };
                let (now, later) = rest.split_at(n);
                if absolute {
                    let packed = self.packed(now);
                    out.extend([0, n as u8]);
                    out.extend(&packed);
                    if !packed.len().is_multiple_of(2) {
                        out.push(fill());
                    }
                } else {
                    let value = match self.per_byte {
                        1 => now[0],
                        _ => now[0] << 4 | now.get(1).copied().unwrap_or(now[0]),
                    };
                    out.extend([n as u8, value]);
                }
                rest = later;
            }
            if k + 1 < count || ended {
                out.extend([0, 0]);
            }
        }
        out.extend([0, 1]);
        out
    }

    fn decode(&self, stored: &[u8], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let mut rows: Vec<Vec<u8>> = Vec::new();
        let mut row: Vec<u8> = Vec::new();
        let mut at = 0;
        loop {
            let [first, second] = stored.get(at..at + 2).ok_or("the bitmap does not end")? else {
                return Err("the bitmap does not end".into());
            };
            at += 2;
            let n = usize::from(*second);
            match (*first, *second) {
                (0, 1) => break,
                (0, 0) => {
                    if row.len() < self.width {
                        return Err(format!("a row ends after {} pixels", row.len()).into());
                    }
                    rows.push(std::mem::take(&mut row));
                }
                (0, 2) => return Err("pixels are skipped".into()),
                (0, _) => {
                    let bytes = n.div_ceil(self.per_byte);
                    let packed = stored.get(at..at + bytes).ok_or("absolute pixels are missing")?;
                    at += bytes.next_multiple_of(2);
                    let nibble = |k: usize| packed[k / 2] >> (4 * (1 - k % 2)) & 15;
                    match self.per_byte {
                        1 => row.extend(packed),
                        _ => row.extend((0..n).map(nibble)),
                    }
                }
                (n, value) => {
                    let pixel = |k: u8| match self.per_byte {
                        1 => value,
                        _ => value >> (4 * (1 - k % 2)) & 15,
                    };
                    row.extend((0..n).map(pixel));
                }
            }
            if row.len() > self.width {
                return Err("a run goes past the end of its row".into());
            }
            if rows.len() * self.width + row.len() > most {
                return Err(PrimitiveError::of_size());
            }
        }
        if at != stored.len() {
            return Err(format!(
                "data after the end of the bitmap (length {})",
                stored.len().abs_diff(at)
            )
            .into());
        }
        if !row.is_empty() {
            if row.len() < self.width {
                return Err(format!("the bitmap ends after {} pixels of a row", row.len()).into());
            }
            rows.push(row);
        }
        rows.reverse();
        Ok(rows.concat())
    }
}

impl Primitive for BmpRle {
    fn signature(&self) -> Signature<'_> {
        Signature::new("bmp_rle").arguments(3).dimensions(&[RUNS, LAST, PADDING])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let form = Form::parse(args)?;
        let Some((before, rows)) = stored.split_at_checked(form.skip) else {
            return Err(format!("there are {} bytes, and {} stay", stored.len(), form.skip).into());
        };
        if form.per_byte == 0 {
            return Ok(stored.to_vec());
        }
        let pixels = form.decode(rows, most.saturating_sub(form.skip))?;
        Ok([before, &pixels].concat())
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let form = Form::parse(args)?;
        if form.per_byte == 0 {
            return of_length(data.to_vec(), lengths);
        }
        self.accepts(data, args)?;
        let (before, pixels) = data.split_at(form.skip);
        let runs = Policy::choose(source, RUNS, &HABITS)?;
        let ended = match pixels.is_empty() {
            true => false,
            false => source.named(LAST, &LASTS)? == 0,
        };
        let padding = Padding::choose(source, PADDING)?;
        let rows = form.encode(pixels, runs, ended, padding);
        of_length([before, &rows].concat(), lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let unfit = |why| Unfit { argument: Some(0), why };
        let form = Form::parse(args).map_err(unfit)?;
        let fits = match data.get(form.skip..) {
            _ if form.per_byte == 0 => Ok(()),
            Some(pixels) => form.check(pixels),
            None => Err(format!("there are {} bytes, and {} stay", data.len(), form.skip).into()),
        };
        fits.map_err(unfit)
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let form = Form::parse(args).ok()?;
        let mut own = Choices::new();
        if form.per_byte == 0 {
            return Some(own);
        }
        let (pixels, rows) = (data.get(form.skip..)?, stored.get(form.skip..)?);
        for (k, word) in HABITS.iter().enumerate() {
            for (last, ended) in LASTS.iter().zip([true, false]) {
                for (fill, padding) in Padding::WORDS {
                    if form.encode(pixels, Policy::Word(k), ended, padding) == rows {
                        own.set(RUNS, *word);
                        own.set(LAST, *last);
                        own.set(PADDING, fill);
                        return Some(own);
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;

    use inverter::solve::ChoiceSource;

    use super::*;

    fn decoded(stored: &[u8], args: [i128; 3]) -> Result<Vec<u8>, PrimitiveError> {
        BmpRle.decode(stored, &args, 1000)
    }

    #[test]
    fn the_documentation_s_examples() {
        // "03 04 05 06 00 03 45 56 67 00" of BI_RLE8, and "03 04 05 06 00 06 45 56 67 00" of BI_RLE4.
        let eight = [3, 4, 5, 6, 0, 3, 0x45, 0x56, 0x67, 0, 0, 1];
        let pixels = [4, 4, 4, 6, 6, 6, 6, 6, 0x45, 0x56, 0x67];
        assert_eq!(decoded(&eight, [1, 0, 11]).unwrap(), pixels);
        let four = [3, 4, 5, 6, 0, 6, 0x45, 0x56, 0x67, 0, 0, 0, 0, 1];
        assert_eq!(decoded(&four, [2, 0, 14]).unwrap(), [0, 4, 0, 0, 6, 0, 6, 0, 4, 5, 5, 6, 6, 7]);
        assert_eq!(decoded(&[9, 1, 2, 0, 0, 1, 1, 0, 1], [1, 1, 1]).unwrap(), [9, 1, 2]);
        assert_eq!(decoded(&eight, [0, 0, 11]).unwrap(), eight);
    }

    #[test]
    fn what_readers_are_free_to_make_something_of_is_refused() {
        for (stored, why) in [
            (&[2, 1, 0, 0][..], "does not end"),
            (&[0, 2, 1, 1, 2, 1, 0, 1], "pixels are skipped"),
            (&[1, 1, 0, 0, 0, 1], "a row ends after 1 pixels"),
            (&[1, 1, 0, 1], "ends after 1 pixels"),
            (&[3, 1, 0, 1], "past the end of its row"),
            (&[2, 1, 0, 1, 7], "data after the end of the bitmap (length 1)"),
            (&[0, 4, 1], "absolute pixels are missing"),
        ] {
            let found = decoded(stored, [1, 0, 2]).unwrap_err().to_string();
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn pixels_are_stored_in_many_ways() {
        let pixels: Vec<u8> = (0..13 * 40u32).map(|k| (k * k / 37 % 5 + k / 300) as u8).collect();
        for (compression, skip) in [(1, 0), (2, 13), (0, 0)] {
            let args = [compression, skip, 13];
            let made = encodings(&BmpRle, &args, &pixels, 200).unwrap();
            assert!(made.len() > 50 || compression == 0);
        }
        let mut source = ChoiceSource::seeded(0, 0);
        assert!(
            BmpRle
                .encode(
                    &[16],
                    Encoding { args: &[2, 0, 1], lengths: &(0..=99), source: &mut source }
                )
                .is_err()
        );
        assert!(
            BmpRle
                .encode(
                    &[1; 5],
                    Encoding { args: &[1, 0, 2], lengths: &(0..=99), source: &mut source }
                )
                .is_err()
        );
    }
}
