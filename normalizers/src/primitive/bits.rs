//! Unpacks samples that do not fill whole bytes (TIFF 6.0, sections 3, 4, 8 and 19).

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::Choices;

use super::padding::Padding;

/// `packed_bits(x.a, bits, samples)`: unpacks samples of 1 to 64 bits to whole bytes each: one byte
/// for up to 8 bits, two for up to 16, and so on.
///
/// The bits of a row form one stream, with the most significant bit of each sample and of each byte first (FillOrder
/// 1), whatever the byte order of the file. An unpacked sample has its most significant byte first, and zeros above its
/// bits. Every row of `samples` samples starts at a byte; only whole rows are accepted.
///
/// | dimension | value | unused bits at the end of each row |
/// |---|---|---|
/// | `row padding` | `zeros`, `ones` | all 0, all 1 |
/// | | `random:N` | random |
///
/// The dimension is absent if rows have no unused bits.
pub struct PackedBits;

/// The dimension.
const PADDING: &str = "row padding";

/// The maximum number of bits of a sample.
const MOST_BITS: i128 = 64;

/// The arguments, parsed.
struct Rows {
    bits: usize,
    samples: usize,
    /// The number of bytes of an unpacked sample.
    sample: usize,
    /// The number of bits of a stored row, without unused bits.
    used: usize,
}

impl Rows {
    fn parse(args: &[i128]) -> Result<Rows, PrimitiveError> {
        let &[bits, samples] = args else {
            return Err("packed bits take 2 arguments".into());
        };
        if !(1..=MOST_BITS).contains(&bits) {
            return Err(format!("samples of {bits} bits are not packed").into());
        }
        let bits = bits as usize;
        let counted = usize::try_from(samples).ok().filter(|samples| *samples >= 1);
        // An unpacked sample has at most 8 bits for each bit of the packed one.
        let used = counted.filter(|samples| samples.checked_mul(8 * bits).is_some());
        match used {
            Some(samples) => {
                Ok(Rows { bits, samples, sample: bits.div_ceil(8), used: samples * bits })
            }
            None => Err(format!("a row of {samples} samples").into()),
        }
    }

    /// The number of samples in a byte, if a byte holds whole samples.
    fn per_byte(&self) -> Option<usize> {
        [1, 2, 4].contains(&self.bits).then_some(8 / self.bits)
    }

    /// The number of bytes of a stored row.
    fn stored(&self) -> usize {
        self.used.div_ceil(8)
    }

    /// The number of bytes of an unpacked row.
    fn unpacked(&self) -> usize {
        self.samples * self.sample
    }

    /// The number of unused bits of a row's last byte.
    fn unused(&self) -> u8 {
        // From 0 to 7 bits.
        ((1u16 << (8 * self.stored() - self.used)) - 1) as u8
    }

    /// The number of significant bits of each byte of an unpacked sample; only the first byte may have fewer than 8.
    fn digits(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let first = self.bits - 8 * (self.sample - 1);
        std::iter::once(first).chain(std::iter::repeat_n(8, self.sample - 1))
    }

    /// Checks that every sample fits.
    fn check(&self, data: &[u8]) -> Result<(), PrimitiveError> {
        let misfit = match self.sample {
            1 if self.bits == 8 => None,
            1 => data.iter().find(|s| **s >> self.bits != 0).map(std::slice::from_ref),
            _ if self.bits.is_multiple_of(8) => None,
            _ => data.chunks_exact(self.sample).find(|s| s[0] >> (self.bits % 8) != 0),
        };
        let Some(misfit) = misfit else { return Ok(()) };
        let value = misfit.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        Err(format!("{value} does not fit into {} bits", self.bits).into())
    }

    fn pack(&self, data: &[u8], padding: Padding) -> Result<Vec<u8>, PrimitiveError> {
        if !data.len().is_multiple_of(self.unpacked()) {
            return Err(format!(
                "{} bytes are not a whole number of rows of {} bytes",
                data.len(),
                self.unpacked()
            )
            .into());
        }
        self.check(data)?;
        let mut unused = padding.bytes();
        let mut out = Vec::with_capacity(data.len() / self.unpacked() * self.stored());
        for row in data.chunks(self.unpacked()) {
            match self.per_byte() {
                Some(per_byte) => self.pack_whole(row, per_byte, &mut out),
                None => self.pack_row(row, &mut out),
            }
            let unused = unused();
            if let Some(last) = out.last_mut() {
                *last |= unused & self.unused();
            }
        }
        Ok(out)
    }

