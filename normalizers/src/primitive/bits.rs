//! Unpacks samples of less than a byte (TIFF 6.0, sections 3, 4 and 8).

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::Choices;

use super::padding::Padding;

/// `packed_bits(x.a, bits, samples)`: unpacks samples of 1, 2 or 4 bits, the most significant
/// first, to one byte each. Every row of `samples` samples starts at a byte; only whole rows are
/// accepted.
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

/// The arguments, parsed.
struct Rows {
    bits: usize,
    samples: usize,
}

impl Rows {
    fn parse(args: &[i128]) -> Result<Rows, PrimitiveError> {
        let &[bits, samples] = args else {
            return Err("packed bits take 2 arguments".into());
        };
        if ![1, 2, 4].contains(&bits) {
            return Err(format!("samples of {bits} bits are not packed").into());
        }
        match usize::try_from(samples) {
            Ok(samples) if samples >= 1 => Ok(Rows { bits: bits as usize, samples }),
            _ => Err(format!("a row of {samples} samples").into()),
        }
    }

    /// The samples in a byte.
    fn per_byte(&self) -> usize {
        8 / self.bits
    }

    /// The bytes of a stored row.
    fn stored(&self) -> usize {
        self.samples.div_ceil(self.per_byte())
    }

    /// The unused bits of a row's last byte.
    fn unused(&self) -> u8 {
        let left = (self.per_byte() - self.samples % self.per_byte()) % self.per_byte();
        // From 0 to 7 bits.
        ((1u16 << (left * self.bits)) - 1) as u8
    }

    fn pack(&self, data: &[u8], padding: Padding) -> Result<Vec<u8>, PrimitiveError> {
        if !data.len().is_multiple_of(self.samples) {
            return Err(format!(
                "{} samples are not a whole number of rows of {}",
                data.len(),
                self.samples
            )
            .into());
        }
        if let Some(sample) = data.iter().find(|s| **s >> self.bits != 0) {
            return Err(format!("{sample} does not fit into {} bits", self.bits).into());
        }
        let mut unused = padding.bytes();
        let mut out = Vec::with_capacity(data.len() / self.samples * self.stored());
        for row in data.chunks(self.samples) {
            let unused = unused();
            for samples in row.chunks(self.per_byte()) {
                let byte = samples.iter().fold(0, |byte, s| byte << self.bits | s);
                out.push(byte << (self.bits * (self.per_byte() - samples.len())));
            }
            if let Some(last) = out.last_mut() {
                *last |= unused & self.unused();
            }
        }
        Ok(out)
    }
}

impl Primitive for PackedBits {
    fn signature(&self) -> Signature<'_> {
        Signature::new("packed_bits").arguments(2).dimensions(&[PADDING])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let rows = Rows::parse(args)?;
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
            if rows.samples > most - out.len() {
                return Err(format!("a row of {} samples goes past the end", rows.samples).into());
            }
            let mask = u8::MAX >> (8 - rows.bits);
            let sample = |k: usize| {
                let shift = 8 - rows.bits * (k % rows.per_byte() + 1);
                row[k / rows.per_byte()] >> shift & mask
            };
            out.extend((0..rows.samples).map(sample));
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
    use inverter::solve::{Choice, ChoiceSource};

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
        assert_eq!(why(&[1, 1, 1], &[1, 2]), "3 samples are not a whole number of rows of 2");
        assert_eq!(why(&[1], &[3, 1]), "samples of 3 bits are not packed");
        assert_eq!(why(&[1], &[1, 0]), "a row of 0 samples");
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

    /// `PackedBits` of the samples that bytes hold: the property draws bytes of any value.
    struct FromBytes;

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
            let per_byte = Rows::parse(args)?.per_byte();
            let samples = PackedBits.decode(stored, args, most.saturating_mul(per_byte))?;
            let whole = [args[0], samples.len().max(1) as i128];
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
            let rows = Rows::parse(args)?;
            let samples = data.len() * rows.per_byte();
            let whole = [args[0], samples.max(1) as i128];
            let samples = PackedBits.decode(data, &whole, samples);
            PackedBits.encode(&samples?, Encoding { args, lengths, source })
        }
    }

    #[test]
    fn round_trips() {
        let args: [&[i128]; 8] =
            [&[1, 1], &[1, 8], &[1, 13], &[2, 3], &[2, 4], &[2, 7], &[4, 1], &[4, 5]];
        test::round_trips(&FromBytes, &args, 300).unwrap();
    }

    #[test]
    fn round_trips_of_samples() {
        // Most of the property's data has samples that are too large; half of it is 0 and 1
        // or constant.
        test::round_trips(&PackedBits, &[&[1, 1], &[2, 1], &[4, 1]], 400).unwrap();
    }
}
