//! LZMA2 in an .xz stream, as in TIFF (libtiff's Compression 34925).

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::{ChoiceError, ChoiceSource};
use liblzma::stream::{Action, Check, Error, Filters, LzmaOptions, Status, Stream};
use rand::RngExt;

use super::policy::{Policy, number, pieces};

/// The maximum memory of a decoder in bytes: enough for a dictionary of 64 MiB, which is the largest of any preset.
const MEMORY: u64 = 80 << 20;
/// The number of bytes that are decoded at a time.
const CHUNK: usize = 1 << 16;

/// `lzma(x.a)`.
///
/// | dimension | value | meaning |
/// |---|---|---|
/// | `preset` | 0 to 6 | liblzma's preset |
/// | `dictionary` | 12 to 20 | the base-2 logarithm of the dictionary's size in bytes |
/// | `properties` | `default` | lc 3, lp 0, pb 2 |
/// | | `random:N` | any that LZMA2 allows |
/// | `delta` | 0 | no filter before LZMA2 |
/// | | 1 to 256 | the distance of the delta filter in bytes; libtiff uses the size of a sample |
/// | `check` | `none`, `crc32`, `crc64` | the integrity check of blocks |
/// | `blocks` | `one` | one block, of one piece |
/// | | `random:N` | several blocks, and LZMA2 chunks that end at random places |
///
/// A wrong check is refused. Bytes after the stream are ignored.
pub struct Lzma;

/// The choices of the encoder.
struct Policies {
    preset: u32,
    dictionary: u32,
    properties: Policy,
    delta: usize,
    check: Check,
    blocks: Policy,
}

impl Policies {
    fn choose(source: &mut ChoiceSource) -> Result<Self, ChoiceError> {
        Ok(Self {
            preset: number(source, "preset", 0..=6, 6)? as u32,
            dictionary: number(source, "dictionary", 12..=20, 20)? as u32,
            properties: Policy::choose(source, "properties", &["default"])?,
            delta: number(source, "delta", 0..=256, 0)? as usize,
            check: match source.named("check", &["none", "crc32", "crc64"])? {
                0 => Check::None,
                1 => Check::Crc32,
                _ => Check::Crc64,
            },
            blocks: Policy::choose(source, "blocks", &["one"])?,
        })
    }

    fn write(&self, data: &[u8]) -> Result<Vec<u8>, Error> {
        let mut options = LzmaOptions::new_preset(self.preset)?;
        options.dict_size(1 << self.dictionary);
        if let Some(mut rng) = self.properties.rng() {
            let context = rng.random_range(0..=4);
            options.literal_context_bits(context);
            options.literal_position_bits(rng.random_range(0..=4 - context));
            options.position_bits(rng.random_range(0..=4));
        }
        let mut filters = Filters::new();
        if self.delta > 0 {
            // A distance of 0 refers to the previous byte (the .xz file format, section 5.3.3).
            filters.delta_properties(&[(self.delta - 1) as u8])?;
        }
        filters.lzma2(&options);
        let mut stream = Stream::new_stream_encoder(&filters, self.check)?;
        let mut out = Vec::new();
        let mut rng = self.blocks.rng();
        for (index, piece) in pieces(data, self.blocks).enumerate() {
            if let (Some(rng), 1..) = (&mut rng, index) {
                let chunk = rng.random_ratio(1, 2);
                drive(
                    &mut stream,
                    &[],
                    &mut out,
                    if chunk { Action::SyncFlush } else { Action::FullFlush },
                )?;
            }
            drive(&mut stream, piece, &mut out, Action::Run)?;
        }
        drive(&mut stream, &[], &mut out, Action::Finish)?;
        Ok(out)
    }
}

/// Passes `input` to an encoder until `action` is complete.
fn drive(
    stream: &mut Stream,
    mut input: &[u8],
    out: &mut Vec<u8>,
    action: Action,
) -> Result<(), Error> {
    loop {
        out.reserve(1 << 12);
        let before = stream.total_in();
        let status = stream.process_vec(input, out, action)?;
        input = input.get((stream.total_in() - before) as usize..).unwrap_or_default();
        let done = match action {
            Action::Run => input.is_empty(),
            _ => status == Status::StreamEnd,
        };
        if done {
            return Ok(());
        }
    }
}

