//! Lossless WebP (RFC 9649), as TIFF embeds it (libtiff's Compression 50001).

use std::io::Cursor;

use image_webp::{ColorType, EncoderParams, WebPDecoder, WebPEncoder};
use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};

/// The greatest width or height of a picture, in pixels.
const LARGEST: u32 = 1 << 14;
/// The memory that a decoder may use in addition to the picture, in bytes.
const MEMORY: usize = 1 << 24;
/// Metadata without meaning.
const XMP: &[u8] = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>";

/// `webp(x.a, width, height, samples)`: decodes a picture to pixels of 3 bytes (RGB) or 4 (RGBA),
/// row by row.
///
/// | dimension | value | meaning |
/// |---|---|---|
/// | `predictor` | `used`, `unused` | whether pixels are predicted from their neighbors |
/// | `metadata` | `none` | the file contains only the picture |
/// | | `XMP` | an extended file, with empty XMP |
///
/// Lossy pictures and animations are refused, because readers may differ. A picture without alpha is opaque if 4
/// samples are requested.
pub struct WebpLossless;

/// The arguments.
struct Shape {
    width: u32,
    height: u32,
    alpha: bool,
}

impl Shape {
    fn new(args: &[i128]) -> Result<Self, PrimitiveError> {
        let [width, height, samples] = args else {
            return Err("width, height and samples are asked for".into());
        };
        let extent = |n: &i128| u32::try_from(*n).ok().filter(|n| (1..=LARGEST).contains(n));
        let (Some(width), Some(height)) = (extent(width), extent(height)) else {
            return Err(format!("WebP has no pictures of {width} x {height} pixels").into());
        };
        match samples {
            3 | 4 => Ok(Self { width, height, alpha: *samples == 4 }),
            _ => Err(format!("WebP has no pictures of {samples} samples").into()),
        }
    }

    fn pixels(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The number of bytes of the picture.
    fn bytes(&self) -> usize {
        self.pixels() * if self.alpha { 4 } else { 3 }
    }
}

impl Primitive for WebpLossless {
    fn signature(&self) -> Signature<'_> {
        Signature::new("webp").arguments(3).dimensions(&["predictor", "metadata"])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let shape = Shape::new(args)?;
        if shape.bytes() > most {
            return Err(
                format!("the picture has {} bytes, {most} are wanted", shape.bytes()).into()
            );
        }
        let mut decoder = WebPDecoder::new(Cursor::new(stored)).map_err(|e| e.to_string())?;
        let (width, height) = decoder.dimensions();
        if (width, height) != (shape.width, shape.height) {
            let asked = format!("{} x {}", shape.width, shape.height);
            return Err(format!("the picture has {width} x {height} pixels, not {asked}").into());
        }
        if decoder.is_animated() || decoder.is_lossy() {
            return Err("the picture is not lossless".into());
        }
        decoder.set_memory_limit(MEMORY);
        let alpha = decoder.has_alpha();
        let mut out = vec![0; shape.pixels() * if alpha { 4 } else { 3 }];
        decoder.read_image(&mut out).map_err(|e| e.to_string())?;
        Ok(match (alpha, shape.alpha) {
            (true, false) => out.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect(),
            (false, true) => out.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
            _ => out,
        })
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let shape = Shape::new(args)?;
        if data.len() != shape.bytes() {
            let why = format!("a picture has {} bytes, not {}", shape.bytes(), data.len());
            return Err(EncodeError::Impossible(why.into()));
        }
        let mut params = EncoderParams::default();
        params.use_predictor_transform = source.named("predictor", &["used", "unused"])? == 0;
        let metadata = source.named("metadata", &["none", "XMP"])? == 1;
        let mut stored = Vec::new();
        let mut encoder = WebPEncoder::new(&mut stored);
        encoder.set_params(params);
        if metadata {
            encoder.set_xmp_metadata(XMP.to_vec());
        }
        let color = if shape.alpha { ColorType::Rgba8 } else { ColorType::Rgb8 };
        encoder
            .encode(data, shape.width, shape.height, color)
            .map_err(|e| EncodeError::Impossible(e.to_string().into()))?;
        of_length(stored, lengths)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::round_trips;

    use inverter::solve::ChoiceSource;

    use super::*;

    /// Wraps any data in a picture: the data's length, the data, and padding up to whole rows.
    struct Filled {
        width: usize,
        samples: usize,
    }

    impl Filled {
        fn args(&self, length: usize) -> [i128; 3] {
            let rows = length.div_ceil(self.width * self.samples).max(1);
            [self.width as i128, rows as i128, self.samples as i128]
        }
    }

    impl Primitive for Filled {
        fn signature(&self) -> Signature<'_> {
            Signature::new("filled").dimensions(WebpLossless.signature().dimensions)
        }

        fn decode(
            &self,
            stored: &[u8],
            _: &[i128],
            most: usize,
        ) -> Result<Vec<u8>, PrimitiveError> {
            let Some((length, stored)) = stored.split_first_chunk() else {
                return Err("no length".into());
            };
            let length = usize::from(u16::from_le_bytes(*length));
            let args = self.args(length);
            let room = args.iter().product::<i128>() as usize;
            let mut data = WebpLossless.decode(stored, &args, room.max(most))?;
            data.truncate(length);
            Ok(data)
        }

        fn encode(
            &self,
            data: &[u8],
            Encoding { lengths, source, .. }: Encoding<'_>,
        ) -> Result<Vec<u8>, EncodeError> {
            let args = self.args(data.len());
            let mut pixels = data.to_vec();
            pixels.resize(args.iter().product::<i128>() as usize, 0);
            let picture = WebpLossless.encode(&pixels, Encoding::any_length(&args, source))?;
            of_length([&(data.len() as u16).to_le_bytes()[..], &picture].concat(), lengths)
        }
    }

    #[test]
    fn it_round_trips() {
        for samples in [3, 4] {
            for width in [1, 2, 17, 300] {
                round_trips(&Filled { width, samples }, &[&[]], 60).unwrap();
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let encode = |args: &[i128], data: &[u8]| {
            let mut source = ChoiceSource::seeded(0, 0);
            WebpLossless
                .encode(data, Encoding::any_length(args, &mut source))
                .map_err(|e| e.to_string())
        };
        assert_eq!(
            encode(&[2, 2, 3], &[0; 11]).unwrap_err().to_string(),
            "a picture has 12 bytes, not 11"
        );
        assert!(encode(&[0, 2, 3], &[]).is_err());
        assert!(encode(&[i128::MAX, 2, 3], &[]).is_err());
        assert!(encode(&[2, 2, 2], &[0; 8]).is_err());
        let stored = encode(&[2, 1, 3], &[1, 2, 3, 4, 5, 6]).unwrap();
        let decode = |args: &[i128], most| WebpLossless.decode(&stored, args, most);
        assert_eq!(decode(&[2, 1, 4], 8).unwrap(), [1, 2, 3, 255, 4, 5, 6, 255]);
        let why = decode(&[1, 2, 3], 6).unwrap_err().to_string();
        assert_eq!(why, "the picture has 2 x 1 pixels, not 1 x 2");
        assert_eq!(
            decode(&[2, 1, 3], 5).unwrap_err().to_string(),
            "the picture has 6 bytes, 5 are wanted"
        );
    }
}
