//! Compares tonight's buckets with earlier ones: new, worse, fixed or known.

mod known;
mod related;
mod worse;

use std::collections::{BTreeMap, BTreeSet};

pub use known::Known;
use known::date;
pub use related::Libraries;
use related::{Candidate, Finding, folded, related};
pub use worse::Past;
use worse::{changes, other_message, worse_outcome};

use serde::{Deserialize, Serialize};

use crate::store::{Bucket, BucketKey, BucketKind};
use campaign::oracle::Outcome;

/// A bucket with its explanation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// The bucket.
    pub bucket: Bucket,
    /// The explanation: `seen since 2026-11-03`, `accepted: known bug`.
    pub why: Vec<String>,
    /// True if it is accepted.
    pub accepted: bool,
}

/// The result of a night.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Findings of tonight that were neither accepted nor reported before, and are not another form of an accepted or
    /// reported finding; findings that reappeared after they were fixed; and findings whose acceptance has expired.
    pub new: Vec<Item>,
    /// Known findings that are worse than before.
    pub worse: Vec<Item>,
    /// Findings that were found tonight for the first time, in a client whose program has not changed for some nights.
    /// There is no evidence that the client read a similar file before.
    #[serde(default)]
    pub found: Vec<Item>,
    /// Findings that were reported before or accepted, were not found tonight, and passed their recheck.
    pub fixed: Vec<Item>,
    /// Found tonight or by a recheck, but neither new nor worse.
    pub known: Vec<Item>,
    /// Reported before, not found tonight, and not rechecked.
    pub unchecked: Vec<Item>,
    /// Descriptions of acceptances whose findings no night has met.
    #[serde(default)]
    pub unused: Vec<String>,
}

/// The explanation of a finding that was fixed and reappeared. It is a regression even if the earlier finding was
/// accepted.
fn reappeared(accepted: Option<String>) -> Vec<String> {
    let line = "reappeared after it was fixed".to_owned();
    match accepted {
        None => vec![line],
        Some(words) => vec![line, format!("{words}, which did not outlast the fix tonight")],
    }
}

/// The explanation of a finding that does not count as new although no earlier night met it.
const UNCHANGED: &str = "the client's program has not changed for some nights, and no earlier night tried such a \
                         file that fails now";

/// The explanation of a limit that no earlier night met.
const LIMIT: &str = "a limit: the client says that it does not support this";

/// Returns true if both are findings in the same client on files of the same format.
fn is_of_same(one: &BucketKey, other: &BucketKey) -> bool {
    (&one.client, &one.format) == (&other.client, &other.format)
}

/// The category of a bucket.
enum Place {
    New,
    Worse,
    Found,
    Known,
}

/// Compares `tonight`'s buckets with the `known` findings on this `day` (`2026-11-22`); `past` searches earlier nights.
pub fn judge(tonight: &[Bucket], known: &Known, day: &str, past: Past<'_>) -> Verdict {
    let judge = Judge::of(tonight, known, day, past);
    let mut verdict = Verdict::default();
    // Simple buckets come first, because others may be forms of them.
    let mut order: Vec<&Bucket> = tonight.iter().collect();
    order.sort_by_key(|bucket| (bucket.key.kind, bucket.key.dimensions.len()));
    let mut items: BTreeMap<&BucketKey, (Place, Item)> = BTreeMap::new();
    let mut news: Vec<&Bucket> = Vec::new();
    for bucket in order {
        let (place, item) = judge.found(bucket, &news);
        if matches!(place, Place::New | Place::Found) {
            news.push(bucket);
        }
        items.insert(&bucket.key, (place, item));
    }
    for (place, item) in tonight.iter().filter_map(|bucket| items.remove(&bucket.key)) {
        match place {
            Place::New => verdict.new.push(item),
            Place::Worse => verdict.worse.push(item),
            Place::Found => verdict.found.push(item),
            Place::Known => verdict.known.push(item),
        }
    }
    let found: BTreeSet<BucketKey> =
        tonight.iter().flat_map(|b| [b.key.clone(), b.key.of_any_kind()]).collect();
    for bucket in known.reported.iter().filter(|b| !found.contains(&b.key)) {
        judge.not_found(bucket, &mut verdict);
    }
    verdict.unused = judge.unused();
    verdict
}

struct Judge<'a> {
    tonight: &'a [Bucket],
    known: &'a Known,
    reported: BTreeMap<&'a BucketKey, &'a Bucket>,
    day: &'a str,
    past: Past<'a>,
}

impl<'a> Judge<'a> {
    fn of(tonight: &'a [Bucket], known: &'a Known, day: &'a str, past: Past<'a>) -> Self {
        let reported = known.reported.iter().map(|b| (&b.key, b)).collect();
        Self { tonight, known, reported, day, past }
    }

