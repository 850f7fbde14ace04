//! Compresses pictures and files, and encodes them as text in JSON. Stores keep runs in this form.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tiff_harness::Picture;

/// The compression level. It is low because most pictures are kept for a short time only.
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
/// If `packed` is not a result of [`pack`].
pub fn unpack(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let length = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten();
    match length.filter(|n| *n <= MOST).and_then(|n| usize::try_from(n).ok()) {
        Some(length) => zstd::bulk::decompress(packed, length),
        None => Err(std::io::Error::other("not compressed data")),
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
/// If `packed` is damaged, or belongs to a picture of another size.
pub fn unpack_samples(width: u32, height: u32, packed: &[u8]) -> std::io::Result<Picture> {
    let bytes = unpack(packed)?;
    if bytes.len() as u64 != 8 * u64::from(width) * u64::from(height) {
        return Err(std::io::Error::other("not the samples of a picture of this size"));
    }
    let samples = bytes.chunks_exact(2).map(|v| u16::from_le_bytes([v[0], v[1]])).collect();
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

    pub fn serialize<S: Serializer>(picture: &Picture, to: S) -> Result<S::Ok, S::Error> {
        Packed::from(picture).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Picture, D::Error> {
        Packed::deserialize(from)?.try_into().map_err(D::Error::custom)
    }
}

/// `#[serde(with = "…")]` for a picture that may be missing.
pub mod maybe_picture {
    use super::*;

    pub fn serialize<S: Serializer>(picture: &Option<Picture>, to: S) -> Result<S::Ok, S::Error> {
        picture.as_ref().map(Packed::from).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Picture>, D::Error> {
        let packed: Option<Packed> = Option::deserialize(from)?;
        packed.map(Picture::try_from).transpose().map_err(D::Error::custom)
    }
}

/// `#[serde(with = "…")]` for the bytes of a file.
pub mod bytes {
    use super::*;

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        STANDARD.encode(bytes).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// `#[serde(with = "…")]` for the bytes of a file that may be missing.
pub mod maybe_bytes {
    use super::*;

    pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
        bytes.as_ref().map(|bytes| STANDARD.encode(bytes)).serialize(to)
    }

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
}
