//! Sums of unknowns with coefficients.

/// An unknown, by its position among those of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unknown(pub usize);

/// A sum of unknowns with coefficients other than 0, and a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Linear {
    /// The number.
    pub constant: i128,
    /// The unknowns, in their order, with their coefficients.
    pub terms: Vec<(Unknown, i128)>,
}

impl From<i128> for Linear {
    fn from(constant: i128) -> Self {
        Self { constant, terms: Vec::new() }
    }
}

impl From<Unknown> for Linear {
    fn from(unknown: Unknown) -> Self {
        Self { constant: 0, terms: vec![(unknown, 1)] }
    }
}

impl Linear {
    /// Returns its value, if it has no unknown.
    pub fn known(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Returns `self + k * other`; `None` if a number is too large.
    pub fn plus(&self, k: i128, other: &Linear) -> Option<Linear> {
        let constant = self.constant.checked_add(k.checked_mul(other.constant)?)?;
        if other.terms.is_empty() {
            return Some(Linear { constant, terms: self.terms.clone() });
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (from_a, from_b) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) => (x.0 <= y.0, y.0 <= x.0),
                (x, _) => (x.is_some(), x.is_none()),
            };
            let (x, y) = (from_a.then(|| a.next()).flatten(), from_b.then(|| b.next()).flatten());
            let unknown = x.or(y)?.0;
            let own = x.map_or(0, |t| t.1);
            let c = own.checked_add(k.checked_mul(y.map_or(0, |t| t.1))?)?;
            if c != 0 {
                terms.push((unknown, c));
            }
        }
        Some(Linear { constant, terms })
    }

    /// Returns `k * self`; `None` if a number is too large.
    pub fn times(&self, k: i128) -> Option<Linear> {
        Linear::default().plus(k, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_merged_in_order() {
        let [a, b, c] = [1, 2, 3].map(|k| Linear::from(Unknown(k)));
        let sum = a.plus(2, &c).unwrap().plus(3, &b).unwrap().plus(1, &5.into()).unwrap();
        assert_eq!(sum.terms, [(Unknown(1), 1), (Unknown(2), 3), (Unknown(3), 2)]);
        let gone = sum.plus(-1, &a).unwrap().plus(-3, &b).unwrap().plus(-2, &c).unwrap();
        assert_eq!(gone.known(), Some(5));
        assert_eq!(sum.times(2).unwrap().constant, 10);
        assert_eq!(Linear::from(i128::MAX).plus(1, &1.into()), None);
    }
}