    /// Returns the explanation if the bucket is accepted tonight, or the reason why it no longer is. Both kinds of
    /// expiry are checked here for all buckets.
    fn acceptance(&self, key: &BucketKey) -> Option<Result<String, String>> {
        let version = self.known.versions.get(&key.client).map(String::as_str);
        let one = self.known.accepted.get(key)?;
        Some(match one.expired(self.day, version) {
            Some(why) => Err(why),
            None => Ok(one.words()),
        })
    }

    /// Returns the acceptances of findings that neither tonight nor an earlier night met.
    fn unused(&self) -> Vec<String> {
        let buckets = self.tonight.iter().chain(&self.known.reported);
        let met = buckets.filter_map(|bucket| Some(self.known.accepted.get(&bucket.key)?.key()));
        let met: BTreeSet<BucketKey> = met.collect();
        let unused = self.known.accepted.iter().filter(|(key, _)| !met.contains(key));
        unused.map(|(_, one)| format!("{} ({})", one.finding(), one.words())).collect()
    }

    /// Judges a bucket that was found tonight, after the `news` of tonight.
    fn found(&self, bucket: &Bucket, news: &[&Bucket]) -> (Place, Item) {
        let key = &bucket.key;
        // A store of an older version has no kinds of difference.
        let before = self.reported.get(key).or_else(|| self.reported.get(&key.of_any_kind()));
        let before = before.copied();
        let item = |why: Vec<String>, accepted| Item { bucket: bucket.clone(), why, accepted };
        if self.known.disproved.contains(key) {
            let line = "no hang: it ended when it ran alone with more time";
            return (Place::Known, item(vec![line.to_owned()], false));
        }
        let acceptance = self.acceptance(key);
        if let Some(Err(why)) = acceptance {
            return (Place::New, item(vec![why], false));
        }
        let accepted = acceptance.and_then(Result::ok);
        if let Some(before) = before.filter(|b| self.known.was_fixed(&b.key)) {
            return self.back(bucket, before, accepted);
        }
        if accepted.is_some() || before.is_some() {
            let since = || before.map(|b| format!("seen since {}", date(&b.first.at)));
            let mut why: Vec<String> = accepted.clone().or_else(since).into_iter().collect();
            let unchanged = self.is_unchanged(key);
            let changes = before.map(|b| changes(bucket, b, self.known, unchanged, self.past));
            let changes = changes.unwrap_or_default();
            let place = if changes.worse.is_empty() { Place::Known } else { Place::Worse };
            why.splice(0..0, changes.worse);
            why.extend(changes.notes);
            return (place, item(why, accepted.is_some()));
        }
        self.unknown(bucket, news)
    }

    /// Returns true if the bucket's client is the program that it has been for some nights.
    fn is_unchanged(&self, key: &BucketKey) -> bool {
        self.known.unchanged.contains(&key.client)
    }

    /// Judges a bucket that was fixed and was found again tonight.
    fn back(&self, bucket: &Bucket, before: &Bucket, accepted: Option<String>) -> (Place, Item) {
        let again = self.known.rechecked.get(&before.key);
        // If the bucket's own file shows it again, the bug is back. An unchanged program may never have read any other
        // file.
        let is_shown = again.is_none_or(|again| again.outcome != Outcome::Same);
        let (place, why) = match self.is_unchanged(&bucket.key) && !is_shown {
            true => {
                (Place::Found, vec!["not all of it was fixed".to_owned(), UNCHANGED.to_owned()])
            }
            false => (Place::New, reappeared(accepted)),
        };
        (place, Item { bucket: bucket.clone(), why, accepted: false })
    }

    /// Judges a bucket that no earlier night has.
    fn unknown(&self, bucket: &Bucket, news: &[&Bucket]) -> (Place, Item) {
        let item = |why: Vec<String>| Item { bucket: bucket.clone(), why, accepted: false };
        if let Some(before) = self.turned(bucket) {
            let (then, now) = (before.key.outcome, bucket.key.outcome);
            let why = format!("the outcome was {then} and is now {now}");
            let since = format!("seen since {}", date(&before.first.at));
            let rechecked = self.known.rechecked.contains_key(&before.key);
            let place = match self.is_unchanged(&bucket.key) && !rechecked {
                _ if now == Outcome::Refused => Place::Known,
                true => Place::Found,
                false => Place::Worse,
            };
            return (place, item(vec![why, since]));
        }
        let read = bucket.forms.iter().find_map(|form| {
            let at = (self.past)(&bucket.key, form, "")?;
            Some(format!("{} was read on {}", form.classes, date(&at)))
        });
        if let Some(why) = read {
            return (Place::New, item(vec![why]));
        }
        if bucket.limit {
            return (Place::Known, item(vec![LIMIT.to_owned()]));
        }
        let found = Finding::of(bucket);
        match related(found, self.candidates(news), &self.known.libraries) {
            Some(why) => (Place::Known, item(vec![why])),
            None if self.is_unchanged(&bucket.key) => {
                (Place::Found, item(vec![UNCHANGED.to_owned()]))
            }
            None => (Place::New, item(Vec::new())),
        }
    }

