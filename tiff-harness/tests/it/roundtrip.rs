//! A file that is written is read again, and means the same whatever the layout.

use std::collections::BTreeSet;

use inverter::solve::{ChoiceSource, Choices, Vary};
use proptest::prelude::*;
use tiff_harness::container::choices::{self, RequiredTags, WriterOptions};
use tiff_harness::container::write::{
    Plan, PlannedData, PlannedEntry, PlannedIfd, Spare, ifd_size, needs_block, write,
};
use tiff_harness::container::{
    ByteOrder, Class, FieldType, Format, Profile, Tag, Values, read, rules::RULES,
};
use tiff_harness::dimension;
use tiff_harness::image::IntegerTag;
use tiff_harness::{ImageFile, PlanError};

use crate::make_seeds;

use crate::support::raster;
use raster::{decoded, raster};

fn orders() -> impl Strategy<Value = ByteOrder> {
    prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big)]
}

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![Just(Format::Classic), Just(Format::Big)]
}

/// Draws up to 20 values of any known type, from random bytes.
fn values() -> impl Strategy<Value = Values> {
    let codes: Vec<u16> =
        (0..20).filter(|code| FieldType::from_code(*code).size().is_some()).collect();
    (prop::sample::select(codes), prop::collection::vec(any::<u8>(), 160), 0..=20usize).prop_map(
        |(code, bytes, count)| {
            let kind = FieldType::from_code(code);
            let len = count * kind.size().unwrap() as usize;
            Values::decode(kind, ByteOrder::Little, &bytes[..len]).unwrap()
        },
    )
}

