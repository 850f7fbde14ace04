//! Files of several pages, made of files of one page.

use tiff_harness::ImageFile;
use tiff_harness::container::write::{
    Plan, PlannedData, PlannedEntry, PlannedIfd, Spare, ifd_size, needs_block, write,
};
use tiff_harness::container::{ByteOrder, Format, Tag, Values, read};

/// The parts of a page.
struct Parts {
    entries: Vec<(Tag, Values)>,
    offsets: Tag,
    segments: Vec<Vec<u8>>,
}

/// Takes the first page of `file` apart, without the tags that point to directories.
fn parts(file: &[u8]) -> Parts {
    let container = read(file).unwrap();
    assert_eq!(container.order, ByteOrder::Little, "samples keep their byte order");
    let image = ImageFile::read(file).unwrap();
    let stored = |k| image.stored(file, k).unwrap().to_vec();
    let entries = container.ifd.entries.iter().filter(|entry| !entry.values.kind().is_pointer());
    let entries: Vec<(Tag, Values)> =
        entries.map(|entry| (entry.tag, entry.values.clone())).collect();
    let tiled = entries.iter().any(|entry| entry.0 == Tag::TILE_OFFSETS);
    Parts {
        entries,
        offsets: if tiled { Tag::TILE_OFFSETS } else { Tag::STRIP_OFFSETS },
        segments: (0..image.segments.len()).map(stored).collect(),
    }
}

/// Joins the first pages of little-endian files to a classic file. Each page has its segments, then its
/// values, then its directory. `more` has further tags of each page, which replace its own.
pub fn document(files: &[Vec<u8>], more: &[&[(Tag, Values)]]) -> Vec<u8> {
    let format = Format::Classic;
    let mut end = format.header_size();
    let mut place = |len: u64, alignment: u64| {
        let at = end.next_multiple_of(alignment);
        end = at + len;
        at
    };
    let (mut ifds, mut data) = (Vec::new(), Vec::new());
    for (k, file) in files.iter().enumerate() {
        let Parts { mut entries, offsets, segments } = parts(file);
        let mut places = Vec::new();
        for bytes in segments {
            let at = place(bytes.len() as u64, 1);
            places.push(at as u32);
            data.push(PlannedData { at, bytes });
        }
        for (tag, values) in more.get(k).copied().unwrap_or_default() {
            entries.retain(|entry| entry.0 != *tag);
            entries.push((*tag, values.clone()));
        }
        entries.sort_by_key(|entry| entry.0);
        let planned = |(tag, values): (Tag, Values)| {
            let values = if tag == offsets { Values::longs(&places) } else { values };
            let value_at = needs_block(format, &values).then(|| place(values.size(), 2));
            PlannedEntry { tag, values, value_at }
        };
        let entries: Vec<PlannedEntry> = entries.into_iter().map(planned).collect();
        let at = place(ifd_size(format, entries.len()), 2);
        ifds.push(PlannedIfd { at, entries, next: 0 });
    }
    let places: Vec<u64> = ifds.iter().skip(1).map(|ifd| ifd.at).chain([0]).collect();
    ifds.iter_mut().zip(places).for_each(|(ifd, next)| ifd.next = next);
    let first = ifds.remove(0);
    let plan =
        Plan { further: ifds, data, ..Plan::new(ByteOrder::Little, format, Spare::Zeros, first) };
    let mut out = vec![0; end as usize];
    write(&plan, &mut out).unwrap();
    out
}