/// The message of a decoder's error.
fn why(error: Error) -> &'static str {
    match error {
        Error::Format => "it is no .xz stream",
        Error::MemLimit | Error::Mem => "it takes too much memory",
        Error::Options => "it asks for a filter that there is not",
        _ => "it is damaged",
    }
}

impl Primitive for Lzma {
    fn signature(&self) -> Signature<'_> {
        Signature::new("lzma").dimensions(&[
            "preset",
            "dictionary",
            "properties",
            "delta",
            "check",
            "blocks",
        ])
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let failed =
            |had: usize, e| PrimitiveError::from(format!("after {had} bytes of data: {}", why(e)));
        let mut stream = Stream::new_stream_decoder(MEMORY, 0).map_err(|e| failed(0, e))?;
        let mut out = Vec::new();
        // One byte more than expected: without it, the decoder stops before the check.
        while out.len() <= most {
            out.reserve((most - out.len()).saturating_add(1).min(CHUNK));
            let rest = stored.get(stream.total_in() as usize..).unwrap_or_default();
            match stream.process_vec(rest, &mut out, Action::Run) {
                Ok(Status::StreamEnd) => break,
                Ok(Status::MemNeeded) if out.len() >= most => break,
                Ok(Status::MemNeeded) => {
                    return Err(format!("the stream ends after {} bytes of data", out.len()).into());
                }
                Ok(_) => {}
                Err(e) => return Err(failed(out.len(), e)),
            }
        }
        out.truncate(most);
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let stored = Policies::choose(source)?.write(data);
        of_length(stored.map_err(|e| EncodeError::Impossible(e.to_string().into()))?, lengths)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::{self, round_trips};
    use inverter::solve::Choice;

    use super::*;

    fn encoded(data: &[u8], dimension: &str, value: impl Into<Choice>) -> Vec<u8> {
        test::encoded(&Lzma, &[], data, [(dimension, value.into())]).unwrap()
    }

    #[test]
    fn it_round_trips() {
        round_trips(&Lzma, &[&[]], 100).unwrap();
    }

    /// The stream's header has the check (the .xz file format, section 2.1.1.2), and the first block's header has the
    /// number of filters (section 3.1.2).
    #[test]
    fn the_header_tells_what_is_chosen() {
        let data = vec![7; 1 << 18];
        for (check, id) in [("none", 0), ("crc32", 1), ("crc64", 4)] {
            let stored = encoded(&data, "check", check);
            assert_eq!(stored[..8], [0xFD, b'7', b'z', b'X', b'Z', 0, 0, id]);
        }
        assert_eq!(encoded(&data, "delta", 0)[13] & 3, 0);
        let delta = encoded(&data, "delta", 256);
        // The filter's identifier, and one byte of properties.
        assert_eq!((delta[13] & 3, &delta[14..17]), (1, &[3, 1, 255][..]));
        assert!(encoded(&data, "blocks", "random:1").len() > encoded(&data, "delta", 0).len());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let stored = encoded(b"abcabc", "check", "crc32");
        let decode = |stored: &[u8], most| Lzma.decode(stored, &[], most);
        assert_eq!(decode(&stored, usize::MAX).unwrap(), b"abcabc");
        assert_eq!(decode(&stored, 4).unwrap(), b"abca");
        assert_eq!(decode(&[&stored[..], b"x"].concat(), 6).unwrap(), b"abcabc");
        assert_eq!(decode(&stored[..stored.len() - 1], 6).unwrap(), b"abcabc");
        let short = decode(&stored[..stored.len() - 1], 7).unwrap_err().to_string();
        assert_eq!(short, "the stream ends after 6 bytes of data");
        let why = decode(b"this is no .xz stream", 6).unwrap_err().to_string();
        assert_eq!(why, "after 0 bytes of data: it is no .xz stream");
        // The check is after the block and before the index.
        let mut wrong = stored.clone();
        let check = wrong.len() - 12 - 8 - 4;
        wrong[check] ^= 1;
        assert_eq!(
            decode(&wrong, 6).unwrap_err().to_string(),
            "after 6 bytes of data: it is damaged"
        );
    }
}