/// Draws a plan whose parts lie in a random order with random gaps, and the length of its file.
fn plans() -> impl Strategy<Value = (Plan, usize)> {
    let entries = prop::collection::btree_map(any::<u16>(), (values(), 0..9u64), 1..24);
    let spares = prop_oneof![Just(Spare::Zeros), Just(Spare::Filler)];
    (orders(), formats(), spares, entries, any::<u64>(), 0..9u64, 0..9u64).prop_map(
        |(order, format, spare, entries, shuffle, gap, tail)| {
            let mut entries: Vec<_> = entries.into_iter().collect();
            let turn = shuffle as usize % entries.len();
            entries.rotate_left(turn);
            let ifd_place = (shuffle >> 32) as usize % entries.len();
            let mut end = format.header_size() + gap;
            let mut ifd_at = 0;
            let mut planned = Vec::new();
            let count = entries.len();
            for (k, (tag, (values, gap))) in entries.into_iter().enumerate() {
                if k == ifd_place {
                    ifd_at = end;
                    end += ifd_size(format, count);
                }
                let value_at = needs_block(format, &values).then_some(end + gap);
                end = value_at.map_or(end, |at| at + values.size());
                planned.push(PlannedEntry { tag: Tag(tag), values, value_at });
            }
            let ifd = PlannedIfd { at: ifd_at, entries: planned, next: 0 };
            (Plan::new(order, format, spare, ifd), (end + tail) as usize)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_written_is_read_again((plan, len) in plans()) {
        let mut file = vec![0x5A; len];
        write(&plan, &mut file).unwrap();
        let container = read(&file).unwrap();
        prop_assert_eq!(container.order, plan.order);
        prop_assert_eq!(container.format, plan.format);
        prop_assert_eq!(container.ifd.span.at, plan.ifd.at);
        prop_assert_eq!(container.ifd.next, 0);
        prop_assert!(container.later_ifds.is_empty());
        let mut planned = plan.ifd.entries.clone();
        planned.sort_by_key(|entry| entry.tag);
        let read: Vec<PlannedEntry> = container.ifd.entries.iter().map(|entry| PlannedEntry {
            tag: entry.tag,
            values: entry.values.clone(),
            value_at: entry.block,
        }).collect();
        prop_assert_eq!(read, planned);
    }

    /// Only the planned bytes change, and the spare bytes of short values are as planned.
    #[test]
    fn nothing_else_is_written((plan, len) in plans()) {
        let (mut a, mut b) = (vec![0x5A; len], vec![0xA5; len]);
        write(&plan, &mut a).unwrap();
        write(&plan, &mut b).unwrap();
        let mut planned = vec![false; len];
        for (_, span) in plan.spans() {
            planned[span.at as usize..span.end().unwrap() as usize].fill(true);
        }
        for at in 0..len {
            if !planned[at] {
                prop_assert_eq!((a[at], b[at]), (0x5A, 0xA5), "offset {}", at);
            } else if plan.spare == Spare::Zeros {
                prop_assert_eq!(a[at], b[at], "offset {}", at);
            }
        }
    }

    /// A file that is too short by any amount is refused, and remains unchanged.
    #[test]
    fn a_file_too_short_is_refused((plan, len) in plans(), cut in 1..2000usize) {
        let needs = plan.spans().iter().filter_map(|(_, s)| s.end()).max().unwrap() as usize;
        let mut file = vec![0x5A; len.min(needs).saturating_sub(cut)];
        let refused = matches!(write(&plan, &mut file), Err(PlanError::Outside { .. }));
        prop_assert!(refused);
        prop_assert!(file.iter().all(|byte| *byte == 0x5A));
    }

    /// Any two parts at the same place are refused.
    #[test]
    fn an_overlap_is_refused((mut plan, len) in plans(), which in any::<prop::sample::Index>()) {
        let blocks: Vec<usize> =
            (0..plan.ifd.entries.len()).filter(|k| plan.ifd.entries[*k].value_at.is_some()).collect();
        prop_assume!(!blocks.is_empty());
        let block = blocks[which.index(blocks.len())];
        plan.ifd.entries[block].value_at = Some(plan.ifd.at + 3);
        let refused = matches!(
            write(&plan, &mut vec![0; len + 1000]),
            Err(PlanError::Overlap { .. })
        );
        prop_assert!(refused);
    }
}

fn planned(tag: Tag, values: Values, value_at: Option<u64>) -> Plan {
    Plan::new(
        ByteOrder::Little,
        Format::Classic,
        Spare::Zeros,
        PlannedIfd { at: 8, entries: vec![PlannedEntry { tag, values, value_at }], next: 0 },
    )
}

#[test]
fn plans_that_cannot_be_are_refused_in_words() {
    let refused = |plan: &Plan| write(plan, &mut [0; 100]).unwrap_err().to_string();
    let good = planned(Tag::MAKE, Values::ascii("four"), Some(60));
    assert_eq!(write(&good, &mut [0; 100]), Ok(()));

    let plan = planned(Tag::MAKE, Values::ascii("four"), None);
    assert_eq!(refused(&plan), "the values of Make (271) take 5 bytes and need a place");
    let plan = planned(Tag::MAKE, Values::ascii("abc"), Some(60));
    assert_eq!(
        refused(&plan),
        "the values of Make (271) take 4 bytes, which the entry holds: offset 60 is wrong"
    );
    let plan = planned(Tag::MAKE, Values::ascii("four"), Some(96));
    assert_eq!(
        refused(&plan),
        "the values of Make (271) needs 5 bytes at offset 96, the file has 100"
    );
    let plan = planned(Tag::MAKE, Values::ascii("four"), Some(1 << 32));
    assert_eq!(
        refused(&plan),
        "the offset of Make (271) = 4294967296 does not fit, the most is 4294967295"
    );
    let plan = planned(Tag::MAKE, Values::ascii("four"), Some(4));
    assert_eq!(refused(&plan), "the header and the values of Make (271) overlap at offset 4");
    let plan = planned(Tag(65000), Values::unknown(99, 1, &[0; 5]), None);
    assert_eq!(
        refused(&plan),
        "the values of tag 65000 have the unknown type 99 and cannot be written"
    );
    let mut plan = good.clone();
    plan.ifd.entries.push(plan.ifd.entries[0].clone());
    assert_eq!(refused(&plan), "Make (271) is planned twice");
    plan.ifd.entries.clear();
    assert_eq!(refused(&plan), "a directory needs at least one entry");
    let mut plan = good.clone();
    plan.ifd.entries = (0..=u16::MAX)
        .map(|tag| PlannedEntry { tag: Tag(tag), values: Values::shorts(&[1]), value_at: None })
        .collect();
    assert_eq!(refused(&plan), "a directory cannot have 65536 entries");
}

#[test]
fn a_second_page_can_be_written_and_is_seen() {
    let mut file = [0; 100];
    let mut plan = planned(Tag::MAKE, Values::ascii("a"), None);
    plan.ifd.next = 50;
    plan.further.push(PlannedIfd { at: 50, next: 0, ..plan.ifd.clone() });
    plan.data.push(PlannedData { at: 80, bytes: b"data".to_vec() });
    write(&plan, &mut file).unwrap();
    assert_eq!(read(&file).unwrap().later_ifds, [50]);
    assert_eq!(&file[80..84], b"data");
    plan.data[0].at = 66;
    assert_eq!(
        write(&plan, &mut file).unwrap_err().to_string(),
        "the directory of further directory 0 and further data 0 overlap at offset 66"
    );
}

/// Writes the tags of `seed` in another layout: first the strips of the seed file, one after the other,
/// then the other parts.
fn again(seed: &ImageFile, file: &[u8], source: &mut ChoiceSource) -> Vec<u8> {
    let options = WriterOptions::simple(Profile::Wide);
    let mut layout = choices::choose(source, &options, &RequiredTags::of(seed)).unwrap();
    let mut out = vec![0xEE; 8];
    let (mut offsets, mut counts) = (Vec::new(), Vec::new());
    for k in 0..seed.segments.len() {
        let rows = seed.stored(file, k).unwrap();
        offsets.push(out.len() as u32);
        counts.push(rows.len() as u32);
        out.extend(rows);
    }
    // Their types are chosen with their places.
    for (tag, values) in [(Tag::STRIP_OFFSETS, offsets), (Tag::STRIP_BYTE_COUNTS, counts)] {
        layout.entries.push((tag, Values::longs(&values)));
    }
    layout.entries.sort_by_key(|entry| entry.0);
    let ifd_at = out.len() as u64;
    let mut end = ifd_at + layout.ifd_size(0);
    let mut places = Vec::new();
    for (_, size) in layout.blocks() {
        places.push(end);
        end += size;
    }
    out.resize(end as usize, 0xEE);
    write(&layout.plan(ifd_at, &places).unwrap(), &mut out).unwrap();
    out
}

/// Returns all values of a file, in whatever form: tags with a default count as present.
fn meaning(file: &ImageFile) -> Vec<(Tag, Vec<u64>)> {
    let places = [Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS];
    let integers = file.integers.iter().filter(|i| !places.contains(&i.tag));
    // Any number of rows beyond the last one means one strip.
    let most = |tag| if tag == Tag::ROWS_PER_STRIP { file.height.into() } else { u64::MAX };
    let values = |i: &IntegerTag| i.values.iter().map(|v| *v.min(&most(i.tag))).collect();
    integers.map(|i| (i.tag, values(i))).collect()
}

/// Returns the choices that a file does not show, or the others.
fn select(made: &Choices, untraced: bool) -> Choices {
    let made = made.iter().filter(|(name, _)| choices::UNTRACED.contains(name) == untraced);
    made.map(|(name, value)| (name.to_owned(), value.clone())).collect()
}

#[test]
fn every_choice_says_the_same() {
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let seed = ImageFile::read(&bytes).unwrap();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for index in 0..200 {
            let mut source = ChoiceSource::seeded(1, index);
            let out = again(&seed, &bytes, &mut source);
            let variant = ImageFile::read(&out).unwrap();
            assert_eq!(meaning(&variant), meaning(&seed), "{name} {index}");
            assert!(seed.carried.iter().all(|c| variant.carried.contains(c)), "{name} {index}");
            assert_eq!(raster(&out), raster(&bytes), "{name} {index}");
            assert_eq!(decoded(&out), Some(raster(&bytes)), "{name} {index}");
            // The variant's baseline has the choices that it was made with.
            let made = source.into_recorded();
            let mut own = choices::baseline(&variant);
            own.remove(dimension::FORMAT);
            let untraced: Choices = select(&made, true);
            assert_eq!(untraced.iter().count(), choices::UNTRACED.len() - 2, "{name} {index}");
            assert_eq!(select(&made, false), own, "{name} {index}");
            for (dimension, value) in made.iter() {
                assert!(choices::class_of(dimension, value).is_some(), "{dimension}");
                seen.insert(format!("{dimension} = {value}"));
            }
        }
        for must in [
            "byte order = MM",
            "type of ImageWidth = LONG",
            "default of Orientation = absent",
            "default of PlanarConfiguration = absent",
            "default of SampleFormat = explicit",
            "default of MaxSampleValue = explicit",
            "spare value bytes = filler",
            "type of Orientation = BYTE",
            "type of Compression = LONG",
        ] {
            assert!(seen.contains(must), "{name}: never {must}: {seen:?}");
        }
        assert!(!seen.contains("default of BitsPerSample = absent"));
    }
}

#[test]
fn with_the_seed_s_own_choices_the_entries_are_the_seed_s() {
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let seed = ImageFile::read(&bytes).unwrap();
        let own = choices::baseline(&seed);
        let mut source =
            ChoiceSource::seeded(1, 1).with_baseline(own.clone()).with_vary(Vary::none());
        let out = again(&seed, &bytes, &mut source);
        let entries = |file: &[u8]| {
            let entries = read(file).unwrap().ifd.entries;
            entries
                .into_iter()
                .map(|e| (e.tag, e.values.kind(), e.values.count()))
                .collect::<Vec<_>>()
        };
        assert_eq!(entries(&out), entries(&bytes), "{name}");
        let made = source.into_recorded();
        assert_eq!(select(&made, false).differing_from(&own), Choices::new(), "{name}");
    }
}

