//! Files that are broken on purpose: they cause no panic, take no more memory than the file justifies,
//! and are refused in one clear line.

use std::path::PathBuf;

use tiff_harness::container::{Tag, Values, read};
use tiff_harness::image::MAX_PAGES;
use tiff_harness::{ErrorKind, ImageFile, Seed, TiffError};

use crate::make_seeds;
use crate::support::memory;
use crate::support::plain;
use crate::support::raster;
use memory::{MIB, assert_one_line, opened, peak};
use plain::{gray, small};
use raster::{decoded, raster};

/// Reads `file` under a memory limit of 64 MiB and its own size.
fn measured(file: &[u8]) -> Result<ImageFile, TiffError> {
    let (result, used) = peak(|| ImageFile::read(file));
    assert!(used < 64 * MIB + file.len(), "{used} bytes for a file of {}", file.len());
    match &result {
        Err(error) => assert_one_line(error),
        Ok(picture) => {
            for k in 0..picture.segments.len() {
                assert!(picture.stored(file, k).is_some(), "segment {k} is not inside");
            }
        }
    }
    result
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    make_seeds::seeds().unwrap()
}

fn line(file: &[u8]) -> String {
    measured(file).unwrap_err().to_string()
}

#[test]
fn cut_anywhere() {
    for (name, bytes) in seeds() {
        for len in 0..bytes.len() {
            let error = measured(&bytes[..len]).unwrap_err();
            assert_ne!(error.kind(), ErrorKind::Unsupported, "{name} cut at {len}: {error}");
        }
    }
}

/// Opens `file` as a seed under a memory limit.
#[test]
fn each_byte_changed_or_cut_of_a_whole_file() {
    let (_, mut bytes) = seeds().into_iter().min_by_key(|seed| seed.1.len()).unwrap();
    for at in 0..bytes.len() {
        assert!(opened(&bytes[..at]).is_err());
        for other in [0x00, 0xFF, bytes[at].wrapping_add(1)] {
            let byte = std::mem::replace(&mut bytes[at], other);
            let _: Result<_, _> = opened(&bytes);
            bytes[at] = byte;
        }
    }
}

#[test]
fn each_byte_changed() {
    for (_, mut bytes) in seeds() {
        for at in 0..bytes.len() {
            for other in [0x00, 0xFF, bytes[at] ^ 0x80, bytes[at].wrapping_add(1)] {
                let byte = std::mem::replace(&mut bytes[at], other);
                let _: Result<_, _> = measured(&bytes);
                bytes[at] = byte;
            }
        }
    }
}

