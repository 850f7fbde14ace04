//! Mistakes in specs that use other files: each diagnostic, with its file and line. Each case of `uses/refused.txt` is a
//! spec after `--- NAME`, and the files that it may use.

use inverter::check::load_all;
use inverter::primitive::Primitives;
use inverter::program::{Embedded, SpecText};
use test_support::suite::Suites;

use crate::{identifier, sections};

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    for (name, case) in sections(include_str!("../uses/refused.txt")) {
        suites.case(format!("uses::{}", identifier(name)), move || check(name, case));
    }
}

fn check(name: &str, case: &str) {
    let files = case.split("--- ").skip(1).map(|file| file.split_once('\n').unwrap());
    let files: Vec<(&str, &str)> = files.collect();
    let spec = SpecText { name: files[0].0, text: files[0].1, files: &Embedded(&files[1..]) };
    let errors = match load_all(&spec, &Primitives::shipped()) {
        Ok(_) => panic!("{name}: accepted"),
        Err(errors) => errors,
    };
    let mut report = format!("{name}\n");
    for (one, d) in errors.each().zip(&errors.diagnostics) {
        let (file, text) = (one.file(), one.spec().at(d.span));
        assert!(!d.message.contains('\n'), "{name}: {}", d.message);
        let line = one.spec().line(d.span);
        let text = text.lines().next().unwrap_or_default();
        report += &format!("    {}:{line}: {} [{text}]\n", file.name, d.message);
        if let Some(help) = &d.help {
            report += &format!("        {help}\n");
        }
        let shown = format!("{:?}", miette::Report::new(one.clone()));
        assert!(shown.contains(&format!("{}:{line}:", file.name)), "{name}: {shown}");
    }
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(identifier(name), report);
    });
}
