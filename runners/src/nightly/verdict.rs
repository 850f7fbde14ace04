//! Compares tonight's buckets with earlier ones: new, fixed or known.

use std::collections::{BTreeMap, BTreeSet};

use super::Accepted;
use crate::oracle::Outcome;
use crate::store::{Bucket, BucketKey};

/// The knowledge before tonight's buckets are judged.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The buckets that were reported by earlier nights, or found by `repfuzz fuzz`.
    pub reported: Vec<Bucket>,
    /// The buckets among them that are fixed.
    pub fixed: BTreeSet<BucketKey>,
    /// The outcomes of rechecks tonight.
    pub rechecked: BTreeMap<BucketKey, Outcome>,
    /// The accepted findings.
    pub accepted: Accepted,
}

/// A bucket with its explanation.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The bucket.
    pub bucket: Bucket,
    /// The explanation: `seen since 2026-11-03`, `accepted: known bug`.
    pub why: Vec<String>,
    /// True if it is accepted.
    pub accepted: bool,
}

/// The result of a night.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// Found tonight, and neither accepted nor reported before; or reappeared after it was fixed.
    pub new: Vec<Item>,
    /// Reported before or accepted, not found tonight, and its recheck passed.
    pub fixed: Vec<Item>,
    /// Found tonight or by a recheck, but not new.
    pub known: Vec<Item>,
    /// Reported before, not found tonight, and not rechecked.
    pub unchecked: Vec<Item>,
}

/// Compares `tonight`'s buckets with what is `known` on this `day` (`2026-11-22`).
pub fn judge(tonight: &[Bucket], known: &Known, day: &str) -> Verdict {
    let mut verdict = Verdict::default();
    let reported: BTreeMap<&BucketKey, &Bucket> =
        known.reported.iter().map(|b| (&b.key, b)).collect();
    for bucket in tonight {
        let (mut new, mut why) = (true, Vec::new());
        let mut accepted = false;
        // A store of an older version knows no kinds of difference.
        let of_any_kind = || reported.get(&bucket.key.of_any_kind());
        let before = reported.get(&bucket.key).or_else(of_any_kind);
        match (known.accepted.get(&bucket.key), before) {
            (Some(one), _) if one.holds(day) => {
                (new, accepted) = (false, true);
                why.push(accepted_for(&one.reason));
            }
            (Some(one), _) => {
                why.push(format!("accepted only until {}", one.last_day().unwrap_or_default()));
            }
            (None, Some(before)) if known.fixed.contains(&before.key) => {
                why.push("reappeared after it was fixed".to_owned());
            }
            (None, Some(before)) => {
                new = false;
                why.push(format!("seen since {}", date(&before.first.at)));
            }
            (None, None) => {}
        }
        if new && let Some(smaller) = smaller(&bucket.key, tonight, known) {
            why.push(format!("perhaps the same as {}", smaller.join(" with ")));
        }
        let list = if new { &mut verdict.new } else { &mut verdict.known };
        list.push(Item { bucket: bucket.clone(), why, accepted });
    }
    let found: BTreeSet<BucketKey> =
        tonight.iter().flat_map(|b| [b.key.clone(), b.key.of_any_kind()]).collect();
    for bucket in known.reported.iter().filter(|b| !found.contains(&b.key)) {
        not_found(bucket, known, day, &mut verdict);
    }
    verdict
}

/// Judges an earlier bucket that was not found tonight.
fn not_found(bucket: &Bucket, known: &Known, day: &str, verdict: &mut Verdict) {
    let accepted = known.accepted.get(&bucket.key).filter(|one| one.holds(day));
    let mut why = match accepted {
        Some(one) => vec![accepted_for(&one.reason)],
        None => vec![format!("seen since {}", date(&bucket.first.at))],
    };
    let fixed = known.fixed.contains(&bucket.key);
    let list = match known.rechecked.get(&bucket.key) {
        // This was reported already.
        Some(Outcome::Same) | None if fixed => return,
        Some(Outcome::Same) => {
            why.push("its file is now decoded correctly".to_owned());
            &mut verdict.fixed
        }
        Some(now) => {
            why.push(match *now == bucket.key.outcome {
                true => "not found by tonight's variants, but its file still shows it".to_owned(),
                false => format!("the outcome of its file is now {now}"),
            });
            &mut verdict.known
        }
        None => {
            why.push(format!("last seen {}", date(&bucket.last.at)));
            &mut verdict.unchecked
        }
    };
    list.push(Item { bucket: bucket.clone(), why, accepted: accepted.is_some() });
}

fn accepted_for(reason: &str) -> String {
    if reason.is_empty() { "accepted".to_owned() } else { format!("accepted: {reason}") }
}

