//! Tests of the verdict: each judges a few buckets.

use inverter::solve::Choices;

use super::*;
use crate::nightly::{Accepted, Terms};
use crate::store::{BucketKind, Example, Form, LastRecheck, Sighting};
use campaign::Rechecked;
use campaign::oracle::DifferenceKind;
use equivalents::subject::Class;

pub fn bucket(client: &str, outcome: Outcome, dimensions: &[&str]) -> Bucket {
    let dimensions: Vec<String> = dimensions.iter().map(|d| (*d).to_owned()).collect();
    let sighting = Sighting { run: 1, at: "2026-11-03T01:00:00Z".into(), version: "1.0".into() };
    let title = dimensions.iter().map(|d| format!("{d} = 2")).collect::<Vec<_>>().join(" with ");
    Bucket {
        key: BucketKey {
            client: client.into(),
            outcome,
            difference: None,
            kind: BucketKind::Reduced,
            dimensions,
            format: String::new(),
        },
        class: Class::Baseline,
        count: 7,
        runs: 1,
        first: sighting.clone(),
        last: sighting,
        example: Example {
            file: b"II*\0".to_vec(),
            seed: None,
            choices: Choices::new(),
            seed_file: "seeds/a <b>.tif".into(),
            seed_sha256: "00".into(),
            title,
            message: "cannot & will not".into(),
        },
        forms: Vec::new(),
        messages: ["cannot & will not".to_owned()].into(),
        limit: false,
        implied_by: None,
    }
}

fn accepted(key: &BucketKey, until: &str) -> Accepted {
    let mut accepted = Accepted::default();
    let mut bucket = bucket("x", key.outcome, &[]);
    bucket.key = key.clone();
    let terms = Terms { reason: "known bug".into(), until: until.parse().ok(), ..Terms::default() };
    accepted.accept(&bucket.key, "", None, &terms, "2026-01-01");
    accepted
}

fn keys(items: &[Item]) -> Vec<String> {
    let line = |item: &Item| {
        let key = &item.bucket.key;
        format!(
            "{} {} {}: {}",
            key.client,
            key.outcome,
            key.dimensions.join("+"),
            item.why.join("; ")
        )
    };
    items.iter().map(line).collect()
}

const DAY: &str = "2026-11-22";

#[test]
fn a_limit_is_new_only_if_it_was_read_before() {
    let limit = Bucket { limit: true, ..of_forms(&["compression"], &["compression = LZW"]) };
    let verdict = judge(std::slice::from_ref(&limit), &Known::default(), DAY, NEVER);
    assert_eq!(verdict.new, []);
    assert_eq!(
        keys(&verdict.known),
        ["a refused compression: a limit: the client says that it does not support this"]
    );
    let read: Past<'_> = &|_, _, _| Some("2026-11-20T01:00:00Z".to_owned());
    let verdict = judge(&[limit], &Known::default(), DAY, read);
    assert_eq!(
        keys(&verdict.new),
        ["a refused compression: compression = LZW was read on 2026-11-20"]
    );
}

/// No earlier night read such a file.
const NEVER: Past<'static> = &|_, _, _| None;

/// An earlier night read every file.
const ALWAYS: Past<'static> =
    &|_, _, after| (after < LAST).then(|| "2026-11-20T02:17:00Z".to_owned());

/// The last night with a known form.
const LAST: &str = "2026-11-20T02:17:00Z";

fn again(outcome: Outcome, message: &str) -> Rechecked {
    Rechecked { outcome, better: outcome, message: Some(message.to_owned()) }
}

/// The message of all buckets here.
const MESSAGE: &str = "cannot & will not";

#[test]
fn only_unreported_findings_are_new() {
    let (a, b) = (bucket("a", Outcome::Wrong, &["x"]), bucket("b", Outcome::Crash, &["y"]));
    let known = Known { reported: vec![a.clone()], ..Known::default() };
    let verdict = judge(&[a, b], &known, DAY, NEVER);
    assert_eq!(keys(&verdict.new), ["b crash y: "]);
    assert_eq!(keys(&verdict.known), ["a wrong x: seen since 2026-11-03"]);
}

