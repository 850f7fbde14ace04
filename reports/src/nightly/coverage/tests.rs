//! Tests of coverage: two nights are compared.

use super::*;
use crate::nightly::Accepted;
use clients::sandbox::FALLBACK;

fn facts(seed: &str, clients: &[(&str, &str, usize, Option<&str>)]) -> SeedFacts {
    let client = |(name, version, runs, unread): &(&str, &str, usize, Option<&str>)| ClientFacts {
        name: (*name).to_owned(),
        version: (*version).to_owned(),
        version_unknown: None,
        library: String::new(),
        confinement: None,
        runs: *runs,
        unread: unread.map(str::to_owned),
        fails: unread.is_some(),
        dropped: None,
    };
    SeedFacts {
        seed: seed.to_owned(),
        digest: format!("digest of {seed}"),
        made: 60,
        clients: clients.iter().map(client).collect(),
    }
}

fn night(day: &str, runs: Vec<SeedFacts>) -> Tonight {
    let seeds = ["a.tif", "b.tif"].map(str::to_owned).into();
    Tonight { day: day.to_owned(), plan: "60".to_owned(), seeds, runs, failures: Vec::new() }
}

fn good() -> Vec<SeedFacts> {
    let clients = [("vips", "8.15", 60, None), ("mine", "", 60, None)];
    vec![facts("a.tif", &clients), facts("b.tif", &clients)]
}

/// A night in which `vips` crashes on every seed, with another version, and `mine` is dropped on one.
pub(in crate::nightly) fn bad() -> Coverage {
    let before = Coverage::of(&night("2026-11-21", good()), None, &Accepted::default());
    let clients = [("vips", "8.16", 0, Some("crash: SIGSEGV")), ("mine", "", 60, None)];
    let mut runs = vec![facts("a.tif", &clients), facts("b.tif", &clients)];
    runs[1].clients[1].dropped = Some("no space in /tmp".to_owned());
    Coverage::of(&night("2026-11-22", runs), Some(&before), &Accepted::default())
}

fn texts(coverage: &Coverage) -> Vec<String> {
    loss_groups(coverage).into_iter().map(|group| group.text).collect()
}

#[test]
fn a_client_that_crashes_on_every_seed_is_a_loss() {
    let bad = bad();
    assert!(bad.is_worse());
    assert_eq!(
        texts(&bad),
        [
            "mine: b.tif not read: dropped because of a failure on our side: no space in /tmp",
            "vips: 2 seeds not read (a.tif, b.tif): crash: SIGSEGV; read on 2026-11-21",
        ]
    );
    assert_eq!(
        line(&bad),
        "coverage: 2 of 2 seeds run; 2 pairs of client and seed read (4 in the last night); 120 \
         variants made, 120 runs; changed: vips from 8.15 to 8.16; 3 losses"
    );
    let rows: Vec<String> = rows(&bad).iter().map(|row| row.join("|")).collect();
    assert_eq!(rows, ["mine||2 of 2|2|120", "vips|8.16 (was 8.15)|0 of 2|2|0"]);
}

