//! The driver of the crate `tiff`: `tiff::decoder::Decoder`, as `corpus/interfaces/tiff.c` describes it.

use std::io::{Cursor, Seek, SeekFrom};

use interfaces::replay::Requested;
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{TiffError, TiffResult};

use super::session::{self, Read, call_with, digest, done, plain_call, read};
use crate::library::failure::MOST_BYTES;

/// The number of a chunk that no file has.
const NO_CHUNK: u32 = u32::MAX - 1;

/// The number of bytes that a slow reader returns at a time.
const FEW: usize = 7;

/// A reader of the file that may return few bytes at a time.
pub(super) struct Reader<'f> {
    file: Cursor<&'f [u8]>,
    slow: bool,
}

impl std::io::Read for Reader<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let most = if self.slow { to.len().min(FEW) } else { to.len() };
        std::io::Read::read(&mut self.file, &mut to[..most])
    }
}

impl Seek for Reader<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

/// A decoder, and its current page.
pub(super) struct Session<'f> {
    file: &'f [u8],
    decoder: Option<Decoder<Reader<'f>>>,
    page: i64,
}

impl<'f> Session<'f> {
    pub(super) fn new(file: &'f [u8]) -> Self {
        Self { file, decoder: None, page: 0 }
    }

    fn open(&mut self, kind: i64) -> TiffResult<()> {
        let reader = Reader { file: Cursor::new(self.file), slow: kind == 2 };
        let mut limits = if kind == 1 { Limits::unlimited() } else { Limits::default() };
        if kind != 1 {
            limits.decoding_buffer_size = MOST_BYTES;
            limits.intermediate_buffer_size = MOST_BYTES;
        }
        self.decoder = Some(Decoder::new(reader)?.with_limits(limits));
        self.page = 0;
        Ok(())
    }
}

impl session::Session for Session<'_> {
    fn whole() -> [Requested; 2] {
        [call_with("open_decoder", 0), plain_call("read_image_to_buffer")]
    }

    fn call(&mut self, call: &Requested) -> Read {
        let argument = call.arguments.first().copied().unwrap_or(0);
        if call.name == "open_decoder" {
            if self.decoder.is_some() || !(0..=2).contains(&argument) {
                return Read::Failed("open already, or of no kind".to_owned());
            }
            return done(self.open(argument));
        }
        let Some(decoder) = &mut self.decoder else {
            return if is_known(&call.name) {
                Read::Failed("not open".to_owned())
            } else {
                Read::Unknown
            };
        };
        match &*call.name {
            "drop_decoder" => {
                self.decoder = None;
                Read::Nothing
            }
            "next_image" => {
                let result = decoder.next_image();
                self.page += i64::from(result.is_ok());
                done(result)
            }
            "seek_to_image" => {
                let Ok(page) = usize::try_from(argument) else {
                    return Read::Failed("no such page".to_owned());
                };
                let result = decoder.seek_to_image(page);
                if result.is_ok() {
                    self.page = argument;
                }
                done(result)
            }
            "more_images" => Read::Data(digest(&decoder.more_images())),
            "move_reader" => done(decoder.goto_offset_u64(3)),
            name if name.contains("chunk") && !name.starts_with("chunk_") => {
                chunks(decoder, name, argument)
            }
            name => query(decoder, name),
        }
    }

    fn plain(&self, call: &Requested) -> Option<Vec<Requested>> {
        let reads = !matches!(
            &*call.name,
            "open_decoder" | "drop_decoder" | "next_image" | "seek_to_image" | "move_reader"
        );
        self.decoder.as_ref().filter(|_| reads)?;
        let mut calls = vec![call_with("open_decoder", 0)];
        if self.page > 0 {
            calls.push(call_with("seek_to_image", self.page));
        }
        Some(calls)
    }
}