fn of_kind(kind: DifferenceKind) -> Bucket {
    let mut bucket = bucket("a", Outcome::Wrong, &["x"]);
    bucket.key.difference = Some(kind);
    bucket
}

#[test]
fn another_kind_of_difference_is_new_but_a_bucket_without_a_kind_stands_for_all() {
    let (inverted, blank) = (of_kind(DifferenceKind::Inverted), of_kind(DifferenceKind::Blank));
    let judged = |reported: Bucket, accepted: Accepted| {
        let known = Known { reported: vec![reported], accepted, ..Known::default() };
        judge(std::slice::from_ref(&blank), &known, DAY, NEVER)
    };
    let verdict = judged(inverted.clone(), Accepted::default());
    assert_eq!((verdict.new.len(), verdict.unchecked.len()), (1, 1));
    let any = bucket("a", Outcome::Wrong, &["x"]);
    let verdict = judged(any.clone(), Accepted::default());
    assert_eq!((verdict.new.len(), verdict.known.len(), verdict.unchecked.len()), (0, 1, 0));
    for (key, new) in [(&any.key, 0), (&blank.key, 0), (&inverted.key, 1)] {
        let verdict = judged(bucket("b", Outcome::Crash, &["x"]), accepted(key, ""));
        assert_eq!(verdict.new.len(), new, "{key:?}");
    }
}

#[test]
fn what_is_accepted_is_no_news_until_its_day() {
    let a = bucket("a", Outcome::Wrong, &["x"]);
    for (until, new) in [("", false), ("2026-11-22", false), ("2026-11-21", true)] {
        let accepted = accepted(&a.key, until);
        let known = Known { accepted, reported: vec![a.clone()], ..Known::default() };
        let verdict = judge(std::slice::from_ref(&a), &known, DAY, NEVER);
        assert_eq!(verdict.new.len() == 1, new, "{until}: {verdict:?}");
        assert_eq!(verdict.known.len() == 1, !new, "{until}");
    }
}

#[test]
fn a_hang_that_is_disproved_is_not_new() {
    let hang = bucket("a", Outcome::Hang, &["x"]);
    let disproved = [hang.key.clone()].into();
    let known = Known { disproved, ..Known::default() };
    let verdict = judge(std::slice::from_ref(&hang), &known, DAY, NEVER);
    assert!(verdict.new.is_empty() && keys(&verdict.known)[0].contains("no hang"), "{verdict:?}");
    assert_eq!(judge(&[hang], &Known::default(), DAY, NEVER).new.len(), 1);
}

#[test]
fn what_was_fixed_and_is_broken_again_is_new_though_it_was_accepted() {
    let a = bucket("a", Outcome::Wrong, &["x"]);
    let known = Known {
        reported: vec![a.clone()],
        fixed: [a.key.clone()].into(),
        accepted: accepted(&a.key, ""),
        ..Known::default()
    };
    let verdict = judge(std::slice::from_ref(&a), &known, DAY, NEVER);
    let line = "a wrong x: reappeared after it was fixed; accepted: known bug, which did not outlast \
                the fix";
    assert!(keys(&verdict.new)[0].starts_with(line), "{verdict:?}");
    // By its file alone, whatever it does now.
    for now in [Outcome::Wrong, Outcome::Refused] {
        let rechecked = [(a.key.clone(), again(now, MESSAGE))].into();
        let verdict = judge(&[], &Known { rechecked, ..known.clone() }, DAY, NEVER);
        assert!(keys(&verdict.new)[0].starts_with(line), "{verdict:?}");
        assert!(!verdict.new[0].accepted && verdict.known.is_empty() && verdict.worse.is_empty());
    }
    // From the next night on it is known again.
    let known = Known { fixed: Default::default(), ..known };
    let verdict = judge(&[a], &known, DAY, NEVER);
    assert!(verdict.new.is_empty() && verdict.known[0].accepted);
}

