//! Hostile specs, of which `repfuzz check` says that nothing is proved: they accept nothing, or a part of them
//! does, or they crash, or their draws fail, if only for inputs that no small example shows.
//!
//! A spec in `never_proved` has a line `//@ says ..` with words of its refusal or of one of its losses; without
//! words, any will do. `NEVER=name` limits the test to one spec, and `--nocapture` prints what is found.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use checks::{
    Completeness, Spread, completeness_until, losses, moderate_values_until, small_values_until,
    spread_into, vacuous,
};
use inverter::check::load;
use inverter::run::explore::Bounds;
use rayon::prelude::*;

/// The time for each part of the check; it is long, for a busy machine.
const PART: Duration = Duration::from_secs(60);
/// The values and draws of the check: as many as by default are not needed.
const VALUES: (usize, u64) = (4, 25);

fn paths(folder: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
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

fn believed(path: &Path) -> Option<String> {
    let name = path.file_stem().unwrap().to_string_lossy();
    let text = std::fs::read_to_string(path).unwrap();
    let says = text.lines().find_map(|line| line.strip_prefix("//@ says")).unwrap().trim();
    let objections = objections(&name, &text);
    println!("{name}: {objections:?}");
    let said = objections.iter().any(|objection| objection.contains(says));
    (!said).then(|| format!("{name}: not `{says}`, but {objections:?}"))
}

#[test]
fn hostile_specs_are_never_proved() {
    let only = std::env::var("NEVER").ok();
    let asked = |path: &PathBuf| {
        only.as_ref().is_none_or(|only| path.file_stem().is_some_and(|name| name == &**only))
    };
    let paths: Vec<PathBuf> = paths("never_proved").into_iter().filter(asked).collect();
    assert!(only.is_some() || paths.len() >= 10, "{}", paths.len());
    let wrong: Vec<String> = paths.par_iter().filter_map(|path| believed(path)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Branches that accept something are not accused, nor are reads that no small input has outside its arrays:
/// these specs are not wrong in large ones only. `two_reservations` is, in ones of more than twelve bytes.
#[test]
fn honest_specs_are_not_accused() {
    let wrong: Vec<String> = ["programs", "structures"]
        .into_iter()
        .flat_map(paths)
        .collect::<Vec<_>>()
        .par_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(path).ok()?;
            if path.ends_with("two_reservations.rs") {
                return None;
            }
            let program = inverter::program::parse(&path.to_string_lossy(), &text).ok()?;
            let until = || Instant::now() + PART;
            let barren = checks::barren(&program, until());
            let near = inverter::check::outside_reads(&program, until());
            let mut far = checks::far_reads(&program, until());
            far.retain(|far| {
                near.iter().all(|n| n.span.end <= far.span.start || far.span.end <= n.span.start)
            });
            let accused = !barren.is_empty() || !far.is_empty();
            accused.then(|| format!("{}: {barren:?} {far:?}", path.display()))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
