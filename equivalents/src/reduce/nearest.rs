//! Finds the failing integer that is nearest to a passing one.

/// The result of trying a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It fails.
    Fails,
    /// It passes.
    Passes,
    /// It cannot be tried, or fails in another way.
    Unknown,
}

/// The result of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// A value that fails.
    pub value: i128,
    /// True if its neighbor on the passing side passes.
    pub edge: bool,
}

/// Searches between `passing` and `failing` with at most `most` calls of `ask`: first at powers of two,
/// where programs have their limits, then by bisection.
pub fn nearest_failing(
    passing: i128,
    failing: i128,
    most: usize,
    ask: &mut dyn FnMut(i128) -> Verdict,
) -> Found {
    let mut search = Search {
        step: if passing < failing { 1 } else { -1 },
        passes: Some(passing),
        near: passing,
        far: failing,
        left: most,
        ask,
    };
    search.powers_of_two();
    search.neighbors();
    while search.left > 0 && (search.far - search.near).abs() > 1 {
        let middle = search.near + (search.far - search.near) / 2;
        search.look(middle);
    }
    let edge = search.passes == Some(search.far - search.step);
    Found { value: search.far, edge }
}

struct Search<'a> {
    step: i128,
    /// The last value that passes.
    passes: Option<i128>,
    /// The bound of the search on the passing side.
    near: i128,
    /// The nearest value that fails.
    far: i128,
    left: usize,
    ask: &'a mut dyn FnMut(i128) -> Verdict,
}

impl Search<'_> {
    /// Tries a value between the bounds, and moves one of them.
    fn look(&mut self, value: i128) -> Verdict {
        self.left = self.left.saturating_sub(1);
        let verdict = (self.ask)(value);
        match verdict {
            Verdict::Fails => self.far = value,
            Verdict::Passes => (self.near, self.passes) = (value, Some(value)),
            Verdict::Unknown => self.near = value,
        }
        verdict
    }

    fn inside(&self, value: i128) -> bool {
        let (low, high) = (self.near.min(self.far), self.near.max(self.far));
        low < value && value < high
    }

    fn powers_of_two(&mut self) {
        let mut marks: Vec<i128> = (0..126).map(|k| 1 << k).filter(|n| self.inside(*n)).collect();
        if self.step < 0 {
            marks.reverse();
        }
        let mut marks = &marks[..];
        while self.left > 0 && !marks.is_empty() {
            let middle = marks.len() / 2;
            marks = match self.look(marks[middle]) {
                Verdict::Fails => &marks[..middle],
                _ => &marks[middle + 1..],
            };
        }
    }

    fn neighbors(&mut self) {
        for value in [self.far - self.step, self.near + self.step] {
            if self.left > 0 && self.inside(value) {
                self.look(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(threshold: i128, failing: i128) -> (Found, usize) {
        let mut asked = 0;
        let found = nearest_failing(4, failing, 24, &mut |n| {
            asked += 1;
            if n >= threshold { Verdict::Fails } else { Verdict::Passes }
        });
        (found, asked)
    }

    #[test]
    fn thresholds_at_powers_of_two_are_found_at_once() {
        let (found, asked) = from(1 << 31, 3_068_971_172);
        assert_eq!(found, Found { value: 1 << 31, edge: true });
        assert!(asked <= 8, "{asked}");
        assert_eq!(from((1 << 16) + 1, 3_068_971_172).0.value, (1 << 16) + 1);
    }

    #[test]
    fn other_thresholds_are_found_by_halving() {
        assert_eq!(from(17, 64).0, Found { value: 17, edge: true });
        assert_eq!(from(5, 6).0, Found { value: 5, edge: true });
        let (found, asked) = from(1_500_000_000, 3_068_971_172);
        assert!(asked <= 24 && !found.edge && found.value >= 1_500_000_000);
    }

    #[test]
    fn it_works_downwards_too() {
        let mut ask = |n| if n <= 7 { Verdict::Fails } else { Verdict::Passes };
        assert_eq!(nearest_failing(64, 1, 24, &mut ask), Found { value: 7, edge: true });
    }

    #[test]
    fn an_unknown_value_makes_no_edge() {
        let mut ask = |n: i128| match n % 2 {
            0 if n >= 40 => Verdict::Fails,
            0 => Verdict::Passes,
            _ => Verdict::Unknown,
        };
        let found = nearest_failing(4, 64, 24, &mut ask);
        assert!(!found.edge && found.value % 2 == 0, "{found:?}");
    }
}