/// Returns a source that varies nothing.
fn fixed() -> ChoiceSource {
    ChoiceSource::replaying(Choices::new())
}

#[test]
fn a_turned_picture_has_its_resolutions_turned() {
    let (_, bytes) = make_seeds::seeds().unwrap().remove(0);
    let mut seed = ImageFile::read(&bytes).unwrap();
    seed.carried.retain(|entry| entry.0 != Tag::X_RESOLUTION);
    seed.carried.retain(|entry| entry.0 != Tag::Y_RESOLUTION);
    seed.carried.push((Tag::X_RESOLUTION, Values::rationals(&[(300, 1)])));
    seed.carried.push((Tag::Y_RESOLUTION, Values::rationals(&[(150, 1)])));
    let x_of = |orientation| {
        let mut required = RequiredTags::of(&seed);
        required.set(Tag::ORIENTATION, &[orientation]);
        let layout =
            choices::choose(&mut fixed(), &WriterOptions::simple(Profile::Strict), &required);
        let layout = layout.unwrap();
        layout.entries.into_iter().find(|entry| entry.0 == Tag::X_RESOLUTION).unwrap().1
    };
    assert_eq!(x_of(4), Values::rationals(&[(300, 1)]));
    assert_eq!(x_of(5), Values::rationals(&[(150, 1)]));
    // A missing resolution is the same as the other one; if both are missing, they are 72.
    seed.carried.retain(|entry| entry.0 != Tag::X_RESOLUTION);
    let required = RequiredTags::of(&seed);
    let options = WriterOptions::simple(Profile::Strict);
    let layout = choices::choose(&mut fixed(), &options, &required).unwrap();
    assert!(layout.entries.contains(&(Tag::X_RESOLUTION, Values::rationals(&[(150, 1)]))));
}

