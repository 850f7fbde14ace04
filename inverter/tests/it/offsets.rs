//! Numbers that decide where other elements of the same array are.

use crate::support;

use inverter::invert::invert;
use inverter::program::parse;
use inverter::run::{Executable, Limits, from_json, invert_value, normalize};
use inverter::solve::ChoiceSource;
use serde_json::json;
use support::subject::Subject;

fn text(name: &str) -> String {
    let path = format!("{}/tests/specs/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn subject(text: &str) -> Subject {
    Subject::of("spec.rs", text).unwrap_or_else(|e| panic!("{e}"))
}

/// Draws representations of the value of `seed`; returns those that were made.
fn draws(subject: &Subject, seed: &[u8], count: u64) -> Vec<Vec<u8>> {
    let y = subject.value_of(seed);
    let draw = |index| {
        let drawn = subject.draw(&y, ChoiceSource::seeded(3, index));
        drawn.map_err(|why| println!("{index}: {why}")).ok()
    };
    (0..count).filter_map(draw).collect()
}

/// The length of an array depends on its own elements: one line says so, or a search finds a
/// representation.
#[test]
fn an_array_that_decides_its_own_length_is_reported() {
    let inverse = Executable::new(invert(&parse("spec.rs", &text("overflow1")).unwrap()).unwrap());
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
    let subject = subject(&text("file_a"));
    let files = draws(&subject, &ROWS, 200);
    assert!(files.len() >= 198, "{} of 200", files.len());
    let tables: Vec<_> = files.iter().filter(|f| f[0] == 1).collect();
    let entry = |f: &[u8], r: usize| u32::from_be_bytes(f[8 + 4 * r..][..4].try_into().unwrap());
    let second_first = tables.iter().filter(|f| entry(f, 0) > entry(f, 1)).count();
    let apart = tables.iter().filter(|f| entry(f, 0).abs_diff(entry(f, 1)) > 2).count();
    println!(
        "{} of 200, {} tables, {second_first} reversed, {apart} apart",
        files.len(),
        tables.len()
    );
    assert!(tables.len() > 40 && tables.len() < 160, "{}", tables.len());
    assert!(second_first > 10 && apart > 10, "{second_first} {apart}");
}

/// A table in any form, itself at a free place; its entries also give the length of each row.
#[test]
fn tables_have_any_form_and_place() {
    for (form, width) in [("u16le", 2), ("u16be", 2), ("u32le", 4), ("u32be", 4)] {
        let spec = format!(
            "struct F {{ file: [u8] }} struct P {{ n: u32, len: [u32; n], v: [u32; n] }}
             fn t(x: &F, y: &mut P) {{
                 let n = u8(x.file, 0);
                 let table = {form}(x.file, 1);
                 y.n = n;
                 for r in 0..n {{
                     let start = {form}(x.file, table + {width} * r);
                     y.len[r] = x.file[start];
                     y.v[r] = x.file[start + 1];
                 }}
             }}"
        );
        let subject = subject(&spec);
        // The table is at 8, and the entries are behind it.
        let mut seed = vec![0; 8 + 3 * width];
        let mut put = |at: usize, n: u8| {
            let at = if form.ends_with("be") { at + width - 1 } else { at };
            seed[at] = n;
        };
        put(1, 8);
        (0..3).for_each(|r| put(8 + r * width, (8 + 3 * width + 2 * r) as u8));
        seed[0] = 3;
        seed.extend([1, 2, 3, 4, 5, 6]);
        let files = draws(&subject, &seed, 200);
        println!("{form}: {} of 200", files.len());
        assert!(files.len() >= 198, "{form}: {} of 200", files.len());
        let places: std::collections::BTreeSet<_> =
            files.iter().map(|f| f[1..1 + width].to_vec()).collect();
        assert!(places.len() > 10, "{form}: {places:?}");
    }
}

/// A table that the file is too short for is refused before it takes memory.
#[test]
fn a_table_beyond_the_end_of_the_file_is_refused() {
    let subject = subject(&text("file_a"));
    let Subject::File(pipeline) = subject else { panic!("it reads a file") };
    let error = pipeline.open(b"\x01\x02\xff.....abcd".to_vec()).unwrap_err().to_string();
    assert!(error.contains("ends before"), "{error}");
}

/// Constants at a free place in a loop are a segment of the layout.
#[test]
fn filter_bytes_at_a_free_place_are_found_for_small_files() {
    let subject = subject(&text("file_c"));
    let files = draws(&subject, b"\x03\x02\x04\x00\x00abc\x00def", 20);
    assert!(files.len() >= 19, "{} of 20", files.len());
}
