//! Pictures whose canonical value is no colors: samples with a label, and streams.

use inverter::solve::{Choice, ChoiceSource, Choices, Vary};
use tiff_harness::container::{ByteOrder, FieldType, Tag, Values};
use tiff_harness::image::Content;
use tiff_harness::{ImageFile, Seed};

use crate::support::plain;
use plain::Plain;

const SIDES: [(Tag, u64); 2] = [(Tag::IMAGE_WIDTH, 20), (Tag::IMAGE_LENGTH, 6)];

/// Returns a file of 20 x 6 pixels with these samples of `bits` bits, a strip for each row.
fn file(bits: u16, samples: u16, tags: &[(Tag, Values)]) -> Vec<u8> {
    let row = (20 * usize::from(samples) * usize::from(bits)).div_ceil(8);
    let strip = |y: usize| (0..row).map(|k| (k * 89 + y * 31) as u8).collect();
    let all = vec![bits; samples.into()];
    let mut plain = Plain::new(&SIDES, (0..6).map(strip).collect())
        .numbers(&[(Tag::SAMPLES_PER_PIXEL, samples.into()), (Tag::ROWS_PER_STRIP, 1)])
        .with(Tag::BITS_PER_SAMPLE, Values::shorts(&all));
    for (tag, values) in tags {
        plain = plain.with(*tag, values.clone());
    }
    plain.bytes()
}

fn short(tag: Tag, value: u16) -> (Tag, Values) {
    (tag, Values::shorts(&[value]))
}

fn formats(value: u16, samples: usize) -> (Tag, Values) {
    (Tag::SAMPLE_FORMAT, Values::shorts(&vec![value; samples]))
}

/// Returns files of each kind of samples, by name.
fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let photometric = |value| short(Tag::PHOTOMETRIC_INTERPRETATION, value);
    vec![
        ("CMYK", file(8, 4, &[photometric(5)])),
        ("CMYK, 16 bits", file(16, 4, &[photometric(5)])),
        ("L*a*b*", file(8, 3, &[photometric(8)])),
        ("signed", file(16, 1, &[formats(2, 1)])),
        ("floating point", file(32, 3, &[photometric(2), formats(3, 3)])),
        ("32 bits", file(32, 1, &[])),
        ("64 bits, floating point", file(64, 1, &[formats(3, 1)])),
        ("24 bits, floating point", file(24, 1, &[formats(3, 1)])),
        ("12 bits", file(12, 1, &[])),
        ("3 bits, RGB", file(3, 3, &[photometric(2)])),
        ("48 bits", file(48, 1, &[])),
        ("associated alpha", file(8, 4, &[photometric(2), short(Tag::EXTRA_SAMPLES, 1)])),
        ("complex", file(64, 1, &[formats(6, 1)])),
        ("five samples that nothing describes", file(8, 5, &[])),
        (
            "YCbCr without subsampling",
            file(8, 3, &[photometric(6), (Tag::YCBCR_SUB_SAMPLING, Values::shorts(&[1, 1]))]),
        ),
    ]
}