/// Returns the type and the count that `tag` gets in the strict profile.
fn entry_as(
    source: &mut ChoiceSource,
    formats: &'static [Format],
    tag: Tag,
    values: &[u64],
) -> Result<Option<(FieldType, u64)>, String> {
    let (_, bytes) = make_seeds::seeds().unwrap().remove(0);
    let required = RequiredTags::of(&ImageFile::read(&bytes).unwrap());
    let options = WriterOptions { formats, ..WriterOptions::simple(Profile::Strict) };
    let mut layout = choices::choose(source, &options, &required).map_err(|e| e.to_string())?;
    layout.entries.retain(|entry| entry.0 != tag);
    layout.add_tag(source, tag, values).map_err(|e| e.to_string())?;
    let entry = layout.entries.into_iter().find(|entry| entry.0 == tag);
    Ok(entry.map(|(_, values)| (values.kind(), values.count())))
}

#[test]
fn types_are_chosen_where_the_value_fits() {
    const CLASSIC: &[Format] = &[Format::Classic];
    const BIG: &[Format] = &[Format::Big];
    let kind = |tag: Tag, given: &str, formats, max| {
        let mut choices = Choices::new();
        if !given.is_empty() {
            choices.set(&dimension::type_of(tag), given);
        }
        let entry = entry_as(&mut ChoiceSource::replaying(choices), formats, tag, &[max])?;
        Ok::<FieldType, String>(entry.unwrap().0)
    };
    use FieldType::{Byte, Long, Long8, Short};
    assert_eq!(kind(Tag::IMAGE_WIDTH, "", CLASSIC, 65535), Ok(Short));
    assert_eq!(kind(Tag::IMAGE_WIDTH, "", CLASSIC, 65536), Ok(Long));
    assert_eq!(kind(Tag::IMAGE_WIDTH, "LONG", CLASSIC, 5), Ok(Long));
    assert_eq!(kind(Tag::ORIENTATION, "", CLASSIC, 8), Ok(Short));
    assert_eq!(kind(Tag::NEW_SUBFILE_TYPE, "", CLASSIC, 1), Ok(Long));
    // Given choices count in the strict profile too.
    assert_eq!(kind(Tag::ORIENTATION, "BYTE", CLASSIC, 8), Ok(Byte));
    assert_eq!(kind(Tag::STRIP_OFFSETS, "LONG8", BIG, 8), Ok(Long8));
    assert_eq!(kind(Tag::STRIP_OFFSETS, "", BIG, 1 << 32), Ok(Long8));
    assert_eq!(
        kind(Tag::STRIP_OFFSETS, "", CLASSIC, 1 << 32).unwrap_err(),
        "choice `type of StripOffsets` = 4294967296 is not possible here: \
         no type of StripOffsets (273) holds it"
    );
    assert_eq!(
        kind(Tag::STRIP_OFFSETS, "LONG8", CLASSIC, 8).unwrap_err(),
        "choice `type of StripOffsets` = LONG8 is not possible here: \
         it must be one of SHORT, LONG, BYTE"
    );
}

