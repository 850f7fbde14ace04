//! The signature of a failure: two failures with different signatures have different causes.
//!
//! A signature is an outcome, with the [`DifferenceKind`] for wrong pictures. Signals and messages of crashes and
//! refusals are not part of it, because they are not robust: one memory error ends in `SIGSEGV`, `SIGABRT` or `SIGBUS`
//! depending on the layout of the file, and messages contain warnings about other choices of the file. Reduction would
//! keep choices that only select a signal or a message. Only one property of a message counts: whether a refusal
//! [states a limit](Refusal), because not supporting a feature differs from failing on it.

use serde::{Deserialize, Serialize};

use super::{DifferenceKind, Outcome, Refusal};

/// An outcome with the kind of its difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// The outcome.
    pub outcome: Outcome,
    /// The kind of difference of a wrong picture; `None` if it is unknown, as in older stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<DifferenceKind>,
    /// True for a refusal whose message says that something is not supported.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsupported: bool,
}

impl Signature {
    /// The signature of a reply that is as expected.
    pub const SAME: Signature =
        Signature { outcome: Outcome::Same, difference: None, unsupported: false };

    /// The signature of a reply with this outcome, kind of difference and message.
    pub fn of(outcome: Outcome, difference: Option<DifferenceKind>, message: &str) -> Self {
        let unsupported =
            outcome == Outcome::Refused && Refusal::of(message) == Refusal::Unsupported;
        Self { outcome, difference, unsupported }
    }

    /// Returns the signature without the part from the message, because two runs on one file may print different
    /// warnings.
    #[must_use]
    pub fn without_words(self) -> Self {
        Self { unsupported: false, ..self }
    }

    /// Returns true if a reduction of a failure with this signature may continue with a failure of signature `next`.
    /// They must be equal, with two exceptions. Garbage is the lack of a kind: two faults at once often look like it,
    /// and a smaller set of choices that shows one of them is better. And the wrong part depends on the layout of the
    /// file, so it may become the whole picture.
    pub fn allows(self, next: Signature) -> bool {
        let becomes = match self.difference {
            Some(DifferenceKind::Garbage) => next.explains(self),
            Some(DifferenceKind::Part) => next.difference == Some(DifferenceKind::Garbage),
            _ => false,
        };
        self == next || (self.is_wrong() && next.is_wrong() && becomes)
    }

    /// Returns true if a failure with this signature may be the reason for a failure with more choices and signature
    /// `other`. Their outcomes must be equal, because a client that refuses a file neither shows wrong pixels nor
    /// crashes. Further choices often change the kind of wrong pixels: a palette that is read as gray looks different
    /// for each order of its colors. But wrong low bits do not explain other wrong pixels, and a limit does not explain
    /// a failure to read.
    pub fn explains(self, other: Signature) -> bool {
        let low = |signature: Signature| signature.difference == Some(DifferenceKind::LowBits);
        self.outcome == other.outcome
            && (low(other) || !low(self))
            && (other.unsupported || !self.unsupported)
    }

    fn is_wrong(self) -> bool {
        self.outcome == Outcome::Wrong
    }

    /// Returns the signature that represents all signatures that one cause may have.
    #[must_use]
    pub fn family(self) -> Signature {
        Signature { difference: self.difference.map(DifferenceKind::family), ..self }
    }

    /// Returns true if failures with these signatures may have one cause.
    pub fn resembles(self, other: Signature) -> bool {
        self.family() == other.family()
    }

    /// Returns true if a failure with another value of a dimension may be this failure: the kinds are alike, or both
    /// depend on which bytes the client takes for pixels, which changes with the layout of the file.
    pub fn varies_to(self, other: Signature) -> bool {
        let by_layout = |signature: Signature| {
            use DifferenceKind::{Blank, Garbage, Part, Recolored, Shifted};
            let kind = signature.difference;
            signature.is_wrong()
                && matches!(kind, Some(Blank | Garbage | Part | Recolored | Shifted))
        };
        self.resembles(other) || (by_layout(self) && by_layout(other))
    }

    /// Returns a phrase that completes a sentence about the client: `wrong pixels: shifted`.
    pub fn phrase(self) -> String {
        let phrase = self.outcome.phrase();
        self.difference.map_or_else(
            || phrase.to_owned(),
            |difference| format!("{phrase}: {}", difference.phrase()),
        )
    }
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.difference {
            Some(difference) => write!(f, "{} ({})", self.outcome.word(), difference.phrase()),
            None => self.outcome.fmt(f),
        }
    }
}

/// The outcome without a kind.
impl From<Outcome> for Signature {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, difference: None, unsupported: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(kind: DifferenceKind) -> Signature {
        Signature::of(Outcome::Wrong, Some(kind), "")
    }

    #[test]
    fn reductions_keep_the_kind_or_find_one() {
        let crash = Signature::from(Outcome::Crash);
        let refused = |message| Signature::of(Outcome::Refused, None, message);
        let (limit, fault) = (refused("tiles are not supported"), refused("IndexError"));
        let (inverted, garbage) = (DifferenceKind::Inverted, DifferenceKind::Garbage);
        for (from, to, allowed) in [
            (wrong(inverted), wrong(inverted), true),
            (wrong(inverted), wrong(DifferenceKind::RowsMirrored), false),
            (wrong(inverted), wrong(garbage), false),
            (wrong(garbage), wrong(inverted), true),
            (wrong(garbage), wrong(DifferenceKind::LowBits), false),
            (wrong(DifferenceKind::Part), wrong(garbage), true),
            (wrong(DifferenceKind::Part), wrong(inverted), false),
            (wrong(garbage), crash, false),
            (crash, crash, true),
            (crash, wrong(garbage), false),
            (limit, refused("no support for LZW"), true),
            (limit, fault, false),
            (fault, limit, false),
        ] {
            assert_eq!(from.allows(to), allowed, "{from:?} {to:?}");
        }
    }

    /// All pairs: only a cause with the same outcome explains a result.
    #[test]
    fn no_outcome_explains_another() {
        let low = wrong(DifferenceKind::LowBits);
        let limit = Signature::of(Outcome::Refused, None, "not implemented");
        let mut all: Vec<Signature> = Outcome::ALL.map(Signature::from).to_vec();
        all.extend(DifferenceKind::ALL.map(wrong));
        all.push(limit);
        for cause in &all {
            for result in &all {
                let explains = cause.outcome == result.outcome
                    && (*cause != low || *result == low)
                    && (*cause != limit || *result == limit);
                assert_eq!(cause.explains(*result), explains, "{cause:?} {result:?}");
            }
        }
    }

    #[test]
    fn phrases_name_the_kind() {
        assert_eq!(wrong(DifferenceKind::Inverted).phrase(), "wrong pixels: colours inverted");
        assert_eq!(Signature::SAME.phrase(), "same picture");
    }
}
