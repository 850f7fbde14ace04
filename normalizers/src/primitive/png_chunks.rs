//! Reads and writes the chunks of PNG files.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::chunks::{Form, cut};
use super::policy::Policy;

/// `png_chunks(x.file)`: returns the contents of a PNG file's critical chunks and of its `tRNS`.
///
/// | bytes | |
/// |---|---|
/// | 0 to 12 | `IHDR` |
/// | 13, 14 | entries of `PLTE`, most significant byte first |
/// | 15, 16 | bytes of `tRNS`, most significant byte first |
/// | 17 .. | three bytes for each entry, then those of `tRNS`, then those of all `IDAT` |
///
/// Source: PNG (third edition), sections 5 and 11. Checksums must be right, chunks in order, and nothing may follow
/// `IEND`. Ancillary chunks are ignored, except those for animations, which are refused.
///
/// | dimension | value | |
/// |---|---|---|
/// | `data chunks` | `one`, `bytes` | all data in one `IDAT`; a byte in each |
/// | | `random:N` | cut anywhere, some of them empty |
/// | `ancillary` | `none`, `random:N` | chunks that do not affect pixels, wherever they are allowed |
pub struct PngChunks;

const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";
const DATA: &str = "data chunks";
const ANCILLARY: &str = "ancillary";
const DATAS: [&str; 2] = ["one", "bytes"];
/// The number of bytes before the palette.
const FIXED: usize = 17;

/// The contents of the chunks.
struct Parts<'a> {
    header: &'a [u8],
    palette: &'a [u8],
    alpha: &'a [u8],
    data: Vec<u8>,
}

fn chunk(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    Form::Png.write(out, name, data);
}

