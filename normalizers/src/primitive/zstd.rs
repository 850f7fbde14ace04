//! Zstandard (RFC 8878), as in TIFF (libtiff's Compression 50000): one frame. The standard allows several, but libtiff
//! reads only the first.

use std::io::{self, ErrorKind, Read, Write};

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::{ChoiceError, ChoiceSource};
use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

use super::policy::{Policy, number, pieces};

/// The base-2 logarithm of the size in bytes of the largest window that is decoded: libzstd's default limit.
const WINDOW: u32 = 27;

/// `zstd(x.a)`.
///
/// | dimension | value | meaning |
/// |---|---|---|
/// | `level` | -5 to 19 | libzstd's compression level |
/// | `checksum` | `absent`, `present` | whether the frame ends with a checksum |
/// | `content size` | `present`, `absent` | whether the frame's header has the length of the data |
/// | `blocks` | `largest` | blocks as libzstd makes them |
/// | | `random:N` | blocks also end at random places |
///
/// A wrong checksum is refused. Bytes after the frame are ignored.
pub struct Zstd;

/// The choices of the encoder.
struct Policies {
    level: i32,
    checksum: bool,
    size: bool,
    blocks: Policy,
}

impl Policies {
    fn choose(source: &mut ChoiceSource) -> Result<Self, ChoiceError> {
        Ok(Self {
            level: number(source, "level", -5..=19, 3)? as i32,
            checksum: source.named("checksum", &["absent", "present"])? == 1,
            size: source.named("content size", &["present", "absent"])? == 0,
            blocks: Policy::choose(source, "blocks", &["largest"])?,
        })
    }

    fn write(&self, data: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoder = Encoder::new(Vec::new(), self.level)?;
        encoder.include_checksum(self.checksum)?;
        encoder.include_contentsize(self.size)?;
        // libzstd plans for this size, whether or not it writes the size to the header.
        encoder.set_pledged_src_size(Some(data.len() as u64))?;
        for (index, piece) in pieces(data, self.blocks).enumerate() {
            if index > 0 {
                encoder.flush()?;
            }
            encoder.write_all(piece)?;
        }
        encoder.finish()
    }
}

impl Primitive for Zstd {
    fn signature(&self) -> Signature<'_> {
        Signature::new("zstd").dimensions(&["level", "checksum", "content size", "blocks"])
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let mut out = Vec::new();
        let mut read = || -> io::Result<()> {
            let mut decoder = Decoder::with_buffer(stored)?.single_frame();
            decoder.window_log_max(WINDOW)?;
            // One byte more than expected: without it, the decoder stops before the checksum.
            decoder.take((most as u64).saturating_add(1)).read_to_end(&mut out)?;
            Ok(())
        };
        let read = read();
        let had = out.len();
        out.truncate(most);
        match read {
            Ok(()) => Ok(out),
            Err(e) if e.kind() == ErrorKind::UnexpectedEof && had >= most => Ok(out),
            Err(e) => Err(format!("after {had} bytes of data: {e}").into()),
        }
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

    use super::*;

    fn encoded(data: &[u8], given: &[(&str, &str)]) -> Vec<u8> {
        let given = given.iter().map(|(dimension, value)| (*dimension, (*value).into()));
        test::encoded(&Zstd, &[], data, given).unwrap()
    }

    #[test]
    fn it_round_trips() {
        round_trips(&Zstd, &[&[]], 150).unwrap();
    }

    /// The frame's header (RFC 8878, section 3.1.1.1) follows the choices.
    #[test]
    fn the_header_tells_what_is_chosen() {
        let data = [7; 1000];
        let descriptor = |given: &[(&str, &str)]| {
            let stored = encoded(&data, given);
            assert_eq!(stored[..4], [0x28, 0xB5, 0x2F, 0xFD]);
            // Frame_Content_Size_flag, Single_Segment_flag, Content_Checksum_flag.
            (stored[4] >> 6, stored[4] >> 5 & 1, stored[4] >> 2 & 1)
        };
        assert_eq!(descriptor(&[]), (1, 1, 0));
        assert_eq!(descriptor(&[("checksum", "present")]), (1, 1, 1));
        assert_eq!(descriptor(&[("content size", "absent")]), (0, 0, 0));
    }

    #[test]
    fn blocks_end_where_they_are_told_to() {
        let data: Vec<u8> = (0..=255).cycle().take(9000).collect();
        let whole = encoded(&data, &[]);
        let pieces = encoded(&data, &[("blocks", "random:1")]);
        assert!(pieces.len() > whole.len());
    }

    #[test]
    fn only_the_first_frame_counts() {
        let stored = encoded(b"abc", &[("checksum", "present")]);
        let decode = |stored: &[u8], most| Zstd.decode(stored, &[], most);
        assert_eq!(decode(&stored.repeat(2), 6).unwrap(), b"abc");
        assert_eq!(decode(&stored, usize::MAX).unwrap(), b"abc");
        assert_eq!(decode(&stored, 2).unwrap(), b"ab");
        assert_eq!(decode(&stored[..stored.len() - 1], 3).unwrap(), b"abc");
        assert!(decode(&stored[..stored.len() - 1], 4).is_err());
        let mut wrong = stored.clone();
        *wrong.last_mut().unwrap() ^= 1;
        assert!(decode(&wrong, 3).unwrap_err().to_string().contains("checksum"));
    }
}
