//! `check` and `sample` of the small specs that once went wrong, in `inverter/tests/specs`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

/// A small spec.
struct Small {
    name: &'static str,
    /// The exit code of `check`.
    code: i32,
    /// Words of its report.
    says: &'static [&'static str],
    /// A canonical value, each draw of which is made, and the least number of different representations of 300
    /// draws. Null for a spec that is refused.
    value: Value,
    different: usize,
}

const NONE: &str = "losses        none";
const WHOLE: &str = "representations can be generated (100 %)";

fn small(
    name: &'static str,
    code: i32,
    says: &'static [&'static str],
    value: Value,
    different: usize,
) -> Small {
    Small { name, code, says, value, different }
}

/// All of them, with what each should do.
fn all() -> Vec<Small> {
    let rows = json!({ "width": 3, "height": 2, "gray": [[97, 98, 99], [100, 101, 102]] });
    let lines = json!({ "w": 3, "h": 2, "v": [[97, 98, 99], [100, 101, 102]] });
    let data: Vec<u32> = (0..300).map(|k| k / 3 % 3).collect();
    let sums = std::fs::read(spec("sums24").with_extension("json")).unwrap();
    let sums = serde_json::from_slice(&sums).unwrap();
    let refused = Value::Null;
    vec![
        // No stack overflow; what is lost is one line, with its place.
        small(
            "overflow1",
            1,
            &["line 3: the length of `b` depends on its own elements", "draws are found by trial"],
            json!({ "c": 7 }),
            150,
        ),
        small("file_a", 0, &[NONE, WHOLE], rows, 200),
        // The representations that it does not make store two things in one place.
        small("file_c", 0, &[NONE, "store two things in one place: no loss"], lines, 200),
        small("pal_u8", 0, &[NONE, WHOLE], json!({ "n": 300, "data": data }), 100),
        small("min_not_tried", 2, &["n = 6: v[5] is never assigned"], refused.clone(), 0),
        small("w2_never_large", 2, &["n = 501: v[500] is never assigned"], refused.clone(), 0),
        small(
            "w3_oob",
            1,
            &["line 5: h = 2, w = 1: x.a[2] is outside the array, whose length is 2"],
            json!({ "h": 2, "w": 2, "v": [[1, 2], [3, 4]] }),
            1,
        ),
        small(
            "w9_loss_behind_constant",
            0,
            &[NONE, WHOLE],
            json!({ "w": 3, "px": [7, 5, 7] }),
            150,
        ),
        small("vacuous", 1, &["this assumption never holds"], refused.clone(), 0),
        small("guard_ignored", 0, &[NONE, WHOLE], json!({ "w": 6, "px": [0, 0, 7, 8, 0, 0] }), 100),
        small("noalt", 0, &[NONE, WHOLE], json!({ "v": 100_000_000 }), 20),
        small("z3_spread", 0, &[NONE, WHOLE], json!({ "s": 900 }), 200),
        small("sums24", 0, &[NONE, WHOLE], sums, 1),
        small("minmax7", 0, &[NONE, WHOLE], json!({ "z": 3 }), 60),
        // Refused, with the rewrite that `mark_of_two_kinds` has.
        small(
            "mark_in_or",
            2,
            &[
                "bytes are compared in a part of a condition",
                "let mark = u16be(x.file, 0);",
                "mark == 0x4d4d",
            ],
            refused,
            0,
        ),
        small("mark_of_two_kinds", 0, &[NONE], json!({ "w": 2, "px": [1, 770] }), 200),
        small("comment", 0, &[NONE], json!({ "n": 4, "v": [80, 75, 5, 6] }), 250),
    ]
}

fn spec(name: &str) -> PathBuf {
    crate::file("inverter/tests/specs").join(format!("{name}.rs"))
}

/// Returns what is wrong with the report on a spec.
fn report(small: &Small) -> Option<String> {
    let mut command = crate::command();
    // Wider than any line, so that no help is wrapped.
    command.env("COLUMNS", "200").arg("check").arg(spec(small.name));
    // On a busy machine as well.
    command.args(["-n", "40", "--values", "3", "--moderate", "1", "--time-limit", "600"]);
    let ran = crate::ran(&mut command);
    let text = format!("{}{}", ran.stdout, ran.stderr);
    let missing: Vec<&&str> = small.says.iter().filter(|says| !text.contains(**says)).collect();
    let proved = ran.code != 0 && ran.stdout.contains("  proved");
    (ran.code != small.code || !missing.is_empty() || proved)
        .then(|| format!("{}: {}, without {missing:?}:\n{text}", small.name, ran.code))
}

/// Returns what is wrong with draws of a spec's value: not all are made, or too few differ.
fn draws(small: &Small) -> Option<String> {
    const DRAWS: usize = 300;
    if small.value.is_null() {
        return None;
    }
    let folder = crate::folder();
    let value = folder.path().join("y.json");
    std::fs::write(&value, small.value.to_string()).unwrap();
    let mut command = crate::command();
    command.arg("sample").arg(spec(small.name)).arg("--input").arg(value);
    let ran = crate::ran(command.args(["-n", &DRAWS.to_string(), "--time", "600"]));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in ran.stdout.lines() {
        *counts.entry(line).or_default() += 1;
    }
    let made: usize = counts.values().sum();
    (ran.code != 0 || made != DRAWS || counts.len() < small.different)
        .then(|| format!("{}: {made} made, {} different: {}", small.name, counts.len(), ran.stderr))
}

#[test]
fn small_specs_do_what_they_should() {
    let wrong: Vec<String> =
        all().iter().flat_map(|small| [report(small), draws(small)]).flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
