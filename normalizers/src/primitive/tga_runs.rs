//! Decodes the run lengths of TGA files, and removes the bytes after the pixels.

use std::ops::Range;

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;

use super::policy::Policy;

/// `tga_runs(x.file)`: returns the TGA file without run-length encoding (image types 9 to 11 become 1 to 3) and without
/// the bytes after its pixels.
///
/// Packets end with their row, as version 2.0 of the specification requires. Packets that continue in the next row,
/// which older writers make, are also read. Bytes after the pixels are ignored.
///
/// | dimension | value | |
/// |---|---|---|
/// | `coding` | `none`, `runs` | whether pixels are run-length encoded |
/// | `runs` | `longest`, `raw`, `single` | runs of equal pixels and raw packets between; raw packets only; a run for each pixel |
/// | | `random:N` | either, of any length |
/// | `end` | `pixels`, `footer` | nothing follows; the footer of version 2.0, without areas |
/// | | `random:N` | up to 64 bytes without meaning, then perhaps the footer |
pub struct TgaRuns;

const CODING: &str = "coding";
const RUNS: &str = "runs";
const END: &str = "end";
const CODINGS: [&str; 2] = ["none", "runs"];
const HABITS: [&str; 3] = ["longest", "raw", "single"];
const ENDS: [&str; 2] = ["pixels", "footer"];
const FOOTER: &[u8; 26] = b"\0\0\0\0\0\0\0\0TRUEVISION-XFILE.\0";
/// The maximum number of pixels of a packet.
const MOST: usize = 128;

/// The fields of a header.
struct Header {
    coded: bool,
    width: usize,
    /// The number of bytes of a pixel.
    size: usize,
    /// The place of the pixels in a file without run lengths.
    pixels: Range<usize>,
}

impl Header {
    fn parse(file: &[u8]) -> Result<Header, PrimitiveError> {
        let header = file.get(..18).ok_or("the header has 18 bytes")?;
        let word = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let coded = match header[2] {
            1..=3 => false,
            9..=11 => true,
            kind => return Err(format!("image type {kind}").into()),
        };
        let (width, size) = (word(12), usize::from(header[16]).div_ceil(8));
        let map = match header[1] {
            0 => 0,
            _ => word(5) * usize::from(header[7]).div_ceil(8),
        };
        let start = 18 + usize::from(header[0]) + map;
        if width == 0 || size == 0 || start > file.len() {
            return Err("there are no pixels".into());
        }
        Ok(Header { coded, width, size, pixels: start..start + width * word(14) * size })
    }

    fn decode(&self, file: &[u8]) -> Result<Vec<u8>, PrimitiveError> {
        let length = self.pixels.len();
        let missing = || "pixels are missing".to_owned();
        if !self.coded {
            return Ok(file.get(self.pixels.clone()).ok_or_else(missing)?.to_vec());
        }
        let (mut out, mut at) = (Vec::new(), self.pixels.start);
        while out.len() < length {
            let packet = *file.get(at).ok_or_else(missing)?;
            let count = usize::from(packet & 127) + 1;
            let run = packet >= 128;
            let stored = if run { self.size } else { count * self.size };
            let pixels = file.get(at + 1..at + 1 + stored).ok_or_else(missing)?;
            (0..if run { count } else { 1 }).for_each(|_| out.extend(pixels));
            at += 1 + stored;
        }
        match out.len() == length {
            true => Ok(out),
            false => Err("a packet goes past the last row".into()),
        }
    }

    fn encode(&self, pixels: &[u8], runs: Policy) -> Vec<u8> {
        let (mut out, mut rng) = (Vec::new(), runs.rng());
        for row in pixels.chunks(self.width * self.size) {
            let mut rest: Vec<&[u8]> = row.chunks(self.size).collect();
            while let [first, ..] = rest[..] {
                let most = rest.len().min(MOST);
                let alike = rest[..most].iter().take_while(|p| **p == first).count();
                let (raw, count) = match (&mut rng, runs) {
                    (Some(rng), _) => {
                        let raw = rng.random();
                        (raw, rng.random_range(1..=if raw { most } else { alike }))
                    }
                    (None, Policy::Word(1)) => (true, most),
                    (None, Policy::Word(2)) => (false, 1),
                    _ if alike > 1 => (false, alike),
                    _ => {
                        let pairs = rest[..most].windows(2).position(|pair| pair[0] == pair[1]);
                        (true, pairs.unwrap_or(most))
                    }
                };
                out.push((count - 1) as u8 | if raw { 0 } else { 128 });
                let stored = if raw { count } else { 1 };
                rest.drain(..count).take(stored).for_each(|p| out.extend(p));
            }
        }
        out
    }
}