/// Calls that read the whole picture, or something about it.
fn query(decoder: &mut Decoder<Reader<'_>>, name: &str) -> Read {
    match name {
        "dimensions" => read(decoder.dimensions()),
        "colortype" => read(decoder.colortype().map(|c| format!("{c:?}"))),
        "chunk_dimensions" => Read::Data(digest(&decoder.chunk_dimensions())),
        "chunk_count" => read(count(decoder)),
        "buffer_layout" => read(decoder.image_buffer_layout().map(|l| format!("{l:?}"))),
        "find_tag" => read(decoder.find_tag(Tag::StripOffsets).and_then(|strips| {
            let tiles = decoder.find_tag(Tag::TileOffsets)?;
            Ok(format!("{strips:?} {tiles:?}"))
        })),
        "all_tags" => {
            let tags: TiffResult<Vec<_>> = decoder.tag_iter().collect();
            read(tags.map(|tags| format!("{tags:?}")))
        }
        "directory_again" => match decoder.ifd_pointer() {
            Some(place) => read(decoder.read_directory(place).map(|d| format!("{d:?}"))),
            None => Read::Failed("no directory".to_owned()),
        },
        "read_image" => read(decoder.read_image().map(bytes)),
        "read_image_to_buffer" => {
            let mut samples = DecodingResult::U8(Vec::new());
            let layout = decoder.read_image_to_buffer(&mut samples);
            read(layout.map(|layout| (format!("{layout:?}"), bytes(samples))))
        }
        "read_image_bytes" => read(decoder.image_buffer_layout().and_then(|layout| {
            let mut samples = room(layout.complete_len)?;
            decoder.read_image_bytes(&mut samples)?;
            Ok(samples)
        })),
        _ => Read::Unknown,
    }
}

/// Calls that read chunks: strips or tiles.
fn chunks(decoder: &mut Decoder<Reader<'_>>, name: &str, which: i64) -> Read {
    let count = match count(decoder) {
        Ok(count) if (0..=1).contains(&which) => count,
        Ok(_) => return Read::Failed("no such chunk".to_owned()),
        Err(error) => return Read::Failed(error.to_string()),
    };
    let index = if which == 0 { 0 } else { count.saturating_sub(1) };
    match name {
        "read_chunk" => read(decoder.read_chunk(index).map(bytes)),
        "read_chunk_to_buffer" => {
            let width = decoder.chunk_dimensions().0 as usize;
            let mut samples = DecodingResult::U8(Vec::new());
            read(decoder.read_chunk_to_buffer(&mut samples, index, width).map(|()| bytes(samples)))
        }
        "read_chunk_bytes" => read(decoder.image_chunk_buffer_layout(index).and_then(|layout| {
            let mut samples = room(layout.len)?;
            decoder.read_chunk_bytes(index, &mut samples)?;
            Ok(samples)
        })),
        "read_all_chunks" => {
            let all: TiffResult<Vec<_>> =
                (0..count).map(|index| decoder.read_chunk(index).map(bytes)).collect();
            read(all)
        }
        // The call reads whether the chunk is refused.
        "read_no_chunk" => Read::Data(digest(&decoder.read_chunk(NO_CHUNK).is_ok())),
        _ => Read::Unknown,
    }
}

fn is_known(name: &str) -> bool {
    const NAMES: [&str; 21] = [
        "all_tags",
        "buffer_layout",
        "chunk_count",
        "chunk_dimensions",
        "colortype",
        "dimensions",
        "directory_again",
        "drop_decoder",
        "find_tag",
        "more_images",
        "move_reader",
        "next_image",
        "read_all_chunks",
        "read_chunk",
        "read_chunk_bytes",
        "read_chunk_to_buffer",
        "read_image",
        "read_image_bytes",
        "read_image_to_buffer",
        "read_no_chunk",
        "seek_to_image",
    ];
    NAMES.contains(&name)
}

fn count(decoder: &mut Decoder<Reader<'_>>) -> TiffResult<u32> {
    match decoder.get_chunk_type() {
        ChunkType::Strip => decoder.strip_count(),
        ChunkType::Tile => decoder.tile_count(),
    }
}

fn bytes(mut samples: DecodingResult) -> Vec<u8> {
    samples.as_buffer(0).as_bytes().to_vec()
}

/// A buffer with a pattern, so that bytes which are not written are visible.
fn room(size: usize) -> TiffResult<Vec<u8>> {
    if size > MOST_BYTES { Err(TiffError::LimitsExceeded) } else { Ok(vec![0x5a; size]) }
}