/// Replaces each 2 and 4 bytes of the structure by numbers that break arithmetic.
#[test]
fn each_number_changed() {
    let (_, mut bytes) = seeds().remove(0);
    let start = ImageFile::read(&bytes).unwrap().ifd.at as usize;
    let places: Vec<usize> = (0..8).chain(start..bytes.len()).collect();
    for &at in &places {
        for number in [0u32, 1, 2, 7, 8, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, u32::MAX] {
            for width in [2, 4] {
                let Some(to) = bytes.get_mut(at..at + width) else { continue };
                let from = to.to_vec();
                to.copy_from_slice(&number.to_le_bytes()[..width]);
                let _: Result<_, _> = measured(&bytes);
                bytes[at..at + width].copy_from_slice(&from);
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    assert!(measured(&gray(100, &[])).is_ok());
    let one = |tag, value: u16| line(&gray(100, &[(tag, Values::shorts(&[value]))]));

    let huge = [
        (Tag::IMAGE_WIDTH, Values::shorts(&[65535])),
        (Tag::IMAGE_LENGTH, Values::shorts(&[65535])),
    ];
    assert_eq!(
        line(&gray(100, &huge)),
        "a picture of 65535 x 65535 = 4294836225 pixels is not supported yet: the most is 67108864"
    );
    let huge = [
        (Tag::IMAGE_WIDTH, Values::longs(&[u32::MAX])),
        (Tag::IMAGE_LENGTH, Values::longs(&[u32::MAX])),
    ];
    assert_eq!(
        line(&gray(100, &huge)),
        "a picture of 4294967295 x 4294967295 = 18446744065119617025 pixels is not supported yet: \
         the most is 67108864"
    );
    assert_eq!(one(Tag::COMPRESSION, 12), "Compression (259) = 12 is not supported yet");
    assert_eq!(one(Tag::BITS_PER_SAMPLE, 65), "BitsPerSample (258) = 65 is not supported yet");
    assert_eq!(one(Tag::SAMPLE_FORMAT, 7), "SampleFormat (339) = 7 is not supported yet");
    assert_eq!(
        one(Tag::EXTRA_SAMPLES, 1),
        "SamplesPerPixel (277) = 1 with PhotometricInterpretation (262) = 1 (gray, black is 0) \
         and 1 extra samples described by ExtraSamples (338) is not supported yet"
    );
    assert_eq!(
        one(Tag::SAMPLES_PER_PIXEL, 5000),
        "SamplesPerPixel (277) = 5000 is not supported yet: 1 to 4096"
    );
    assert_eq!(one(Tag::ORIENTATION, 9), "Orientation (274) = 9 at offset 70, it must be 1 to 8");
    assert_eq!(
        one(Tag::IMAGE_WIDTH, 0),
        "ImageWidth (256) = 0 at offset 10, it must be 1 to 4294967295"
    );
    assert_eq!(
        one(Tag::ROWS_PER_STRIP, 1),
        "StripOffsets (273) at offset 58 has 1 value, it must have 2, one a strip"
    );
    assert_eq!(
        one(Tag::STRIP_BYTE_COUNTS, 3),
        "strip 0 at offset 8 has 3 bytes by its byte count, its rows need 4"
    );
    assert_eq!(
        one(Tag::STRIP_BYTE_COUNTS, 93),
        "strip 0 needs 93 bytes at offset 8, the file has 100"
    );
    assert_eq!(
        line(&gray(100, &[(Tag::STRIP_OFFSETS, Values::longs(&[u32::MAX]))])),
        "strip 0 needs 4 bytes at offset 4294967295, the file has 100"
    );
    assert_eq!(
        line(&gray(100, &[(Tag::IMAGE_WIDTH, Values::ascii("2"))])),
        "ImageWidth (256) at offset 10 has 2 values, it must have 1"
    );
    assert_eq!(
        line(&small(100, &[(Tag::MAKE, Values::ascii(""))])),
        "PhotometricInterpretation (262) is missing in the directory at offset 8"
    );
    assert_eq!(
        one(Tag::TILE_WIDTH, 16),
        "a picture in strips and tiles at once is not supported yet"
    );
    assert_eq!(line(b""), "not a TIFF file: it has 0 bytes, a header has 8");
    assert_eq!(line(b"I"), "not a TIFF file: it has 1 byte, a header has 8");
    assert_eq!(
        line(b"\x89PNG\r\n\x1a\n"),
        "not a TIFF file: it starts with the bytes 89 50, not with II or MM"
    );
    assert_eq!(line(b"IIU\0\0\0\0\0"), "not a TIFF file: the version at offset 2 is 85, not 42");
    assert_eq!(
        line(b"II*\0\0\0\0\0"),
        "the offset of the first directory is 0 (at offset 4), which is inside the header"
    );
    assert_eq!(line(b"II*\0\x08\0\0\0"), "a directory needs 2 bytes at offset 8, the file has 8");
}

#[test]
fn counts_are_refused_before_memory_is_taken() {
    let mut file = gray(100, &[]);
    // The count of the first entry comes after offset 8, the counter's 2 bytes, tag and type.
    file[14..18].fill(0xFF);
    file[12..14].copy_from_slice(&12u16.to_le_bytes());
    assert_eq!(
        line(&file),
        "ImageWidth (256) with 4294967295 values of type DOUBLE needs 34359738360 bytes at offset \
         2, the file has 100"
    );
    let mut file = gray(100, &[]);
    file[8..10].fill(0xFF);
    assert_eq!(
        line(&file),
        "a directory of 65535 entries needs 786426 bytes at offset 8, the file has 100"
    );
    let big = b"MM\0\x2b\0\x08\0\0\0\0\0\0\0\0\0\x10\xff\xff\xff\xff\xff\xff\xff\xff";
    assert_eq!(
        line(big),
        "a directory of 18446744073709551615 entries needs 368934881474191032316 bytes at offset \
         16, the file has 24"
    );
}

/// 65535 entries that all claim the same megabyte would take 64 GB.
#[test]
fn blocks_cannot_be_shared_without_end() {
    let mut file = vec![0u8; 8 + 2 + 12 * 65535 + 4 + MIB];
    file[..8].copy_from_slice(b"II*\0\x08\0\0\0");
    file[8..10].fill(0xFF);
    for (k, row) in file[10..10 + 12 * 65535].chunks_exact_mut(12).enumerate() {
        row[..2].copy_from_slice(&(k as u16).to_le_bytes());
        row[2..4].copy_from_slice(&7u16.to_le_bytes());
        row[4..8].copy_from_slice(&(MIB as u32).to_le_bytes());
        row[8..12].copy_from_slice(&100u32.to_le_bytes());
    }
    assert!(line(&file).ends_with("too many entries share their bytes"));
}

#[test]
fn the_chain_of_directories_ends() {
    let next = |file: &mut [u8], at: usize, to: u32| {
        file[at..at + 4].copy_from_slice(&to.to_le_bytes());
    };
    // The first page is whole in all of these files; the damage is that of the pages after it.
    let line = |file: &[u8]| {
        assert_eq!(measured(file).unwrap().width, 2);
        let container = read(file).unwrap();
        let why = container.broken_chain.unwrap();
        assert_one_line(&why);
        let seed = opened(file).unwrap();
        let left_out = seed.pages_left_out().unwrap().to_string();
        assert!(left_out.starts_with("pages after page 1 are left out: "), "{left_out}");
        why.to_string()
    };
    let end_of_first = 8 + 2 + 6 * 12;
    let mut file = gray(200, &[]);
    next(&mut file, end_of_first, 8);
    assert_eq!(
        line(&file),
        "the chain of directories is a loop: offset 8 occurs again after 1 of them"
    );
    next(&mut file, end_of_first, 5);
    assert_eq!(
        line(&file),
        "the offset of the next directory is 5 (at offset 82), which is inside the header"
    );
    next(&mut file, end_of_first, 1000);
    assert_eq!(line(&file), "a directory needs 2 bytes at offset 1000, the file has 200");
    next(&mut file, end_of_first, 100);
    assert_eq!(line(&file), "the directory at offset 100 has no entries");
    // A second directory, which leads back to the first, and then to itself.
    file[100] = 1;
    next(&mut file, 114, 8);
    assert_eq!(
        line(&file),
        "the chain of directories is a loop: offset 8 occurs again after 2 of them"
    );
    next(&mut file, 114, 100);
    assert!(line(&file).contains("offset 100 occurs again"));
    next(&mut file, 114, 0);
    assert_eq!(measured(&file).unwrap().further_pages, 1);

    // Directories of one entry, 18 bytes apart: a longer chain than any real one.
    let mut file = gray(100, &[]);
    next(&mut file, end_of_first, 100);
    for k in 0..70_000u32 {
        let at = 100 + 18 * k as usize;
        file.resize(at + 18, 0);
        file[at] = 1;
        next(&mut file, at + 14, 100 + 18 * (k + 1));
    }
    assert_eq!(line(&file), "the chain of directories has more than 65536 of them");
}

/// Many pages that share their bytes take no more memory than the limits of all pages allow.
#[test]
fn pages_that_share_their_bytes_are_limited() {
    // Pages of the first strip, one after the other: 2 x 2 pixels, or very many of them.
    let pages = |side: u32, count: usize| {
        let sides = [Tag::IMAGE_WIDTH, Tag::IMAGE_LENGTH].map(|tag| (tag, Values::longs(&[side])));
        let strip = u64::from(side) * u64::from(side);
        let counts = (Tag::STRIP_BYTE_COUNTS, Values::longs(&[strip as u32]));
        let size = 8 + 2 + 6 * 12 + 4;
        let mut file = gray(size + strip as usize, &[&sides[..], &[counts]].concat());
        let offsets = read(&file).unwrap().ifd.get(Tag::STRIP_OFFSETS).unwrap().at as usize + 8;
        file[offsets..offsets + 4].copy_from_slice(&(size as u32).to_le_bytes());
        let directory = file[8..size].to_vec();
        for _ in 1..count {
            let at = file.len() as u32;
            let before = if at as usize == size + strip as usize { size } else { at as usize };
            file[before - 4..before].copy_from_slice(&at.to_le_bytes());
            file.extend(&directory);
            let end = file.len();
            file[end - 4..].fill(0);
        }
        file
    };
    let (many, used) = peak(|| Seed::open(pages(2, 2000)).unwrap());
    assert_eq!(many.pages().len(), MAX_PAGES - 1);
    assert!(many.pages_left_out().unwrap().to_string().contains("at most 1024 are read"));
    assert!(used < 256 * MIB, "{used}");
    let (large, used) = peak(|| Seed::open(pages(2048, 40)).unwrap());
    assert_eq!(large.pages().len(), 7, "2048 x 2048 pixels of 8 bytes each, beside the first page");
    let left_out = large.pages_left_out().unwrap().to_string();
    assert!(left_out.contains("at most 268435456 may be made"), "{left_out}");
    assert!(used < 512 * MIB, "{used}");
}

#[test]
fn a_tag_that_comes_twice_is_refused() {
    let mut file = gray(100, &[]);
    file[22..24].copy_from_slice(&256u16.to_le_bytes());
    assert_eq!(
        line(&file),
        "ImageWidth (256) occurs twice in the directory, the second time at offset 22"
    );
}

#[test]
fn odd_files_that_are_taken() {
    // The strip has more bytes than its rows need.
    let file = gray(100, &[(Tag::STRIP_BYTE_COUNTS, Values::longs(&[9]))]);
    let picture = measured(&file).unwrap();
    assert_eq!((picture.segments[0].byte_count, picture.grid().bytes(0)), (9, 4));
    // Integers of type BYTE.
    let file = gray(100, &[(Tag::IMAGE_WIDTH, Values::integers_of_bytes(2))]);
    assert_eq!(measured(&file).unwrap().width, 2);
    // An unknown type, and the gaps of another layout.
    let mut file = gray(
        200,
        &[
            (Tag(65000), Values::shorts(&[1])),
            (Tag::FREE_OFFSETS, Values::longs(&[150])),
            (Tag::SOFTWARE, Values::ascii("me")),
        ],
    );
    let at = read(&file).unwrap().ifd.get(Tag(65000)).unwrap().at as usize;
    file[at + 2] = 99;
    let picture = measured(&file).unwrap();
    assert_eq!(picture.left_out.len(), 2);
    assert_eq!(picture.carried, [(Tag::SOFTWARE, Values::ascii("me"))]);
}

trait OfBytes {
    fn integers_of_bytes(value: u64) -> Values;
}

impl OfBytes for Values {
    fn integers_of_bytes(value: u64) -> Values {
        Values::integers(tiff_harness::container::FieldType::Byte, &[value]).unwrap()
    }
}

#[test]
fn our_seeds_decode_to_the_same_rows_elsewhere() {
    for (name, bytes) in seeds() {
        let picture = measured(&bytes).unwrap();
        assert!(picture.compression == 1, "{name}");
        assert_eq!(decoded(&bytes), Some(raster(&bytes)), "{name}");
    }
}

/// Real and hostile files that are not part of the project: in `REPFUZZ_SEEDS`, or beside the project.
/// Other tests examine their pictures.
#[test]
fn files_from_elsewhere() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/seeds");
    let root = std::env::var_os("REPFUZZ_SEEDS").map_or(PathBuf::from(beside), PathBuf::from);
    let directory = root.join("image-tiff");
    let Ok(list) = std::fs::read_dir(&directory) else {
        return test_support::skipped(format_args!("no {}", directory.display()));
    };
    let mut paths: Vec<PathBuf> = list.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut taken, mut refused) = (0, 0);
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        match measured(&bytes).and_then(|_| opened(&bytes)) {
            Ok(seed) => {
                taken += 1;
                println!("{name}: {:?}", seed.picture());
            }
            Err(error) => {
                refused += 1;
                println!("{name}: {:?}: {error}", error.kind());
            }
        }
    }
    println!("{} files: {taken} taken, {refused} refused", paths.len());
}