    /// Packs a row of bytes that hold whole samples.
    fn pack_whole(&self, row: &[u8], per_byte: usize, out: &mut Vec<u8>) {
        for samples in row.chunks(per_byte) {
            let byte = samples.iter().fold(0, |byte, s| byte << self.bits | s);
            out.push(byte << (self.bits * (per_byte - samples.len())));
        }
    }

    /// Packs a row of samples of any number of bits.
    fn pack_row(&self, row: &[u8], out: &mut Vec<u8>) {
        // Fewer than 8 bits are pending, in the low places; higher bits have already been written.
        let (mut waiting, mut count) = (0u32, 0);
        for (byte, bits) in row.iter().zip(self.digits().cycle()) {
            waiting = waiting << bits | u32::from(*byte);
            count += bits;
            if count >= 8 {
                count -= 8;
                out.push((waiting >> count) as u8);
            }
        }
        if count > 0 {
            out.push((waiting << (8 - count)) as u8);
        }
    }

    /// Unpacks a row of bytes that hold whole samples.
    fn unpack_whole(&self, row: &[u8], per_byte: usize, out: &mut Vec<u8>) {
        let mask = u8::MAX >> (8 - self.bits);
        let sample = |k: usize| {
            let shift = 8 - self.bits * (k % per_byte + 1);
            row[k / per_byte] >> shift & mask
        };
        out.extend((0..self.samples).map(sample));
    }

    /// Unpacks a row of samples of any number of bits.
    fn unpack_row(&self, row: &[u8], out: &mut Vec<u8>) {
        let mut stored = row.iter();
        let (mut waiting, mut count) = (0u32, 0);
        for bits in self.digits().cycle().take(self.unpacked()) {
            if count < bits {
                waiting = waiting << 8 | stored.next().map_or(0, |byte| u32::from(*byte));
                count += 8;
            }
            count -= bits;
            out.push((waiting >> count & ((1 << bits) - 1)) as u8);
        }
    }
}

impl Primitive for PackedBits {
    fn signature(&self) -> Signature<'_> {
        Signature::new("packed_bits").arguments(2).dimensions(&[PADDING])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let rows = Rows::parse(args)?;
        let per_byte = rows.per_byte();
        let mut out = Vec::new();
        for row in stored.chunks(rows.stored()) {
            if out.len() == most {
                break;
            }
            if row.len() < rows.stored() {
                return Err(
                    format!("the last row has {} of {} bytes", row.len(), rows.stored()).into()
                );
            }
            if rows.unpacked() > most - out.len() {
                return Err(format!("a row of {} samples goes past the end", rows.samples).into());
            }
            match per_byte {
                Some(per_byte) => rows.unpack_whole(row, per_byte, &mut out),
                None => rows.unpack_row(row, &mut out),
            }
        }
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let rows = Rows::parse(args)?;
        let padding = match rows.unused() {
            0 => Padding::Zeros,
            _ => Padding::choose(source, PADDING)?,
        };
        of_length(rows.pack(data, padding)?, lengths)
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let rows = Rows::parse(args).ok()?;
        let made = |padding| rows.pack(data, padding).is_ok_and(|packed| packed == stored);
        let (word, _) = Padding::WORDS.into_iter().find(|(_, padding)| made(*padding))?;
        let mut own = Choices::new();
        if rows.unused() != 0 {
            own.set(PADDING, word);
        }
        Some(own)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test;
    use inverter::solve::{Choice, ChoiceSource, Fill};
    use rand::RngExt;

    use super::*;

    fn encoded(data: &[u8], args: &[i128], padding: &str) -> Result<Vec<u8>, EncodeError> {
        let mut given = Choices::new();
        given.set(PADDING, padding);
        let mut source = ChoiceSource::replaying(given);
        PackedBits.encode(data, Encoding::any_length(args, &mut source))
    }

