//! Undoes the floating point predictor (Adobe Photoshop TIFF Technical Note 3, 2005).

use inverter::primitive::{Bijection, PrimitiveError};

use super::predictor::Rows;

/// `float_predictor(x.a, samples, stride, bytes, big_endian)`: a row is stored as byte planes, starting with the most
/// significant bytes of all samples. In the whole row of planes, each byte except the first `stride` is stored as its
/// difference from the byte `stride` positions earlier, modulo 256. There is only one encoding.
///
/// A row has `samples` samples in all, a multiple of `stride` (the samples of a pixel, or 1 for separate planes). A
/// sample has 2, 3, 4 or 8 bytes, the most significant first if `big_endian` is 1, the least significant first if it is
/// 0; the order of the planes does not depend on it. Only whole rows are accepted.
///
/// The note defines 16, 24 and 32 bits. libtiff's `PredictorSetup` also accepts 64 bits.
pub struct FloatPredictor;

/// The sizes of a sample.
const SIZES: [i128; 4] = [2, 3, 4, 8];

impl Rows {
    /// The place in the planes of byte `byte` of sample `sample`.
    fn place_in_planes(&self, sample: usize, byte: usize) -> usize {
        let plane = if self.big_endian { byte } else { self.bytes - 1 - byte };
        plane * self.samples + sample
    }
}

impl Bijection for FloatPredictor {
    const NAME: &str = "float_predictor";
    const ARITY: usize = 4;

    fn forwards(&self, stored: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        let rows = Rows::parse(args, &SIZES, "floating point predictor")?;
        let row = rows.row(stored)?;
        let mut planes = stored.to_vec();
        let mut out = Vec::with_capacity(stored.len());
        for planes in planes.chunks_mut(row) {
            for at in rows.stride..planes.len() {
                planes[at] = planes[at].wrapping_add(planes[at - rows.stride]);
            }
            for sample in 0..rows.samples {
                out.extend((0..rows.bytes).map(|byte| planes[rows.place_in_planes(sample, byte)]));
            }
        }
        Ok(out)
    }

