//! Raw RGBA: the line `RGBA width height`, then 8-bit samples. This is the format of the simplest glue.

use tiff_harness::Picture;

use super::error::{OutputError, check_size};

pub(super) fn decode(bytes: &[u8]) -> Result<Picture, OutputError> {
    let bad = |what: &str| OutputError::unreadable(format!("raw RGBA: {what}"));
    let end = bytes.iter().take(64).position(|&b| b == b'\n').ok_or_else(|| bad("no header"))?;
    let header = std::str::from_utf8(&bytes[..end]).map_err(|_| bad("no header"))?;
    let words: Vec<&str> = header.split_ascii_whitespace().collect();
    let ["RGBA", width, height] = words[..] else {
        return Err(bad("the first line is not `RGBA width height`"));
    };
    let number = |word: &str| word.parse::<u32>().map_err(|_| bad("a size is not a number"));
    let (width, height) = (number(width)?, number(height)?);
    check_size(width, height)?;
    Picture::from_8bit(width, height, 4, &bytes[end + 1..]).ok_or_else(|| {
        let needed = 4 * u64::from(width) * u64::from(height);
        bad(&format!("{} bytes of samples, not {needed}", bytes.len() - end - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_samples() {
        let picture = decode(b"RGBA 1 2\n\x00\x01\x02\xff\x03\x04\x05\x80").unwrap();
        assert_eq!((picture.width(), picture.height()), (1, 2));
        assert_eq!(picture.rgba()[4..], [771, 1028, 1285, 128 * 257]);
        assert!(decode(b"RGBA 1 2\n\x00").is_err());
        assert!(decode(b"RGBA 1\n\x00").is_err());
        assert!(decode(b"RGBA -1 1\n").is_err());
        assert!(decode(b"").is_err());
    }
}