#[test]
fn fixed_is_what_its_file_says() {
    let all = ["a", "b", "c", "d"].map(|client| bucket(client, Outcome::Crash, &["x"]));
    let rechecked = [
        (all[0].key.clone(), again(Outcome::Same, "")),
        (all[1].key.clone(), again(Outcome::Crash, MESSAGE)),
        (all[2].key.clone(), again(Outcome::Refused, MESSAGE)),
    ];
    let known = Known { reported: all.to_vec(), rechecked: rechecked.into(), ..Known::default() };
    let verdict = judge(&[], &known, DAY, NEVER);
    assert!(keys(&verdict.fixed)[0].starts_with("a crash x: "));
    assert_eq!((verdict.fixed.len(), verdict.new.len()), (2, 0));
    assert!(keys(&verdict.known)[0].ends_with("but its file still shows it"));
    assert!(keys(&verdict.fixed)[1].ends_with("the outcome of its file is now refused"));
    assert_eq!(
        keys(&verdict.unchecked),
        ["d crash x: seen since 2026-11-03; last seen 2026-11-03"]
    );
}

#[test]
fn a_fix_is_reported_once_and_a_reappearance_is_new() {
    let a = bucket("a", Outcome::Crash, &["x"]);
    let fixed: BTreeSet<BucketKey> = [a.key.clone()].into();
    let rechecked = [(a.key.clone(), again(Outcome::Same, ""))].into();
    let known = Known { reported: vec![a.clone()], fixed, rechecked, ..Known::default() };
    assert_eq!(judge(&[], &known, DAY, NEVER), Verdict::default());
    assert_eq!(
        keys(&judge(&[a], &known, DAY, NEVER).new),
        ["a crash x: reappeared after it was fixed"]
    );
}

#[test]
fn another_form_of_what_is_known_is_no_news_and_is_named() {
    let (a, ab) = (bucket("a", Outcome::Crash, &["x"]), bucket("a", Outcome::Crash, &["x", "y"]));
    let known = Known { reported: vec![a.clone()], ..Known::default() };
    let verdict = judge(std::slice::from_ref(&ab), &known, DAY, NEVER);
    assert_eq!(keys(&verdict.known), ["a crash x+y: the same crash as crash by x"]);
    let accepted = Known { accepted: accepted(&a.key, ""), ..Known::default() };
    assert_eq!(judge(std::slice::from_ref(&ab), &accepted, DAY, NEVER).known.len(), 1);
    // Of two new ones the simple one is told, whatever their order.
    let verdict = judge(&[ab.clone(), a.clone()], &Known::default(), DAY, NEVER);
    assert_eq!((keys(&verdict.new), verdict.known.len()), (vec!["a crash x: ".to_owned()], 1));
    // A fixed finding explains no other.
    let fixed = Known { fixed: [a.key.clone()].into(), ..known };
    assert_eq!(judge(&[ab], &fixed, DAY, NEVER).new.len(), 1);
    let other = bucket("a", Outcome::Wrong, &["x", "y"]);
    assert_eq!(keys(&judge(&[other], &Known::default(), DAY, NEVER).new), ["a wrong x+y: "]);
}

#[test]
fn what_was_read_before_is_new_whatever_it_resembles() {
    let known = Known { reported: vec![of_forms(&["x"], &["x = 1"])], ..Known::default() };
    let verdict = judge(&[of_forms(&["x", "y"], &["x = 1, y = 2"])], &known, DAY, ALWAYS);
    let line = "a refused x+y: x = 1, y = 2 was read on 2026-11-20";
    assert_eq!(keys(&verdict.new), [line]);
}

