//! Numbers that decide where other elements of the same array are.

use inverter::invert::invert;
use inverter::pipeline::{Pipeline, from_text};
use inverter::primitive::Primitives;
use inverter::program::{SpecText, parse};
use inverter::run::{Executable, Limits, from_json, invert_value, normalize};
use inverter::solve::ChoiceSource;
use serde_json::json;

fn text(name: &str) -> String {
    let path = format!("{}/tests/offsets/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn pipeline(name: &str) -> Pipeline {
    let text = text(name);
    from_text(&SpecText::alone(&format!("{name}.rs"), &text), &Primitives::shipped())
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Draws representations of the value of `seed`; returns those that were made, each checked.
fn draws(pipeline: &Pipeline, seed: &[u8], count: u64) -> Vec<Vec<u8>> {
    let limits = Limits::default();
    let y = pipeline.normalize(&pipeline.open(seed.to_vec()).unwrap()).unwrap();
    let draw = |index| {
        let mut source = ChoiceSource::seeded(3, index);
        let x = match pipeline.invert(&y, &mut source, &limits) {
            Ok(x) => x,
            Err(e) => {
                println!("{index}: {e}");
                return None;
            }
        };
        let file = pipeline.file(x).unwrap();
        assert_eq!(pipeline.normalize(&pipeline.open(file.clone()).unwrap()).unwrap(), y);
        Some(file)
    };
    (0..count).filter_map(draw).collect()
}

/// The length of an array depends on its own elements: one line says so, or a search finds a
/// representation.
#[test]
fn an_array_that_decides_its_own_length_is_reported() {
    let inverse =
        Executable::new(invert(&parse("spec.rs", &text("element_of_itself")).unwrap()).unwrap());
    let program = &inverse.program;
    let y = from_json(&program.output, &json!({ "c": 7 })).unwrap();
    for index in 0..20 {
        let mut source = ChoiceSource::seeded(1, index);
        match invert_value(&inverse, &y, &mut source, &Limits::default()) {
            Ok(x) => assert_eq!(normalize(&inverse.program, &x).unwrap(), y),
            Err(e) => {
                let message = e.to_string();
                assert!(message.contains("x.b") && message.contains("line 3"), "{message}");
                assert!(!message.contains('\n'), "{message}");
            }
        }
    }
}

/// A file without a table: two rows of two bytes from 8 on.
const ROWS: [u8; 12] = *b"\x00\x02\x02.....abcd";

/// A table of places, read in a loop, has segments of its own in the layout.
#[test]
fn places_are_read_from_a_table_in_the_file() {
    let pipeline = pipeline("rows_or_table");
    println!("{}", pipeline.stages()[0].inverse());
    let files = draws(&pipeline, &ROWS, 200);
    assert!(files.len() >= 198, "{} of 200", files.len());
    let tables: Vec<_> = files.iter().filter(|f| f[0] == 1).collect();
    let entry = |f: &[u8], r: usize| u32::from_be_bytes(f[8 + 4 * r..][..4].try_into().unwrap());
    let second_first = tables.iter().filter(|f| entry(f, 0) > entry(f, 1)).count();
    let apart = tables.iter().filter(|f| entry(f, 0).abs_diff(entry(f, 1)) > 2).count();
    println!("{} tables, {second_first} reversed, {apart} apart", tables.len());
    assert!(tables.len() > 40 && tables.len() < 160, "{}", tables.len());
    assert!(second_first > 10 && apart > 10, "{second_first} {apart}");
}
