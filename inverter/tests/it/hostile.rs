//! Specs and values from anywhere: each is taken, or refused in few words, soon and in
//! little room.

use std::time::{Duration, Instant};

use inverter::invert::invert;
use inverter::program::{Program, parse};
use inverter::run::{
    Executable, Limits, Record, from_json, from_json_text, invert_value, normalize,
};
use inverter::solve::ChoiceSource;
use serde_json::json;

/// The most that anything here may take, without optimization on a busy machine; alone and
/// optimized it is less than a second.
const SOON: Duration = Duration::from_secs(15);

fn soon<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    let took = began.elapsed();
    println!("{took:.1?}: {what:.60}");
    assert!(took < SOON, "{what}: {took:?}");
    result
}

/// A spec of this body.
fn spec(body: &str) -> String {
    format!(
        "struct X {{ n: u8, a: u8, t: [u8; n] }} struct Y {{ n: u8, a: u8 }}
         fn normalize(x: &X, y: &mut Y) {{ y.n = x.n; {body} }}"
    )
}

/// The first line of why a spec is refused.
fn refusal(what: &str, text: &str) -> String {
    let result = soon(what, || parse("hostile.rs", text).and_then(|program| invert(&program)));
    let error = result.map(drop).expect_err(what);
    let found = error.each().map(|e| e.to_string()).next().unwrap_or_default();
    assert!(!found.is_empty() && found.len() < 300, "{what}: {found:.300}");
    assert!(error.diagnostics.len() <= 100, "{what}: {} findings", error.diagnostics.len());
    found
}

#[test]
fn texts_that_are_too_much_are_refused() {
    let n = 900_000;
    let is = |e: String| spec(&format!("y.a = {e};"));
    let cases: Vec<(&str, String, &str)> = vec![
        ("no text", String::new(), "no function"),
        (
            "parentheses",
            is(format!("{}x.a{}", "(".repeat(1000), ")".repeat(1000))),
            "brackets nest",
        ),
        ("open parentheses", is("(".repeat(n)), "not Rust"),
        ("blocks", spec(&format!("{}{}", "if x.a > 0 {".repeat(1000), "}".repeat(1000))), "nest"),
        ("loops", spec(&format!("{}{}", "for i in 0..2 {".repeat(1000), "}".repeat(1000))), "nest"),
        (
            "else-if chain",
            spec(&format!("{} {{ y.a = x.a; }}", "if x.a > 0 { y.a = x.a; } else ".repeat(1000))),
            "words without",
        ),
        ("operators", is("x.a + ".repeat(1000) + "1"), "too deeply"),
        ("more operators", is("x.a + ".repeat(n / 6) + "1"), "words without"),
        ("powers", is("x.a * ".repeat(1000) + "1"), "too deeply"),
        ("minus signs", is("-".repeat(n) + "x.a"), "words without"),
        ("exclamation marks", spec(&format!("assume({}true);", "!".repeat(n))), "words without"),
        (
            "few exclamation marks",
            spec(&format!("assume({}true);", "!".repeat(7000))),
            "too deeply",
        ),
        ("references", is("&".repeat(n) + "x.a"), "words without"),
        ("stars", is("*".repeat(7000) + "x.a"), "outside"),
        ("members", is("x".to_owned() + &".a".repeat(n / 2)), "words without"),
        ("few members", is("x".to_owned() + &".a".repeat(3000)), "outside"),
        ("calls", is("x".to_owned() + &".min(1)".repeat(n / 7)), "words without"),
        ("assignments", spec(&("y.a = ".repeat(n / 6) + "1;")), "words without"),
        ("few assignments", spec(&("y.a = ".repeat(1500) + "1;")), "outside"),
        ("closures", is("||".repeat(n / 2)), "words without"),
        ("few closures", is("||".repeat(3000) + "1"), "closures"),
        ("returns", spec(&("return ".repeat(n / 7) + ";")), "words without"),
        ("few returns", spec(&("return ".repeat(3000) + ";")), "outside"),
        ("ranges", is("..".repeat(n / 2)), "words without"),
        (
            "generics",
            format!("struct X {{ a: {}u8 {} }}", "A<".repeat(n / 3), ">".repeat(n / 3)),
            "words without",
        ),
        (
            "few generics",
            format!("struct X {{ a: {}u8 {} }}", "A<".repeat(2000), ">".repeat(2000)),
            "no function",
        ),
        ("long name", is("x.".to_owned() + &"a".repeat(n)), "a name of more than"),
        ("long struct", format!("struct {} {{}}", "A".repeat(n)), "a name of more than"),
        ("long number", is("9".repeat(n)), "integer of at most 64 bits"),
        ("long text", " ".repeat(2 << 20), "bytes; at most"),
        ("long comment", "/*".repeat(n / 2), "not Rust"),
        ("errors", spec(&"y.b = 1;".repeat(n / 10)), "no field"),
        ("division", is("1 / 0".into()), "division by 0"),
        ("remainder", is("x.a % (3 - 3)".into()), "division by 0"),
        ("constants", is("18446744073709551615 * 18446744073709551615".into()), "fits no type"),
        (
            "more constants",
            is("(9223372036854775807 + 9223372036854775807) * 2".into()),
            "fits no type",
        ),
        ("loop body", spec("for i in 0..x.n { y.a = x.t; }"), "one dimension"),
    ];
    for (what, text, expected) in cases {
        let found = refusal(what, &text);
        assert!(found.contains(expected), "{what}: {found}");
    }
}

