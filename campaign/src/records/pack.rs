//! Compresses pictures and files, and encodes them as text in JSON. Stores keep runs in this form.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tiff_harness::Picture;

/// The compression level, which is low because most pictures are kept only for a short time.
const LEVEL: i32 = 1;

/// The maximum number of bytes after decompression.
const MOST: u64 = 1 << 32;

/// Compresses `bytes`.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    // This fails only if memory runs out or the level is invalid.
    checked(bytes).unwrap_or_default()
}

/// Compresses `bytes` with a checksum, so that damage is noticed.
fn checked(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(bytes)
}

/// Reverses [`pack`].
///
/// # Errors
///
/// Returns an error if `packed` is not a result of [`pack`].
pub fn unpack(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    unpack_within(packed, MOST)
}

/// [`unpack`] for at most `most` bytes. Data from outside may declare any size, so memory is allocated as bytes arrive.
///
/// # Errors
///
/// Returns an error if `packed` is not a result of [`pack`], or has more bytes.
pub fn unpack_within(packed: &[u8], most: u64) -> std::io::Result<Vec<u8>> {
    let length = declared(packed)?;
    if length > most {
        return Err(std::io::Error::other(format!("{length} bytes, of at most {most}")));
    }
    let mut bytes = Vec::new();
    read_packed(packed, length, |part| bytes.extend(part))?;
    Ok(bytes)
}

/// Returns the length that compressed data declares.
fn declared(packed: &[u8]) -> std::io::Result<u64> {
    let length = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten();
    length.ok_or_else(|| std::io::Error::other("not compressed data"))
}

/// Decompresses `length` bytes, and gives them to `take` part by part.
fn read_packed(packed: &[u8], length: u64, mut take: impl FnMut(&[u8])) -> std::io::Result<()> {
    let mut from = zstd::stream::read::Decoder::with_buffer(packed)?.single_frame();
    let (mut part, mut left) = (vec![0; 1 << 16], length);
    loop {
        let read = from.read(&mut part)?;
        if read == 0 && left == 0 {
            return Ok(());
        }
        let now_left = left.checked_sub(read as u64).filter(|_| read > 0);
        left = now_left.ok_or_else(|| std::io::Error::other("data of another length"))?;
        take(&part[..read]);
    }
}

/// Compresses the samples of `picture`.
pub fn pack_samples(picture: &Picture) -> Vec<u8> {
    pack(&picture.rgba().iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
}

/// Reverses [`pack_samples`] for a picture of this size.
///
/// # Errors
///
/// Returns an error if `packed` is damaged, or belongs to a picture of another size.
pub fn unpack_samples(width: u32, height: u32, packed: &[u8]) -> std::io::Result<Picture> {
    let length = declared(packed)?;
    if u128::from(length) != 8 * u128::from(width) * u128::from(height) {
        return Err(std::io::Error::other("not the samples of a picture of this size"));
    }
    let (mut samples, mut odd) = (Vec::new(), None);
    read_packed(packed, length, |part| {
        for byte in part {
            match odd.take() {
                Some(low) => samples.push(u16::from_le_bytes([low, *byte])),
                None => odd = Some(*byte),
            }
        }
    })?;
    Ok(Picture::new(width, height, samples))
}

#[derive(Serialize, Deserialize)]
struct Packed {
    width: u32,
    height: u32,
    rgba: String,
}

impl From<&Picture> for Packed {
    fn from(picture: &Picture) -> Self {
        let rgba = STANDARD.encode(pack_samples(picture));
        Self { width: picture.width(), height: picture.height(), rgba }
    }
}

impl TryFrom<Packed> for Picture {
    type Error = String;

    fn try_from(packed: Packed) -> Result<Self, String> {
        let bytes = STANDARD.decode(&packed.rgba).map_err(|e| e.to_string())?;
        unpack_samples(packed.width, packed.height, &bytes).map_err(|e| e.to_string())
    }
}

/// `#[serde(with = "…")]` for a picture.
pub mod picture {
    use super::*;

    /// As [`Serialize::serialize`].
    pub fn serialize<S: Serializer>(picture: &Picture, to: S) -> Result<S::Ok, S::Error> {
        Packed::from(picture).serialize(to)
    }

    /// As [`Deserialize::deserialize`].
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Picture, D::Error> {
        Packed::deserialize(from)?.try_into().map_err(D::Error::custom)
    }
}

/// `#[serde(with = "…")]` for a picture that may be missing.
pub mod maybe_picture {
    use super::*;

    /// As [`Serialize::serialize`].
    pub fn serialize<S: Serializer>(picture: &Option<Picture>, to: S) -> Result<S::Ok, S::Error> {
        picture.as_ref().map(Packed::from).serialize(to)
    }

    /// As [`Deserialize::deserialize`].
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Picture>, D::Error> {
        let packed: Option<Packed> = Option::deserialize(from)?;
        packed.map(Picture::try_from).transpose().map_err(D::Error::custom)
    }
}

/// `#[serde(with = "…")]` for the bytes of a file.
pub mod bytes {
    use super::*;

    /// As [`Serialize::serialize`].
    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        STANDARD.encode(bytes).serialize(to)
    }

    /// As [`Deserialize::deserialize`].
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// `#[serde(with = "…")]` for the bytes of a file that may be missing.
pub mod maybe_bytes {
    use super::*;

    /// As [`Serialize::serialize`].
    pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
        bytes.as_ref().map(|bytes| STANDARD.encode(bytes)).serialize(to)
    }

    /// As [`Deserialize::deserialize`].
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<u8>>, D::Error> {
        let text: Option<String> = Option::deserialize(from)?;
        text.map(|text| STANDARD.decode(text)).transpose().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let picture = Picture::new(2, 1, vec![1, 2, 3, 4, 0xffff, 0x1234, 0, 9]);
        let text = serde_json::to_string(&Packed::from(&picture)).unwrap();
        let packed: Packed = serde_json::from_str(&text).unwrap();
        assert_eq!(Picture::try_from(packed).unwrap(), picture);
        assert_eq!(unpack(&pack(&[])).unwrap(), Vec::<u8>::new());
    }

    #[test]
    fn what_is_damaged_is_an_error() {
        let packed = pack_samples(&Picture::new(1, 1, vec![1, 2, 3, 4]));
        assert!(unpack_samples(1, 2, &packed).is_err());
        assert!(unpack(&packed[..packed.len() - 1]).is_err());
        assert!(unpack(b"something else").is_err());
    }

    /// Compares a frame that declares gigabytes but contains none with one that contains as much as it declares.
    #[test]
    fn a_declared_size_takes_no_memory() {
        // RFC 8878, 3.1.1: a single segment with a content size of 8 bytes, and an empty last block.
        let lie =
            [&[0x28, 0xb5, 0x2f, 0xfd, 0xe0][..], &(2u64 << 30).to_le_bytes(), &[1, 0, 0]].concat();
        assert!(unpack_within(&lie, 1 << 20).unwrap_err().to_string().contains("at most 1048576"));
        assert!(unpack(&lie).is_err());
        let bomb = pack(&vec![0; 1 << 20]);
        assert!(bomb.len() < 200 && unpack_within(&bomb, (1 << 20) - 1).is_err());
        assert_eq!(unpack_within(&bomb, 1 << 20).unwrap().len(), 1 << 20);
        assert!(unpack_samples(1 << 20, 1 << 20, &bomb).is_err());
    }
}
