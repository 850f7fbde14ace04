//! Files with which extra reads are compared.

use tiff_harness::ImageFile;
use tiff_harness::container::{self, FieldType, Format, Span, Tag, Values};

use crate::contract::{Facts, probe};

/// The tags of metadata that a reader may return (TIFF 6.0, section 8; ICC.1). Others are left out of the plainest file.
const METADATA: [Tag; 14] = [
    Tag::DOCUMENT_NAME,
    Tag::IMAGE_DESCRIPTION,
    Tag::MAKE,
    Tag::MODEL,
    Tag::ORIENTATION,
    Tag::X_RESOLUTION,
    Tag::Y_RESOLUTION,
    Tag::RESOLUTION_UNIT,
    Tag::SOFTWARE,
    Tag::DATE_TIME,
    Tag::ARTIST,
    Tag::HOST_COMPUTER,
    Tag::COPYRIGHT,
    Tag::ICC_PROFILE,
];

/// Returns a file for each page after the first: this file, beginning with that page. `None` if it is damaged.
pub(super) fn from_page(file: &[u8]) -> Option<Vec<Vec<u8>>> {
    let container = container::read(file).ok().filter(|read| read.broken_chain.is_none())?;
    let at = if container.format == Format::Classic { 4 } else { 8 };
    let first = Span { at, len: container.format.offset_size() };
    let begun_at = |page: &u64| {
        let mut file = file.to_vec();
        container.order.put(*page, first.of_mut(&mut file)?);
        Some(file)
    };
    container.later_ifds.iter().map(begun_at).collect()
}

/// Returns the plainest file with the metadata and the kind of samples of this one; `None` if there is none.
pub(super) fn plainest(file: &[u8]) -> Option<Vec<u8>> {
    let image = ImageFile::read(file).ok()?;
    let container = container::read(file).ok()?;
    let tags = METADATA.iter().filter_map(|tag| container.ifd.get(*tag));
    let metadata = tags.filter_map(|entry| {
        let values = match entry.tag {
            Tag::ORIENTATION | Tag::RESOLUTION_UNIT => {
                let number = *entry.values.as_integers()?.first()?;
                Values::integers(FieldType::Short, &[number])?
            }
            _ => entry.values.clone(),
        };
        Some((entry.tag, values))
    });
    probe::plainest(&Facts::of_image(&image), metadata.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plainest_file_has_the_metadata_and_the_samples_of_the_file() {
        for probe in probe::all() {
            let plain = plainest(&probe.bytes).unwrap();
            let expected = Facts { pages: 1, ..probe.facts };
            assert_eq!(Facts::of_file(&plain).unwrap(), expected, "{}", probe.name);
            let tags = |file: &[u8]| {
                let ifd = container::read(file).unwrap().ifd;
                METADATA.map(|tag| ifd.get(tag).map(|entry| entry.values.clone()))
            };
            assert_eq!(tags(&plain), tags(&probe.bytes), "{}", probe.name);
        }
        assert_eq!(plainest(b"no TIFF file"), None);
    }

    #[test]
    fn a_file_begins_with_each_page() {
        let of = |pages| {
            let mut all = probe::all().into_iter();
            all.find(|probe| probe.facts.pages == pages).unwrap().bytes
        };
        let files = from_page(&of(2)).unwrap();
        let sizes = files.iter().map(|file| ImageFile::read(file).unwrap());
        let sizes: Vec<_> = sizes.map(|image| (image.width, image.height)).collect();
        assert_eq!(sizes, [(7, 5)]);
        assert_eq!(from_page(&of(1)), Some(Vec::new()));
        assert_eq!(from_page(b"no TIFF file"), None);
    }
}
