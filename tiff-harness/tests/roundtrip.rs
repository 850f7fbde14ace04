//! What is written is read again; what is chosen says the same.

use std::collections::BTreeSet;

use inverter::solve::{ChoiceSource, Choices, Vary};
use proptest::prelude::*;
use tiff_harness::container::choices::{self, Said};
use tiff_harness::container::write::{
    Plan, PlannedEntry, PlannedIfd, Spare, ifd_size, needs_block, write, write_ifd,
};
use tiff_harness::container::{
    ByteOrder, Class, FieldType, Format, Tag, Values, read, rules::RULES,
};
use tiff_harness::{PlanError, StripFile};

#[path = "../examples/make-seeds.rs"]
mod make_seeds;

fn orders() -> impl Strategy<Value = ByteOrder> {
    prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big)]
}

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![Just(Format::Classic), Just(Format::Big)]
}

/// Up to 20 values of any known type, from random bytes.
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

/// A plan whose parts lie in a random order with random gaps, and the length of its file.
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
            (Plan { order, format, spare, ifd }, (end + tail) as usize)
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

    /// Nothing but the planned bytes changes, and a short value's spare bytes are as
    /// planned.
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

    /// A file that is too short by any amount is refused, and left as it was.
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
    Plan {
        order: ByteOrder::Little,
        format: Format::Classic,
        spare: Spare::Zeros,
        ifd: PlannedIfd { at: 8, entries: vec![PlannedEntry { tag, values, value_at }], next: 0 },
    }
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
    let plan = planned(Tag(65000), Values::unknown(99, 1, &[0; 4]), None);
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

/// A further page is one more directory: nothing here knows only one.
#[test]
fn a_second_page_can_be_written_and_is_seen() {
    let mut file = [0; 100];
    let mut plan = planned(Tag::MAKE, Values::ascii("a"), None);
    plan.ifd.next = 50;
    write(&plan, &mut file).unwrap();
    plan.ifd.at = 50;
    plan.ifd.next = 0;
    write_ifd(plan.order, plan.format, plan.spare, &plan.ifd, &mut file).unwrap();
    assert_eq!(read(&file).unwrap().later_ifds, [50]);
}

/// A file that says what `seed` says in another way: strips as in the seed file, one after
/// the other after the header, then the rest.
fn again(seed: &StripFile, file: &[u8], source: &mut ChoiceSource) -> Vec<u8> {
    let mut chosen = choices::choose(source, &Said::of(seed)).unwrap();
    let mut out = vec![0xEE; 8];
    let (mut offsets, mut counts) = (Vec::new(), Vec::new());
    for k in 0..seed.strips.len() {
        let rows = seed.rows(file, k).unwrap();
        offsets.push(out.len() as u64);
        counts.push(rows.len() as u64);
        out.extend(rows);
    }
    for (tag, values) in [(Tag::STRIP_OFFSETS, offsets), (Tag::STRIP_BYTE_COUNTS, counts)] {
        chosen.entries.push((tag, choices::choose_values(source, tag, &values).unwrap()));
    }
    let ifd_at = out.len() as u64;
    let mut end = ifd_at + ifd_size(Format::Classic, chosen.entries.len());
    let mut places = Vec::new();
    for (_, size) in chosen.blocks(Format::Classic) {
        places.push(end);
        end += size;
    }
    out.resize(end as usize, 0xEE);
    write(&chosen.plan(Format::Classic, ifd_at, &places), &mut out).unwrap();
    out
}

/// The rows as the `tiff` crate decodes them: a second opinion of what was written.
fn decoded(file: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = tiff::decoder::Decoder::new(std::io::Cursor::new(file)).ok()?;
    match decoder.read_image().ok()? {
        tiff::decoder::DecodingResult::U8(rows) => Some(rows),
        _ => None,
    }
}

/// All that a file says, whichever way: tags with a default count as said.
fn meaning(file: &StripFile) -> Vec<(Tag, Vec<u64>)> {
    let places = [Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS];
    let integers = file.integers.iter().filter(|i| !places.contains(&i.tag));
    integers.map(|i| (i.tag, i.values.clone())).collect()
}