    #[test]
    fn the_first_sample_is_the_most_significant() {
        let of = |data: &[u8], args: [i128; 2], padding| encoded(data, &args, padding).unwrap();
        assert_eq!(of(&[1, 0, 1, 1, 1, 0], [1, 3], "zeros"), [0b1010_0000, 0b1100_0000]);
        assert_eq!(of(&[1, 0, 1, 1, 1, 0], [1, 3], "ones"), [0b1011_1111, 0b1101_1111]);
        assert_eq!(of(&[3, 0, 1, 2, 1], [2, 5], "zeros"), [0b1100_0110, 0b0100_0000]);
        assert_eq!(of(&[10, 11, 12], [4, 3], "ones"), [0xAB, 0xCF]);
        assert_eq!(of(&[10, 11], [4, 2], "ones"), [0xAB]);
        assert_eq!(of(&[], [4, 3], "random:7"), [0; 0]);
        let decoded = PackedBits.decode(&[0xAB, 0xCF, 0x12, 0x34], &[4, 3], 6);
        assert_eq!(decoded.unwrap(), [10, 11, 12, 1, 2, 3]);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let why = |data: &[u8], args| encoded(data, args, "zeros").unwrap_err().to_string();
        assert_eq!(why(&[1, 2], &[1, 2]), "2 does not fit into 1 bits");
        assert_eq!(why(&[1, 1, 1], &[1, 2]), "3 bytes are not a whole number of rows of 2 bytes");
        assert_eq!(why(&[8], &[3, 1]), "8 does not fit into 3 bits");
        assert_eq!(why(&[0, 9, 16, 0], &[12, 1]), "4096 does not fit into 12 bits");
        assert_eq!(why(&[1, 2, 3], &[12, 1]), "3 bytes are not a whole number of rows of 2 bytes");
        assert_eq!(why(&[1], &[0, 1]), "samples of 0 bits are not packed");
        assert_eq!(why(&[1], &[65, 1]), "samples of 65 bits are not packed");
        assert_eq!(why(&[1], &[1, 0]), "a row of 0 samples");
        let most = i128::from(u64::MAX);
        assert_eq!(why(&[1], &[12, most]), format!("a row of {most} samples"));
        let why =
            |stored: &[u8], most| PackedBits.decode(stored, &[1, 9], most).unwrap_err().to_string();
        assert_eq!(why(&[1, 2, 3], 18), "the last row has 1 of 2 bytes");
        assert_eq!(why(&[1, 2], 8), "a row of 9 samples goes past the end");
    }

    #[test]
    fn own_choices_tell_the_padding() {
        let own = |stored: &[u8]| PackedBits.own_choices(stored, &[1, 2, 3], &[4, 3]);
        let padding = |stored: &[u8]| own(stored)?.get(PADDING).cloned();
        assert_eq!(padding(&[0x12, 0x30]), Some(Choice::from("zeros")));
        assert_eq!(padding(&[0x12, 0x3F]), Some(Choice::from("ones")));
        assert_eq!(own(&[0x12, 0x35]), None);
    }

    /// Six samples in two rows of three, and the rows as `packints_encode` of imagecodecs 2026.3.6
    /// packs them: `packints_encode(samples, bits, runlen=3)`. Sample k is
    /// `(k * 0x9E3779B97F4A7C15 + 0x1234567 >> 5) % 2**bits`.
    const IMAGECODECS: [(usize, [u64; 6], &[u8]); 8] = [
        (3, [3, 3, 4, 5, 5, 6], &[0x6E, 0, 0xB7, 0]),
        (5, [0xB, 0xB, 0xC, 0xD, 0xD, 0xE], &[0x5A, 0xD8, 0x6B, 0x5C]),
        (6, [0x2B, 0xB, 0x2C, 0xD, 0x2D, 0xE], &[0xAC, 0xBB, 0, 0x36, 0xD3, 0x80]),
        (7, [0x2B, 0xB, 0x6C, 0x4D, 0x2D, 0xE], &[0x56, 0x2F, 0x60, 0x9A, 0xB4, 0x70]),
        (
            10,
            [0x22B, 0x20B, 0x1EC, 0x1CD, 0x1AD, 0x18E],
            &[0x8A, 0xE0, 0xB7, 0xB0, 0x73, 0x5A, 0xD6, 0x38],
        ),
        (
            12,
            [0xA2B, 0xE0B, 0x1EC, 0x5CD, 0x9AD, 0xD8E],
            &[0xA2, 0xBE, 0x0B, 0x1E, 0xC0, 0x5C, 0xD9, 0xAD, 0xD8, 0xE0],
        ),
        (
            14,
            [0x1A2B, 0x2E0B, 0x1EC, 0x15CD, 0x29AD, 0x3D8E],
            &[0x68, 0xAE, 0xE0, 0xB0, 0x7B, 0x00, 0x57, 0x36, 0x9A, 0xDF, 0x63, 0x80],
        ),
        (
            24,
            [0x91A2B, 0x36E0B, 0xFDC1EC, 0xF815CD, 0xF269AD, 0xECBD8E],
            &[
                9, 0x1A, 0x2B, 3, 0x6E, 0x0B, 0xFD, 0xC1, 0xEC, 0xF8, 0x15, 0xCD, 0xF2, 0x69, 0xAD,
                0xEC, 0xBD, 0x8E,
            ],
        ),
    ];

    /// The bytes of unpacked samples.
    fn unpacked(samples: &[u64], bits: usize) -> Vec<u8> {
        let bytes = |sample: &u64| sample.to_be_bytes()[8 - bits.div_ceil(8)..].to_vec();
        samples.iter().flat_map(bytes).collect()
    }

