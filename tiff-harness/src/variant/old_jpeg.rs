//! The tags of old-style JPEG that point to data.

use crate::container::choices::{ContainerLayout, Part, Target};
use crate::container::{FieldType, Tag, Values};
use crate::error::VariantError;
use crate::image::{InBlock, OldJpeg};
use crate::pipeline::{FileParts, PlacedFile};

/// Sets the types of the tags that point to data to types that hold all places, because offsets of two bytes would not
/// reach every place.
pub(super) fn widen_pointers(entries: &mut [(Tag, Values)]) {
    for entry in entries {
        if OldJpeg::POINTERS.contains(&entry.0) && entry.1.kind().size() < Some(4) {
            let numbers = entry.1.as_integers().unwrap_or_default();
            entry.1 = Values::integers(FieldType::Long, &numbers).unwrap_or(entry.1.clone());
        }
    }
}

/// Returns the tags that point to data, and the parts to which they point.
pub(super) fn pointers(data: &OldJpeg) -> Vec<(Tag, Vec<(Target, u64)>)> {
    let blocks: Vec<usize> = data.blocks().map(|(block, ..)| block).collect();
    let target = |to: &InBlock| match blocks.iter().position(|block| *block == to.block) {
        Some(k) => (Target::Data(k), to.at),
        // The block with the strip is placed as the segment.
        None => (Target::Segment(0), to.at),
    };
    let pointers = data.pointers().into_iter();
    pointers.map(|(tag, to)| (tag, to.iter().map(target).collect())).collect()
}

/// Sets the tags of old-style JPEG that point to data, once the data has its place.
pub(super) fn point_to_data(
    data: &OldJpeg,
    layout: &mut ContainerLayout,
    parts: &FileParts,
    placed: &PlacedFile,
) -> Result<(), VariantError> {
    let blocks = layout.blocks();
    let place = |target| match target {
        Target::Segment(k) => placed.segment_offsets.get(k).copied(),
        Target::Data(k) => {
            let found = blocks.iter().position(|(part, _)| *part == Part::OwnData(k))?;
            placed.block_offsets.get(found).copied()
        }
    };
    for (tag, to) in pointers(data) {
        let offset = |(target, at): &(Target, u64)| Some(place(*target)? + at);
        let offsets: Option<Vec<u64>> = to.iter().map(offset).collect();
        let entry = layout.entries.iter_mut().find(|entry| entry.0 == tag);
        let values = entry.zip(offsets).and_then(|(entry, offsets)| {
            entry.1 = Values::integers(entry.1.kind(), &offsets)?;
            Some(())
        });
        values.ok_or_else(|| {
            let blocks = parts.blocks.len();
            VariantError::Internal(format!("{tag} has no place among {blocks} blocks"))
        })?;
    }
    Ok(())
}
