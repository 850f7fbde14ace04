use std::path::Path;

use super::facts::{Fact, Facts};
use super::table::{ROWS, Rule};
use super::text::{DESCRIPTIONS, Kind, XMP};
use super::*;
use crate::container::{ByteOrder, FieldType};

/// Returns the facts of a gray file of 8 bits in one strip.
fn gray() -> Facts {
    Facts {
        order: ByteOrder::Little,
        bits: 8,
        photometric: 1,
        extra_samples: Vec::new(),
        color_map: Vec::new(),
        planar: 1,
        orientation: 1,
        size: [4, 3],
        compression: 1,
        tile: None,
        pages: 1,
        other_pages: 0,
    }
}

fn rgb() -> Facts {
    Facts { photometric: 2, ..gray() }
}

fn palette() -> Facts {
    Facts { photometric: 3, bits: 1, color_map: vec![0, 9, 0, 0, 0, 7], ..gray() }
}

/// Returns the integers of a tag in a variant.
fn numbers(tag: Tag, old: &[u64], variant: &Facts, seed: &Facts) -> Option<Vec<u64>> {
    let values = Values::integers(FieldType::Short, old).unwrap();
    carry(tag, values, variant, seed)?.as_integers()
}

fn text(tag: Tag, old: &str, variant: &Facts, seed: &Facts) -> Option<String> {
    let new = carry(tag, Values::ascii(old), variant, seed)?;
    assert_eq!(new, Values::ascii(new.as_text().unwrap()));
    Some(new.as_text().unwrap().to_owned())
}

/// Variants of gray, each with the one fact that differs, and all facts that this changes.
fn others() -> Vec<(Facts, Vec<Fact>)> {
    let one = |facts: Facts, fact: Fact| (facts, vec![fact]);
    vec![
        one(Facts { order: ByteOrder::Big, ..gray() }, Fact::ByteOrder),
        one(Facts { bits: 16, ..gray() }, Fact::Bits),
        one(Facts { photometric: 0, ..gray() }, Fact::Photometric),
        (rgb(), vec![Fact::Photometric, Fact::Samples]),
        (
            Facts { bits: 8, color_map: vec![0; 768], ..palette() },
            vec![Fact::Photometric, Fact::Palette],
        ),
        one(Facts { extra_samples: vec![0], ..gray() }, Fact::Samples),
        one(Facts { orientation: 3, ..gray() }, Fact::Orientation),
        (Facts { orientation: 6, size: [3, 4], ..gray() }, vec![Fact::Orientation, Fact::Size]),
        one(Facts { size: [4, 2], ..gray() }, Fact::Size),
        one(Facts { compression: 5, ..gray() }, Fact::Compression),
        one(Facts { tile: Some([16, 16]), ..gray() }, Fact::Tiles),
        one(Facts { other_pages: 1, ..gray() }, Fact::Pages),
    ]
}

const FACTS: [Fact; 12] = [
    Fact::ByteOrder,
    Fact::Bits,
    Fact::Photometric,
    Fact::Palette,
    Fact::Samples,
    Fact::Planar,
    Fact::Orientation,
    Fact::Size,
    Fact::Compression,
    Fact::Tiles,
    Fact::Pages,
    Fact::Picture,
];

#[test]
fn the_table_is_sorted_and_every_tag_has_one_row_and_a_name() {
    assert!(ROWS.is_sorted_by(|a, b| a.tags[0] < b.tags[0]));
    let mut all: Vec<Tag> = Vec::new();
    for row in ROWS {
        assert!(row.tags.is_sorted_by(|a, b| a < b), "{:?}", row.tags);
        assert!(!row.reason.is_empty() && !row.reason.ends_with('.'), "{}", row.reason);
        if let Rule::While(needs) = row.rule {
            let order: Vec<Fact> = FACTS.into_iter().filter(|fact| needs.contains(fact)).collect();
            assert!(!needs.is_empty() && order.len() == needs.len(), "{needs:?}");
        }
        all.extend(row.tags);
    }
    all.sort();
    assert!(all.is_sorted_by(|a, b| a < b), "a tag has two rows");
    assert!(all.iter().all(|tag| tag.name().is_some()), "a tag has no name");
    // Tags of the picture itself are chosen, not carried along.
    for tag in &all {
        assert!(crate::container::rules::rule_of(*tag).is_none(), "{tag}");
        assert!(!fits_any_picture(*tag) || row_of(*tag).is_some());
    }
    for kind in DESCRIPTIONS.iter().chain(XMP) {
        assert!(kind.words.is_sorted_by(|a, b| a.0 < b.0), "{}", kind.mark);
    }
}

