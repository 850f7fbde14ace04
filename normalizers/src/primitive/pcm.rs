//! Widens sound samples to 32 bits.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};

/// `pcm(x.a, bytes, valid)`: widens samples of 1 to 4 `bytes`, least significant first, to four bytes. Samples occupy
/// the upper `valid` bits; the others are 0. They are signed, except single-byte samples, whose zero is 128 (WAVE in
/// the Multimedia Programming Interface and Data Specifications 1.0).
pub struct Pcm;

fn form(args: &[i128]) -> Result<(usize, u32), PrimitiveError> {
    match args {
        &[bytes @ 1..=4, valid] if (1..=8 * bytes).contains(&valid) => {
            Ok((bytes as usize, valid as u32))
        }
        _ => Err(format!("{args:?} are not a size of samples from 1 to 4 bytes and a number of valid bits in them").into()),
    }
}

/// The lowest bits, which are 0 in a sample of `valid` bits.
fn rest(valid: u32) -> u32 {
    u32::MAX.checked_shr(valid).unwrap_or(0)
}

impl Primitive for Pcm {
    fn signature(&self) -> Signature<'_> {
        Signature::new("pcm").arguments(2)
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let (bytes, valid) = form(args)?;
        if !stored.len().is_multiple_of(bytes) || stored.len() / bytes * 4 > most {
            return Err(format!(
                "{} bytes are too many, or not a whole number of samples of {bytes} bytes",
                stored.len()
            )
            .into());
        }
        let mut out = Vec::new();
        for sample in stored.chunks_exact(bytes) {
            let mut wide = [0; 4];
            wide[4 - bytes..].copy_from_slice(sample);
            wide[3] ^= if bytes == 1 { 128 } else { 0 };
            if u32::from_le_bytes(wide) & rest(valid) != 0 {
                return Err(format!("a sample has more than {valid} bits").into());
            }
            out.extend(wide);
        }
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        self.accepts(data, args)?;
        let (bytes, _) = form(args)?;
        let mut out = Vec::new();
        for sample in data.chunks_exact(4) {
            out.extend(&sample[4 - bytes..]);
            if let (1, Some(last)) = (bytes, out.last_mut()) {
                *last ^= 128;
            }
        }
        of_length(out, lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let (_, valid) = form(args).map_err(|why| Unfit { argument: None, why })?;
        let unfit = |why: String| Err(Unfit { argument: Some(1), why: why.into() });
        if !data.len().is_multiple_of(4) {
            return unfit(format!(
                "{} bytes are not a whole number of samples of 4 bytes",
                data.len()
            ));
        }
        let more = |s: &[u8]| u32::from_le_bytes([s[0], s[1], s[2], s[3]]) & rest(valid) != 0;
        match data.chunks_exact(4).any(more) {
            true => unfit(format!("a sample has more than {valid} bits")),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use inverter::solve::ChoiceSource;

    use super::*;

    #[test]
    fn samples_are_widened() {
        let wide = |stored: &[u8], args: [i128; 2]| Pcm.decode(stored, &args, 99);
        assert_eq!(wide(&[0, 128, 255], [1, 8]).unwrap(), [0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 127]);
        assert_eq!(wide(&[0, 0x80, 0xf0, 1], [2, 12]).unwrap(), [0, 0, 0, 0x80, 0, 0, 0xf0, 1]);
        assert_eq!(wide(&[1, 2, 3, 4], [4, 32]).unwrap(), [1, 2, 3, 4]);
        assert!(wide(&[8, 0], [2, 12]).is_err() && wide(&[8], [2, 12]).is_err());
        assert!(wide(&[8], [1, 9]).is_err() && wide(&[8], [5, 9]).is_err());
    }

    #[test]
    fn samples_have_a_form_of_each_width_that_holds_them() {
        let mut source = ChoiceSource::seeded(0, 0);
        let data = [0, 0, 0x40, 0x81, 0, 0, 0x80, 0x7f];
        for (args, fits) in [([1, 8], false), ([2, 9], false), ([2, 10], true), ([3, 24], true)] {
            assert_eq!(Pcm.accepts(&data, &args).is_ok(), fits, "{args:?}");
            match Pcm
                .encode(&data, Encoding { args: &args, lengths: &(0..=99), source: &mut source })
            {
                Ok(stored) => assert_eq!(Pcm.decode(&stored, &args, 99).unwrap(), data),
                Err(_) => assert!(!fits),
            }
        }
    }
}
