//! Small specs that once went wrong: how many of the draws are made, and how they vary.

use std::collections::BTreeSet;

use inverter::check::load;
use inverter::run::{Limits, from_json, invert_value, normalize, to_json};
use inverter::solve::{Choice, ChoiceSource, Choices};
use serde_json::{Value, json};

/// Draws representations, each of which is normalized again and compared.
fn draw(text: &str, y: &Value, draws: u64) -> Vec<Value> {
    let inverse = load("small.rs", text).unwrap();
    let y = from_json(&inverse.program.output, y).unwrap();
    let one = |k| {
        let mut source = ChoiceSource::seeded(3, k);
        let x = invert_value(&inverse, &y, &mut source, &Limits::default()).unwrap();
        assert_eq!(normalize(&inverse.program, &x).unwrap(), y);
        to_json(&inverse.program.input, &x)
    };
    (0..draws).map(one).collect()
}

/// Returns the different values of some fields.
fn different(drawn: &[Value], fields: &[&str]) -> BTreeSet<String> {
    let of = |x: &Value| fields.iter().map(|f| format!("{f}={} ", x[f])).collect();
    drawn.iter().map(of).collect()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn all_windows_are_drawn() {
    let y = value(include_str!("specs/guard_ignored.json"));
    let drawn = draw(include_str!("specs/guard_ignored.rs"), &y, 200);
    let windows = different(&drawn, &["left", "fw"]);
    assert_eq!(windows.len(), 9, "{windows:?}");
}

#[test]
fn a_scale_divides_what_it_scales() {
    let y = value(include_str!("specs/noalt.json"));
    let drawn = draw(include_str!("specs/noalt.rs"), &y, 40);
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
    let y = value(include_str!("specs/sums24.json"));
    draw(include_str!("specs/sums24.rs"), &y, 3);
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

/// What the refusal of `bytes(..) == b"II" || ..` advises.
#[test]
fn a_mark_of_two_kinds_is_read_as_a_number() {
    let y = json!({ "w": 2, "px": [1, 770] });
    let drawn = draw(include_str!("specs/mark_of_two_kinds.rs"), &y, 40);
    assert_eq!(different(&drawn, &["mark"]).len(), 2);
}
