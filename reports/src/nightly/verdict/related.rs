//! Finds other forms of known findings: buckets that are not known but have a known root cause.
//!
//! Random variants find the same fault together with other dimensions, with another kind of garbage, or through another
//! client that uses the same library. Each of these creates another bucket.

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::Choices;

use crate::store::{Bucket, BucketKey, BucketKind};
use campaign::oracle::{DifferenceKind, Outcome};
use clients::message::shape;

/// A finding of tonight that is not known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finding<'f> {
    /// The bucket of the finding.
    pub key: &'f BucketKey,
    /// The message of its example.
    pub message: &'f str,
    /// The choices of its example.
    pub choices: &'f Choices,
}

impl<'f> Finding<'f> {
    /// Creates the finding of this bucket.
    pub fn of(bucket: &'f Bucket) -> Self {
        let Bucket { key, example, .. } = bucket;
        Self { key, message: &example.message, choices: &example.choices }
    }
}

/// A known finding of which another one may be a form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<'k> {
    /// Its bucket.
    pub key: &'k BucketKey,
    /// The message of its example; empty if unknown.
    pub message: &'k str,
}

/// The library of each client. Clients without an entry have their own code.
pub type Libraries = BTreeMap<String, String>;

/// Returns a line that names the first of `candidates` with the same root cause as `found`; `None` if
/// there is none.
pub(super) fn related<'k>(
    found: Finding<'_>,
    candidates: impl Iterator<Item = Candidate<'k>> + Clone,
    libraries: &Libraries,
) -> Option<String> {
    type Rule<'r> = &'r dyn Fn(&Pair<'_>) -> bool;
    let pair = |candidate| Pair { found, candidate, libraries };
    let candidates = candidates.filter(|candidate| candidate.key.format == found.key.format);
    // These known findings have something in common with the finding.
    let half: BTreeSet<(&BucketKey, Vec<String>)> = candidates
        .clone()
        .filter(|candidate| pair(*candidate).is_half())
        .map(|candidate| (candidate.key, pair(candidate).common()))
        .collect();
    let shares = |pair: &Pair<'_>| {
        let common = pair.common();
        let also = |known: &&(&BucketKey, Vec<String>)| common.iter().all(|c| known.1.contains(c));
        pair.is_half() && (pair.is_specific() || half.iter().filter(also).count() > 1)
    };
    let rules: [(Rule<'_>, &str); 9] = [
        (&|pair: &Pair<'_>| pair.same_client() && pair.same_crash(), "the same crash as"),
        (&|pair: &Pair<'_>| pair.same_client() && pair.explained(), "another form of"),
        (&|pair: &Pair<'_>| pair.same_client() && pair.looks_alike(), "another look of"),
        (&|pair: &Pair<'_>| pair.same_client() && pair.overlaps(), "another form of"),
        (&|pair: &Pair<'_>| pair.same_client() && pair.same_refusal(), "the same message as"),
        (&shares, "perhaps another form of"),
        (&|pair: &Pair<'_>| pair.same_client() && pair.unsure(), "perhaps"),
        (&|pair: &Pair<'_>| pair.same_library() && pair.same_crash(), "the same crash as"),
        (&|pair: &Pair<'_>| pair.same_library() && pair.looks_alike(), "the same root cause as"),
    ];
    for (holds, words) in rules {
        if let Some(known) = candidates.clone().find(|candidate| holds(&pair(*candidate))) {
            return Some(format!("{words} {}", name(known.key, found.key, libraries)));
        }
    }
    None
}

/// The name of a bucket in a line about `other`.
fn name(key: &BucketKey, other: &BucketKey, libraries: &Libraries) -> String {
    let what = match &key.dimensions[..] {
        [] => format!("{} on the plainest file", key.signature()),
        dimensions => format!("{} by {}", key.signature(), dimensions.join(" with ")),
    };
    match (key.client == other.client, libraries.get(&key.client)) {
        (true, _) => what,
        (false, Some(library)) => format!("{}: {what} (both read by {library})", key.client),
        (false, None) => format!("{}: {what}", key.client),
    }
}

/// A bucket and a known one.
struct Pair<'p> {
    found: Finding<'p>,
    candidate: Candidate<'p>,
    libraries: &'p Libraries,
}

impl Pair<'_> {
    fn same_client(&self) -> bool {
        self.found.key.client == self.candidate.key.client
    }

    fn same_library(&self) -> bool {
        let library = |client: &str| self.libraries.get(client);
        let (one, other) = (library(&self.found.key.client), library(&self.candidate.key.client));
        one.is_some() && one == other
    }

    fn same_outcome(&self) -> bool {
        self.found.key.outcome == self.candidate.key.outcome
    }

    fn reduced(&self) -> bool {
        let reduced = |key: &BucketKey| key.kind == BucketKind::Reduced;
        reduced(self.found.key) && reduced(self.candidate.key)
    }

    /// Returns true if both crash with the same message.
    fn same_crash(&self) -> bool {
        let known = self.candidate;
        self.same_outcome()
            && self.found.key.outcome == Outcome::Crash
            && shape(self.found.message) == shape(known.message)
            // A mere signal carries no information, so the dimensions must have something in common.
            && (says_where(self.found.message) || self.some_in_common())
    }

    /// Returns true if both are refused with the same message, for dimensions that have something in common.
    fn same_refusal(&self) -> bool {
        self.same_outcome()
            && self.found.key.outcome == Outcome::Refused
            && !self.found.message.is_empty()
            && shape(self.found.message) == shape(self.candidate.message)
            && self.some_in_common()
    }

    /// Returns true if one needs fewer dimensions than the other.
    fn explained(&self) -> bool {
        let (key, known) = (self.found.key, self.candidate.key);
        // A bucket without dimensions is the re-encoded seed, which explains nothing here.
        let some = !known.dimensions.is_empty() && !key.dimensions.is_empty();
        some && (known.implies(key) || key.implies(known))
    }

    /// Returns true if the dimensions are equal apart from the page or segment, and the difference depends on the file.
    fn looks_alike(&self) -> bool {
        let (key, known) = (self.found.key, self.candidate.key);
        let any = key.difference.is_none() || known.difference.is_none();
        self.reduced()
            && self.same_outcome()
            && folded(key) == folded(known)
            && (any || key.signature().varies_to(known.signature()))
    }

    /// Returns true if the two share most of their dimensions. A third dimension only decides which path leads to the
    /// same fault.
    fn overlaps(&self) -> bool {
        let (one, other) = (folded(self.found.key), folded(self.candidate.key));
        let common = one.iter().filter(|name| other.contains(name)).count();
        let alike = self.found.key.signature().resembles(self.candidate.key.signature());
        self.reduced() && alike && common >= 2 && 2 * common > one.len().max(other.len())
    }

    /// Returns true if the two share half of their dimensions and fail in the same way. Crashes and refusals have
    /// messages, which are better evidence.
    fn is_half(&self) -> bool {
        let (one, other) = (folded(self.found.key), folded(self.candidate.key));
        let (most, common) = (one.len().max(other.len()), self.common().len());
        let alike = self.found.key.signature().resembles(self.candidate.key.signature());
        let says_more = matches!(self.found.key.outcome, Outcome::Crash | Outcome::Refused);
        let enough = most >= 2 && common >= 1 && 2 * common >= most;
        self.same_client() && self.reduced() && alike && !says_more && enough
    }

    /// Returns true if the kind of difference indicates its reason.
    fn is_specific(&self) -> bool {
        let kind = self.found.key.difference;
        kind.is_some_and(|kind| !matches!(kind, DifferenceKind::Garbage | DifferenceKind::Part))
    }

    /// Returns true if the cause of one is not known exactly and may be the other, whose dimensions are among those
    /// that vary in the file.
    fn unsure(&self) -> bool {
        let (key, known) = (self.found.key, self.candidate.key);
        let unsure = key.kind != BucketKind::Reduced;
        let varies = |dimension: &String| {
            key.dimensions.contains(dimension) || self.found.choices.get(dimension).is_some()
        };
        let contains = !known.dimensions.is_empty() && known.dimensions.iter().all(varies);
        let other_crash = key.outcome == Outcome::Crash
            && shape(self.found.message) != shape(self.candidate.message);
        let alike = (key.kind == known.kind || contains) && !other_crash;
        unsure && self.same_outcome() && alike
    }

    /// The dimensions that both have.
    fn common(&self) -> Vec<String> {
        let other = folded(self.candidate.key);
        folded(self.found.key).into_iter().filter(|name| other.contains(name)).collect()
    }

    fn some_in_common(&self) -> bool {
        let (one, other) = (folded(self.found.key), folded(self.candidate.key));
        (one.is_empty() && other.is_empty()) || one.iter().any(|name| other.contains(name))
    }
}

/// Returns the dimensions without the numbers of pages and segments. The two sizes of a tile count as one dimension.
pub(super) fn folded(key: &BucketKey) -> Vec<String> {
    let size = |name: String| match name.strip_suffix("tile_width") {
        Some(page) => format!("{page}tile_length"),
        None => name,
    };
    let mut names: Vec<String> = key.dimensions.iter().map(|name| size(shape(name))).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns true if the message of a crash contains more than the name of a signal.
fn says_where(message: &str) -> bool {
    let rest = message.split_once(": ").map_or(message, |(_, rest)| rest);
    rest.chars().filter(|c| c.is_alphabetic()).count() >= 8 && rest.contains([' ', ':', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::oracle::DifferenceKind;

    fn key(client: &str, outcome: Outcome, dimensions: &[&str]) -> BucketKey {
        let dimensions = dimensions.iter().map(|d| (*d).to_owned()).collect();
        let difference = (outcome == Outcome::Wrong).then_some(DifferenceKind::Garbage);
        let kind = BucketKind::Reduced;
        let format = String::new();
        BucketKey { client: client.into(), outcome, difference, kind, dimensions, format }
    }

    fn found(one: (&BucketKey, &str), known: (&BucketKey, &str)) -> Option<String> {
        let libraries = [("a", "libtiff"), ("b", "libtiff")].map(|(c, l)| (c.into(), l.into()));
        let candidate = Candidate { key: known.0, message: known.1 };
        let choices = Choices::new();
        let found = Finding { key: one.0, message: one.1, choices: &choices };
        related(found, std::iter::once(candidate), &libraries.into())
    }

    #[test]
    fn a_cause_that_shares_half_with_two_others_is_a_form_of_them() {
        let of = |kind, dimensions: &[&str]| BucketKey {
            difference: Some(kind),
            ..key("a", Outcome::Wrong, dimensions)
        };
        let line = |one: &BucketKey, known: &[BucketKey]| {
            let candidates = known.iter().map(|key| Candidate { key, message: "" });
            let choices = Choices::new();
            let found = Finding { key: one, message: "", choices: &choices };
            related(found, candidates, &Libraries::new())
        };
        let garbage = |dimensions: &[&str]| of(DifferenceKind::Garbage, dimensions);
        let (alpha, samples) = (garbage(&["alpha", "tiled"]), garbage(&["samples", "tiled"]));
        let bits = garbage(&["bits", "tiled"]);
        assert_eq!(line(&bits, std::slice::from_ref(&alpha)), None);
        assert!(line(&bits, &[alpha.clone(), samples]).unwrap().starts_with("perhaps another"));
        // If a dimension occurs twice, or dimensions are not shared, this proves nothing.
        assert_eq!(line(&bits, &[alpha.clone(), alpha.clone()]), None);
        assert_eq!(line(&bits, &[alpha, garbage(&["bits", "order"])]), None);
        // A more specific kind of difference suffices.
        let inverted = |dimensions: &[&str]| of(DifferenceKind::Inverted, dimensions);
        let known = inverted(&["alpha", "photometric"]);
        assert!(line(&inverted(&["bits", "photometric"]), &[known]).is_some());
        // The two sizes of a tile count as one dimension.
        let sizes = ["tile_length", "tile_width"].map(|size| garbage(&[size]));
        assert!(line(&sizes[0], &sizes[1..]).is_some());
    }

    #[test]
    fn what_was_not_reduced_may_be_any_known_cause_that_its_file_has() {
        let x = key("a", Outcome::Wrong, &["x"]);
        let unreduced = |outcome| BucketKey {
            kind: BucketKind::Unreduced,
            difference: None,
            ..key("a", outcome, &[])
        };
        let mut choices = Choices::new();
        choices.set("x", 3);
        let line = |outcome, choices: &Choices, known: &BucketKey| {
            let found = Finding { key: &unreduced(outcome), message: "SIGSEGV", choices };
            let known = Candidate { key: known, message: "SIGBUS" };
            related(found, std::iter::once(known), &Libraries::new())
        };
        assert!(line(Outcome::Wrong, &choices, &x).unwrap().starts_with("perhaps wrong"));
        assert_eq!(line(Outcome::Wrong, &Choices::new(), &x), None);
        assert_eq!(line(Outcome::Hang, &choices, &x), None);
        // A crash with another message is another finding.
        assert_eq!(line(Outcome::Crash, &choices, &key("a", Outcome::Crash, &["x"])), None);
    }

    #[test]
    fn identical_crash_messages_are_the_same() {
        let (x, y) = (key("a", Outcome::Crash, &["x"]), key("a", Outcome::Crash, &["y"]));
        let panic = "panicked at src/decoder.rs:17: index out of bounds";
        let other = "panicked at src/decoder.rs:99: index out of bounds";
        assert_eq!(
            found((&y, panic), (&x, other)).as_deref(),
            Some("the same crash as crash by x")
        );
        assert_eq!(found((&y, panic), (&x, "panicked: attempt to add with overflow")), None);
        // A signal alone does not indicate the place.
        assert_eq!(found((&y, "SIGSEGV"), (&x, "SIGSEGV")), None);
        let xy = key("a", Outcome::Crash, &["x", "y"]);
        assert!(found((&xy, "SIGSEGV"), (&y, "SIGSEGV")).is_some());
        // A crash in another program is not the same, unless both use the same library.
        assert_eq!(found((&key("c", Outcome::Crash, &["y"]), panic), (&x, panic)), None);
        assert!(found((&key("b", Outcome::Crash, &["y"]), panic), (&x, panic)).is_some());
    }

    #[test]
    fn a_root_cause_may_show_with_other_dimensions_pages_kinds_and_clients() {
        let x = key("a", Outcome::Wrong, &["x"]);
        let xy = key("a", Outcome::Wrong, &["x", "y"]);
        assert_eq!(
            found((&xy, ""), (&x, "")).as_deref(),
            Some("another form of wrong (no pattern) by x")
        );
        assert!(found((&x, ""), (&xy, "")).is_some());
        assert_eq!(found((&key("a", Outcome::Wrong, &["y"]), ""), (&x, "")), None);
        assert_eq!(found((&key("a", Outcome::Crash, &["x", "y"]), ""), (&x, "")), None);
        let pages = ["page 2: x", "page 3: x"].map(|x| key("a", Outcome::Wrong, &[x]));
        assert!(found((&pages[0], ""), (&pages[1], "")).is_some());
        let kind = |kind| BucketKey { difference: Some(kind), ..x.clone() };
        assert!(found((&kind(DifferenceKind::Shifted), ""), (&x, "")).is_some());
        assert_eq!(found((&kind(DifferenceKind::Inverted), ""), (&x, "")), None);
        let b = BucketKey { client: "b".into(), ..x.clone() };
        let line = found((&b, ""), (&x, "")).unwrap();
        assert!(line.ends_with("a: wrong (no pattern) by x (both read by libtiff)"), "{line}");
    }

    #[test]
    fn findings_of_other_formats_are_no_forms() {
        let x = key("a", Outcome::Crash, &["x"]);
        let of = |format: &str| BucketKey { format: format.into(), ..x.clone() };
        let panic = "panicked at src/decoder.rs:17: index out of bounds";
        assert!(found((&of("bmp"), panic), (&of("bmp"), panic)).is_some());
        assert_eq!(found((&of("bmp"), panic), (&x, panic)), None);
        assert_eq!(found((&x, panic), (&of("mine.rs"), panic)), None);
    }

    #[test]
    fn causes_that_have_most_dimensions_in_common_are_forms_of_one() {
        let of = |dimensions: &[&str]| key("a", Outcome::Wrong, dimensions);
        assert!(found((&of(&["x", "y", "z"]), ""), (&of(&["x", "y", "w"]), "")).is_some());
        assert_eq!(found((&of(&["x", "y", "z"]), ""), (&of(&["x", "v", "w"]), "")), None);
        assert_eq!(found((&of(&["x", "y"]), ""), (&of(&["x", "z"]), "")), None);
    }

    #[test]
    fn what_was_not_reduced_may_be_what_is_known() {
        let x = key("a", Outcome::Wrong, &["x"]);
        let unreduced =
            BucketKey { kind: BucketKind::Unreduced, ..key("a", Outcome::Wrong, &["x", "y"]) };
        assert!(found((&unreduced, ""), (&x, "")).is_some());
        assert_eq!(found((&x, ""), (&unreduced, "")), None, "a cause that is found is new");
        let flaky =
            |x: &str| BucketKey { kind: BucketKind::Flaky, ..key("a", Outcome::Crash, &[x]) };
        assert!(found((&flaky("x"), ""), (&flaky("y"), "")).is_some());
    }

    #[test]
    fn refusals_with_one_message_share_a_dimension() {
        let xy = key("a", Outcome::Refused, &["x", "y"]);
        let xz = key("a", Outcome::Refused, &["x", "z"]);
        assert!(found((&xy, "bad strip 3"), (&xz, "bad strip 17")).is_some());
        assert_eq!(found((&xy, "bad strip 3"), (&xz, "bad tag 17")), None);
        let z = key("a", Outcome::Refused, &["z"]);
        assert_eq!(found((&z, "no"), (&key("a", Outcome::Refused, &["x"]), "no")), None);
    }
}