/// A refusal with these value classes.
fn of_forms(dimensions: &[&str], classes: &[&str]) -> Bucket {
    let form = |classes: &&str| Form {
        classes: (*classes).to_owned(),
        choices: Choices::new(),
        seed_sha256: "00".into(),
        seed_file: "a.tif".into(),
        last: LAST.into(),
    };
    let forms = classes.iter().map(form).collect();
    Bucket { forms, ..bucket("a", Outcome::Refused, dimensions) }
}

#[test]
fn another_value_that_was_read_before_is_worse() {
    let known = Known { reported: vec![of_forms(&["x"], &["x = LZW"])], ..Known::default() };
    let both = [of_forms(&["x"], &["x = LZW", "x = PackBits"])];
    let verdict = judge(&both, &known, DAY, ALWAYS);
    let line = "a refused x: now also with x = PackBits, which was read on 2026-11-20; \
                seen since 2026-11-03";
    assert_eq!(keys(&verdict.worse), [line]);
    // It is told also of what is accepted.
    let accepted = Known { accepted: accepted(&both[0].key, ""), ..known.clone() };
    assert_eq!(judge(&both, &accepted, DAY, ALWAYS).worse.len(), 1);
    // A value that no night tried is no change of the client.
    let verdict = judge(&both, &known, DAY, NEVER);
    let line = "a refused x: seen since 2026-11-03; now also with x = PackBits, which was not tried before";
    assert_eq!((keys(&verdict.known), verdict.worse.len()), (vec![line.to_owned()], 0));
    // Once reported, it is known, unless a night has read it since.
    let known = Known { reported: both.to_vec(), ..Known::default() };
    let read = |at: &'static str| {
        let past = move |_: &BucketKey, form: &Form, after: &str| {
            (form.classes == "x = PackBits" && at > after).then(|| at.to_owned())
        };
        judge(&both, &known, DAY, &past)
    };
    assert_eq!(read("2026-11-18").known.len(), 1);
    let line = "a refused x: again with x = PackBits on a.tif, which was read on 2026-11-21; \
                seen since 2026-11-03";
    assert_eq!(keys(&read("2026-11-21").worse), [line]);
}

#[test]
fn a_line_is_told_once_and_says_nothing_twice() {
    let known = Known { reported: vec![of_forms(&["x"], &["x = LZW"])], ..Known::default() };
    let mut tonight = of_forms(&["x"], &["x = PackBits", "x = PackBits"]);
    tonight.forms[1].seed_sha256 = "01".into();
    let judged = |bucket: &Bucket, past| judge(std::slice::from_ref(bucket), &known, DAY, past);
    let line = "a refused x: now also with x = PackBits, which was read on 2026-11-20; \
                seen since 2026-11-03";
    assert_eq!(keys(&judged(&tonight, ALWAYS).worse), [line]);
    // Its title is the new value.
    tonight.example.title = "x = PackBits".to_owned();
    let line = "a refused x: seen since 2026-11-03; before with x = 2, now with x = PackBits, which \
                was not tried before";
    assert_eq!(keys(&judged(&tonight, NEVER).known), [line]);
}

#[test]
fn another_crash_that_cannot_be_reproduced_is_worse_once() {
    let flaky = |messages: &[&str]| {
        let mut bucket = bucket("a", Outcome::Crash, &[]);
        bucket.key.kind = BucketKind::Flaky;
        bucket.messages = messages.iter().map(|m| (*m).to_owned()).collect();
        bucket
    };
    let judged = |before: &[&str], now: &[&str]| {
        let known = Known { reported: vec![flaky(before)], ..Known::default() };
        let verdict = judge(&[flaky(now)], &known, DAY, NEVER);
        assert_eq!(verdict.known.len() + verdict.worse.len(), 1, "{verdict:?}");
        keys(&verdict.worse)
    };
    let line = "a crash : another crash: \"SIGABRT: free(): invalid pointer\", before \"SIGSEGV\"; \
                seen since 2026-11-03";
    assert_eq!(judged(&["SIGSEGV"], &["SIGABRT: free(): invalid pointer"]), [line]);
    assert_eq!(judged(&["SIGABRT", "SIGSEGV"], &["SIGABRT"]), Vec::<String>::new());
}

