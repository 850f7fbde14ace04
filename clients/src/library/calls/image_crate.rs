//! The driver of the crate `image`: readers and decoders, as `corpus/interfaces/image.c` describes them.

use std::io::Cursor;

use image::codecs::tiff::TiffDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, ImageResult, Limits};
use interfaces::replay::Requested;

use super::session::{self, Read, call_with, digest, done, plain_call, read};
use crate::library::failure::MOST_BYTES;

/// A reader, or the decoder into which it was turned.
pub(super) struct Session<'f> {
    file: &'f [u8],
    reader: Option<ImageReader<Cursor<&'f [u8]>>>,
    decoder: Option<Box<dyn ImageDecoder + 'f>>,
}

impl<'f> Session<'f> {
    pub(super) fn new(file: &'f [u8]) -> Self {
        Self { file, reader: None, decoder: None }
    }

    fn open(&mut self, call: &Requested) -> Read {
        if self.reader.is_some() || self.decoder.is_some() {
            return Read::Failed("open already".to_owned());
        }
        let file = Cursor::new(self.file);
        match (&*call.name, call.arguments.first()) {
            ("open_reader", Some(0)) => {
                self.reader = Some(ImageReader::with_format(file, ImageFormat::Tiff));
                Read::Nothing
            }
            ("open_reader", Some(1)) => {
                let guessed = ImageReader::new(file).with_guessed_format();
                done(guessed.map(|reader| self.reader = Some(reader)))
            }
            ("open_decoder", None) => {
                let decoder = TiffDecoder::new(file);
                done(decoder.map(|decoder| self.decoder = Some(Box::new(decoder))))
            }
            _ => Read::Failed("of no kind".to_owned()),
        }
    }
}

impl session::Session for Session<'_> {
    fn whole() -> [Requested; 2] {
        [call_with("open_reader", 0), plain_call("decode")]
    }

    fn call(&mut self, call: &Requested) -> Read {
        match &*call.name {
            "open_reader" | "open_decoder" => self.open(call),
            "reader_limits" | "reader_dimensions" | "decode" | "into_decoder" => {
                let Some(mut reader) = self.reader.take() else {
                    return Read::Failed("no reader".to_owned());
                };
                match &*call.name {
                    "reader_limits" => {
                        reader.limits(limits());
                        self.reader = Some(reader);
                        Read::Nothing
                    }
                    "reader_dimensions" => read(reader.into_dimensions()),
                    "decode" => read(reader.decode().map(|p| pixels(&p))),
                    _ => {
                        let decoder = reader.into_decoder();
                        done(decoder.map(|decoder| self.decoder = Some(Box::new(decoder))))
                    }
                }
            }
            "from_decoder" | "read_image" | "read_image_boxed" => {
                let Some(decoder) = self.decoder.take() else {
                    return Read::Failed("no decoder".to_owned());
                };
                match &*call.name {
                    "from_decoder" => read(DynamicImage::from_decoder(decoder).map(|p| pixels(&p))),
                    name => read(samples(decoder, name == "read_image_boxed")),
                }
            }
            name => match &mut self.decoder {
                Some(decoder) => query(&mut **decoder, name),
                None if is_query(name) => Read::Failed("no decoder".to_owned()),
                None => Read::Unknown,
            },
        }
    }

    fn plain(&self, call: &Requested) -> Option<Vec<Requested>> {
        let reader = call_with("open_reader", 0);
        match &*call.name {
            "reader_dimensions" | "decode" if self.reader.is_some() => Some(vec![reader]),
            "from_decoder" | "read_image" | "read_image_boxed" if self.decoder.is_some() => {
                Some(vec![reader, plain_call("into_decoder")])
            }
            name if is_query(name) && name != "set_limits" && self.decoder.is_some() => {
                Some(vec![reader, plain_call("into_decoder")])
            }
            _ => None,
        }
    }
}

/// Queries of a decoder.
fn query(decoder: &mut dyn ImageDecoder, name: &str) -> Read {
    match name {
        "dimensions" => Read::Data(digest(&decoder.dimensions())),
        "color_type" => Read::Data(digest(&format!("{:?}", decoder.color_type()))),
        "original_color_type" => {
            Read::Data(digest(&format!("{:?}", decoder.original_color_type())))
        }
        "total_bytes" => Read::Data(digest(&decoder.total_bytes())),
        "icc_profile" => read(decoder.icc_profile()),
        "exif_metadata" => read(decoder.exif_metadata()),
        "xmp_metadata" => read(decoder.xmp_metadata()),
        "iptc_metadata" => read(decoder.iptc_metadata()),
        "orientation" => read(decoder.orientation().map(|o| format!("{o:?}"))),
        "set_limits" => done(decoder.set_limits(limits())),
        _ => Read::Unknown,
    }
}

fn is_query(name: &str) -> bool {
    const NAMES: [&str; 10] = [
        "color_type",
        "dimensions",
        "exif_metadata",
        "icc_profile",
        "iptc_metadata",
        "orientation",
        "original_color_type",
        "set_limits",
        "total_bytes",
        "xmp_metadata",
    ];
    NAMES.contains(&name)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES as u64);
    limits
}

fn pixels(picture: &DynamicImage) -> (u32, u32, String, Vec<u8>) {
    (
        picture.width(),
        picture.height(),
        format!("{:?}", picture.color()),
        picture.as_bytes().to_vec(),
    )
}

/// Reads the samples into a buffer with a pattern, so that bytes which are not written are visible.
fn samples(decoder: Box<dyn ImageDecoder + '_>, boxed: bool) -> ImageResult<Vec<u8>> {
    let size = usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX);
    if size > MOST_BYTES {
        let error = image::error::LimitErrorKind::InsufficientMemory;
        return Err(image::ImageError::Limits(image::error::LimitError::from_kind(error)));
    }
    let mut buffer = vec![0x5a; size];
    if boxed {
        decoder.read_image_boxed(&mut buffer)?;
    } else {
        ImageDecoder::read_image(decoder, &mut buffer)?;
    }
    Ok(buffer)
}