/// Returns the bytes after the pixels.
fn end(policy: Policy) -> Vec<u8> {
    match (policy.rng(), policy) {
        (Some(mut rng), _) => {
            let mut out: Vec<u8> = (0..rng.random_range(1..=64)).map(|_| rng.random()).collect();
            if rng.random() {
                out.extend(FOOTER);
            }
            out
        }
        (None, Policy::Word(1)) => FOOTER.to_vec(),
        _ => Vec::new(),
    }
}

/// A whole file; `runs` is true if its pixels are run-length encoded.
fn written(data: &[u8], header: &Header, runs: Option<Policy>, last: Policy) -> Vec<u8> {
    let (before, pixels) = data.split_at(header.pixels.start);
    let mut out = before.to_vec();
    match runs {
        Some(runs) => {
            out[2] += 8;
            out.extend(header.encode(pixels, runs));
        }
        None => out.extend(pixels),
    }
    out.extend(end(last));
    out
}

/// The header of a file to be written.
fn plain(data: &[u8]) -> Result<Header, PrimitiveError> {
    let header = Header::parse(data)?;
    match !header.coded && header.pixels.end == data.len() {
        true => Ok(header),
        false => Err(format!("a file of {} bytes does not end with its pixels", data.len()).into()),
    }
}

impl Primitive for TgaRuns {
    fn signature(&self) -> Signature<'_> {
        Signature::new("tga_runs").dimensions(&[CODING, RUNS, END])
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let header = Header::parse(stored)?;
        if header.pixels.end > most {
            return Err(PrimitiveError::of_size());
        }
        let mut out = stored[..header.pixels.start].to_vec();
        out.extend(header.decode(stored)?);
        out[2] &= 7;
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let header = plain(data)?;
        let runs = match source.named(CODING, &CODINGS)? {
            0 => None,
            _ => Some(Policy::choose(source, RUNS, &HABITS)?),
        };
        let last = Policy::choose(source, END, &ENDS)?;
        of_length(written(data, &header, runs, last), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        plain(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], _: &[i128]) -> Option<Choices> {
        let header = plain(data).ok()?;
        let runs = (0..HABITS.len()).map(|k| Some(Policy::Word(k)));
        for runs in [None].into_iter().chain(runs) {
            for (k, last) in ENDS.iter().enumerate() {
                if written(data, &header, runs, Policy::Word(k)) != stored {
                    continue;
                }
                let mut own = Choices::new();
                own.set(CODING, CODINGS[usize::from(runs.is_some())]);
                if let Some(Policy::Word(k)) = runs {
                    own.set(RUNS, HABITS[k]);
                }
                own.set(END, *last);
                return Some(own);
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

    /// A file of gray pixels, with an identification of one byte.
    fn file(kind: u8, width: u8, height: u8, rest: &[u8]) -> Vec<u8> {
        let mut out = vec![1, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, height, 0, 8, 0, b'!'];
        out.extend(rest);
        out
    }

    fn decoded(file: &[u8]) -> Result<Vec<u8>, PrimitiveError> {
        TgaRuns.decode(file, &[], 1000)
    }

    #[test]
    fn packets_become_pixels() {
        // A run of three whose last pixel is in the next row, and a raw packet.
        let coded = file(11, 2, 2, &[0x82, 7, 0, 9, 1, 2, 3]);
        assert_eq!(decoded(&coded).unwrap(), file(3, 2, 2, &[7, 7, 7, 9]));
        assert_eq!(decoded(&file(3, 2, 1, &[5, 6, 7])).unwrap(), file(3, 2, 1, &[5, 6]));
        for (wrong, why) in [
            (file(11, 2, 2, &[0x84, 7]), "past the last row"),
            (file(11, 2, 2, &[0x81, 7]), "pixels are missing"),
            (file(3, 2, 2, &[1]), "pixels are missing"),
            (file(0, 2, 2, &[1, 1, 1, 1]), "image type 0"),
            (vec![0; 17], "18 bytes"),
        ] {
            let found = decoded(&wrong).unwrap_err().to_string();
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn pixels_are_stored_in_many_ways() {
        let pixels: Vec<u8> =
            (0..200 * 3u32).map(|k| (k / 150) as u8 + (k % 37 / 36) as u8).collect();
        let data = file(3, 200, 3, &pixels);
        let made = encodings(&TgaRuns, &[], &data, 200).unwrap();
        assert!(made.len() > 100);
        let mut source = ChoiceSource::seeded(0, 0);
        assert!(
            TgaRuns
                .encode(
                    &[data, vec![1]].concat(),
                    Encoding { args: &[], lengths: &(0..=9999), source: &mut source }
                )
                .is_err()
        );
    }
}
