//! Undoes horizontal differencing (TIFF 6.0, section 14).

use inverter::primitive::{Bijection, PrimitiveError};

/// `predictor(x.a, samples, stride, bytes, big_endian)`: each sample but the first `stride`
/// of a row is stored as its difference to the one `stride` before it, modulo the size of a
/// sample. There is one encoding.
///
/// A row has `samples` samples in all, a multiple of `stride` (the samples of a pixel, or 1
/// for separate planes). A sample has 1, 2 or 4 bytes, the most significant first if
/// `big_endian` is 1, the least if it is 0. Only whole rows are accepted.
pub struct Predictor;

/// The arguments, parsed.
struct Rows {
    samples: usize,
    stride: usize,
    bytes: usize,
    big_endian: bool,
}

impl Rows {
    fn parse(args: &[i128]) -> Result<Rows, PrimitiveError> {
        let &[samples, stride, bytes, big_endian] = args else {
            return Err("a predictor takes 4 arguments".into());
        };
        let big_endian = match big_endian {
            0 => false,
            1 => true,
            _ => return Err("the byte order must be 0 or 1".into()),
        };
        if ![1, 2, 4].contains(&bytes) {
            return Err(format!("samples of {bytes} bytes have no predictor").into());
        }
        let size = |n: i128| usize::try_from(n).ok().filter(|n| *n >= 1);
        match (size(samples), size(stride)) {
            (Some(samples), Some(stride)) if samples.is_multiple_of(stride) => {
                Ok(Rows { samples, stride, bytes: bytes as usize, big_endian })
            }
            _ => Err(format!("{samples} samples are not a row of pixels of {stride}").into()),
        }
    }

    /// `data` with every sample replaced by what `step` makes of it and of the one before.
    /// `backwards` begins at the end of each row.
    fn turned(
        &self,
        data: &[u8],
        backwards: bool,
        step: impl Fn(u32, u32) -> u32,
    ) -> Result<Vec<u8>, PrimitiveError> {
        let row = self.samples.saturating_mul(self.bytes);
        if !data.len().is_multiple_of(row) {
            return Err(format!(
                "{} bytes are not a whole number of rows of {row} bytes",
                data.len()
            )
            .into());
        }
        let mut data = data.to_vec();
        for row in data.chunks_mut(row) {
            if self.bytes == 1 {
                let step = |a: u8, b: u8| step(a.into(), b.into()) as u8;
                turn_bytes(row, self.stride, backwards, step);
                continue;
            }
            for k in self.stride..self.samples {
                let at = if backwards { self.samples + self.stride - 1 - k } else { k };
                let value = step(self.get(row, at), self.get(row, at - self.stride));
                self.set(row, at, value);
            }
        }
        Ok(data)
    }

    /// Sample `at` of a row.
    fn get(&self, row: &[u8], at: usize) -> u32 {
        let bytes = &row[at * self.bytes..][..self.bytes];
        let join = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
        match self.big_endian {
            true => bytes.iter().fold(0, join),
            false => bytes.iter().rev().fold(0, join),
        }
    }

    /// Sets sample `at` of a row to `value`, modulo its size.
    fn set(&self, row: &mut [u8], at: usize, value: u32) {
        let bytes = &mut row[at * self.bytes..][..self.bytes];
        match self.big_endian {
            true => bytes.copy_from_slice(&value.to_be_bytes()[4 - self.bytes..]),
            false => bytes.copy_from_slice(&value.to_le_bytes()[..self.bytes]),
        }
    }
}

/// [`Rows::turned`] for samples of one byte.
fn turn_bytes(row: &mut [u8], stride: usize, backwards: bool, step: impl Fn(u8, u8) -> u8) {
    let places = stride..row.len();
    let mut turn = |at: usize| row[at] = step(row[at], row[at - stride]);
    match backwards {
        true => places.rev().for_each(&mut turn),
        false => places.for_each(&mut turn),
    }
}

impl Bijection for Predictor {
    const NAME: &str = "predictor";
    const ARITY: usize = 4;

    fn forwards(&self, stored: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        Rows::parse(args)?.turned(stored, false, u32::wrapping_add)
    }

    fn backwards(&self, data: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        Rows::parse(args)?.turned(data, true, u32::wrapping_sub)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::{EncodeError, Encoding, Primitive, test};
    use inverter::solve::ChoiceSource;

    use super::*;

    fn encoded(data: &[u8], args: &[i128]) -> Result<Vec<u8>, EncodeError> {
        Predictor.encode(data, Encoding::any_length(args, &mut ChoiceSource::seeded(1, 1)))
    }

    #[test]
    fn differences_are_of_whole_samples_within_a_row() {
        let of = |data: &[u8], args: [i128; 4]| encoded(data, &args).unwrap();
        assert_eq!(of(&[1, 3, 2, 9, 9, 8], [3, 1, 1, 0]), [1, 2, 255, 9, 0, 255]);
        assert_eq!(of(&[1, 2, 3, 5, 7, 9], [6, 3, 1, 1]), [1, 2, 3, 4, 5, 6]);
        assert_eq!(of(&[0, 255, 1, 1], [2, 1, 2, 1]), [0, 255, 0, 2]);
        assert_eq!(of(&[255, 0, 1, 1], [2, 1, 2, 0]), [255, 0, 2, 0]);
        assert_eq!(of(&[0, 0, 0, 1, 0, 0, 0, 0], [2, 1, 4, 1]), [0, 0, 0, 1, 255, 255, 255, 255]);
        assert_eq!(of(&[], [3, 3, 4, 0]), [0; 0]);
        let back = Predictor.decode(&[1, 2, 255, 9, 0, 255], &[3, 1, 1, 0], 6);
        assert_eq!(back.unwrap(), [1, 3, 2, 9, 9, 8]);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let why = |data: &[u8], args: &[i128]| encoded(data, args).unwrap_err().to_string();
        assert_eq!(
            why(&[1, 2, 3], &[2, 1, 1, 0]),
            "3 bytes are not a whole number of rows of 2 bytes"
        );
        assert_eq!(why(&[1], &[2, 1, 3, 0]), "samples of 3 bytes have no predictor");
        assert_eq!(why(&[1], &[3, 2, 1, 0]), "3 samples are not a row of pixels of 2");
        assert_eq!(why(&[1], &[0, 1, 1, 0]), "0 samples are not a row of pixels of 1");
        assert_eq!(why(&[1], &[1, 1, 1, 2]), "the byte order must be 0 or 1");
        assert!(encoded(&[1], &[i128::from(u64::MAX), 1, 4, 0]).is_err());
    }

    #[test]
    fn round_trips() {
        let args: [&[i128]; 6] = [
            &[1, 1, 1, 0],
            &[8, 1, 1, 1],
            &[4, 2, 2, 0],
            &[4, 4, 2, 1],
            &[2, 1, 4, 0],
            &[4, 2, 4, 1],
        ];
        test::round_trips(&Predictor, &args, 300).unwrap();
    }
}
