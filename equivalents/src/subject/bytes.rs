//! Represents content that is not a picture as one: sound, a listing, or any bytes of a client.

use tiff_harness::Picture;

/// Returns a picture of one row that has these bytes as its samples, four in each pixel, padded with
/// spaces. Equal bytes give equal pictures.
pub fn picture(mut bytes: Vec<u8>) -> Picture {
    bytes.resize(bytes.len().div_ceil(4).max(1) * 4, b' ');
    let rgba: Vec<u16> = bytes.into_iter().map(|b| u16::from(b) * 257).collect();
    Picture::new((rgba.len() / 4) as u32, 1, rgba)
}

#[cfg(test)]
mod tests {
    #[test]
    fn different_bytes_give_different_pictures() {
        let of = |bytes: &[u8]| super::picture(bytes.to_vec());
        assert_eq!(of(b"abcde").width(), 2);
        assert_eq!(of(b"abcde"), of(b"abcde"));
        assert_ne!(of(b"abcde"), of(b"abcdf"));
        assert_eq!(of(b"").rgba(), [32 * 257; 4]);
    }
}