    fn backwards(&self, data: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        let rows = Rows::parse(args, &SIZES, "floating point predictor")?;
        let row = rows.row(data)?;
        let mut out = vec![0; data.len()];
        for (planes, row) in out.chunks_mut(row).zip(data.chunks(row)) {
            for (sample, bytes) in row.chunks(rows.bytes).enumerate() {
                for (byte, value) in bytes.iter().enumerate() {
                    planes[rows.place_in_planes(sample, byte)] = *value;
                }
            }
            for at in (rows.stride..planes.len()).rev() {
                planes[at] = planes[at].wrapping_sub(planes[at - rows.stride]);
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::{EncodeError, Encoding, Primitive, test};
    use inverter::solve::ChoiceSource;

    use super::*;

    fn encoded(data: &[u8], args: &[i128]) -> Result<Vec<u8>, EncodeError> {
        FloatPredictor.encode(data, Encoding::any_length(args, &mut ChoiceSource::seeded(1, 1)))
    }

    #[test]
    fn planes_are_rows_of_bytes_by_significance() {
        let of = |data: &[u8], args: [i128; 4]| encoded(data, &args).unwrap();
        // The planes 1 4, 2 5 and 3 7.
        assert_eq!(of(&[1, 2, 3, 4, 5, 7], [2, 1, 3, 1]), [1, 3, 254, 3, 254, 4]);
        assert_eq!(of(&[3, 2, 1, 7, 5, 4], [2, 1, 3, 0]), [1, 3, 254, 3, 254, 4]);
        assert_eq!(of(&[1, 2, 3, 4, 5, 7], [2, 2, 3, 1]), [1, 4, 1, 1, 1, 2]);
        // Rows do not depend on each other.
        assert_eq!(of(&[1, 2, 3, 4], [1, 1, 2, 1]), [1, 1, 3, 1]);
        assert_eq!(of(&[], [3, 3, 4, 0]), [0; 0]);
    }

    /// Bytes of four numbers, the most significant first: the row as gray pixels, and as two pixels of two samples.
    type Row = (Vec<u8>, &'static [u8], &'static [u8]);

    /// The rows into which `floatpred_encode(row, axis=-2)` of imagecodecs 2026.3.6 turns 0.1, -1.7, 3.3 and 1000.7, in
    /// either byte order.
    fn imagecodecs() -> [Row; 3] {
        let numbers = [0.1, -1.7, 3.3, 1000.7];
        [
            (
                vec![0x2E, 0x66, 0xBE, 0xCD, 0x42, 0x9A, 0x63, 0xD1],
                &[0x2E, 0x90, 0x84, 0x21, 0x03, 0x67, 0xCD, 0x37],
                &[0x2E, 0xBE, 0x14, 0xA5, 0x24, 0x6A, 0x34, 0x04],
            ),
            (
                numbers.iter().flat_map(|n| (*n as f32).to_be_bytes()).collect(),
                &[
                    0x3D, 0x82, 0x81, 0x04, 0x88, 0x0D, 0x7A, 0x27, 0x52, 0xCD, 0x9A, 0xF9, 0xA1,
                    0xCD, 0x99, 0x9A,
                ],
                &[
                    0x3D, 0xBF, 0x03, 0x85, 0x8C, 0x95, 0x87, 0xA1, 0x79, 0x1F, 0x67, 0x93, 0x9A,
                    0x6E, 0x66, 0x33,
                ],
            ),
            (
                numbers.iter().flat_map(|n: &f64| n.to_be_bytes()).collect(),
                &[
                    0x3F, 0x80, 0x81, 0x00, 0x79, 0x42, 0x0F, 0x85, 0x0A, 0x9A, 0x33, 0xDF, 0x54,
                    0x9A, 0x33, 0x33, 0x00, 0x9A, 0x33, 0x33, 0x00, 0x9A, 0x33, 0x33, 0x00, 0x9A,
                    0x33, 0x33, 0x01, 0x99, 0x33, 0x34,
                ],
                &[
                    0x3F, 0xBF, 0x01, 0x81, 0x79, 0xBB, 0x51, 0x94, 0x8F, 0xA4, 0xCD, 0x12, 0x33,
                    0xEE, 0xCD, 0x66, 0x33, 0x9A, 0xCD, 0x66, 0x33, 0x9A, 0xCD, 0x66, 0x33, 0x9A,
                    0xCD, 0x66, 0x34, 0x9A, 0xCC, 0x67,
                ],
            ),
        ]
    }

    #[test]
    fn rows_are_those_of_imagecodecs() {
        for (big, gray, pairs) in imagecodecs() {
            let bytes = big.len() / 4;
            let little: Vec<u8> = big.chunks(bytes).flat_map(|n| n.iter().rev()).copied().collect();
            for (stride, stored) in [(1, gray), (2, pairs)] {
                for (data, big_endian) in [(&big, 1), (&little, 0)] {
                    let args = [4, stride, bytes as i128, big_endian];
                    assert_eq!(encoded(data, &args).unwrap(), stored, "{args:?}");
                    let back = FloatPredictor.decode(stored, &args, data.len());
                    assert_eq!(back.as_ref(), Ok(data), "{args:?}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let why = |data: &[u8], args: &[i128]| encoded(data, args).unwrap_err().to_string();
        assert_eq!(
            why(&[1, 2, 3], &[2, 1, 2, 0]),
            "3 bytes are not a whole number of rows of 4 bytes"
        );
        assert_eq!(why(&[1], &[2, 1, 1, 0]), "samples of 1 bytes have no floating point predictor");
        assert_eq!(why(&[1], &[3, 2, 2, 0]), "3 samples are not a row of pixels of 2");
        assert!(encoded(&[1], &[i128::from(u64::MAX), 1, 4, 0]).is_err());
    }

    #[test]
    fn round_trips() {
        let args: [&[i128]; 8] = [
            &[1, 1, 2, 0],
            &[4, 2, 2, 1],
            &[1, 1, 3, 1],
            &[3, 3, 3, 0],
            &[2, 1, 4, 0],
            &[3, 3, 4, 1],
            &[2, 2, 8, 0],
            &[1, 1, 8, 1],
        ];
        test::round_trips(&FloatPredictor, &args, 300).unwrap();
    }
}