#[test]
fn each_fact_is_lost_by_its_own_difference() {
    for (variant, lost) in others() {
        for fact in FACTS {
            assert_eq!(
                fact.holds(&variant, &gray()),
                !lost.contains(&fact),
                "{fact:?} {variant:?}"
            );
        }
    }
    // A pixel of one sample has no planes; one of three does.
    let planar = |facts: Facts| Facts { planar: 2, ..facts };
    assert!(Fact::Planar.holds(&planar(gray()), &gray()));
    assert!(!Fact::Planar.holds(&planar(rgb()), &rgb()));
    // The seed's pages are there, unless some of them are left out.
    let three = Facts { pages: 3, ..gray() };
    assert!(Fact::Pages.holds(&three, &three) && !Fact::Pages.holds(&gray(), &three));
    let damaged = Facts { other_pages: 1, ..three.clone() };
    assert!(!Fact::Pages.holds(&three, &damaged) && !Fact::Pages.holds(&damaged, &damaged));
    // An index whose color has another index means nothing by itself.
    assert!(Fact::Palette.holds(&palette(), &palette()));
    let twice = Facts { color_map: vec![9, 9, 0, 0, 7, 7], ..palette() };
    assert!(!Fact::Palette.holds(&twice, &twice));
    let swapped = Facts { color_map: vec![9, 0, 0, 0, 7, 0], ..palette() };
    assert!(!Fact::Palette.holds(&swapped, &palette()));
}

/// Every row of facts keeps its tags in just the variants in which these facts hold.
#[test]
fn tags_stay_while_their_facts_are_the_seed_s() {
    let values = Values::shorts(&[1, 2]);
    for row in ROWS {
        for tag in row.tags {
            let carried = |variant: &Facts| carry(*tag, values.clone(), variant, &gray());
            match row.rule {
                Rule::Offsets | Rule::Never => assert_eq!(carried(&gray()), None, "{tag}"),
                _ => assert_eq!(carried(&gray()), Some(values.clone()), "{tag}"),
            }
            let Rule::While(needs) = row.rule else { continue };
            for (variant, lost) in others() {
                let wrong = needs.iter().any(|fact| lost.contains(fact));
                assert_eq!(carried(&variant).is_none(), wrong, "{tag} {lost:?}");
            }
        }
    }
    for (variant, _) in others() {
        assert_eq!(carry(Tag::SOFTWARE, values.clone(), &variant, &gray()), Some(values.clone()));
    }
    let pointer = Values::offsets(FieldType::Ifd, &[8]).unwrap();
    assert_eq!(carry(Tag(65000), pointer, &gray(), &gray()), None);
}

#[test]
fn levels_are_scaled_where_that_is_exact() {
    let of = |old: &[u64], variant: &Facts, seed: &Facts| {
        numbers(Tag::HALFTONE_HINTS, old, variant, seed)
    };
    let sixteen = Facts { bits: 16, ..gray() };
    let four = Facts { bits: 4, ..gray() };
    assert_eq!(of(&[1, 255], &sixteen, &gray()), Some(vec![257, 65535]));
    assert_eq!(of(&[17, 255], &four, &gray()), Some(vec![1, 15]));
    assert_eq!(of(&[18, 255], &four, &gray()), None);
    assert_eq!(of(&[300, 0], &sixteen, &gray()), None, "no level of 8 bits");
    assert_eq!(of(&[300, 0], &Facts { orientation: 2, ..gray() }, &gray()), Some(vec![300, 0]));
    // A SHORT does not hold 32 bits.
    assert_eq!(of(&[0, 255], &Facts { bits: 32, ..gray() }, &gray()), None);
    // WhiteIsZero counts from the other end, and RGB as BlackIsZero does.
    let white = Facts { photometric: 0, ..gray() };
    assert_eq!(of(&[3, 255], &white, &gray()), Some(vec![252, 0]));
    assert_eq!(of(&[3, 255], &Facts { bits: 16, ..rgb() }, &white), Some(vec![65535 - 771, 0]));
    assert_eq!(of(&[3, 255], &rgb(), &gray()), Some(vec![3, 255]));
    // Indices stay only with their palette.
    assert_eq!(of(&[0, 1], &palette(), &palette()), Some(vec![0, 1]));
    let swapped = Facts { color_map: vec![9, 0, 0, 0, 7, 0], ..palette() };
    assert_eq!(of(&[0, 1], &swapped, &palette()), None);
    assert_eq!(of(&[0, 1], &gray(), &palette()), None);
}