#[test]
fn the_sizes_of_types() {
    let sizes = |tag, format, profile| choices::sizes_of(tag, format, profile);
    assert_eq!(sizes(Tag::STRIP_OFFSETS, Format::Classic, Profile::Strict), [2, 4]);
    assert_eq!(sizes(Tag::STRIP_OFFSETS, Format::Big, Profile::Strict), [2, 4, 8]);
    assert_eq!(sizes(Tag::TILE_OFFSETS, Format::Big, Profile::Strict), [4, 8]);
    assert_eq!(sizes(Tag::TILE_OFFSETS, Format::Classic, Profile::Wide), [4, 2, 1]);
    assert_eq!(sizes(Tag::SOFTWARE, Format::Big, Profile::Wide), [0u64; 0]);
    let of = |format, bytes| choices::type_of_size(Tag::STRIP_OFFSETS, format, bytes);
    assert_eq!(of(Format::Classic, 1), Some(FieldType::Byte));
    assert_eq!(of(Format::Classic, 8), None);
    assert_eq!(of(Format::Big, 8), Some(FieldType::Long8));
    assert_eq!(of(Format::Big, 3), None);
}

/// RowsPerStrip of all rows or more means one strip, like its default. Equal values of all samples can
/// be one value.
#[test]
fn defaults_and_counts_depend_on_the_picture() {
    let entry_of = |dimension: &str, value: &str, tag, values: &[u64]| {
        let mut choices = Choices::new();
        choices.set(dimension, value);
        let mut source = ChoiceSource::replaying(choices);
        let entry = entry_as(&mut source, &[Format::Classic], tag, values).unwrap();
        (entry, source.unused().is_empty())
    };
    let absent = "default of RowsPerStrip";
    let short = Some((FieldType::Short, 1));
    // The picture has 23 rows.
    assert_eq!(entry_of(absent, "absent", Tag::ROWS_PER_STRIP, &[22]), (short, false));
    assert_eq!(entry_of(absent, "absent", Tag::ROWS_PER_STRIP, &[23]), (None, true));
    assert_eq!(entry_of(absent, "explicit", Tag::ROWS_PER_STRIP, &[24]), (short, true));
    let one = "count of BitsPerSample";
    assert_eq!(entry_of(one, "one", Tag::BITS_PER_SAMPLE, &[8, 8, 8]), (short, true));
    let three = Some((FieldType::Short, 3));
    assert_eq!(entry_of(one, "per sample", Tag::BITS_PER_SAMPLE, &[8, 8, 8]), (three, true));
    assert_eq!(entry_of(one, "one", Tag::BITS_PER_SAMPLE, &[5, 6, 5]), (three, false));
}

