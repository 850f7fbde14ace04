//! Pipelines: composition, the names of dimensions, and what does not fit together.

use std::fs;
use std::path::Path;

use inverter::check::Records;
use inverter::invert::invert;
use inverter::pipeline::{Pipeline, ReadError, Stage, Texts, from_text, read};
use inverter::primitive::Primitives;
use inverter::program::{SpecText, parse};
use inverter::run::{Limits, Record, RunError, from_json, to_json};
use inverter::solve::{ChoiceSource, Choices};
use serde_json::json;

const PACKED: &str = "
    struct Packed { width: u8, height: u8, stream: [u8] }
    struct Stored { width: u8, height: u8, rows: [u8; width * height] }
    fn normalize(x: &Packed, y: &mut Stored) {
        y.height = x.height;
        y.width = x.width;
        y.rows = packbits(x.stream);
    }
";

/// Takes the fields in another order.
const FLIPPED: &str = "
    struct Stored { flipped: u8, height: u8, width: u8, rows: [u8; height * width] }
    struct Shown { height: u8, width: u8, picture: [[u8; width]; height] }
    fn normalize(x: &Stored, y: &mut Shown) {
        y.height = x.height;
        y.width = x.width;
        for i in 0..x.height {
            for j in 0..x.width {
                if x.flipped == 0 {
                    y.picture[i][j] = x.rows[i * x.width + j];
                } else {
                    y.picture[x.height - 1 - i][j] = x.rows[i * x.width + j];
                }
            }
        }
    }
";

fn stage(name: &str, text: &str) -> Stage {
    Stage::new(name, invert(&parse(&format!("{name}.rs"), text).unwrap()).unwrap())
}

fn two() -> Pipeline {
    let packed = PACKED
        .replace("stream: [u8] }", "stream: [u8], flipped: u8 }")
        .replace("rows: [u8; width * height] }", "rows: [u8; width * height], flipped: u8 }")
        .replace("y.height = x.height;", "y.height = x.height; y.flipped = x.flipped;");
    Pipeline::new(vec![stage("packed", &packed), stage("flipped", FLIPPED)]).unwrap()
}

fn picture(pipeline: &Pipeline) -> Record {
    let json = json!({"height": 2, "width": 3, "picture": [[1, 1, 1], [2, 3, 4]]});
    from_json(pipeline.output(), &json).unwrap()
}

#[test]
fn inverses_are_composed_and_dimensions_are_those_of_all_stages() {
    let pipeline = two();
    let y = picture(&pipeline);
    let mut streams = std::collections::BTreeSet::new();
    for index in 0..60 {
        let mut source = ChoiceSource::seeded(3, index);
        let x = pipeline.invert(&y, &mut source, &Limits::default()).unwrap();
        assert_eq!(pipeline.normalize(&x).unwrap(), y);
        streams.insert(to_json(pipeline.input(), &x).to_string());

        let choices = source.into_recorded();
        let names: Vec<&str> = choices.iter().map(|c| c.0).collect();
        let all = ["flipped: flipped", "packed: stream runs", "packed: stream no-ops"];
        assert_eq!(names, all);
        let mut again = ChoiceSource::replaying(choices);
        assert_eq!(pipeline.invert(&y, &mut again, &Limits::default()).unwrap(), x);
        assert_eq!(again.unused(), [""; 0]);
    }
    assert!(streams.len() > 20, "{}", streams.len());
}

#[test]
fn own_choices_make_the_representation_again() {
    let pipeline = two();
    let y = picture(&pipeline);
    let mut given = Choices::new();
    given.set("flipped: flipped", 1);
    given.set("packed: stream runs", "pairs");
    given.set("packed: stream no-ops", "back");
    let limits = Limits::default();
    let invert = |choices: &Choices| {
        pipeline.invert(&y, &mut ChoiceSource::replaying(choices.clone()), &limits).unwrap()
    };
    let x = invert(&given);
    assert_eq!(pipeline.own_choices(&x, &limits).unwrap(), given);
    // Runs at random cannot be told from the stream: there is no such choice to keep.
    given.set("packed: stream runs", "random:77");
    given.set("packed: stream no-ops", "random:78");
    let own = pipeline.own_choices(&invert(&given), &limits).unwrap();
    let names: Vec<&str> = own.iter().map(|c| c.0).collect();
    assert_eq!(names, ["flipped: flipped"]);
}