/// The dimensions of the smallest bucket that may explain this one.
fn smaller<'k>(key: &BucketKey, tonight: &'k [Bucket], known: &'k Known) -> Option<&'k [String]> {
    let tonight = tonight.iter().map(|bucket| &bucket.key);
    let reported = known.reported.iter().map(|b| &b.key).filter(|key| !known.fixed.contains(key));
    let accepted = known.accepted.iter().map(|(key, _)| key);
    let all = tonight.chain(reported).chain(accepted).filter(|smaller| smaller.implies(key));
    // A bucket without dimensions is the re-encoded seed, which explains nothing here.
    let all = all.filter(|smaller| !smaller.dimensions.is_empty());
    all.min_by_key(|smaller| smaller.dimensions.len()).map(|smaller| &smaller.dimensions[..])
}

/// The date of a time.
pub(super) fn date(at: &str) -> &str {
    at.get(..10).unwrap_or(at)
}

#[cfg(test)]
pub(super) mod tests {
    use inverter::solve::Choices;

    use super::*;
    use crate::oracle::DifferenceKind;
    use crate::store::{BucketKind, Example, Sighting};
    use crate::subject::Class;

    pub fn bucket(client: &str, outcome: Outcome, dimensions: &[&str]) -> Bucket {
        let dimensions: Vec<String> = dimensions.iter().map(|d| (*d).to_owned()).collect();
        let sighting =
            Sighting { run: 1, at: "2026-11-03T01:00:00Z".into(), version: "1.0".into() };
        let title =
            dimensions.iter().map(|d| format!("{d} = 2")).collect::<Vec<_>>().join(" with ");
        Bucket {
            key: BucketKey {
                client: client.into(),
                outcome,
                difference: None,
                kind: BucketKind::Reduced,
                dimensions,
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
            implied_by: None,
        }
    }

    fn accepted(key: &BucketKey, until: &str) -> Accepted {
        let mut accepted = Accepted::default();
        let mut bucket = bucket("x", key.outcome, &[]);
        bucket.key = key.clone();
        accepted.accept(&bucket, "known bug", until.parse().ok(), "2026-01-01");
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
    fn only_unreported_findings_are_new() {
        let (a, b) = (bucket("a", Outcome::Wrong, &["x"]), bucket("b", Outcome::Crash, &["y"]));
        let known = Known { reported: vec![a.clone()], ..Known::default() };
        let verdict = judge(&[a, b], &known, DAY);
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
            judge(std::slice::from_ref(&blank), &known, DAY)
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
            let verdict = judge(std::slice::from_ref(&a), &known, DAY);
            assert_eq!(verdict.new.len() == 1, new, "{until}: {verdict:?}");
            assert_eq!(verdict.known.len() == 1, !new, "{until}");
        }
    }

    #[test]
    fn fixed_is_what_its_file_says() {
        let all = ["a", "b", "c", "d"].map(|client| bucket(client, Outcome::Crash, &["x"]));
        let rechecked = [
            (all[0].key.clone(), Outcome::Same),
            (all[1].key.clone(), Outcome::Crash),
            (all[2].key.clone(), Outcome::Refused),
        ];
        let known =
            Known { reported: all.to_vec(), rechecked: rechecked.into(), ..Known::default() };
        let verdict = judge(&[], &known, DAY);
        assert!(keys(&verdict.fixed)[0].starts_with("a crash x: "));
        assert_eq!((verdict.fixed.len(), verdict.new.len()), (1, 0));
        assert!(keys(&verdict.known)[0].ends_with("but its file still shows it"));
        assert!(keys(&verdict.known)[1].ends_with("the outcome of its file is now refused"));
        assert_eq!(
            keys(&verdict.unchecked),
            ["d crash x: seen since 2026-11-03; last seen 2026-11-03"]
        );
    }

    #[test]
    fn a_fix_is_reported_once_and_a_reappearance_is_new() {
        let a = bucket("a", Outcome::Crash, &["x"]);
        let fixed: BTreeSet<BucketKey> = [a.key.clone()].into();
        let rechecked = [(a.key.clone(), Outcome::Same)].into();
        let known = Known { reported: vec![a.clone()], fixed, rechecked, ..Known::default() };
        assert_eq!(judge(&[], &known, DAY), Verdict::default());
        assert_eq!(
            keys(&judge(&[a], &known, DAY).new),
            ["a crash x: reappeared after it was fixed"]
        );
    }

    #[test]
    fn one_with_fewer_dimensions_is_named() {
        let (a, ab) =
            (bucket("a", Outcome::Crash, &["x"]), bucket("a", Outcome::Crash, &["x", "y"]));
        let known = Known { reported: vec![a], ..Known::default() };
        assert_eq!(keys(&judge(&[ab], &known, DAY).new), ["a crash x+y: perhaps the same as x"]);
        let other = bucket("a", Outcome::Wrong, &["x", "y"]);
        assert_eq!(keys(&judge(&[other], &known, DAY).new), ["a wrong x+y: "]);
    }
}