#[test]
fn the_text_of_a_level_is_changed_along() {
    let of = |old: &str, variant: &Facts| text(Tag::GDAL_NODATA, old, variant, &gray());
    let sixteen = Facts { bits: 16, ..gray() };
    assert_eq!(of(" 7 ", &gray()).as_deref(), Some(" 7 "));
    assert_eq!(of(" 7 ", &sixteen).as_deref(), Some("1799"));
    assert_eq!(of("255", &Facts { bits: 32, ..gray() }).as_deref(), Some("4294967295"));
    assert_eq!(of("7", &Facts { bits: 4, ..gray() }), None);
    assert_eq!(of("0", &Facts { photometric: 0, ..gray() }).as_deref(), Some("255"));
    for other in ["nan", "-9999", "256", "1.5", ""] {
        assert_eq!(of(other, &Facts { orientation: 4, ..gray() }).as_deref(), Some(other));
        assert_eq!(of(other, &sixteen), None, "{other}");
    }
}

#[test]
fn each_sample_has_its_values() {
    let (least, most) = (Tag::S_MIN_SAMPLE_VALUE, Tag::S_MAX_SAMPLE_VALUE);
    let with = |facts: Facts, extra: &[u16]| Facts { extra_samples: extra.to_vec(), ..facts };
    let plain = rgb();
    // More samples: any number.
    assert_eq!(numbers(least, &[1, 2, 3], &plain, &plain), Some(vec![1, 2, 3]));
    assert_eq!(
        numbers(least, &[1, 2, 3], &with(rgb(), &[0, 0]), &plain),
        Some(vec![1, 2, 3, 0, 0])
    );
    assert_eq!(numbers(most, &[4, 5, 6], &with(rgb(), &[2]), &plain), Some(vec![4, 5, 6, 255]));
    // Fewer samples, and the alpha that stays.
    let transparent = with(rgb(), &[2, 0]);
    assert_eq!(numbers(most, &[4, 5, 6, 7, 8], &plain, &transparent), Some(vec![4, 5, 6]));
    let other = with(rgb(), &[1]);
    assert_eq!(numbers(most, &[4, 5, 6, 7, 8], &other, &transparent), Some(vec![4, 5, 6, 7]));
    // Samples without a meaning are filled anew in every variant.
    let filled = with(gray(), &[0]);
    assert_eq!(numbers(least, &[4, 5], &filled, &filled), Some(vec![4, 0]));
    // Other bits; a SHORT does not hold the greatest number of 32.
    let sixteen = Facts { bits: 16, ..with(rgb(), &[0]) };
    assert_eq!(numbers(most, &[1, 2, 3], &sixteen, &plain), Some(vec![257, 514, 771, 65535]));
    assert_eq!(numbers(most, &[1, 2, 3], &Facts { bits: 32, ..sixteen }, &plain), None);
    // Another photometric exchanges least and greatest.
    assert_eq!(numbers(least, &[1], &Facts { photometric: 0, ..gray() }, &gray()), None);
    // A count that is no sample's, and values that are no integers, stay only where nothing changes.
    assert_eq!(numbers(least, &[1, 2], &with(rgb(), &[0]), &plain), None);
    assert_eq!(numbers(least, &[1, 2], &plain, &plain), Some(vec![1, 2]));
    let float = Values::decode(FieldType::Float, ByteOrder::Little, &[0; 4]).unwrap();
    assert_eq!(carry(least, float.clone(), &gray(), &gray()), Some(float.clone()));
    assert_eq!(carry(least, float, &with(gray(), &[0]), &gray()), None);
    // Two values of DotRange are those of all samples, or each has two.
    let dots = Tag::DOT_RANGE;
    assert_eq!(numbers(dots, &[0, 255], &plain, &plain), Some(vec![0, 255]));
    assert_eq!(
        numbers(dots, &[0, 255], &Facts { bits: 16, ..rgb() }, &plain),
        Some(vec![0, 65535])
    );
    assert_eq!(
        numbers(dots, &[9, 99], &with(rgb(), &[0]), &plain),
        Some(vec![9, 99, 9, 99, 9, 99, 0, 255])
    );
    assert_eq!(numbers(dots, &[9, 99], &with(gray(), &[0]), &gray()), Some(vec![9, 99, 0, 255]));
}