#[test]
fn a_single_spec_has_no_name_in_front() {
    let packed = stage("packed", PACKED);
    let pipeline = Pipeline::single(packed.inverse().clone());
    let json = json!({"height": 1, "width": 3, "rows": [1, 1, 1]});
    let y = from_json(pipeline.output(), &json).unwrap();
    let mut source = ChoiceSource::seeded(3, 0);
    pipeline.invert(&y, &mut source, &Limits::default()).unwrap();
    assert!(source.recorded().get("stream runs").is_some());
    let short = json!({"height": 1, "width": 3, "stream": [0]});
    let x = from_json(pipeline.input(), &short).unwrap();
    let error = pipeline.normalize(&x).unwrap_err();
    assert!(error.to_string().starts_with("packbits: the stream ends inside"), "{error}");
}

#[test]
fn errors_name_the_stage() {
    let pipeline = two();
    let short = json!({"height": 1, "width": 3, "stream": [0], "flipped": 0});
    let x = from_json(pipeline.input(), &short).unwrap();
    let error = pipeline.normalize(&x).unwrap_err();
    assert!(error.to_string().starts_with("stage `packed`: packbits: "), "{error}");

    let mut given = Choices::new();
    given.set("packed: stream runs", "shortest");
    let y = picture(&pipeline);
    let limits = Limits::default();
    let error = pipeline.invert(&y, &mut ChoiceSource::replaying(given), &limits).unwrap_err();
    let said = "stage `packed`: choice `packed: stream runs` = shortest is not possible here: ";
    assert!(error.to_string().starts_with(said), "{error}");
}

/// The second stage's inverse may choose what the first never gives.
#[test]
fn a_value_that_an_earlier_stage_cannot_give_names_that_stage() {
    let even = "
        struct X { half: u8 }
        struct Y { n: u16 }
        fn normalize(x: &X, y: &mut Y) { y.n = 2 * x.half; }
    ";
    let third = "
        struct X { n: u16 }
        struct Y { third: u16 }
        fn normalize(x: &X, y: &mut Y) { y.third = x.n / 3; }
    ";
    let pipeline = Pipeline::new(vec![stage("even", even), stage("third", third)]).unwrap();
    let y = from_json(pipeline.output(), &json!({"third": 3})).unwrap();
    let (mut made, mut none) = (0, 0);
    for index in 0..20 {
        match pipeline.invert(&y, &mut ChoiceSource::seeded(0, index), &Limits::default()) {
            Ok(x) => {
                made += 1;
                assert_eq!(pipeline.normalize(&x).unwrap(), y);
            }
            Err(e) => {
                none += 1;
                assert!(matches!(*e.error, RunError::NoRepresentation(_)), "{e}");
                assert!(e.to_string().starts_with("stage `even`: "), "{e}");
            }
        }
    }
    assert!(made > 2 && none > 2, "{made} {none}");
}

#[test]
fn lengths_must_be_those_that_the_earlier_stage_declares() {
    let fixed = "
        struct X { data: [u8] }
        struct Y { data: [u8; 4] }
        fn normalize(x: &X, y: &mut Y) { y.data = packbits(x.stream); }
    "
    .replace("x.stream", "x.data");
    let free = "
        struct X { data: [u8] }
        struct Y { a: u8 }
        fn normalize(x: &X, y: &mut Y) { y.a = x.data[2]; }
    ";
    let pipeline = Pipeline::new(vec![stage("fixed", &fixed), stage("free", free)]).unwrap();
    let y = from_json(pipeline.output(), &json!({"a": 3})).unwrap();
    let error = (0..9)
        .find_map(|k| {
            pipeline.invert(&y, &mut ChoiceSource::seeded(0, k), &Limits::default()).err()
        })
        .unwrap();
    assert!(matches!(*error.error, RunError::NoRepresentation(_)), "{error}");
    assert!(
        error.to_string().starts_with("stage `fixed`: field `data`: the length is "),
        "{error}"
    );
}

#[test]
fn stages_that_do_not_fit_are_refused() {
    let refused = |stages: Vec<Stage>| Pipeline::new(stages).unwrap_err().to_string();
    let packed = || stage("packed", PACKED);
    assert_eq!(refused(Vec::new()), "a pipeline has at least one stage");
    assert_eq!(refused(vec![packed(), packed()]), "two stages are called `packed`");
    assert_eq!(
        refused(vec![packed(), stage("flipped", FLIPPED)]),
        "stage `packed` gives Stored, but stage `flipped` takes Stored: `packed` gives no `flipped`"
    );
    let other = |field: &str| {
        let spec = format!(
            "struct S {{ width: u8, height: u8, {field} }} struct Y {{ n: u8 }}
             fn normalize(x: &S, y: &mut Y) {{ y.n = x.width; }}"
        );
        refused(vec![packed(), stage("next", &spec)])
    };
    let start = "stage `packed` gives Stored, but stage `next` takes S: ";
    assert_eq!(other("a: u8"), format!("{start}`next` takes no `rows`"));
    assert_eq!(other("rows: [[u8]]"), format!("{start}`rows` is [u8] and [[u8]]"));
    assert_eq!(other("rows: u16"), format!("{start}`rows` is [u8] and a u16"));
    for name in ["", " ", "a: b", "a\nb"] {
        let text = refused(vec![stage(name, PACKED)]);
        assert_eq!(text, format!("a stage cannot be called {name:?}"));
    }
}