#[test]
fn classes_are_those_of_the_standard() {
    let class = |dimension: &str, value: &str| choices::class_of(dimension, &value.into());
    assert_eq!(class("byte order", "MM"), Some(Class::Baseline));
    assert_eq!(class("default of Compression", "absent"), Some(Class::Baseline));
    assert_eq!(class("default of SampleFormat", "explicit"), Some(Class::Extension));
    assert_eq!(class("default of SampleFormat", "absent"), Some(Class::Baseline));
    assert_eq!(class("type of RowsPerStrip", "SHORT"), Some(Class::Baseline));
    assert_eq!(class("strip order", "reversed"), None);
    assert_eq!(class("format", "BigTIFF"), Some(Class::Extension));
    assert_eq!(class("type of Compression", "BYTE"), Some(Class::Questionable));
    assert_eq!(class("type of ImageWidth", "LONG8"), Some(Class::Questionable));
    assert_eq!(class("type of StripOffsets", "LONG8"), Some(Class::Extension));
    assert_eq!(class("type of SubIFDs", "LONG"), Some(Class::Extension));
    assert_eq!(class("count of BitsPerSample", "one"), Some(Class::Questionable));
    assert_eq!(class("private tags", "FLOAT:3"), Some(Class::Baseline));
    assert_eq!(class("private tags", "IFD:3"), Some(Class::Extension));
    assert_eq!(class("tags of unknown type", "none"), Some(Class::Baseline));
    assert_eq!(class("tags of unknown type", "random:1"), Some(Class::Questionable));
    assert_eq!(class("further pages", "thumbnail after"), Some(Class::Baseline));
    assert_eq!(class("further pages", "page after"), Some(Class::Extension));
    assert_eq!(choices::class_of("orientation", &1.into()), Some(Class::Baseline));
    assert_eq!(choices::class_of("orientation", &6.into()), Some(Class::Extension));
    assert!(RULES.is_sorted_by(|a, b| a.tag < b.tag));
}
