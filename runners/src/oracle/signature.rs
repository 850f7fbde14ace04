//! The signature of a failure: two failures with different signatures have different causes.
//!
//! A signature is an outcome, and for wrong pictures the [`DifferenceKind`]. Signals and messages of
//! crashes and refusals are no part of it, because they are not robust: one memory error ends in
//! `SIGSEGV`, `SIGABRT` or `SIGBUS` depending on the layout of the file, and messages contain
//! warnings about other choices of the file. Reduction would keep choices that only select a signal
//! or a message.

use serde::{Deserialize, Serialize};

use super::{DifferenceKind, Outcome};

/// An outcome with the kind of its difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// The outcome.
    pub outcome: Outcome,
    /// The kind of difference of a wrong picture; `None` if it is not known, as in older stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<DifferenceKind>,
}

impl Signature {
    /// The signature of a reply that is as expected.
    pub const SAME: Signature = Signature { outcome: Outcome::Same, difference: None };

    /// Returns true if a reduction of a failure with this signature may continue with a failure of
    /// signature `next`. They must be equal, with two exceptions. Garbage is the lack of a kind: two
    /// faults at once often look like it, and a smaller set of choices that shows one of them
    /// is better. And the part that is wrong depends on the layout of the file, so it may
    /// become the whole.
    pub fn allows(self, next: Signature) -> bool {
        let becomes = match self.difference {
            Some(DifferenceKind::Garbage) => next.explains(self),
            Some(DifferenceKind::Part) => next.difference == Some(DifferenceKind::Garbage),
            _ => false,
        };
        self == next || (self.is_wrong() && next.is_wrong() && becomes)
    }

    /// Returns true if a failure with this signature may be the reason for a failure with more
    /// choices and signature `other`. Further choices often change the kind: a palette that is read
    /// as gray looks different for each order of its colors. But wrong low bits are no
    /// reason for other wrong pixels.
    pub fn explains(self, other: Signature) -> bool {
        let low = |signature: Signature| signature.difference == Some(DifferenceKind::LowBits);
        !(self.is_wrong() && other.is_wrong() && low(self) && !low(other))
    }

    fn is_wrong(self) -> bool {
        self.outcome == Outcome::Wrong
    }

    /// Returns the signature that stands for all that one cause may have.
    #[must_use]
    pub fn family(self) -> Signature {
        Signature { difference: self.difference.map(DifferenceKind::family), ..self }
    }

    /// Returns true if failures with these signatures may have one cause.
    pub fn resembles(self, other: Signature) -> bool {
        self.family() == other.family()
    }

    /// Returns true if a failure with another value of a dimension may be this failure: the kinds are
    /// alike, or both depend on what the client takes for pixels, which changes with the layout of the
    /// file.
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
        Self { outcome, difference: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_keep_the_kind_or_find_one() {
        let wrong = |kind| Signature { outcome: Outcome::Wrong, difference: Some(kind) };
        let crash = Signature { outcome: Outcome::Crash, difference: None };
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
        ] {
            assert_eq!(from.allows(to), allowed, "{from:?} {to:?}");
        }
    }

    #[test]
    fn phrases_name_the_kind() {
        let kind = Some(DifferenceKind::Inverted);
        let wrong = Signature { outcome: Outcome::Wrong, difference: kind };
        assert_eq!(wrong.phrase(), "wrong pixels: colours inverted");
        assert_eq!(Signature::SAME.phrase(), "same picture");
    }
}