#[test]
fn pipelines_are_read_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    write("a.rs", PACKED);
    write("b.rs", FLIPPED);
    write("bad.rs", "struct X {");
    let names = |path: &Path| -> Vec<String> {
        let pipeline = read(path, &Primitives::shipped()).unwrap();
        pipeline.stages().iter().map(|s| s.name().to_owned()).collect()
    };
    assert_eq!(names(&write("p.toml", "stages = ['a.rs']")), ["a"]);
    let named = "[[stage]]\nname = 'packed'\nspec = 'a.rs'\n";
    assert_eq!(names(&write("p.toml", named)), ["packed"]);
    assert_eq!(names(&folder.path().join("b.rs")), ["b"]);

    let why = |text: &str| {
        let path = write("p.toml", text);
        let error = read(&path, &Primitives::shipped()).unwrap_err();
        assert!(matches!(error, ReadError::File(_)), "{error:?}");
        let text = error.to_string();
        assert!(!text.contains('\n'), "{text:?}");
        let folder = format!("{}/", folder.path().display());
        text.replace(&folder, "")
    };
    assert_eq!(why(""), "p.toml: a pipeline has at least one stage");
    assert_eq!(why("stages = []"), "p.toml: a pipeline has at least one stage");
    assert!(why("\nstages = 3").starts_with("p.toml: line 2: invalid type"));
    assert!(why("stage = [[").starts_with("p.toml: line 1: "));
    assert!(why("steps = ['a.rs']").contains("unknown field `steps`"));
    let both = format!("stages = ['a.rs']\n{named}");
    assert_eq!(why(&both), "p.toml: it has both `stages` and `[[stage]]`");
    assert!(why("stages = ['none.rs']").starts_with("p.toml: stage `none`: none.rs: No such file"));
    assert!(why("stages = ['/dev/zero']").ends_with("it is a pipe or a device, not a file"));
    assert!(why("stages = ['a.rs', 'b.rs']").contains("`a` gives no `flipped`"));
    let many = format!("stages = [{}]", "'a.rs',".repeat(65));
    assert_eq!(why(&many), "p.toml: 65 stages; at most 64 are read");

    let path = write("p.toml", "stages = ['a.rs', 'bad.rs']");
    let Err(ReadError::Specs(errors)) = read(&path, &Primitives::shipped()) else { panic!() };
    assert_eq!(errors.len(), 1);
    // A pipeline's own description is no spec to be a stage.
    assert!(read(&write("c.toml", "stages = ['p.toml']"), &Primitives::shipped()).is_err());
    // Without the primitive that it calls, a spec is refused.
    assert!(read(&folder.path().join("a.rs"), &Primitives::none()).is_err());
}

#[test]
fn a_pipeline_is_made_again_of_its_texts() {
    let primitives = Primitives::shipped();
    let one = from_text(&SpecText::alone("packed.rs", PACKED), &primitives).unwrap();
    for pipeline in [two(), one] {
        let texts = serde_json::to_string(&Texts::of(&pipeline)).unwrap();
        let texts: Texts = serde_json::from_str(&texts).unwrap();
        let again = texts.pipeline(&primitives, &Records::default()).unwrap();
        let names = |pipeline: &Pipeline| -> Vec<(String, String)> {
            let name = |stage: &Stage| (pipeline.prefix(stage), stage.inverse().to_string());
            pipeline.stages().iter().map(name).collect()
        };
        assert_eq!(names(&again), names(&pipeline));
        assert_eq!(Texts::of(&again), texts);
    }
}

#[test]
fn rows_of_pictures_without_rows_have_the_declared_length() {
    let program = parse("flipped.rs", FLIPPED).unwrap();
    let read = |json| from_json(&program.output, &json);
    let empty = read(json!({"height": 0, "width": 3, "picture": []})).unwrap();
    assert_eq!(empty.array(&program.output, "picture").unwrap().lengths, [0, 3]);
    let why = read(json!({"height": 1, "width": 3, "picture": []})).unwrap_err();
    assert_eq!(why, "field `picture`: the length is 0, not 1");
    let why = read(json!({"height": 1, "width": 2, "picture": [[1]]})).unwrap_err();
    assert_eq!(why, "field `picture`: the length is 1, not 2");
    let long: Vec<u8> = vec![0; 1000];
    let why = read(json!({"height": long, "width": 2, "picture": [[1]]})).unwrap_err();
    assert_eq!(why, "field `height`: a list of 1000 is not a u8");
}