#[test]
fn variants_have_the_samples_and_the_label_of_their_seed() {
    for (name, bytes) in kinds() {
        let seed = Seed::open(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(seed.value().is_some(), "{name}");
        let mut orders = std::collections::BTreeSet::new();
        for index in 0..40 {
            let source = ChoiceSource::seeded(5, index).with_vary(Vary::Share(0.5));
            let variant = seed.variant(source).unwrap_or_else(|e| panic!("{name} {index}: {e}"));
            // The whole file is read again, as a stranger would.
            let again = Seed::open(variant.bytes).unwrap();
            assert_eq!(again.value(), seed.value(), "{name} {index}");
            assert_eq!(again.picture(), seed.picture(), "{name} {index}");
            orders.insert(again.file().orientation);
        }
        assert!(orders.len() > 4, "{name}: orientations {orders:?}");
        let varies = |name: &str| seed.dimensions().iter().any(|d| d == name);
        for fixed in ["photometric", "alpha", "palette", "sample format"] {
            assert!(!varies(fixed), "{name}: {fixed} varies");
        }
        // Random doubles have no other format.
        assert_eq!(varies("bits"), name == "floating point", "{name}");
        let plainest = seed.plainest().unwrap();
        assert_eq!(plainest.value(), seed.value(), "{name}");
        assert_eq!(plainest.file().segments.len(), 1, "{name}");
    }
}

/// Returns a file of one row of floating-point samples of `bits` bits.
fn floats(bits: u16, samples: &[f64]) -> Vec<u8> {
    let bytes = samples.iter().flat_map(|sample| match bits {
        32 => (*sample as f32).to_le_bytes().to_vec(),
        _ => sample.to_le_bytes().to_vec(),
    });
    let sides = [(Tag::IMAGE_WIDTH, samples.len() as u64), (Tag::IMAGE_LENGTH, 1)];
    let (tag, values) = formats(3, 1);
    Plain::new(&sides, vec![bytes.collect()])
        .numbers(&[(Tag::BITS_PER_SAMPLE, bits.into())])
        .with(tag, values)
        .bytes()
}

#[test]
fn the_same_numbers_in_other_widths_are_equal() {
    for (numbers, fewest) in
        [(&[0.0, 1.5, -2.0, 65504.0][..], 16), (&[65536.0, 1.0], 32), (&[0.1, f64::MAX], 64)]
    {
        let widths = [32u16, 64].into_iter().filter(|bits| *bits >= fewest);
        let seeds: Vec<Seed> =
            widths.map(|bits| Seed::open(floats(bits, numbers)).unwrap()).collect();
        for seed in &seeds {
            assert_eq!(seed.value(), seeds[0].value());
            assert!(seed.value().unwrap().contains(&format!(" {fewest} bits")));
            for bits in [16u16, 32, 64] {
                let mut choices = Choices::new();
                choices.set("bits", i128::from(bits));
                let made = seed.variant(ChoiceSource::replaying(choices));
                assert_eq!(made.is_ok(), bits >= fewest && fewest < 64, "{numbers:?} {bits}");
                let Ok(made) = made else { continue };
                let again = Seed::open(made.bytes).unwrap();
                assert_eq!(again.file().bits, bits);
                assert_eq!(again.value(), seed.value());
            }
        }
    }
}

#[test]
fn the_bytes_of_samples_follow_the_byte_order() {
    let seed = Seed::open(file(16, 1, &[formats(2, 1)])).unwrap();
    let mut choices = Choices::new();
    choices.set("byte order", "MM");
    let turned = seed.variant(ChoiceSource::replaying(choices)).unwrap().bytes;
    let stored = |bytes: &[u8]| {
        let image = ImageFile::read(bytes).unwrap();
        image.stored(bytes, 0).unwrap()[..2].to_vec()
    };
    let (little, big) = (stored(seed.bytes()), stored(&turned));
    assert_eq!(little, [big[1], big[0]]);
    // The components of a complex sample stay in their order.
    let seed = Seed::open(file(32, 1, &[formats(5, 1)])).unwrap();
    let mut choices = Choices::new();
    choices.set("byte order", "MM");
    let turned = seed.variant(ChoiceSource::replaying(choices)).unwrap().bytes;
    let stored = |bytes: &[u8]| {
        let image = ImageFile::read(bytes).unwrap();
        image.stored(bytes, 0).unwrap()[..4].to_vec()
    };
    let (little, big) = (stored(seed.bytes()), stored(&turned));
    assert_eq!(little, [big[1], big[0], big[3], big[2]]);
}

#[test]
fn another_label_is_another_value() {
    let values: Vec<String> =
        kinds().into_iter().filter_map(|(_, bytes)| Seed::open(bytes).unwrap().value()).collect();
    let different: std::collections::BTreeSet<&String> = values.iter().collect();
    assert_eq!(different.len(), values.len());
    let signed = |tags: &[(Tag, Values)]| {
        let tags = [&[formats(2, 1)], tags].concat();
        Seed::open(file(16, 1, &tags)).unwrap().value()
    };
    let most = (Tag::S_MAX_SAMPLE_VALUE, Values::shorts(&[9]));
    assert_ne!(signed(&[most]), signed(&[]));
}

#[test]
fn streams_move_and_stay_as_they_are() {
    let tables = Values::decode(FieldType::Undefined, ByteOrder::Little, &[0xFF, 0xD8]).unwrap();
    let jpeg = [short(Tag::COMPRESSION, 7), (Tag::JPEG_TABLES, tables.clone())];
    let seed = Seed::open(file(8, 1, &jpeg)).unwrap();
    assert!(matches!(seed.file().content, Content::Streams(_)));
    assert!(seed.value().unwrap().contains("\"streams\":6"));
    let mut moved = 0;
    for index in 0..40 {
        let variant = seed.variant(ChoiceSource::seeded(3, index)).unwrap();
        let again = Seed::open(variant.bytes).unwrap();
        assert_eq!(again.value(), seed.value());
        assert!(again.file().carried.contains(&(Tag::JPEG_TABLES, tables.clone())));
        let streams = |seed: &Seed| -> Vec<Vec<u8>> {
            let stored = |k| seed.file().stored(seed.bytes(), k).unwrap().to_vec();
            (0..6).map(stored).collect()
        };
        assert_eq!(streams(&again), streams(&seed));
        moved += usize::from(again.file().segments != seed.file().segments);
        let order = variant.choices.get("byte order");
        assert!(matches!(order, Some(Choice::Text(_))));
    }
    assert!(moved > 20, "{moved}");
}

#[test]
fn streams_of_lerc_keep_the_byte_order_of_wide_samples() {
    let orders = |bits: u16| -> std::collections::BTreeSet<String> {
        let seed = Seed::open(file(bits, 1, &[short(Tag::COMPRESSION, 34887)])).unwrap();
        let order = |index| {
            let variant = seed.variant(ChoiceSource::seeded(5, index)).unwrap();
            assert_eq!(Seed::open(variant.bytes.clone()).unwrap().value(), seed.value());
            String::from_utf8(variant.bytes[..2].to_vec()).unwrap()
        };
        (0..20).map(order).collect()
    };
    assert_eq!(Vec::from_iter(orders(8)), ["II", "MM"]);
    assert_eq!(Vec::from_iter(orders(16)), ["II"]);
}