impl<'a> Parts<'a> {
    fn read(file: &'a [u8], most: usize) -> Result<Self, PrimitiveError> {
        let mut rest = file.strip_prefix(SIGNATURE).ok_or("the signature is not PNG's")?;
        let mut parts = Parts { header: &[], palette: &[], alpha: &[], data: Vec::new() };
        // The `IDAT`s are consecutive.
        let (mut begun, mut ended) = (false, false);
        loop {
            let (name, data) = Form::Png.next(&mut rest)?;
            let shown = String::from_utf8_lossy(name);
            if parts.header.is_empty() != (name == b"IHDR") {
                return Err(format!("{shown} is in the wrong place").into());
            }
            ended |= begun && name != b"IDAT";
            match name {
                b"IHDR" if data.len() == 13 => parts.header = data,
                b"PLTE" if !begun && parts.palette.is_empty() && parts.alpha.is_empty() => {
                    if data.is_empty() || data.len() > 768 || !data.len().is_multiple_of(3) {
                        return Err(format!("a palette of {} bytes", data.len()).into());
                    }
                    parts.palette = data;
                }
                b"tRNS" if !begun && parts.alpha.is_empty() && data.len() <= 256 => {
                    parts.alpha = data;
                }
                b"IDAT" if !ended => {
                    begun = true;
                    parts.data.extend(data);
                }
                b"IEND" if begun && data.is_empty() => break,
                [first, ..] if first.is_ascii_lowercase() && name != b"acTL" && name != b"tRNS" => {
                }
                _ => return Err(format!("{shown} is in the wrong place, or not known").into()),
            }
            if parts.data.len() > most {
                return Err(PrimitiveError::of_size());
            }
        }
        match rest.len() {
            0 => Ok(parts),
            more => Err(format!("data after IEND (length {more})").into()),
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let entries = (self.palette.len() / 3) as u16;
        let mut out = self.header.to_vec();
        out.extend(entries.to_be_bytes());
        out.extend((self.alpha.len() as u16).to_be_bytes());
        out.extend(self.palette);
        out.extend(self.alpha);
        out.extend(&self.data);
        out
    }

    fn from_bytes(bytes: &'a [u8]) -> Result<Self, PrimitiveError> {
        let short = || format!("{} bytes are too few", bytes.len());
        let (fixed, rest) = bytes.split_at_checked(FIXED).ok_or_else(short)?;
        let number = |at: usize| usize::from(u16::from_be_bytes([fixed[at], fixed[at + 1]]));
        let (entries, alpha) = (number(13), number(15));
        if entries > 256 || alpha > 256 {
            return Err(format!("{entries} entries, {alpha} bytes of alpha").into());
        }
        let (palette, rest) = rest.split_at_checked(3 * entries).ok_or_else(short)?;
        let (alpha, data) = rest.split_at_checked(alpha).ok_or_else(short)?;
        Ok(Parts { header: &fixed[..13], palette, alpha, data: data.to_vec() })
    }

    fn write(&self, pieces: Policy, ancillary: Policy) -> Vec<u8> {
        let mut more = ancillary.rng();
        let mut used = [false; 5];
        let mut out = SIGNATURE.to_vec();
        chunk(&mut out, b"IHDR", self.header);
        let mut extra = |out: &mut Vec<u8>, late: bool| {
            if let Some(rng) = &mut more {
                saying_nothing(out, rng, &mut used, late);
            }
        };
        extra(&mut out, false);
        if !self.palette.is_empty() {
            chunk(&mut out, b"PLTE", self.palette);
            extra(&mut out, false);
        }
        if !self.alpha.is_empty() {
            chunk(&mut out, b"tRNS", self.alpha);
            extra(&mut out, false);
        }
        cut(&self.data, pieces).into_iter().for_each(|piece| chunk(&mut out, b"IDAT", piece));
        extra(&mut out, true);
        chunk(&mut out, b"IEND", &[]);
        out
    }
}

/// Returns up to two chunks that do not affect pixels. Chunks that may occur only once are recorded
/// in `used`; `pHYs` does not follow the data.
fn saying_nothing(out: &mut Vec<u8>, rng: &mut ChaCha8Rng, used: &mut [bool; 5], late: bool) {
    for _ in 0..rng.random_range(0..=2) {
        let kind = rng.random_range(0..5);
        let any: Vec<u8> = (0..rng.random_range(0..=40)).map(|_| rng.random()).collect();
        match kind {
            0 => {
                let text: String = any.iter().map(|b| char::from(b' ' + b % 95)).collect();
                chunk(out, b"tEXt", format!("Comment\0{text}").as_bytes());
            }
            1 if !used[1] => chunk(out, b"tIME", &[7, 208, 2, 29, 23, 59, 60]),
            2 if !used[2] && !late => chunk(out, b"pHYs", &[0, 0, 11, 19, 0, 0, 11, 19, 1]),
            // A private chunk, and an unknown one.
            3 => chunk(out, b"rpFz", &any),
            4 => chunk(out, b"zzZz", &any),
            _ => {}
        }
        used[kind] = true;
    }
}

impl Primitive for PngChunks {
    fn signature(&self) -> Signature<'_> {
        Signature::new("png_chunks").dimensions(&[DATA, ANCILLARY])
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        Parts::read(stored, most).map(|parts| parts.to_bytes())
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let parts = Parts::from_bytes(data)?;
        let pieces = Policy::choose(source, DATA, &DATAS)?;
        let ancillary = Policy::choose(source, ANCILLARY, &["none"])?;
        of_length(parts.write(pieces, ancillary), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        Parts::from_bytes(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns choices only if there are no ancillary chunks.
    fn own_choices(&self, stored: &[u8], data: &[u8], _: &[i128]) -> Option<Choices> {
        let parts = Parts::from_bytes(data).ok()?;
        let same = |k: &usize| parts.write(Policy::Word(*k), Policy::Word(0)) == stored;
        let pieces = (0..DATAS.len()).find(same)?;
        let mut own = Choices::new();
        own.set(DATA, DATAS[pieces]);
        own.set(ANCILLARY, "none");
        Some(own)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;

    use inverter::solve::ChoiceSource;

    use super::*;

    const HEADER: [u8; 13] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0];

    type Chunk<'a> = (&'a [u8; 4], &'a [u8]);

    fn file(chunks: &[Chunk]) -> Vec<u8> {
        let mut out = SIGNATURE.to_vec();
        chunks.iter().for_each(|(name, data)| chunk(&mut out, name, data));
        out
    }

    fn decoded(file: &[u8]) -> Result<Vec<u8>, PrimitiveError> {
        PngChunks.decode(file, &[], 1000)
    }

    #[test]
    fn chunks_are_read_and_the_others_passed_over() {
        let whole = file(&[
            (b"IHDR", &HEADER),
            (b"teSt", b"?"),
            (b"PLTE", &[1, 2, 3]),
            (b"tRNS", &[9]),
            (b"IDAT", b"ab"),
            (b"IDAT", b""),
            (b"IDAT", b"c"),
            (b"IEND", b""),
        ]);
        let expected = [&HEADER[..], &[0, 1, 0, 1, 1, 2, 3, 9], b"abc"].concat();
        assert_eq!(decoded(&whole).unwrap(), expected);
        // The checksum of an empty IEND is known.
        assert!(whole.ends_with(&[b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82]));
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let header: Chunk = (b"IHDR", &HEADER);
        let (data, end): (Chunk, Chunk) = ((b"IDAT", b"a"), (b"IEND", b""));
        let mut damaged = file(&[header, data, end]);
        damaged[20] ^= 1;
        for (wrong, why) in [
            (b"PNG".to_vec(), "signature"),
            (damaged, "the checksum of IHDR is wrong"),
            (file(&[header, data]), "cut off"),
            (file(&[data, header, end]), "IDAT is in the wrong place"),
            (file(&[header, data, (b"teSt", b""), data, end]), "IDAT is in the wrong place"),
            (file(&[header, (b"NEWS", b""), data, end]), "NEWS is in the wrong place"),
            (file(&[header, (b"PLTE", b"ab"), data, end]), "a palette of 2 bytes"),
            ([file(&[header, data, end]), vec![0]].concat(), "data after IEND (length 1)"),
        ] {
            let found = decoded(&wrong).unwrap_err().to_string();
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn files_are_made_in_many_ways() {
        let data = [&HEADER[..], &[0, 1, 0, 1, 1, 2, 3, 9], &[7; 500]].concat();
        let made = encodings(&PngChunks, &[], &data, 200).unwrap();
        assert!(made.len() > 80, "{}", made.len());
        let mut source = ChoiceSource::seeded(0, 0);
        assert!(
            PngChunks
                .encode(
                    &data[..21],
                    Encoding { args: &[], lengths: &(0..=9999), source: &mut source }
                )
                .is_ok()
        );
        assert!(
            PngChunks
                .encode(
                    &data[..18],
                    Encoding { args: &[], lengths: &(0..=9999), source: &mut source }
                )
                .is_err()
        );
    }
}