#[test]
fn a_loss_stays_one_until_it_is_read_again_or_accepted() {
    let bad = bad();
    let clients = [("vips", "8.16", 0, Some("crash: SIGSEGV")), ("mine", "", 60, None)];
    let runs = || vec![facts("a.tif", &clients), facts("b.tif", &clients)];
    let third = Coverage::of(&night("2026-11-23", runs()), Some(&bad), &Accepted::default());
    assert_eq!(
        texts(&third),
        ["vips: 2 seeds not read (a.tif, b.tif): crash: SIGSEGV; read on 2026-11-21"]
    );
    let mut accepted = Accepted::default();
    let lost = third.losses.iter().map(|loss| (loss.client.clone(), loss.seed.clone()));
    let terms = crate::nightly::Terms { reason: "known".into(), ..Default::default() };
    accepted.accept_losses(lost, &terms, "2026-11-23");
    let fourth = Coverage::of(&night("2026-11-24", runs()), Some(&third), &accepted);
    assert!(!fourth.is_worse());
    assert_eq!(loss_groups(&fourth)[0].accepted.as_deref(), Some("accepted: known"));
    assert!(line(&fourth).ends_with("; 2 losses (2 accepted)"), "{}", line(&fourth));
    let fifth = Coverage::of(&night("2026-11-25", good()), Some(&fourth), &Accepted::default());
    assert_eq!(texts(&fifth), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_a_loss() {
    let before = Coverage::of(&night("2026-11-21", good()), None, &Accepted::default());
    let of = |tonight: &Tonight| texts(&Coverage::of(tonight, Some(&before), &Accepted::default()));
    // A client.
    let only = [("mine", "", 60, None)];
    let tonight = night("2026-11-22", vec![facts("a.tif", &only), facts("b.tif", &only)]);
    assert_eq!(
        of(&tonight),
        ["vips: 2 seeds not read (a.tif, b.tif): not among tonight's clients; read on 2026-11-21"]
    );
    // With the reason, if it is known.
    let why = Loss::new(Some("vips"), None, "vips is not installed");
    assert_eq!(
        of(&Tonight { failures: vec![why], ..tonight.clone() }),
        ["vips: vips is not installed; it read 2 seeds before"]
    );
    // A seed.
    let tonight = night("2026-11-22", good()[..1].to_vec());
    assert_eq!(of(&tonight).len(), 2);
    assert!(of(&tonight)[0].ends_with("the seed was not run; read on 2026-11-21"));
    let failed = Loss::new(None, Some("b.tif"), "it is damaged");
    assert_eq!(
        of(&Tonight { failures: vec![failed], ..tonight.clone() }),
        ["b.tif: it is damaged"]
    );
    let fewer = Tonight { seeds: vec!["a.tif".to_owned()], ..tonight };
    assert!(of(&fewer)[0].contains("b.tif not read: not among tonight's seeds"));
    // Most of the variants.
    let mut few = good();
    few.iter_mut().for_each(|run| run.clients[0].runs = 3);
    let line = "vips: run on 6 variants, on 120 in an earlier night";
    assert_eq!(of(&night("2026-11-22", few)), [line]);
}

/// The lost coverage of nights in which `vips` is run on these numbers of variants of each seed.
fn eroded(numbers: &[usize], plan: &str, accepted: &Accepted) -> Vec<Vec<String>> {
    let mut last: Option<Coverage> = None;
    let mut all = Vec::new();
    for (night_number, runs) in numbers.iter().enumerate() {
        let mut facts = good();
        facts.iter_mut().for_each(|run| run.clients[0].runs = *runs);
        let tonight = night("2026-11-22", facts);
        let plan = if night_number == 0 { tonight.plan.clone() } else { plan.to_owned() };
        let coverage = Coverage::of(&Tonight { plan, ..tonight }, last.as_ref(), accepted);
        let open = loss_groups(&coverage).into_iter().filter(|group| group.accepted.is_none());
        all.push(open.map(|group| group.text).collect());
        last = Some(coverage);
    }
    all
}

#[test]
fn runs_that_become_fewer_step_by_step_are_a_loss_until_they_are_back_or_accepted() {
    let lost = |runs: usize, usual: usize| {
        vec![format!("vips: run on {runs} variants, on {usual} in an earlier night")]
    };
    let none = Vec::new;
    let of = |numbers: &[usize], plan| eroded(numbers, plan, &Accepted::default());
    // Each of these steps alone is no loss.
    assert_eq!(of(&[25, 8, 3], "60"), [none(), none(), lost(6, 50)]);
    // However many nights there are, and even if the number falls again.
    let mut many = vec![25, 8];
    many.extend([3; 9]);
    assert!(of(&many, "60")[2..].iter().all(|told| *told == lost(6, 50)));
    assert_eq!(of(&[25, 3, 1, 20, 8], "60")[1..], [lost(6, 50), lost(2, 50), none(), none()]);
    // A night of another plan is no measure.
    assert_eq!(of(&[25, 3], "5"), [none(), none()]);
    let mut accepted = Accepted::default();
    let terms = crate::nightly::Terms::default();
    accepted.accept_losses([(Some("vips".to_owned()), None)].into_iter(), &terms, "2026-11-22");
    assert!(eroded(&many, "60", &accepted).iter().all(Vec::is_empty));
}

#[test]
fn a_sandbox_that_was_not_planned_is_told() {
    let mut runs = good();
    let fallback = format!("Landlock{FALLBACK}");
    runs[0].clients[0].confinement = Some(fallback.clone());
    runs[1].clients[0].confinement = Some("bubblewrap".to_owned());
    runs[0].clients[1].confinement = Some("bubblewrap".to_owned());
    let coverage = Coverage::of(&night("2026-11-21", runs), None, &Accepted::default());
    let told = format!("; WARNING: sandboxes other than planned: vips: {fallback}");
    assert!(line(&coverage).ends_with(&told), "{}", line(&coverage));
    let rows: Vec<String> = rows(&coverage).iter().map(|row| row[1].clone()).collect();
    assert_eq!(rows, [String::new(), format!("8.15 [sandbox: {fallback}]")]);
}

#[test]
fn the_first_night_and_new_seeds_lose_nothing() {
    let refused =
        facts("a.tif", &[("vips", "8.15", 0, Some("refused: no")), ("mine", "", 60, None)]);
    let first = Coverage::of(&night("2026-11-21", vec![refused]), None, &Accepted::default());
    assert_eq!(texts(&first), Vec::<String>::new());
    assert_eq!(
        line(&first),
        "coverage: 1 of 2 seeds run; 1 pair of client and seed read; 60 variants made, 60 runs"
    );
}

#[test]
fn a_seed_that_no_client_reads_is_a_loss_and_can_be_accepted() {
    let runs = || {
        let part = |client| facts("a.tif", &[(client, "1", 0, Some("refused: no"))]);
        vec![part("vips"), part("mine"), good().remove(1)]
    };
    let first = Coverage::of(&night("2026-11-21", runs()), None, &Accepted::default());
    let line = "a.tif: no client read it: mine: refused: no; vips: refused: no";
    assert_eq!(texts(&first), [line]);
    let mut accepted = Accepted::default();
    let lost = first.losses.iter().map(|loss| (loss.client.clone(), loss.seed.clone()));
    accepted.accept_losses(lost, &Default::default(), "2026-11-21");
    assert!(!Coverage::of(&night("2026-11-22", runs()), Some(&first), &accepted).is_worse());
}

#[test]
fn a_version_that_is_unknown_is_told_and_the_last_one_is_kept() {
    let first = Coverage::of(&night("2026-11-21", good()), None, &Accepted::default());
    let mut runs = good();
    for run in &mut runs {
        run.clients[0].version.clear();
        run.clients[0].version_unknown = Some("its command did not finish".to_owned());
    }
    let unknown = Coverage::of(&night("2026-11-22", runs), Some(&first), &Accepted::default());
    let words = "version unknown: its command did not finish (last known: 8.15)";
    assert!(line(&unknown).ends_with(&format!("; changed: vips, {words}")), "{}", line(&unknown));
    assert_eq!(rows(&unknown)[1][1], words);
    assert_eq!(unknown.known_version("vips", ""), Some("8.15"));
    assert_eq!(unknown.known_version("mine", ""), None);
    // The same version again is no change, another one is.
    let again =
        |runs| Coverage::of(&night("2026-11-23", runs), Some(&unknown), &Accepted::default());
    assert!(!line(&again(good())).contains("changed"), "{}", line(&again(good())));
    let mut runs = good();
    runs.iter_mut().for_each(|run| run.clients[0].version = "8.16".to_owned());
    assert!(line(&again(runs)).ends_with("; changed: vips from 8.15 to 8.16"));
}

#[test]
fn another_file_of_the_same_name_is_told() {
    let first = Coverage::of(&night("2026-11-21", good()), None, &Accepted::default());
    let mut runs = good();
    runs[1].digest = "another digest".to_owned();
    let second =
        Coverage::of(&night("2026-11-22", runs.clone()), Some(&first), &Accepted::default());
    let words = "; changed: b.tif is another file (SHA-256 another dige…, was digest of b.…)";
    assert!(line(&second).ends_with(words), "{}", line(&second));
    let third = Coverage::of(&night("2026-11-23", runs), Some(&second), &Accepted::default());
    assert!(!line(&third).contains("changed"), "{}", line(&third));
}

#[test]
fn parts_of_a_seed_are_counted_once() {
    let parts = vec![
        facts("a.tif", &[("vips", "8.15", 30, None)]),
        facts("a.tif", &[("mine", "", 60, None)]),
        facts("a.tif", &[("vips", "8.15", 20, Some("refused: no"))]),
    ];
    let coverage = Coverage::of(&night("2026-11-21", parts), None, &Accepted::default());
    assert_eq!((coverage.made, coverage.seeds_run, coverage.pairs()), (60, 1, (2, None)));
    assert_eq!(coverage.clients[1].runs, 50);
}