    /// Returns the findings of which another one may be a form.
    fn candidates<'s>(
        &'s self,
        news: &'s [&'s Bucket],
    ) -> impl Iterator<Item = Candidate<'s>> + Clone {
        let of = |b: &'s Bucket| Candidate { key: &b.key, message: &b.example.message };
        let fixed = |b: &&Bucket| !self.known.was_fixed(&b.key);
        let reported = self.known.reported.iter().filter(fixed).map(of);
        let holds = |key: &BucketKey| matches!(self.acceptance(key), Some(Ok(_)));
        let accepted = self.known.accepted.iter().map(|(key, _)| key);
        let accepted =
            accepted.filter(move |key| holds(key)).map(|key| Candidate { key, message: "" });
        reported.chain(accepted).chain(news.iter().copied().map(of))
    }

    /// Returns the known bucket that has become `bucket`: the same dimensions had another outcome before, and do not
    /// have it tonight.
    fn turned(&self, bucket: &Bucket) -> Option<&'a Bucket> {
        let key = &bucket.key;
        self.known.reported.iter().find(|before| {
            let again = self.known.rechecked.get(&before.key);
            let gone = again.is_none_or(|again| again.outcome == key.outcome);
            let other = before.key.outcome != key.outcome && is_of_same(&before.key, key);
            let reduced = key.kind == BucketKind::Reduced && before.key.kind == BucketKind::Reduced;
            other
                && reduced
                && gone
                && folded(&before.key) == folded(key)
                && !self.known.was_fixed(&before.key)
                && self.tonight.iter().all(|found| found.key != before.key)
        })
    }

    /// Returns true if the dimensions of `bucket` were found tonight with this outcome.
    fn is_found(&self, bucket: &Bucket, now: Outcome) -> bool {
        self.tonight.iter().any(|found| {
            is_of_same(&found.key, &bucket.key)
                && found.key.outcome == now
                && folded(&found.key) == folded(&bucket.key)
        })
    }

    /// Judges an earlier bucket that was not found tonight.
    fn not_found(&self, bucket: &Bucket, verdict: &mut Verdict) {
        let known = self.known;
        let acceptance = self.acceptance(&bucket.key);
        let mut accepted = matches!(acceptance, Some(Ok(_)));
        let expired = matches!(acceptance, Some(Err(_)));
        let since = || format!("seen since {}", date(&bucket.first.at));
        let mut why = vec![match acceptance {
            Some(Ok(why) | Err(why)) => why,
            None => since(),
        }];
        let fixed = known.was_fixed(&bucket.key);
        let was_gone = known.gone.contains(&bucket.key);
        let now = known.rechecked.get(&bucket.key).map(|again| again.outcome);
        let list = match now {
            // The fix was already reported.
            Some(Outcome::Same) | None if fixed => return,
            Some(Outcome::Same) => {
                why.push("its file is now decoded correctly".to_owned());
                &mut verdict.fixed
            }
            Some(now) if was_gone && bucket.key.is_gone(now) => return,
            Some(now) if fixed && self.is_found(bucket, now) => return,
            Some(now) if fixed => {
                why = reappeared(accepted.then(|| why.swap_remove(0)));
                why.push(format!("not found by tonight's variants, but its file shows it: {now}"));
                accepted = false;
                &mut verdict.new
            }
            Some(now) if now == bucket.key.outcome => {
                let mut change = other_message(bucket, known);
                if self.is_unchanged(&bucket.key) {
                    why.extend(change.take());
                }
                why.push("not found by tonight's variants, but its file still shows it".to_owned());
                let worse = change.is_some();
                why.splice(0..0, change);
                match (expired, worse) {
                    (true, _) => &mut verdict.new,
                    (_, true) => &mut verdict.worse,
                    _ => &mut verdict.known,
                }
            }
            Some(now)
                if bucket.key.is_gone(now)
                    && (now == Outcome::Refused || self.is_found(bucket, now)) =>
            {
                why.push(format!("the outcome of its file is now {now}"));
                &mut verdict.fixed
            }
            // The finding into which the bucket has turned is listed in its place.
            Some(now) if self.is_found(bucket, now) => return,
            Some(now) => {
                let unchanged = self.is_unchanged(&bucket.key);
                let change = worse_outcome(bucket, now, known, unchanged);
                let worse = change.is_some();
                match change {
                    Some(change) => why.insert(0, change),
                    None => why.push(format!("the outcome of its file is now {now}")),
                }
                if worse { &mut verdict.worse } else { &mut verdict.known }
            }
            None => {
                why.push(format!("last seen {}", date(&bucket.last.at)));
                &mut verdict.unchecked
            }
        };
        list.push(Item { bucket: bucket.clone(), why, accepted });
    }
}

#[cfg(test)]
pub(super) mod tests;
