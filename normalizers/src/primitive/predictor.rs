//! Undoes horizontal differencing (TIFF 6.0, section 14).

use inverter::primitive::{Bijection, PrimitiveError};

/// `predictor(x.a, samples, stride, bytes, big_endian)`: each sample except the first `stride` of a row is stored as
/// its difference from the sample `stride` positions earlier, modulo the size of a sample. There is only one encoding.
///
/// A row has `samples` samples in all, a multiple of `stride` (the samples of a pixel, or 1 for separate planes).
/// A sample has 1, 2, 4 or 8 bytes, the most significant first if `big_endian` is 1, the least significant first
/// if it is 0. Only whole rows are accepted.
///
/// The differences are those of the bit patterns as integers, whatever the samples are: section 14 defines unsigned
/// integers of up to 16 bits, and libtiff's `PredictorSetup` accepts 8, 16, 32 and 64 bits of any SampleFormat.
pub struct Predictor;

/// The arguments of a predictor, parsed.
pub(super) struct Rows {
    /// The number of samples of a row.
    pub(super) samples: usize,
    /// The distance, in samples, of the two samples whose difference is stored.
    pub(super) stride: usize,
    /// The bytes of a sample.
    pub(super) bytes: usize,
    /// True if the most significant byte comes first.
    pub(super) big_endian: bool,
}

impl Rows {
    /// Parses the arguments of the predictor that errors call `name`; a sample may have one of `sizes` bytes.
    pub(super) fn parse(args: &[i128], sizes: &[i128], name: &str) -> Result<Rows, PrimitiveError> {
        let &[samples, stride, bytes, big_endian] = args else {
            return Err("a predictor takes 4 arguments".into());
        };
        let big_endian = match big_endian {
            0 => false,
            1 => true,
            _ => return Err("the byte order must be 0 or 1".into()),
        };
        if !sizes.contains(&bytes) {
            return Err(format!("samples of {bytes} bytes have no {name}").into());
        }
        let size = |n: i128| usize::try_from(n).ok().filter(|n| *n >= 1);
        match (size(samples), size(stride)) {
            (Some(samples), Some(stride)) if samples.is_multiple_of(stride) => {
                Ok(Rows { samples, stride, bytes: bytes as usize, big_endian })
            }
            _ => Err(format!("{samples} samples are not a row of pixels of {stride}").into()),
        }
    }

    /// The number of bytes of a row; `data` must consist of whole rows.
    pub(super) fn row(&self, data: &[u8]) -> Result<usize, PrimitiveError> {
        let row = self.samples.saturating_mul(self.bytes);
        match data.len().is_multiple_of(row) {
            true => Ok(row),
            false => {
                Err(format!("{} bytes are not a whole number of rows of {row} bytes", data.len())
                    .into())
            }
        }
    }

    /// `data` with every sample of `N` bytes replaced by the result of `step` for it and the previous one. `backwards`
    /// starts at the end of each row.
    fn turned<const N: usize>(
        &self,
        data: &[u8],
        backwards: bool,
        step: impl Fn([u8; N], [u8; N]) -> [u8; N],
    ) -> Result<Vec<u8>, PrimitiveError> {
        let row = self.row(data)?;
        let mut data = data.to_vec();
        for row in data.chunks_mut(row) {
            let samples = row.as_chunks_mut().0;
            let places = self.stride..samples.len();
            let mut turn = |at: usize| samples[at] = step(samples[at], samples[at - self.stride]);
            match backwards {
                true => places.rev().for_each(&mut turn),
                false => places.for_each(&mut turn),
            }
        }
        Ok(data)
    }
}

/// [`Rows::turned`] with an integer operation, for the type and byte order of `rows`.
macro_rules! turned {
    ($rows:expr, $data:expr, $backwards:expr, $operation:ident) => {{
        let (rows, data, backwards): (Rows, &[u8], bool) = ($rows, $data, $backwards);
        macro_rules! of {
            ($integer:ty, $from:ident, $to:ident) => {
                rows.turned(data, backwards, |sample, before| {
                    let (sample, before) = (<$integer>::$from(sample), <$integer>::$from(before));
                    sample.$operation(before).$to()
                })
            };
        }
        match (rows.bytes, rows.big_endian) {
            (1, _) => of!(u8, from_ne_bytes, to_ne_bytes),
            (2, true) => of!(u16, from_be_bytes, to_be_bytes),
            (2, false) => of!(u16, from_le_bytes, to_le_bytes),
            (4, true) => of!(u32, from_be_bytes, to_be_bytes),
            (4, false) => of!(u32, from_le_bytes, to_le_bytes),
            (_, true) => of!(u64, from_be_bytes, to_be_bytes),
            (_, false) => of!(u64, from_le_bytes, to_le_bytes),
        }
    }};
}

/// The sizes of a sample.
const SIZES: [i128; 4] = [1, 2, 4, 8];

impl Bijection for Predictor {
    const NAME: &str = "predictor";
    const ARITY: usize = 4;

    fn forwards(&self, stored: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        turned!(Rows::parse(args, &SIZES, "predictor")?, stored, false, wrapping_add)
    }

    fn backwards(&self, data: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        turned!(Rows::parse(args, &SIZES, "predictor")?, data, true, wrapping_sub)
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
        let wide = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0];
        assert_eq!(
            of(&wide, [2, 1, 8, 1]),
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 255, 255, 255, 255]
        );
        assert_eq!(of(&wide, [2, 1, 8, 0]), [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 255]);
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
        let args: [&[i128]; 8] = [
            &[1, 1, 1, 0],
            &[8, 1, 1, 1],
            &[4, 2, 2, 0],
            &[4, 4, 2, 1],
            &[2, 1, 4, 0],
            &[4, 2, 4, 1],
            &[2, 1, 8, 0],
            &[2, 2, 8, 1],
        ];
        test::round_trips(&Predictor, &args, 300).unwrap();
    }
}