#[test]
fn an_outcome_that_was_gone_and_is_back_is_told() {
    let (refused, crash) =
        (bucket("a", Outcome::Refused, &["x"]), bucket("a", Outcome::Crash, &["x"]));
    let both = vec![refused.clone(), crash.clone()];
    let rechecked = |bucket: &Bucket, now| (bucket.key.clone(), again(now, MESSAGE));
    // The crash is a refusal again, so it is fixed.
    let known = Known {
        reported: both.clone(),
        rechecked: [&refused, &crash].map(|b| rechecked(b, Outcome::Refused)).into(),
        ..Known::default()
    };
    for tonight in [vec![refused.clone()], Vec::new()] {
        let verdict = judge(&tonight, &known, DAY, NEVER);
        let line = "a crash x: seen since 2026-11-03; the outcome of its file is now refused";
        assert_eq!((keys(&verdict.fixed), verdict.known.len()), (vec![line.to_owned()], 1));
    }
    // That is told once.
    let gone: BTreeSet<BucketKey> = [crash.key.clone()].into();
    let known = Known { gone, ..known };
    let verdict = judge(std::slice::from_ref(&refused), &known, DAY, NEVER);
    assert_eq!((verdict.fixed.len(), verdict.known.len(), verdict.new.len()), (0, 1, 0));
    // A crash again, found by the variants or shown by the files.
    let known = Known {
        rechecked: [&refused, &crash].map(|b| rechecked(b, Outcome::Crash)).into(),
        ..known
    };
    for tonight in [vec![crash.clone()], Vec::new()] {
        let verdict = judge(&tonight, &known, DAY, NEVER);
        let line = "a crash x: reappeared after it was fixed";
        assert!(keys(&verdict.new)[0].starts_with(line), "{verdict:?}");
        assert_eq!(verdict.known, Vec::new(), "the refusal is the crash");
    }
    // A client that refused, crashed, and refuses again did not get worse.
    assert!(!refused.key.is_gone(Outcome::Crash) && !crash.key.is_gone(Outcome::Crash));
    // A crash that shows a wrong picture now is told as that.
    let known = Known {
        reported: vec![crash.clone()],
        rechecked: [rechecked(&crash, Outcome::Wrong)].into(),
        ..Known::default()
    };
    assert_eq!(judge(&[], &known, DAY, NEVER).worse.len(), 1);
}

#[test]
fn another_seed_that_was_read_before_is_worse() {
    let known = Known { reported: vec![of_forms(&["x"], &["x = LZW"])], ..Known::default() };
    let mut other = of_forms(&["x"], &["x = LZW"]);
    other.forms[0].seed_sha256 = "01".into();
    other.forms[0].seed_file = "b.tif".into();
    let verdict = judge(std::slice::from_ref(&other), &known, DAY, ALWAYS);
    assert!(keys(&verdict.worse)[0].contains("now also on b.tif, which was read on 2026-11-20"));
    assert_eq!(judge(&[other], &known, DAY, NEVER).known.len(), 1);
}

#[test]
fn a_lower_class_is_worse() {
    let extension = Bucket { class: Class::Extension, ..of_forms(&["x"], &["x = 1"]) };
    let baseline = of_forms(&["x"], &["x = 1"]);
    let known = |bucket: &Bucket| Known { reported: vec![bucket.clone()], ..Known::default() };
    let verdict = judge(std::slice::from_ref(&baseline), &known(&extension), DAY, NEVER);
    let line = "now on files of class baseline, before on extension files only";
    assert!(keys(&verdict.worse)[0].contains(line), "{verdict:?}");
    assert_eq!(judge(&[extension], &known(&baseline), DAY, NEVER).known.len(), 1);
}

