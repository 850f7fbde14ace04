//! Mistakes in specs that read files: each diagnostic as printed, with its message, place and help. `views/refused.txt`
//! documents its cases.

use inverter::pipeline::{ReadError, from_text};
use inverter::primitive::Primitives;
use inverter::program::{SpecError, SpecText};
use test_support::suite::Suites;

use crate::{identifier, sections};

const CASES: &str = include_str!("../views/refused.txt");

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    for (name, body) in sections(CASES) {
        suites.case(format!("views::{}", identifier(name)), move || check(name, body));
    }
    suites.case("views::are_many", || {
        let count = sections(CASES).count();
        assert!(count >= 25, "{count}");
    });
}

fn check(name: &str, body: &str) {
    let text = match body.contains("fn ") {
        true => body.to_owned(),
        false => format!(
            "struct File {{ file: [u8] }}\nstruct Out {{ n: u32 }}\nfn normalize(x: \
             &File, y: &mut Out) {{\n{body}}}\n"
        ),
    };
    let why = match from_text(&SpecText::alone("spec.rs", &text), &Primitives::shipped()) {
        Err(ReadError::Specs(errors)) => shown(&errors),
        Err(ReadError::File(why)) => format!("    {why}\n"),
        Ok(_) => panic!("{name}: taken"),
    };
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(identifier(name), format!("{name}\n{why}"));
    });
}

fn shown(errors: &[SpecError]) -> String {
    let mut out = String::new();
    for d in errors.iter().flat_map(|e| &e.diagnostics) {
        let at = errors[0].spec().at(d.span).lines().next().unwrap_or_default();
        out += &format!("    {} [{at}]\n", d.message);
        if let Some(help) = &d.help {
            out += &format!("        {help}\n");
        }
    }
    out
}
