//! Hostile specs, of which `repfuzz check` says that nothing is proved: they accept nothing, or a part of them
//! does, or they crash, or their draws fail, if only for inputs that no small example shows.
//!
//! A spec in `never_proved` has a line `//@ says ..` with words of its refusal or of one of its losses; without
//! words, any will do. `--nocapture` prints the objections.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use checks::{
    Completeness, Spread, completeness_until, losses, moderate_values_until, small_values_until,
    spread_into, vacuous,
};
use inverter::check::load;
use inverter::run::explore::Bounds;
use test_support::suite::{Suites, note};

use crate::{read, specs};

/// The time for each part of the check; it is long, for a busy machine.
const PART: Duration = Duration::from_secs(60);
/// The values and draws of the check: as many as by default are not needed.
const VALUES: (usize, u64) = (4, 25);

/// Adds the suites of specs that are wrong, and of some that are not.
pub fn add(suites: &mut Suites) {
    suites.files("never_proved", &specs("never_proved"), is_not_proved);
    suites.case("never_proved::are_many", || {
        let count = specs("never_proved").len();
        assert!(count >= 10, "{count}");
    });
    for folder in ["programs", "structures"] {
        suites.files(&format!("honest::{folder}"), &specs(folder), is_not_accused);
    }
}

/// Returns why `check` does not say that a spec is proved: its refusal, or its losses. None if it would.
fn objections(name: &str, text: &str) -> Vec<String> {
    let inverse = match load(name, text) {
        Ok(inverse) => inverse,
        Err(refusal) => return vec![refusal.to_string()],
    };
    if let Some(refusal) = vacuous(&inverse.program) {
        return vec![refusal.to_string()];
    }
    let until = || Instant::now() + PART;
    let small = small_values_until(&inverse, VALUES.0, 1, Some(until()));
    let mut values = small.clone();
    values.extend(moderate_values_until(&inverse, 1, 1, until()));
    let spread = Mutex::new(Spread::default());
    spread_into(&inverse, &values, VALUES.1, Some(until()), &spread);
    let spread = spread.into_inner().unwrap();
    let mut complete = Completeness { whole: true, ..Completeness::default() };
    for y in &small {
        let bounds = Bounds { runs: 4000, steps: 400_000 };
        complete.add(completeness_until(&inverse, y, 6, bounds, Some(until())));
    }
    let losses = losses(&inverse, &values, &complete, &spread, until());
    losses
        .into_iter()
        .filter(|loss| loss.meant.is_none())
        .map(|loss| format!("{} {}", loss.what, loss.details.join(" ")))
        .collect()
}

fn is_not_proved(path: &Path) {
    let (name, text) = read(path);
    let says = text.lines().find_map(|line| line.strip_prefix("//@ says")).unwrap().trim();
    let objections = objections(&name, &text);
    note(format_args!("{objections:?}"));
    let said = objections.iter().any(|objection| objection.contains(says));
    assert!(said, "{name}: not `{says}`, but {objections:?}");
}

/// Branches that accept something are not accused, nor are reads that no small input has outside its arrays:
/// these specs are not wrong in large ones only. `two_reservations` is, in ones of more than twelve bytes.
fn is_not_accused(path: &Path) {
    let (name, text) = read(path);
    let Ok(program) = inverter::program::parse(&name, &text) else { return };
    if name == "two_reservations.rs" {
        return;
    }
    let until = || Instant::now() + PART;
    let barren = checks::barren(&program, until());
    let near = inverter::check::outside_reads(&program, until());
    let mut far = checks::far_reads(&program, until());
    far.retain(|far| {
        near.iter().all(|n| n.span.end <= far.span.start || far.span.end <= n.span.start)
    });
    assert!(barren.is_empty() && far.is_empty(), "{name}: {barren:?} {far:?}");
}