#[test]
fn large_specs_are_read_soon() {
    let taken = |what: &str, text: String| {
        soon(what, || parse("large.rs", &text).and_then(|p| invert(&p))).map(drop)
    };
    let fields = |n: usize| (0..n).map(|k| format!("f{k}: u8, ")).collect::<String>();
    let copies = |n: usize| (0..n).map(|k| format!("y.f{k} = x.f{k}; ")).collect::<String>();
    let copy = |n: usize| {
        let (f, c) = (fields(n), copies(n));
        format!("struct X {{ {f} }} struct Y {{ {f} }} fn normalize(x: &X, y: &mut Y) {{ {c} }}")
    };
    assert!(taken("500 fields", copy(500)).is_ok());
    let what = refusal("10,000 fields", &copy(10_000));
    assert!(what.contains("statements"), "{what}");
    assert!(taken("4,000 fields", copy(4000)).is_ok());
    let what = refusal("100,000 statements", &spec(&"y.a=x.a;".repeat(100_000)));
    assert!(what.contains("statements"), "{what}");
    let what = refusal("100,000 blocks", &spec(&"if x.a>0{}".repeat(100_000)));
    assert!(what.contains("statements"), "{what}");
    let what = refusal("100,000 fields", &format!("struct X {{ {} }}", "a:u8,".repeat(100_000)));
    assert!(what.contains("no function"), "{what}");
    let many = |f: &dyn Fn(usize) -> String| (0..4000).map(f).collect::<String>();
    let same = many(&|_| "assume(x.a > x.n);".into());
    assert!(taken("assumptions", spec(&format!("y.a = x.a; {same}"))).is_ok());
    let distinct = many(&|k| format!("assume(x.a > x.n - {k});"));
    assert!(taken("distinct assumptions", spec(&format!("y.a = x.a; {distinct}"))).is_ok());
    let loops = many(&|k| format!("for i in 0..x.n {{ assume(x.t[i] > {k}); }}"));
    drop(taken("loops", spec(&format!("y.a = x.a; {loops}"))));
    // The assignments of many branches enter one condition.
    let ifs = |n: usize| {
        (0..n)
            .map(|k| {
                format!("if x.g > {k} {{ y.f{k} = x.f{k}; }} else {{ y.f{k} = 1 - x.f{k}; }} ")
            })
            .collect::<String>()
    };
    let sum = |n: usize| (0..n).map(|k| format!("x.f{k} + ")).collect::<String>();
    for n in [8, 40] {
        let text = format!(
            "struct X {{ g: u8, {} }} struct Y {{ {} }} fn normalize(x: &X, y: &mut Y) {{ {} assume({} 0 > 3); }}",
            fields(n),
            fields(n),
            ifs(n),
            sum(n)
        );
        drop(taken(&format!("{n} branches"), text));
    }
}