    #[test]
    fn rows_are_packed_as_imagecodecs_packs_them() {
        for (bits, samples, packed) in IMAGECODECS {
            let (data, args) = (unpacked(&samples, bits), [bits as i128, 3]);
            assert_eq!(encoded(&data, &args, "zeros").unwrap(), packed, "{bits} bits");
            let back = PackedBits.decode(packed, &args, data.len());
            assert_eq!(back.unwrap(), data, "{bits} bits");
        }
    }

    /// Packs rows bit by bit, by the definition; unused bits are ones.
    fn by_definition(samples: &[u64], bits: usize, row: usize) -> Vec<u8> {
        let packed = |row: &[u64]| -> Vec<u8> {
            let bit = |sample: &u64, k: usize| sample >> (bits - 1 - k) & 1 == 1;
            let mut all: Vec<bool> =
                row.iter().flat_map(|s| (0..bits).map(move |k| bit(s, k))).collect();
            all.resize(all.len().next_multiple_of(8), true);
            let byte = |bits: &[bool]| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
            all.chunks(8).map(byte).collect()
        };
        samples.chunks(row).flat_map(packed).collect()
    }

    #[test]
    fn any_number_of_bits_is_packed_by_the_definition() {
        let mut rng = Fill::rng(64);
        for bits in 1..=64 {
            for row in 1..=17 {
                let samples: Vec<u64> =
                    (0..3 * row).map(|_| rng.random::<u64>() >> (64 - bits)).collect();
                let (data, args) = (unpacked(&samples, bits), [bits as i128, row as i128]);
                let packed = encoded(&data, &args, "ones").unwrap();
                assert_eq!(packed, by_definition(&samples, bits, row), "{args:?}");
                for padding in ["zeros", "random:3"] {
                    let packed = encoded(&data, &args, padding).unwrap();
                    assert_eq!(PackedBits.decode(&packed, &args, data.len()).unwrap(), data);
                }
            }
        }
    }

    /// `PackedBits` for the samples that bytes can hold, because the property draws bytes of any value.
    struct FromBytes;

    impl FromBytes {
        /// Returns the arguments of one row of all samples in `bytes` bytes.
        fn whole(args: &[i128], bytes: usize) -> [i128; 2] {
            [args[0], (8 * bytes as i128 / args[0]).max(1)]
        }
    }

    impl Primitive for FromBytes {
        fn signature(&self) -> Signature<'_> {
            Signature::new("from_bytes").arguments(2).dimensions(PackedBits.signature().dimensions)
        }

        fn decode(
            &self,
            stored: &[u8],
            args: &[i128],
            most: usize,
        ) -> Result<Vec<u8>, PrimitiveError> {
            let sample = Rows::parse(args)?.sample;
            let samples = 8 * most / args[0] as usize;
            let samples = PackedBits.decode(stored, args, samples * sample)?;
            let whole = [args[0], (samples.len() / sample).max(1) as i128];
            let mut source = ChoiceSource::seeded(0, 0);
            PackedBits
                .encode(&samples, Encoding::any_length(&whole, &mut source))
                .map_err(|e| e.to_string().into())
        }

        fn encode(
            &self,
            data: &[u8],
            Encoding { args, lengths, source }: Encoding<'_>,
        ) -> Result<Vec<u8>, EncodeError> {
            if !(8 * data.len()).is_multiple_of(args[0] as usize) {
                return Err(EncodeError::Impossible("these bytes are not whole samples".into()));
            }
            let whole = Self::whole(args, data.len());
            let samples = PackedBits.decode(data, &whole, usize::MAX);
            PackedBits.encode(&samples?, Encoding { args, lengths, source })
        }
    }

    #[test]
    fn round_trips() {
        let args: [&[i128]; 8] =
            [&[1, 1], &[1, 8], &[1, 13], &[2, 3], &[2, 4], &[2, 7], &[4, 1], &[4, 5]];
        test::round_trips(&FromBytes, &args, 300).unwrap();
        let odd: [&[i128]; 9] =
            [&[3, 1], &[5, 1], &[6, 2], &[7, 1], &[10, 1], &[12, 2], &[14, 1], &[24, 1], &[48, 1]];
        test::round_trips(&FromBytes, &odd, 300).unwrap();
    }

    #[test]
    fn round_trips_of_samples() {
        // Most of the property's data has samples that are too large; half of it is 0 and 1
        // or constant.
        test::round_trips(&PackedBits, &[&[1, 1], &[2, 1], &[4, 1]], 400).unwrap();
    }
}