#[test]
fn another_message_or_stack_on_the_same_file_is_worse_once() {
    let a = of_forms(&["x"], &["x = 1"]);
    let judged = |message: &str, earlier: &[&str], tonight: &[Bucket]| {
        let last = LastRecheck {
            outcome: Some(Outcome::Refused),
            messages: earlier.iter().map(|m| (*m).to_owned()).collect(),
        };
        let known = Known {
            reported: vec![a.clone()],
            rechecked: [(a.key.clone(), again(Outcome::Refused, message))].into(),
            earlier_rechecks: [(a.key.clone(), last)].into(),
            ..Known::default()
        };
        let verdict = judge(tonight, &known, DAY, NEVER);
        (keys(&verdict.worse), verdict.known.len())
    };
    // Found again tonight or not.
    for tonight in [vec![a.clone()], Vec::new()] {
        let (worse, _) = judged("out of memory", &[], &tonight);
        let line =
            "another message on the same file: \"out of memory\", before \"cannot & will not\"";
        assert!(worse[0].contains(line), "{worse:?}");
        assert_eq!(judged("out of memory", &["out of memory"], &tonight), (Vec::new(), 1));
        assert_eq!(judged(MESSAGE, &[], &tonight), (Vec::new(), 1));
    }
}

#[test]
fn another_outcome_is_worse_and_told_once() {
    let refused = bucket("a", Outcome::Refused, &["x"]);
    let crash = bucket("a", Outcome::Crash, &["x"]);
    let known = |before: &Bucket, now: Option<Outcome>| Known {
        reported: vec![before.clone()],
        rechecked: now.map(|now| (before.key.clone(), again(now, MESSAGE))).into_iter().collect(),
        ..Known::default()
    };
    // Found by tonight's variants: the old bucket is no finding of its own.
    for now in [None, Some(Outcome::Crash)] {
        let verdict = judge(std::slice::from_ref(&crash), &known(&refused, now), DAY, NEVER);
        let line = "a crash x: the outcome was refused and is now crash; seen since 2026-11-03";
        assert_eq!((keys(&verdict.worse), verdict.new.len()), (vec![line.to_owned()], 0));
        assert_eq!(verdict.known.len(), 0, "not told beside it: {now:?}");
    }
    // Shown only by the example.
    let mut example = known(&refused, Some(Outcome::Crash));
    let verdict = judge(&[], &example, DAY, NEVER);
    assert!(
        keys(&verdict.worse)[0].contains("the outcome of its file was refused and is now crash")
    );
    let last = LastRecheck { outcome: Some(Outcome::Crash), ..LastRecheck::default() };
    example.earlier_rechecks = [(refused.key.clone(), last)].into();
    assert_eq!(judge(&[], &example, DAY, NEVER).known.len(), 1);
    // A crash that became a refusal is better.
    let verdict = judge(std::slice::from_ref(&refused), &known(&crash, None), DAY, NEVER);
    assert_eq!((verdict.worse.len(), verdict.known.len()), (0, 1));
    // If the old outcome is still there, this is another finding.
    let still = known(&refused, Some(Outcome::Refused));
    assert_eq!(judge(&[crash], &still, DAY, NEVER).new.len(), 1);
}

#[test]
fn acceptances_expire_evenly() {
    let a = bucket("a", Outcome::Crash, &["x"]);
    let accepted = |until: &str, this_version: bool| {
        let mut accepted = Accepted::default();
        let (reason, until) = ("bug 7".to_owned(), until.parse().ok());
        let terms = Terms { reason, until, this_version, renew: false };
        accepted.accept(&a.key, "", Some(&a.last.version), &terms, "2026-01-01");
        accepted
    };
    for (until, this_version, version, why) in [
        ("2026-11-22", false, "2.0", None),
        ("2026-11-21", false, "1.0", Some("accepted only until 2026-11-21")),
        ("", true, "1.0", None),
        ("", true, "2.0", Some("accepted only for version \"1.0\", and it is \"2.0\" now")),
    ] {
        // Found by tonight's variants, or only shown by its example.
        for tonight in [vec![a.clone()], Vec::new()] {
            let known = Known {
                accepted: accepted(until, this_version),
                reported: vec![a.clone()],
                rechecked: [(a.key.clone(), again(Outcome::Crash, MESSAGE))].into(),
                versions: [("a".to_owned(), version.to_owned())].into(),
                ..Known::default()
            };
            let verdict = judge(&tonight, &known, DAY, NEVER);
            assert_eq!(verdict.new.len(), usize::from(why.is_some()), "{why:?} {verdict:?}");
            let item = verdict.new.iter().chain(&verdict.known).next().unwrap();
            assert_eq!(item.accepted, why.is_none());
            let words = why.unwrap_or("accepted ");
            assert!(item.why[0].starts_with(words), "{item:?}");
        }
    }
}

