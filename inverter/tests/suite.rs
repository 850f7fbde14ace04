//! The programs under `tests/programs`: what their inverses are, and that they are sound.

mod support;

use std::path::PathBuf;

use inverter::invert::invert;
use inverter::program::parse;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Name and text of every file in a folder beside the tests.
fn programs(folder: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .map(|p| {
            let name = p.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(p).unwrap())
        })
        .collect()
}

#[test]
fn inverses_are_as_printed() {
    for (name, text) in programs("programs") {
        let inverse = parse(&name, &text)
            .and_then(|program| invert(&program))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let shown = format!("{inverse}\n{}", inverse.explain_ensures());
        insta::with_settings!({ description => text, omit_expression => true }, {
            insta::assert_snapshot!(name.trim_end_matches(".rs"), shown);
        });
    }
}

#[test]
fn inverses_are_sound() {
    let mut report = String::new();
    for (name, text) in programs("programs") {
        let inverse = invert(&parse(&name, &text).unwrap()).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let tally = support::draw(&name, &inverse, &mut rng, 40, 4);
        report.push_str(&format!("{name}: {tally:?}\n"));
        assert!(tally.made >= 10, "{report}");
    }
    println!("{report}");
}

#[test]
fn refusals_are_as_printed() {
    for (name, text) in programs("refused") {
        let error = parse(&name, &text)
            .and_then(|program| invert(&program))
            .expect_err(&format!("{name} is taken"));
        let mut shown = String::new();
        let handler =
            miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
        for one in error.each() {
            handler.render_report(&mut shown, &one).unwrap();
        }
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!(format!("refused-{}", name.trim_end_matches(".rs")), shown);
        });
    }
}