fn program(text: &str) -> (Program, Executable) {
    let program = parse("t.rs", text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let inverse = invert(&program).unwrap_or_else(|e| panic!("{e}\n{text}"));
    (program, Executable::new(inverse))
}

/// The messages of running the spec forwards and backwards.
fn both_ways(text: &str, x: serde_json::Value, y: serde_json::Value) -> (String, String) {
    soon(text, || {
        let (program, inverse) = program(text);
        let forwards = from_json(&program.input, &x)
            .and_then(|x| normalize(&program, &x).map_err(|e| e.to_string()));
        let backwards = from_json(&program.output, &y).and_then(|y| {
            invert_value(&inverse, &y, &mut ChoiceSource::seeded(1, 1), &Limits::default())
                .map_err(|e| e.to_string())
        });
        let told = |r: Result<Record, String>| r.map_or_else(|e| e, |_| "done".to_owned());
        let told = (told(forwards), told(backwards));
        assert!(told.0.len() < 400 && told.1.len() < 600, "{told:?}");
        told
    })
}

const TRILLION: &str = "1000000000000";

#[test]
fn endless_loops_end() {
    let steps = "more steps";
    let one = json!({"a": 1});
    let cases = [
        // Nothing at all.
        ("a: u8", "a: u8", "y.a = x.a; for i in 0..T {}", one.clone(), one.clone(), steps, steps),
        // Nothing that is ever done.
        (
            "a: u8",
            "a: u8",
            "y.a = x.a; for i in 0..T { if i == T { assume(x.a > 3); } }",
            one.clone(),
            one.clone(),
            steps,
            steps,
        ),
        // A condition.
        (
            "a: u8",
            "a: u8",
            "y.a = x.a; for i in 0..T { assume(x.a + i > 0); }",
            one.clone(),
            one.clone(),
            steps,
            steps,
        ),
        (
            "a: u8, t: [u8]",
            "a: u8",
            "y.a = x.a; for i in 0..T { assume(x.t[i] < 9); }",
            json!({"a": 1, "t": [1]}),
            one.clone(),
            "outside the array",
            "",
        ),
        (
            "a: u8, t: [u8; T]",
            "a: u8",
            "y.a = x.a; for i in 0..T { assume(x.t[0] < 9); }",
            json!({"a": 1, "t": [1]}),
            one.clone(),
            "the length is 1",
            "",
        ),
        // Nested.
        (
            "a: u64",
            "a: u64",
            "y.a = x.a; for i in 0..x.a { for j in 0..x.a { for k in 0..x.a { assume(i + j >= 0); } } }",
            json!({"a": 4000000000u64}),
            json!({"a": 4000000000u64}),
            steps,
            steps,
        ),
        // Too long an output, or input.
        (
            "a: u8",
            "a: [u8; T]",
            "for i in 0..T { y.a[i] = x.a; }",
            one.clone(),
            json!({"a": [1]}),
            "too large",
            "the length is 1",
        ),
        (
            "a: [u8; T]",
            "a: u8",
            "for i in 0..T { if i == 0 { y.a = x.a[i]; } }",
            json!({"a": [1]}),
            one.clone(),
            "the length is 1",
            "",
        ),
        (
            "n: u64, d: [u8; n]",
            "n: u64",
            "y.n = x.n;",
            json!({"n": 7, "d": []}),
            json!({"n": 1u64 << 60}),
            "the length is 0",
            "too large",
        ),
        (
            "n: u64, d: [u8]",
            "n: u64",
            "y.n = x.n; for i in 0..x.n { assume(x.d[i * x.n] > 3); }",
            json!({"n": 1u64 << 60, "d": []}),
            json!({"n": 1u64 << 60}),
            "outside",
            "",
        ),
        (
            "n: u64, d: [u8]",
            "n: u64",
            "y.n = x.n; reserve(x.d[0..x.n]);",
            json!({"n": 1u64 << 60, "d": []}),
            json!({"n": 1u64 << 60}),
            "outside",
            "",
        ),
        (
            "p: [u64; 2], d: [u8]",
            "v: [u8; 2]",
            "for i in 0..2 { y.v[i] = x.d[x.p[i]]; }",
            json!({"p": [1u64 << 63, 0], "d": [1]}),
            json!({"v": [1, 2]}),
            "outside",
            "done",
        ),
        // Numbers.
        (
            "a: u64, b: u64",
            "a: u64",
            "y.a = x.a / x.b;",
            json!({"a": 1, "b": 0}),
            one.clone(),
            "division by less than 1",
            "",
        ),
        (
            "a: u64, b: u64",
            "a: u8",
            "y.a = x.a + x.b;",
            json!({"a": 1, "b": 255}),
            one.clone(),
            "does not fit",
            "done",
        ),
        (
            "a: u64, b: u64",
            "a: u64",
            "y.a = x.a * x.a * x.b;",
            json!({"a": u64::MAX, "b": u64::MAX}),
            one.clone(),
            "128 bits",
            "",
        ),
        (
            "a: u64, d: [u8]",
            "a: u64, v: u8",
            "y.a = x.a; y.v = x.d[x.a * x.a * x.a];",
            json!({"a": u64::MAX, "d": []}),
            json!({"a": u64::MAX, "v": 1}),
            "128 bits",
            "",
        ),
        (
            "a: u64, d: [u8]",
            "a: u64, v: u8",
            "y.a = x.a; y.v = x.d[x.a * x.a / 2];",
            json!({"a": 1u64 << 60, "d": []}),
            json!({"a": 1u64 << 60, "v": 1}),
            "outside",
            "",
        ),
    ];
    for (x, y, body, x_value, y_value, forwards, backwards) in cases {
        let text = format!(
            "struct X {{ {x} }} struct Y {{ {y} }} fn normalize(x: &X, y: &mut Y) {{ {body} }}"
        )
        .replace('T', TRILLION);
        let told = both_ways(&text, x_value, y_value);
        println!("{text}\n  {told:?}");
        assert!(told.0.contains(forwards) && told.1.contains(backwards), "{text}\n{told:?}");
    }
}

const RECORD: &str = "struct X { a: u8 }
    struct Y { n: u8, m: u8, z: i16, row: [u8; n], grid: [[u16; n]; m], big: [u8; n / m] }
    fn normalize(x: &X, y: &mut Y) {
        y.n = x.a; y.m = 1; y.z = 0; y.row[0] = 0; y.grid[0][0] = 0; y.big[0] = 0;
    }";

#[test]
fn values_of_a_wrong_shape_are_refused() {
    let record = parse("record.rs", RECORD).unwrap().output;
    let good = json!({"n": 2, "m": 3, "z": -5, "row": [1, 2],
        "grid": [[1, 2], [3, 4], [5, 6]], "big": []});
    assert!(from_json(&record, &good).is_ok());
    // Each differs from the good one in one field.
    let cases = [
        ("n", json!("2"), "\"2\" is not a u8"),
        ("n", json!(null), "null is not a u8"),
        ("n", json!(2.5), "2.5 is not a u8"),
        ("n", json!(1e300), "is not a u8"),
        ("n", json!(256), "256 is not a u8"),
        ("n", json!(-1), "-1 is not a u8"),
        ("n", json!([2]), "a list of 1 is not a u8"),
        ("n", json!({"n": 2}), "an object is not a u8"),
        ("n", json!("x".repeat(1 << 20)), "is not a u8"),
        ("n", json!(3), "field `row`: the length is 2, not 3"),
        ("m", json!(2), "field `grid`: the length is 3, not 2"),
        ("m", json!(0), "field `grid`: the length is 3, not 0"),
        ("z", json!(40000), "40000 is not a i16"),
        ("row", json!(1), "expected a list, found 1"),
        ("row", json!("12"), "expected a list, found \"12\""),
        ("row", json!([1, 2, 3]), "field `row`: the length is 3, not 2"),
        ("row", json!([]), "field `row`: the length is 0, not 2"),
        ("row", json!([[1], [2]]), "a list of 1 is not a u8"),
        ("row", json!([1, 256]), "256 is not a u8"),
        ("row", json!(vec![0; 1 << 20]), "field `row`: the length is 1048576"),
        ("grid", json!([[1, 2], [3, 4], [5]]), "field `grid[2]`: a list of 1 beside lists of 2"),
        ("grid", json!([[1, 2], [3, 4]]), "field `grid`: the length is 2, not 3"),
        ("grid", json!([[1], [2], [3]]), "field `grid`: the length is 1, not 2"),
        ("grid", json!([1, 2, 3]), "expected a list, found 1"),
        ("grid", json!([[1, 2], [3, 4], [5, -6]]), "field `grid[2][1]`: -6 is not a u16"),
        ("big", json!([1]), "field `big`: the length is 1, not 0"),
        ("extra", json!(1), "has no field `extra`"),
        (&*"e".repeat(1 << 20), json!(1), "has no field `eeee"),
    ];
    for (field, value, expected) in &cases {
        let mut bad = good.clone();
        bad[*field] = value.clone();
        let why = soon(expected, || from_json(&record, &bad)).expect_err(expected);
        assert!(why.contains(expected) && why.len() < 200, "{why:.300}");
    }
    for field in ["n", "m", "z", "row", "grid", "big"] {
        let mut bad = good.clone();
        bad.as_object_mut().unwrap().remove(field);
        let why = from_json(&record, &bad).unwrap_err();
        assert!(why.starts_with(&format!("field `{field}` is missing, a ")), "{why}");
    }
    let zero = json!({"n": 2, "m": 0, "z": 0, "row": [1, 2], "grid": [], "big": []});
    let why = from_json(&record, &zero).unwrap_err();
    assert!(why.contains("field `big`: the length has no value"), "{why}");
}

#[test]
fn texts_that_are_no_value_are_refused() {
    let record = parse("record.rs", RECORD).unwrap().output;
    let deep = 100_000;
    let cases: Vec<(&str, String, &str)> = vec![
        ("nothing", String::new(), "not JSON"),
        ("a list", "[1, 2]".into(), "expected an object"),
        ("rest", "{} {}".into(), "not JSON"),
        ("deep lists", "[".repeat(deep) + &"]".repeat(deep), "not JSON"),
        ("deep objects", "{\"a\":".repeat(deep), "not JSON"),
        ("deep row", format!("{{\"row\": {}{}}}", "[".repeat(deep), "]".repeat(deep)), "not JSON"),
        ("large", format!("{{\"row\": [{}0]}}", "0,".repeat(4 << 20)), "field `n` is missing"),
        (
            "large and empty",
            format!("{{\"row\": [{}0]}}", "[],".repeat(4 << 20)),
            "field `n` is missing",
        ),
        ("long number", format!("{{\"n\": {}}}", "9".repeat(1 << 20)), "not JSON"),
        ("long text", format!("\"{}\"", "a".repeat(1 << 20)), "expected an object"),
        ("no text", "\u{0}\u{1}".into(), "not JSON"),
    ];
    for (what, text, expected) in cases {
        let why = soon(what, || from_json_text(&record, &text)).expect_err(what);
        assert!(why.contains(expected) && why.len() < 200, "{what}: {why:.300}");
    }
}

#[test]
fn values_that_are_not_the_programs_are_refused() {
    let (program, inverse) = program(
        "struct X { n: u8, d: [u8; n] } struct Y { n: u8, d: [u8; n] }
         fn normalize(x: &X, y: &mut Y) { y.n = x.n; for i in 0..x.n { y.d[i] = x.d[i]; } }",
    );
    use inverter::run::{Array, Cells, FieldValue};
    let array = |lengths: Vec<usize>, n| {
        FieldValue::Array(Array { lengths, cells: Cells::U8(vec![0; n].into()) })
    };
    let wide = FieldValue::Array(Array { lengths: vec![2], cells: Cells::U16(vec![0; 2]) });
    let bad = [
        vec![],
        vec![FieldValue::Scalar(2)],
        vec![FieldValue::Scalar(2), FieldValue::Scalar(2)],
        vec![array(vec![2], 2), array(vec![2], 2)],
        vec![FieldValue::Scalar(2), array(vec![3], 3)],
        vec![FieldValue::Scalar(2), array(vec![2], 1)],
        vec![FieldValue::Scalar(2), array(vec![2, 1], 2)],
        vec![FieldValue::Scalar(2), array(vec![usize::MAX], 2)],
        vec![FieldValue::Scalar(-2), array(vec![0], 0)],
        vec![FieldValue::Scalar(256), array(vec![256], 256)],
        vec![FieldValue::Scalar(2), wide],
        vec![FieldValue::Scalar(2), array(vec![2], 2), FieldValue::Scalar(2)],
    ];
    for fields in bad {
        let value = Record { fields };
        let mut source = ChoiceSource::seeded(1, 1);
        assert!(normalize(&program, &value).is_err(), "{value:?}");
        assert!(invert_value(&inverse, &value, &mut source, &Limits::default()).is_err());
    }
}

/// The length of an array that its own elements determine: a search that finds nothing says so.
#[test]
fn circular_lengths_are_reported() {
    let direct = "struct X { b: [u8] } struct Y { c: u8, d: [u8; 140000] }
         fn normalize(x: &X, y: &mut Y) {
             y.c = x.b[x.b[0]];
             for i in 0..140000 { y.d[i] = x.b[1000 + i]; }
         }";
    let mutual = "struct X { a: [u8], b: [u8] } struct Y { c: u8, d: [u8; 140000] }
         fn normalize(x: &X, y: &mut Y) {
             assume(x.a[x.b[0]] < 9);
             assume(x.b[x.a[0]] < 9);
             y.c = x.a[1];
             for i in 0..140000 { y.d[i] = x.b[1000 + i]; }
         }";
    for text in [direct, mutual] {
        let (_, inverse) = program(text);
        assert!(
            inverse.losses.iter().any(|l| l.message.contains("depends on its own elements")),
            "{:?}",
            inverse.losses
        );
        let y = json!({"c": 7, "d": vec![1; 140000]});
        let y = from_json(&inverse.program.output, &y).unwrap();
        let run =
            || invert_value(&inverse, &y, &mut ChoiceSource::seeded(1, 1), &Limits::default());
        let why = soon(text, run).expect_err("too large for a search").to_string();
        assert!(why.contains("depends on its own elements (line"), "{why}");
        assert!(!why.contains('\n'), "{why}");
    }
}