#[test]
fn of_an_unchanged_program_only_files_that_were_read_are_new_or_worse() {
    let unchanged = |reported: &[Bucket]| Known {
        reported: reported.to_vec(),
        unchanged: ["a".to_owned()].into(),
        ..Known::default()
    };
    let found = of_forms(&["x"], &["x = 1"]);
    let other =
        Bucket { key: BucketKey { client: "b".into(), ..found.key.clone() }, ..found.clone() };
    let both = [found.clone(), other.clone()];
    let verdict = judge(&both, &unchanged(&[]), DAY, NEVER);
    assert_eq!((verdict.new.len(), verdict.found.len()), (1, 1));
    assert!(keys(&verdict.found)[0].contains("program has not changed"), "{verdict:?}");
    assert_eq!(verdict.new[0].bucket.key.client, "b");
    // A file with its values was read, and fails now.
    let verdict = judge(&both[..1], &unchanged(&[]), DAY, ALWAYS);
    assert_eq!((verdict.new.len(), verdict.found.len()), (1, 0));
    // Files of a lower class are noted, and worse only by files that were read.
    let extension = Bucket { class: Class::Extension, ..found.clone() };
    let verdict = judge(&both[..1], &unchanged(std::slice::from_ref(&extension)), DAY, NEVER);
    assert_eq!((verdict.worse.len(), verdict.known.len()), (0, 1));
    assert!(keys(&verdict.known)[0].contains("now on files of class baseline"), "{verdict:?}");
    let more = [of_forms(&["x"], &["x = 1", "x = 2"])];
    assert_eq!(judge(&more, &unchanged(&both[..1]), DAY, ALWAYS).worse.len(), 1);
    assert_eq!(judge(&more, &unchanged(&both[..1]), DAY, NEVER).worse.len(), 0);
    // Another message of the same file.
    let mut known = unchanged(&both[..1]);
    known.rechecked = [(found.key.clone(), again(Outcome::Refused, "out of memory"))].into();
    for tonight in [&both[..1], &[]] {
        let verdict = judge(tonight, &known, DAY, NEVER);
        assert_eq!((verdict.worse.len(), verdict.known.len()), (0, 1), "{verdict:?}");
    }
    // Another outcome of the same file, in both runs.
    for (better, worse) in [(Outcome::Crash, 1), (Outcome::Refused, 0)] {
        let now = Rechecked { better, ..again(Outcome::Crash, MESSAGE) };
        known.rechecked = [(found.key.clone(), now)].into();
        assert_eq!(judge(&[], &known, DAY, NEVER).worse.len(), worse, "{better}");
    }
    // A fix that was not a whole one.
    let mut fixed = unchanged(&both[..1]);
    fixed.fixed = [found.key.clone()].into();
    fixed.rechecked = [(found.key.clone(), again(Outcome::Same, ""))].into();
    assert_eq!(judge(&both[..1], &fixed, DAY, NEVER).found.len(), 1);
    fixed.rechecked = [(found.key.clone(), again(Outcome::Refused, MESSAGE))].into();
    assert_eq!(judge(&both[..1], &fixed, DAY, NEVER).new.len(), 1);
}
