//! Formats from a spec alone: files are read, and written another way. The suite `views` has the mistakes.

use inverter::pipeline::{Pipeline, from_text};
use inverter::primitive::Primitives;
use inverter::program::SpecText;
use inverter::run::Limits;
use inverter::solve::{ChoiceSource, Choices};

fn pipeline(name: &str) -> Pipeline {
    let path = format!("{}/tests/views/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    from_text(&SpecText::alone(&format!("{name}.rs"), &text), &Primitives::shipped())
        .unwrap_or_else(|e| panic!("{e}"))
}

/// A bottom-up file of 3 by 2 pixels.
fn bmp24() -> Vec<u8> {
    let mut file = b"BM".to_vec();
    file.extend(78u32.to_le_bytes());
    file.extend([0; 4]);
    file.extend(54u32.to_le_bytes());
    file.extend(40u32.to_le_bytes());
    file.extend(3i32.to_le_bytes());
    file.extend(2i32.to_le_bytes());
    file.extend([1, 0, 24, 0]);
    file.extend([0; 24]);
    file.extend((1..=9).chain([0; 3]).chain(11..=19).chain([0; 3]));
    file
}

#[test]
fn a_file_is_written_another_way() {
    let p = pipeline("bmp24");
    insta::assert_snapshot!(p.stages()[0].inverse().to_string());
    let seed = p.open(bmp24()).unwrap();
    let y = p.normalize(&seed).unwrap();
    let own = std::sync::Arc::new(p.own_choices(&seed, &Limits::default()).unwrap());
    insta::assert_snapshot!(serde_json::to_string(&*own).unwrap());
    // Written anew with its own choices it is the same file.
    let mut source = ChoiceSource::replaying(Choices::new()).with_baseline(own.clone());
    let x = p.invert(&y, &mut source, &Limits::default()).unwrap();
    assert_eq!(p.file(x).unwrap(), bmp24());
    let (mut rows, mut gaps) = (Vec::new(), 0);
    for index in 0..60 {
        let mut source = ChoiceSource::seeded(7, index).or_baseline(&own);
        let x = p.invert(&y, &mut source, &Limits::default()).unwrap();
        let file = p.file(x).unwrap();
        assert_eq!(&file[..2], b"BM");
        assert_eq!(file[2..6], (file.len() as u32).to_le_bytes());
        rows.push(i32::from_le_bytes(file[22..26].try_into().unwrap()));
        gaps += usize::from(u32::from_le_bytes(file[10..14].try_into().unwrap()) > 54);
        assert_eq!(p.normalize(&p.open(file).unwrap()).unwrap(), y);
    }
    assert!(rows.contains(&2) && rows.contains(&-2) && gaps > 5, "{rows:?} {gaps}");
}

/// The output of a primitive determines its length, and is read like a file.
#[test]
fn what_is_unpacked_is_read_like_a_file() {
    let p = pipeline("packed");
    insta::assert_snapshot!(p.stages().iter().map(|s| s.inverse().to_string()).collect::<String>());
    let seed = p.open(vec![6, 5, 0, 2, 2, 9, 7, 7, 255, 8]).unwrap();
    let y = p.normalize(&seed).unwrap();
    let own = std::sync::Arc::new(p.own_choices(&seed, &Limits::default()).unwrap());
    let mut places = std::collections::BTreeSet::new();
    for index in 0..60 {
        let mut source = ChoiceSource::seeded(7, index).or_baseline(&own);
        let file = p.file(p.invert(&y, &mut source, &Limits::default()).unwrap()).unwrap();
        let again = p.open(file).unwrap();
        assert_eq!(p.normalize(&again).unwrap(), y);
        let choices = p.own_choices(&again, &Limits::default()).unwrap();
        places.insert(choices.get("rows: count").map(|count| format!("{count:?}")));
    }
    assert!(places.len() > 3, "{places:?} {own:?}");
}
