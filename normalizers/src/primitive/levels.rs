//! Scales samples with any maximum value to levels of 8 bits.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};

/// `levels(x.a, most)`: scales samples from 0 to `most` to levels from 0 to 255. A sample has one byte, or two, the
/// most significant first, if `most` is above 255. Samples that do not equal a level are refused, because readers round
/// differently.
pub struct Levels;

fn most(args: &[i128]) -> Result<u32, PrimitiveError> {
    let &[most] = args else { return Err("levels take 1 argument".into()) };
    let most = u16::try_from(most).ok().filter(|most| *most >= 1);
    most.map(u32::from).ok_or_else(|| "the greatest sample is not 1 to 65535".into())
}

fn samples(data: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
    let most = most(args)?;
    let mut out = Vec::new();
    for level in data {
        let scaled = u32::from(*level) * most;
        if !scaled.is_multiple_of(255) {
            return Err(
                format!("level {level} is not exact with {most} as the greatest sample").into()
            );
        }
        let sample = (scaled / 255) as u16;
        out.extend(&sample.to_be_bytes()[if most > 255 { 0 } else { 1 }..]);
    }
    Ok(out)
}

impl Primitive for Levels {
    fn signature(&self) -> Signature<'_> {
        Signature::new("levels").arguments(1)
    }

    fn decode(&self, stored: &[u8], args: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        let most = most(args)?;
        let size = if most > 255 { 2 } else { 1 };
        if !stored.len().is_multiple_of(size) {
            return Err(format!(
                "{} bytes are not a whole number of samples of 2 bytes",
                stored.len()
            )
            .into());
        }
        let level = |sample: &[u8]| {
            let sample = sample.iter().fold(0, |n, b| n << 8 | u32::from(*b));
            let exact = sample <= most && (sample * 255).is_multiple_of(most);
            let level = exact.then(|| (sample * 255 / most) as u8);
            level.ok_or_else(|| format!("{sample} out of {most}: readers round it").into())
        };
        stored.chunks(size).map(level).collect()
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        of_length(samples(data, args)?, lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        samples(data, args).map(drop).map_err(|why| Unfit { argument: Some(0), why })
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test;

    use super::*;

    #[test]
    fn only_exact_levels_are_taken() {
        let decoded = |stored: &[u8], most| Levels.decode(stored, &[most], 99);
        assert_eq!(decoded(&[0, 1, 5, 15], 15).unwrap(), [0, 17, 85, 255]);
        assert_eq!(decoded(&[1, 1, 2, 2], 65535).unwrap(), [1, 2]);
        assert!(decoded(&[1, 0], 65535).unwrap_err().to_string().contains("readers round it"));
        assert!(
            decoded(&[1], 7).is_err() && decoded(&[2], 1).is_err() && decoded(&[0], 0).is_err()
        );
        assert!(decoded(&[0], 256).is_err());
        assert!(Levels.accepts(&[7], &[15]).is_err() && Levels.accepts(&[7], &[510]).is_ok());
        test::round_trips(&Levels, &[&[255], &[65535], &[510]], 100).unwrap();
    }
}