#[test]
fn bytes_of_a_wide_type_keep_their_order() {
    let big = Facts { order: ByteOrder::Big, ..gray() };
    let wide = Values::longs(&[0x1c02_0000]);
    let bytes = Values::integers(FieldType::Byte, &[0x1c, 2]).unwrap();
    assert_eq!(carry(Tag::IPTC, wide.clone(), &big, &gray()), None);
    assert_eq!(carry(Tag::IPTC, wide.clone(), &gray(), &gray()), Some(wide));
    assert_eq!(carry(Tag::IPTC, bytes.clone(), &big, &gray()), Some(bytes));
}

#[test]
fn descriptions_stay_while_they_are_true() {
    let kept = |description: &str, variant: &Facts| {
        text(Tag::IMAGE_DESCRIPTION, description, variant, &gray()).is_some()
    };
    let page = Facts { other_pages: 1, ..gray() };
    let turned = Facts { orientation: 6, size: [3, 4], ..gray() };
    let mirrored = Facts { orientation: 2, ..gray() };
    let sixteen = Facts { bits: 16, ..gray() };
    let big = Facts { order: ByteOrder::Big, ..gray() };
    let extra = Facts { extra_samples: vec![0], ..gray() };
    let imagej = "ImageJ=1.53t\nunit=um\n";
    assert!([&gray(), &turned, &sixteen, &big, &extra].iter().all(|facts| kept(imagej, facts)));
    assert!(!kept(imagej, &page));
    assert!(kept("ImageJ=1.53t\nimages=1\n", &gray()));
    assert!(!kept("ImageJ=1.53t\nimages=12\n", &gray()), "its other pictures are not there");
    assert!(!kept("ImageJ=1.53t\nimages=99999999999999999999\n", &gray()));
    assert!(!kept("ImageJ=1.53t\nmin=3\nmax=200\n", &sixteen));
    assert!(!kept("ImageJ=1.53t\nxorigin=2\n", &mirrored));
    assert!(!kept("ImageJ=1.53t\nchannels=1\n", &extra));
    let ome = "<?xml version=\"1.0\"?><OME><Pixels SizeX=\"4\" SizeY=\"3\" Type=\"uint8\"/></OME>";
    assert!(kept(ome, &gray()) && kept(ome, &big));
    assert!([&page, &turned, &mirrored, &sixteen, &extra].iter().all(|facts| !kept(ome, facts)));
    assert!(!kept("<OME><Pixels BigEndian=\"false\"/></OME>", &big));
    let shaped = "{\"shape\": [3, 4]}";
    assert!(kept(shaped, &mirrored) && kept(shaped, &sixteen));
    assert!([&page, &turned, &extra, &rgb()].iter().all(|facts| !kept(shaped, facts)));
    assert!(others().iter().all(|(facts, _)| kept("a picture of ImageJ=", facts)));
}

/// A text that tells of all pages stays while all of them are as in the seed.
#[test]
fn descriptions_of_all_pages_stay_while_all_are_as_in_the_seed() {
    let two = Facts { pages: 2, ..gray() };
    let kept = |tag: Tag, description: &str, other: &Facts| {
        let others = [(other.clone(), two.clone())];
        carry_among(&others, tag, Values::ascii(description), &two, &two).is_some()
    };
    let deep = Facts { bits: 16, ..two.clone() };
    let added = Facts { other_pages: 1, ..two.clone() };
    let ome = "<OME><Pixels SizeX=\"4\"/></OME>";
    let ranges = "ImageJ=1.53t\nimages=2\nmin=3\n";
    for description in [ome, ranges] {
        let kept = |other: &Facts| kept(Tag::IMAGE_DESCRIPTION, description, other);
        assert!(kept(&two) && !kept(&deep) && !kept(&added), "{description}");
    }
    assert!(kept(Tag::IMAGE_DESCRIPTION, "ImageJ=1.53t\nimages=2\n", &deep));
    assert!(!kept(Tag::IMAGE_DESCRIPTION, "ImageJ=1.53t\nimages=3\n", &two));
    // These tell of their own page.
    assert!(kept(Tag::XMP, "tiff:BitsPerSample", &deep));
    assert!(kept(Tag::PAGE_NUMBER, "", &deep) && !kept(Tag::PAGE_NUMBER, "", &added));
}