#[test]
fn every_choice_says_the_same() {
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let seed = StripFile::read(&bytes).unwrap();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for index in 0..200 {
            let mut source = ChoiceSource::seeded(1, index);
            let out = again(&seed, &bytes, &mut source);
            let variant = StripFile::read(&out).unwrap();
            assert_eq!(meaning(&variant), meaning(&seed), "{name} {index}");
            assert_eq!(variant.carried, seed.carried, "{name} {index}");
            assert_eq!(variant.raster(&out), seed.raster(&bytes), "{name} {index}");
            assert_eq!(decoded(&out), seed.raster(&bytes), "{name} {index}");
            // The variant's own choices are those that were made.
            let made = source.into_recorded();
            let own = choices::own_choices(&variant);
            assert_eq!(made.differing_from(&own), Choices::new(), "{name} {index}");
            assert_eq!(own.differing_from(&made), Choices::new(), "{name} {index}");
            for (dimension, value) in made.iter() {
                assert!(choices::class_of(dimension, value).is_some(), "{dimension}");
                seen.insert(format!("{dimension} = {value}"));
            }
        }
        for must in [
            "byte order = MM",
            "type of ImageWidth = LONG",
            "type of StripOffsets = SHORT",
            "default of Orientation = absent",
            "default of PlanarConfiguration = absent",
            "default of SampleFormat = explicit",
            "default of MaxSampleValue = explicit",
            "spare value bytes = filler",
        ] {
            assert!(seen.contains(must), "{name}: never {must}: {seen:?}");
        }
        assert!(!seen.contains("default of BitsPerSample = absent"));
    }
}

#[test]
fn with_the_seed_s_own_choices_the_entries_are_the_seed_s() {
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let seed = StripFile::read(&bytes).unwrap();
        let own = choices::own_choices(&seed);
        let mut source = ChoiceSource::seeded(1, 1)
            .with_baseline(own.clone())
            .with_vary(Vary::Only(BTreeSet::new()));
        let out = again(&seed, &bytes, &mut source);
        let entries = |file: &[u8]| {
            let entries = read(file).unwrap().ifd.entries;
            entries
                .into_iter()
                .map(|e| (e.tag, e.values.kind(), e.values.count()))
                .collect::<Vec<_>>()
        };
        assert_eq!(entries(&out), entries(&bytes), "{name}");
        assert_eq!(source.into_recorded().differing_from(&own), Choices::new(), "{name}");
    }
}

#[test]
fn a_turned_picture_has_its_resolutions_turned() {
    let (_, bytes) = make_seeds::seeds().unwrap().remove(0);
    let mut seed = StripFile::read(&bytes).unwrap();
    seed.carried.retain(|entry| entry.0 != Tag::X_RESOLUTION);
    seed.carried.retain(|entry| entry.0 != Tag::Y_RESOLUTION);
    seed.carried.push((Tag::X_RESOLUTION, Values::rationals(&[(300, 1)])));
    seed.carried.push((Tag::Y_RESOLUTION, Values::rationals(&[(150, 1)])));
    let x_of = |orientation| {
        let mut said = Said::of(&seed);
        said.set(Tag::ORIENTATION, &[orientation]);
        let chosen = choices::choose(&mut ChoiceSource::seeded(0, 0), &said).unwrap();
        chosen.entries.into_iter().find(|entry| entry.0 == Tag::X_RESOLUTION).unwrap().1
    };
    assert_eq!(x_of(4), Values::rationals(&[(300, 1)]));
    assert_eq!(x_of(5), Values::rationals(&[(150, 1)]));
    // The one that is missing is the other; only none at all is 72.
    seed.carried.retain(|entry| entry.0 != Tag::X_RESOLUTION);
    let said = Said::of(&seed);
    let chosen = choices::choose(&mut ChoiceSource::seeded(0, 0), &said).unwrap();
    assert!(chosen.entries.contains(&(Tag::X_RESOLUTION, Values::rationals(&[(150, 1)]))));
}

#[test]
fn types_are_chosen_where_the_value_fits() {
    let mut given = Choices::new();
    given.set("type of ImageWidth", "SHORT");
    let mut source = ChoiceSource::replaying(given);
    let mut kind = |tag, max| choices::choose_type(&mut source, tag, max);
    assert_eq!(kind(Tag::IMAGE_WIDTH, 65535), Ok(FieldType::Short));
    assert_eq!(kind(Tag::IMAGE_WIDTH, 65536), Ok(FieldType::Long));
    assert_eq!(kind(Tag::ORIENTATION, 8), Ok(FieldType::Short));
    assert_eq!(kind(Tag::NEW_SUBFILE_TYPE, 0), Ok(FieldType::Long));
    assert_eq!(
        kind(Tag::STRIP_OFFSETS, 1 << 32).unwrap_err().to_string(),
        "choice `type of StripOffsets` = 4294967296 is not possible here: \
         no type of StripOffsets (273) holds it"
    );
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
    assert_eq!(choices::class_of("orientation", &1.into()), Some(Class::Baseline));
    assert_eq!(choices::class_of("orientation", &6.into()), Some(Class::Extension));
    assert!(RULES.is_sorted_by(|a, b| a.tag < b.tag));
}
