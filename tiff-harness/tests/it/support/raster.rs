//! The content of the strips of an uncompressed file.

use tiff_harness::ImageFile;

/// Returns the stored bytes of all segments of `file`, one after the other.
pub fn raster(file: &[u8]) -> Vec<u8> {
    let image = ImageFile::read(file).unwrap();
    (0..image.segments.len()).flat_map(|k| image.stored(file, k).unwrap().to_vec()).collect()
}

/// Returns the rows as the `tiff` crate decodes them, if it does, as a second opinion.
pub fn decoded(file: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = tiff::decoder::Decoder::new(std::io::Cursor::new(file)).ok()?;
    match decoder.read_image().ok()? {
        tiff::decoder::DecodingResult::U8(rows) => Some(rows),
        _ => None,
    }
}