#[test]
fn xmp_stays_while_the_tags_that_it_repeats_are_the_seed_s() {
    let kept = |xmp: &str, variant: &Facts| carry_bytes(xmp, variant).is_some();
    for (variant, _) in others() {
        assert!(kept("<dc:title>tiff</dc:title>", &variant));
    }
    let turned = Facts { orientation: 6, size: [3, 4], ..gray() };
    for name in ["tiff:Orientation", "exif:PixelXDimension", "tiff:ImageWidth", "GPano:"] {
        assert!(kept(name, &gray()) && kept(name, &Facts { bits: 16, ..gray() }), "{name}");
        assert!(!kept(name, &turned), "{name}");
    }
    assert!(!kept("tiff:BitsPerSample", &Facts { bits: 16, ..gray() }));
}

fn carry_bytes(xmp: &str, variant: &Facts) -> Option<Values> {
    let bytes: Vec<u64> = xmp.bytes().map(u64::from).collect();
    let values = Values::integers(FieldType::Byte, &bytes).unwrap();
    carry(Tag::XMP, values, variant, &gray())
}

#[test]
fn another_picture_has_no_values_of_this_one() {
    for tag in [Tag::S_MIN_SAMPLE_VALUE, Tag::GDAL_METADATA, Tag::RAW_IMAGE_DIGEST] {
        assert!(!fits_any_picture(tag), "{tag}");
    }
    for tag in [Tag::SOFTWARE, Tag::GDAL_NODATA, Tag::MODEL_TIEPOINT, Tag::ICC_PROFILE] {
        assert!(fits_any_picture(tag), "{tag}");
    }
}

/// Returns the words of facts, as the documentation has them.
fn words(needs: &[Fact]) -> String {
    needs.iter().map(|fact| fact.words()).collect::<Vec<_>>().join(", ")
}

/// Returns the row of a kind of text in the documentation.
fn text_row(tag: Tag, kind: &Kind) -> Vec<String> {
    let how = match (kind.mark, kind.begins) {
        ("", _) => String::new(),
        (mark, true) => format!(", begins with `{mark}`"),
        (mark, false) => format!(", contains `{mark}`"),
    };
    let always = (!kind.needs.is_empty()).then(|| format!("{}{how}", tag.label()));
    let always = always.map(|text| format!("| {text} | {} |", words(kind.needs)));
    let word = |(word, needs): &(&str, &[Fact])| {
        format!("| {}{how} and has `{word}` | {} |", tag.label(), words(needs))
    };
    let pictures = kind.pictures.map(|word| {
        format!("| {}{how} and has `{word}` and another number | never |", tag.label())
    });
    always.into_iter().chain(kind.words.iter().map(word)).chain(pictures).collect()
}

#[test]
fn the_documentation_has_the_table() {
    // The published package has no pages.
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if !workspace.join("docs").is_dir() {
        return eprintln!("no docs");
    }
    let page = std::fs::read_to_string(workspace.join("docs/tiff.md")).unwrap();
    let rows_of = |header: &str| -> Vec<String> {
        let rows = page.lines().skip_while(|line| *line != header).skip(2);
        rows.take_while(|line| line.starts_with('|')).map(str::to_owned).collect()
    };
    let tags = |tags: &[Tag]| {
        let names: Vec<String> =
            tags.iter().map(|tag| format!("{} {}", tag.label(), tag.0)).collect();
        names.join(", ")
    };
    let row = |row: &Row| format!("| {} | {} | {} |", tags(row.tags), row.rule.words(), row.reason);
    let expected: Vec<String> = ROWS.iter().map(row).collect();
    let shown = expected.join("\n");
    assert_eq!(rows_of("| tags | carried along | reason |"), expected, "it must be\n{shown}");
    let texts = [(Tag::IMAGE_DESCRIPTION, DESCRIPTIONS), (Tag::XMP, XMP)];
    let texts = texts.iter().flat_map(|(tag, kinds)| kinds.iter().map(move |kind| (*tag, kind)));
    let expected: Vec<String> = texts.flat_map(|(tag, kind)| text_row(tag, kind)).collect();
    let shown = expected.join("\n");
    assert_eq!(rows_of("| text | carried along |"), expected, "it must be\n{shown}");
}
