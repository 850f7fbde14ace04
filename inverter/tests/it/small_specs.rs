//! Small specs that once went wrong: how many of the draws are made, and how they vary.

use crate::support;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use checks::vacuous;
use inverter::check::{load, outside_reads};
use inverter::program::parse;
use inverter::run::{Limits, from_json, invert_value, normalize};
use inverter::solve::{Choice, ChoiceSource, Choices};
use serde_json::{Value, json};
use support::subject::Subject;

/// Draws representations, all of which are made.
fn drawn(text: &str, y: &Value, draws: u64) -> impl Iterator<Item = Vec<u8>> {
    let subject = Subject::of("small.rs", text).unwrap();
    let y = subject.value(y);
    (0..draws).map(move |k| subject.draw(&y, ChoiceSource::seeded(3, k)).unwrap())
}

/// Draws records.
fn draw(text: &str, y: &Value, draws: u64) -> Vec<Value> {
    drawn(text, y, draws).map(|x| serde_json::from_slice(&x).unwrap()).collect()
}

/// Draws files; returns the different ones.
fn files(text: &str, y: &Value, draws: u64) -> BTreeSet<Vec<u8>> {
    drawn(text, y, draws).collect()
}

/// Returns the different values of some fields.
fn different(drawn: &[Value], fields: &[&str]) -> BTreeSet<String> {
    let of = |x: &Value| fields.iter().map(|f| format!("{f}={} ", x[f])).collect();
    drawn.iter().map(of).collect()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Of 264 representations, 256 have the whole width as their window, with any background.
#[test]
fn all_windows_are_drawn() {
    let y = value(include_str!("../specs/guard_ignored.json"));
    let drawn = draw(include_str!("../specs/guard_ignored.rs"), &y, 1200);
    let windows = different(&drawn, &["left", "fw"]);
    assert_eq!(windows.len(), 9, "{windows:?}");
}

/// The kinds are drawn after the place: until then it is open which elements are read.
#[test]
fn a_place_is_not_that_of_an_element_that_a_branch_may_read() {
    let y = json!({ "n": 1, "values": [0], "m": 0, "products": [] });
    let drawn = draw(include_str!("../specs/reserved_in_a_branch.rs"), &y, 300);
    assert_eq!(drawn.len(), 300);
}

#[test]
fn a_scale_divides_what_it_scales() {
    let y = value(include_str!("../specs/noalt.json"));
    let drawn = draw(include_str!("../specs/noalt.rs"), &y, 40);
    let scales = different(&drawn, &["scale"]);
    assert!(scales.len() >= 12, "{scales:?}");
}

#[test]
fn a_scale_and_an_offset_of_many_samples() {
    let text = "struct S { n: u8, scale: i8, raw: [i16; n] }
        struct V { n: u8, v: [i32; n] }
        fn normalize(x: &S, y: &mut V) {
            y.n = x.n;
            for k in 0..x.n { y.v[k] = x.scale * x.raw[k] + 7; }
        }";
    let drawn = draw(text, &json!({ "n": 4, "v": [7, 19, -5, 55] }), 60);
    assert_eq!(different(&drawn, &["scale"]).len(), 12, "each divisor of 12, of both signs");
    // Where the scale is 0, anything is scaled.
    let inverse = load("small.rs", text).unwrap();
    let y = from_json(&inverse.program.output, &json!({ "n": 2, "v": [7, 7] })).unwrap();
    let given = Choices::from_iter([("scale", Choice::Int(0))]);
    let mut source = ChoiceSource::seeded(3, 0).with_given(given);
    let x = invert_value(&inverse, &y, &mut source, &Limits::default()).unwrap();
    assert_eq!(normalize(&inverse.program, &x).unwrap(), y);
}

#[test]
fn a_chain_of_sums_inverts() {
    let y = value(include_str!("../specs/sums24.json"));
    draw(include_str!("../specs/sums24.rs"), &y, 3);
    let n = 32;
    let fields = |int: &str| (0..n).map(|k| format!("a{k}: {int}, ")).collect::<String>();
    let sum = |k: usize| {
        let (next, second) = ((k + 1) % n, (k + 2) % n);
        format!("y.a{k} = x.a{k} + 2 * x.a{next} - x.a{second}; ")
    };
    let sums: String = (0..n).map(sum).collect();
    let text = format!(
        "struct In {{ {} }} struct Out {{ {} }}
        fn normalize(x: &In, y: &mut Out) {{ {sums} }}",
        fields("i16"),
        fields("i32"),
    );
    let a = |k: usize| (k % n) as i64 % 5;
    let sums = (0..n).map(|k| (format!("a{k}"), json!(a(k) + 2 * a(k + 1) - a(k + 2))));
    let y = Value::Object(sums.collect());
    let x = draw(&text, &y, 1).remove(0);
    assert_eq!(x["a7"], json!(2), "the sums determine it");
}

/// The rewrite that the refusal of `bytes(..) == b"II" || ..` advises works.
#[test]
fn a_mark_of_two_kinds_is_read_as_a_number() {
    let y = json!({ "w": 2, "px": [1, 770] });
    let files = files(include_str!("../specs/mark_of_two_kinds.rs"), &y, 40);
    let marks: BTreeSet<&[u8]> = files.iter().map(|file| &file[..2]).collect();
    assert_eq!(marks.len(), 2);
}

/// The branch that can give the value decides the tag.
#[test]
fn the_tag_is_that_of_a_branch_that_can_give_the_value() {
    let text = include_str!("../specs/tag.rs");
    let drawn = draw(text, &value(include_str!("../specs/tag.json")), 200);
    assert_eq!(different(&drawn, &["wide"]).len(), 1, "two bytes never add up to 60000");
    let drawn = draw(text, &json!({ "v": 300 }), 200);
    assert_eq!(different(&drawn, &["wide"]).len(), 2);
    assert!(different(&drawn, &["d"]).len() > 20);
}

#[test]
fn nested_minima_have_a_closed_form() {
    let y = value(include_str!("../specs/minmax7.json"));
    let drawn = draw(include_str!("../specs/minmax7.rs"), &y, 500);
    let both = different(&drawn, &["a", "b"]);
    assert!(both.len() > 100, "{}", both.len());
    // Whatever b is, the outermost minimum is a.
    assert!(drawn.iter().all(|x| x["a"] == json!(3)));
}

/// No solution of a sum occurs more than five times as often as the mean.
#[test]
fn solutions_of_a_sum_occur_evenly() {
    let text = include_str!("../specs/z3_spread.rs");
    draw(text, &value(include_str!("../specs/z3_spread.json")), 40);
    for s in [10, 24, 40] {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for x in draw(text, &json!({ "s": s }), 2000) {
            *counts.entry(x.to_string()).or_default() += 1;
        }
        let (most, all) = (counts.values().max().copied().unwrap_or(0), counts.len() as u64);
        assert!((2..500).contains(&all), "{s}: {all}");
        assert!(most * all <= 5 * 2000, "{s}: one of {all} occurs {most} times");
    }
}

/// Of a canonical value with fewer than 500 representations, none is drawn more than five times as often as
/// the mean.
#[test]
fn few_representations_occur_evenly() {
    for (what, statements, v, least) in [
        ("a product", "y.v = x.a * x.b;", 5040, 40),
        ("a product and a sum", "y.v = x.a * x.b + x.c;", 130, 400),
        ("a sum with a condition", "assume(x.a < x.b); y.v = x.a + 2 * x.b + 3 * x.c;", 60, 50),
        ("bits of several bytes", "y.v = x.a % 4 + 4 * (x.b % 4) + 16 * x.c;", 333, 400),
    ] {
        let text = format!(
            "struct In {{ a: u16, b: u8, c: u8 }} struct Out {{ v: u16 }}
            fn normalize(x: &In, y: &mut Out) {{
                assume(x.a <= 255);
                {} {statements}
            }}",
            if statements.contains("x.c") { "" } else { "assume(x.c == 0);" },
        );
        let text = if what == "a product" { text.replace("assume(x.a <= 255);", "") } else { text };
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for x in draw(&text, &json!({ "v": v }), 2000) {
            *counts.entry(x.to_string()).or_default() += 1;
        }
        let (most, all) = (counts.values().max().copied().unwrap_or(0), counts.len() as u64);
        assert!(
            all >= least && (all >= 500 || most * all <= 5 * 2000),
            "{what}: {all}, {most} of one"
        );
    }
}

/// One sum of 32 unknowns takes no steps that grow with the number of its solutions.
#[test]
fn a_sum_of_many_unknowns_inverts() {
    let n = 32;
    let fields: String = (0..n).map(|k| format!("a{k}: u8, ")).collect();
    let sum: Vec<String> = (0..n).map(|k| format!("{} * x.a{k}", k % 3 + 1)).collect();
    let text = format!(
        "struct In {{ {fields} }} struct Out {{ s: u32 }}
        fn normalize(x: &In, y: &mut Out) {{ y.s = {}; }}",
        sum.join(" + ")
    );
    for s in [0, 1, 77, 4000, 16_065] {
        let drawn = draw(&text, &json!({ "s": s }), 20);
        let few = different(&drawn, &["a0", "a31"]).len();
        assert!(few > 3 || !(2..16_065).contains(&s), "{s}: {few}");
    }
}

#[test]
fn an_element_may_pick_another_of_its_array() {
    let y = value(include_str!("../specs/overflow1.json"));
    let drawn = draw(include_str!("../specs/overflow1.rs"), &y, 60);
    assert!(different(&drawn, &["b"]).len() > 20);
}

#[test]
fn rows_by_a_table_of_offsets_or_without() {
    let y = json!({ "width": 3, "height": 2, "gray": [[97, 98, 99], [100, 101, 102]] });
    let files = files(include_str!("../specs/file_a.rs"), &y, 200);
    assert!(files.len() > 100, "{}", files.len());
    for storage in [0, 1] {
        assert!(files.iter().any(|file| file[0] == storage), "storage {storage} is never drawn");
    }
}

#[test]
fn constants_at_a_free_place_belong_to_the_layout() {
    let y = json!({ "w": 3, "h": 2, "v": [[97, 98, 99], [100, 101, 102]] });
    let text = include_str!("../specs/file_c.rs");
    let files = files(text, &y, 200);
    let place = |file: &Vec<u8>| u16::from_le_bytes([file[2], file[3]]);
    let places: BTreeSet<u16> = files.iter().map(place).collect();
    assert!(places.len() > 40, "{}", places.len());
    assert!(load("small.rs", text).unwrap().losses.is_empty());
}

/// A loop that ends early leaves elements without a value, however large they have to be for that.
#[test]
fn elements_beyond_a_minimum_are_seen_to_be_unassigned() {
    for (text, element) in [
        (include_str!("../specs/min_not_tried.rs"), "v[5]"),
        (include_str!("../specs/w2_never_large.rs"), "v[500]"),
    ] {
        let why = load("small.rs", text).map(|_| ()).unwrap_err().to_string();
        assert!(why.contains(&format!("{element} is never assigned")), "{why}");
    }
}

#[test]
fn a_wrong_stride_and_a_contradiction_are_reported() {
    let until = Instant::now() + Duration::from_secs(20);
    let program = parse("small.rs", include_str!("../specs/w3_oob.rs")).unwrap();
    assert!(!outside_reads(&program, until).is_empty());
    let program = parse("small.rs", include_str!("../specs/vacuous.rs")).unwrap();
    assert!(vacuous(&program).is_some());
}

/// Each kind of a spec whose branches a large constant separates is drawn, with every frame.
#[test]
fn both_sides_of_a_constant_are_drawn() {
    let y = json!({ "w": 3, "px": [7, 5, 7] });
    let drawn = draw(include_str!("../specs/w9_loss_behind_constant.rs"), &y, 200);
    let kind = |x: &&Value| x["kind"].as_u64().unwrap() >= 100;
    let framed: Vec<Value> = drawn.iter().filter(kind).cloned().collect();
    assert!(framed.len() > 20 && framed.len() < 180, "{}", framed.len());
    // The frame holds the middle at least: from 0 or 1, to 1 or 2.
    assert!(different(&framed, &["left", "fw"]).len() >= 4);
}

/// The comment behind the last record has any length and any bytes, and the record stays the last.
#[test]
fn a_comment_behind_the_last_record_varies() {
    let y = json!({ "n": 4, "v": [80, 75, 5, 6] });
    let files = files(include_str!("../specs/comment.rs"), &y, 300);
    let record = |file: &[u8]| file.windows(4).rposition(|w| w == b"PK\x05\x06").unwrap();
    let comments: BTreeSet<usize> = files.iter().map(|f| f.len() - 22 - record(f)).collect();
    assert!(comments.len() > 30 && comments.contains(&0), "{comments:?}");
    assert!(comments.iter().any(|n| *n > 1000), "{comments:?}");
    let first_byte = |f: &Vec<u8>| f.get(record(f) + 22).copied();
    let bytes: BTreeSet<Option<u8>> = files.iter().map(first_byte).collect();
    assert!(bytes.len() > 10, "{bytes:?}");
    assert!(load("small.rs", include_str!("../specs/comment.rs")).unwrap().losses.is_empty());
    // A file's own choices make a file with the same comment length.
    let subject = Subject::of("small.rs", include_str!("../specs/comment.rs")).unwrap();
    let Subject::File(pipeline) = &subject else { panic!("it reads a file") };
    let commented = files.iter().find(|f| f.len() - 22 - record(f) > 9).unwrap();
    let own = pipeline.open(commented.clone());
    let own = pipeline.own_choices(&own.unwrap(), &Limits::default()).unwrap();
    let again = subject.draw(&subject.value(&y), ChoiceSource::replaying(own)).unwrap();
    assert_eq!((again.len(), record(&again)), (commented.len(), record(commented)));
}

/// A place that another number is has room in the file, whatever the type of that number allows.
#[test]
fn a_place_read_under_a_condition_has_room() {
    let text = "struct F { file: [u8] } struct P { n: u8, v: [u8; n] }
        fn t(x: &F, y: &mut P) {
            let c = u8(x.file, 0);
            let n = u8(x.file, 1);
            let place = u32le(x.file, 2);
            let at = if c == 1 { place } else { u32le(x.file, 6) };
            assume(c <= 1);
            y.n = n;
            for k in 0..n { y.v[k] = x.file[at + k]; }
        }";
    let files = files(text, &json!({ "n": 3, "v": [1, 2, 3] }), 100);
    let counts = [0, 1].map(|c| files.iter().filter(|file| file[0] == c).count());
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
    let place = |file: &&Vec<u8>| u32::from_le_bytes(file[2..6].try_into().unwrap());
    assert!(
        files.iter().filter(|f| f[0] == 0).any(|f| place(&f) > 1 << 24),
        "any number if unused"
    );
}

/// The length of an array has room for what is at a place in it, and not much more.
#[test]
fn a_declared_length_is_near_what_the_array_holds() {
    let text = "struct S { count: u32, n: u16, offset: u16, data: [u8; count] }
        struct P { n: u16, v: [u8; n] }
        fn t(x: &S, y: &mut P) {
            y.n = x.n;
            for k in 0..x.n { y.v[k] = x.data[4 + x.offset + k]; }
        }";
    let y = json!({ "n": 9, "v": [1, 2, 3, 4, 5, 6, 7, 8, 9] });
    let counts: BTreeSet<u64> =
        draw(text, &y, 60).iter().map(|x| x["count"].as_u64().unwrap()).collect();
    assert!(counts.len() > 20 && counts.iter().all(|n| *n <= 1 << 17), "{counts:?}");
    // A spec may demand more.
    let more = text.replace("y.n = x.n;", "assume(x.count == 1000000); y.n = x.n;");
    assert_eq!(different(&draw(&more, &y, 2), &["count"]).len(), 1);
}

/// Branches that exclude one another in each iteration write to the same places.
#[test]
fn numbers_in_exclusive_branches_of_a_loop_share_their_place() {
    for value in [
        "if kind == 0 { if big == 1 { u16be(x.file, 300 + 2 * k) } else { u16le(x.file, 300 + 2 * k) } } \
         else { u8(x.file, 300 + 2 * k) }",
        "if kind == 0 && big == 1 { u16be(x.file, 300 + 2 * k) } else if kind == 0 && big == 0 { \
         u16le(x.file, 300 + 2 * k) } else { u8(x.file, 300 + 2 * k) }",
    ] {
        let text = format!(
            "struct F {{ file: [u8] }} struct P {{ n: u8, v: [u16; n] }}
             fn t(x: &F, y: &mut P) {{
                 let big = u8(x.file, 0);
                 let n = u8(x.file, 1);
                 assume(big <= 1);
                 y.n = n;
                 for k in 0..n {{
                     let kind = u8(x.file, 2 + k);
                     assume(kind <= 1);
                     let v = {value};
                     assume(v <= 999);
                     y.v[k] = v;
                 }}
             }}"
        );
        let files = files(&text, &json!({ "n": 3, "v": [1, 20, 300] }), 200);
        let kinds: BTreeSet<(u8, [u8; 3])> =
            files.iter().map(|f| (f[0], [f[2], f[3], f[4]])).collect();
        // The last number takes two bytes.
        assert_eq!(kinds.len(), 8, "{kinds:?}");
    }
}

/// Records of two kinds, each of which says its kind at its end.
#[test]
fn the_kind_of_a_record_is_read_behind_it() {
    let text = "struct F { file: [u8] } struct P { n: u8, v: [[u8; 4]; n] }
        fn t(x: &F, y: &mut P) {
            let n = u8(x.file, 0);
            y.n = n;
            for k in 0..n {
                let kind = u8(x.file, 8 + 7 * k);
                assume(kind <= 1);
                if kind == 1 {
                    let bits = u8(x.file, 2 + 7 * k);
                    assume(bits == 8);
                    for b in 0..4 { y.v[k][b] = x.file[3 + 7 * k + b]; }
                } else {
                    let bits = u16le(x.file, 2 + 7 * k);
                    assume(bits == 8);
                    for b in 0..4 { y.v[k][b] = x.file[4 + 7 * k + b]; }
                }
            }
        }";
    let record = |k: usize| [k as u8, 2, 3, 4];
    let y = json!({ "n": 60, "v": (0..60).map(record).collect::<Vec<_>>() });
    let files = files(text, &y, 40);
    let kinds: BTreeSet<u8> = files.iter().map(|f| f[8]).collect();
    // Plain files may be drawn twice.
    assert!(files.len() > 30 && kinds.len() == 2, "{} {kinds:?}", files.len());
}

/// The header of WAVE's samples: its length decides where these begin, and most of it follows from the rest.
const SOUND: &str = "struct Chunks { count: u32, data: [u8; count] }
    struct Sound { channels: u16, rate: u32, frames: u32, samples: [u8; channels * frames] }
    fn format(x: &Chunks, y: &mut Sound) {
        let length = u16le(x.data, 0);
        let channels = u16le(x.data, 2);
        let rate = u32le(x.data, 4);
        let byte_rate = u32le(x.data, 8);
        let frame = u16le(x.data, 12);
        y.channels = channels;
        y.rate = rate;
        assume(channels == 1 || channels == 2);
        assume(rate >= 1 && rate <= 1000000);
        assume(frame == channels);
        assume(byte_rate == rate * frame);
        assume(length == 14 || length == 16 || length == 22);
        let more = if length >= 16 { u16le(x.data, 14) } else { 0 };
        assume(more == max(length - 16, 0));
        let mask = if length == 22 { u32le(x.data, 16) } else { 0 };
        assume(mask == 0 || mask == 3);
        let size = x.count - length;
        let frames = if frame == 1 { size } else { size / 2 };
        assume(size == frames * frame);
        y.frames = frames;
        for i in 0..size { y.samples[i] = x.data[length + i]; }
    }";

/// A number that follows from others is no dimension, also where equal writes overlap; and writes that do not both
/// happen need not be apart.
#[test]
fn numbers_that_follow_from_others_are_no_dimensions() {
    let inverse = load("sound.rs", SOUND).unwrap();
    let y = json!({ "channels": 2, "rate": 5, "frames": 3, "samples": [0, 0, 0, 0, 0, 0] });
    let y = from_json(&inverse.program.output, &y).unwrap();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut lengths: BTreeMap<i128, u64> = BTreeMap::new();
    for k in 0..600 {
        let mut source = ChoiceSource::seeded(3, k);
        let x = invert_value(&inverse, &y, &mut source, &Limits::default()).unwrap();
        assert_eq!(normalize(&inverse.program, &x).unwrap(), y);
        let recorded = source.into_recorded();
        if let Some(Choice::Int(length)) = recorded.get("length") {
            *lengths.entry(*length).or_default() += 1;
        }
        names.extend(recorded.iter().map(|(name, _)| name.to_owned()));
        let mut replay = ChoiceSource::replaying(recorded);
        let again = invert_value(&inverse, &y, &mut replay, &Limits::default()).unwrap();
        assert!(again == x, "the choices replay it");
    }
    for computed in ["count", "byte_rate", "frame", "frames", "more"] {
        assert!(!names.contains(computed), "{computed}: {names:?}");
    }
    assert!(names.contains("mask") && names.contains("length"), "{names:?}");
    assert!(lengths.values().all(|n| *n > 50) && lengths.len() == 3, "{lengths:?}");
}
