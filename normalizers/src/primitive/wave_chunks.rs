//! Reads and writes the chunks of WAVE files.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::chunks::Form;
use super::policy::{Policy, plainest};

/// `wave_chunks(x.file)`: returns the length of `fmt ` in two bytes, least significant first, the
/// content of `fmt `, and the content of `data`.
///
/// Source: the Multimedia Programming Interface and Data Specifications 1.0 (RIFF, WAVE). Chunks
/// are padded to an even length, there is one `fmt ` and after it one `data`, and nothing follows
/// the last chunk. Other chunks are ignored.
///
/// | dimension | value | |
/// |---|---|---|
/// | `other chunks` | `none`, `random:N` | `JUNK`, `LIST` and unknown chunks, before, between and after the others |
pub struct WaveChunks;

const OTHERS: &str = "other chunks";

/// The contents of `fmt ` and of `data`.
type Parts<'a> = (&'a [u8], &'a [u8]);

fn chunk(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    Form::Riff.write(out, name, data);
}

fn read(file: &[u8]) -> Result<Parts<'_>, PrimitiveError> {
    let rest = match file.split_at_checked(12) {
        Some((head, rest)) if head.starts_with(b"RIFF") && head.ends_with(b"WAVE") => {
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
            if length != file.len() - 8 {
                return Err(
                    format!("RIFF says {length} bytes, and there are {}", file.len() - 8).into()
                );
            }
            rest
        }
        _ => return Err("it is no RIFF file of the form WAVE".into()),
    };
    let (mut format, mut samples) = (None, None);
    for chunk in Form::Riff.chunks(rest) {
        let (name, data) = chunk?;
        let once = match name {
            b"fmt " if samples.is_none() => format.replace(data).is_none(),
            b"data" if format.is_some() => samples.replace(data).is_none(),
            b"fmt " | b"data" => false,
            _ => true,
        };
        if !once {
            let name = String::from_utf8_lossy(name);
            return Err(format!("{name} stands in the wrong place, or twice").into());
        }
    }
    match (format, samples) {
        (Some(format), Some(samples)) => Ok((format, samples)),
        _ => Err("the fmt or data chunk is missing".into()),
    }
}

fn parts(data: &[u8]) -> Result<Parts<'_>, PrimitiveError> {
    let short = || format!("{} bytes are too few", data.len());
    let (length, rest) = data.split_first_chunk::<2>().ok_or_else(short)?;
    Ok(rest.split_at_checked(u16::from_le_bytes(*length).into()).ok_or_else(short)?)
}

fn write((format, samples): Parts<'_>, others: Policy) -> Vec<u8> {
    let mut rng = others.rng();
    let mut out = b"RIFF\0\0\0\0WAVE".to_vec();
    let mut more = |out: &mut Vec<u8>| {
        if let Some(rng) = &mut rng {
            saying_nothing(out, rng);
        }
    };
    more(&mut out);
    chunk(&mut out, b"fmt ", format);
    more(&mut out);
    chunk(&mut out, b"data", samples);
    more(&mut out);
    let length = (out.len() - 8) as u32;
    out[4..8].copy_from_slice(&length.to_le_bytes());
    out
}

/// Returns up to two chunks that do not affect samples.
fn saying_nothing(out: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    for _ in 0..rng.random_range(0..=2) {
        let any: Vec<u8> = (0..rng.random_range(0..=40)).map(|_| rng.random()).collect();
        match rng.random_range(0..3) {
            0 => chunk(out, b"JUNK", &any),
            1 => {
                let mut list = b"INFO".to_vec();
                chunk(&mut list, b"ISFT", b"software\0");
                chunk(out, b"LIST", &list);
            }
            _ => chunk(out, b"rpfz", &any),
        }
    }
}

impl Primitive for WaveChunks {
    fn signature(&self) -> Signature<'_> {
        Signature::new("wave_chunks").dimensions(&[OTHERS])
    }

    fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        let (format, samples) = read(stored)?;
        let length = u16::try_from(format.len()).map_err(|_| "fmt is too long".to_owned())?;
        Ok([&length.to_le_bytes()[..], format, samples].concat())
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let parts = parts(data)?;
        let others = Policy::choose(source, OTHERS, &["none"])?;
        of_length(write(parts, others), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        parts(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns choices only if there are no other chunks.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;

    use super::*;

    #[test]
    fn others_are_passed_over() {
        let mut file =
            b"RIFF\x2e\0\0\0WAVEodd!\x01\0\0\0?\0fmt \x02\0\0\0abdata\x03\0\0\0xyz\0".to_vec();
        file.extend(b"\0");
        file[4] = (file.len() - 8) as u8;
        let read = |file: &[u8]| WaveChunks.decode(file, &[], 99);
        assert!(read(&file).unwrap_err().to_string().contains("cut off"));
        file.pop();
        assert!(read(&file).unwrap_err().to_string().contains("RIFF says"));
        file[4] = (file.len() - 8) as u8;
        assert_eq!(read(&file).unwrap(), b"\x02\0abxyz");
        let twice = b"RIFF\x16\0\0\0WAVEdata\0\0\0\0fmt \x02\0\0\0ab";
        assert!(read(twice).unwrap_err().to_string().contains("data stands in the wrong place"));
    }

    #[test]
    fn files_are_made_in_many_ways() {
        let data = b"\x03\0abcsamples";
        let made = encodings(&WaveChunks, &[], data, 100).unwrap();
        assert!(made.len() > 30, "{}", made.len());
        assert!(WaveChunks.accepts(b"\x03\0ab", &[]).is_err());
    }
}
