//! Programs with a diagnostic that is right.

use std::path::Path;

use inverter::check::load;
use test_support::suite::Suites;

use crate::{read, specs};

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    suites.files("refused", &specs("refused"), check);
}

fn check(path: &Path) {
    let (name, text) = read(path);
    let error = load(&name, &text).expect_err(&format!("{name} is taken"));
    let mut shown = String::new();
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let handler = miette::GraphicalReportHandler::new_themed(theme);
    for one in error.each() {
        handler.render_report(&mut shown, &one).unwrap();
    }
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(name.trim_end_matches(".rs"), shown);
    });
}
