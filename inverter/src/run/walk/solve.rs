//! Conditions on unknowns: each narrows domains. A condition on several unknowns is kept until only one unknown is
//! left.

use super::linear::{Linear, Unknown};
use super::state::{Dead, State, Step};
use crate::program::Cmp;

/// The maximum number of times that all conditions are examined for one change.
const PASSES: usize = 12;

impl State {
    /// Returns a sum with all unknowns replaced that have a single value or equal a sum.
    pub fn resolve(&self, sum: &Linear) -> Step<Linear> {
        let open = |u: Unknown| {
            let d = &self.domains[u.0];
            d.lo < d.hi && d.split.is_none()
        };
        if sum.terms.iter().all(|(u, _)| open(*u)) {
            return Ok(sum.clone());
        }
        let mut out = Linear::from(sum.constant);
        for (u, c) in &sum.terms {
            let d = &self.domains[u.0];
            let value = match &d.split {
                Some(parts) => self.resolve(parts)?,
                None if d.lo == d.hi => d.lo.into(),
                None => (*u).into(),
            };
            out = out.plus(*c, &value).ok_or(Dead::End)?;
        }
        Ok(out)
    }

    /// Returns the value of a sum, if it has one.
    pub fn value(&self, sum: &Linear) -> Option<i128> {
        self.resolve(sum).ok()?.known()
    }

    /// Returns the least and the greatest possible value of a sum.
    pub fn bounds(&self, sum: &Linear) -> (i128, i128) {
        let (mut lo, mut hi) = (sum.constant, sum.constant);
        for (u, c) in &sum.terms {
            let d = &self.domains[u.0];
            let (a, b) = if *c > 0 { (d.lo, d.hi) } else { (d.hi, d.lo) };
            lo = lo.saturating_add(c.saturating_mul(a));
            hi = hi.saturating_add(c.saturating_mul(b));
        }
        (lo, hi)
    }

    /// Returns the truth of `sum cmp 0` as far as it is known.
    pub fn truth_of(&self, cmp: Cmp, sum: &Linear) -> Step<Option<bool>> {
        let sum = self.resolve(sum)?;
        if let Some(n) = sum.known() {
            return Ok(Some(cmp.holds(n.cmp(&0))));
        }
        let (lo, hi) = self.bounds(&sum);
        let truth = match cmp {
            Cmp::Lt if hi < 0 => Some(true),
            Cmp::Lt if lo >= 0 => Some(false),
            Cmp::Le if hi <= 0 => Some(true),
            Cmp::Le if lo > 0 => Some(false),
            Cmp::Gt | Cmp::Ge => {
                let mirrored = sum.times(-1).ok_or(Dead::End)?;
                return self.truth_of(cmp.mirrored(), &mirrored);
            }
            Cmp::Eq if lo > 0 || hi < 0 => Some(false),
            Cmp::Ne if lo > 0 || hi < 0 => Some(true),
            _ => None,
        };
        if truth.is_some() || !matches!(cmp, Cmp::Eq | Cmp::Ne) {
            return Ok(truth);
        }
        // The sum cannot be 0 if its only unknown cannot have the value that this requires.
        let [(u, c)] = sum.terms[..] else { return Ok(None) };
        let excluded =
            sum.constant % c != 0 || self.domains[u.0].except.contains(&(-(sum.constant / c)));
        Ok(excluded.then_some(cmp == Cmp::Ne))
    }

    /// Demands `sum cmp 0`.
    pub fn demand(&mut self, cmp: Cmp, sum: &Linear) -> Step<()> {
        let sum = self.resolve(sum)?;
        let (cmp, sum) = match cmp {
            Cmp::Gt | Cmp::Ge => (cmp.mirrored(), sum.times(-1).ok_or(Dead::End)?),
            _ => (cmp, sum),
        };
        match self.truth_of(cmp, &sum)? {
            Some(true) => return Ok(()),
            Some(false) => return Err(Dead::End),
            None => {}
        }
        if sum.terms.len() > 1 {
            self.pend(cmp, sum);
        } else {
            self.single(cmp, &sum)?;
        }
        self.propagate()
    }

    /// Narrows the one unknown of `sum cmp 0`, with `cmp` neither greater nor at least.
    fn single(&mut self, cmp: Cmp, sum: &Linear) -> Step<()> {
        let [(u, c)] = sum.terms[..] else { return Ok(()) };
        let k = sum.constant;
        match cmp {
            Cmp::Eq | Cmp::Ne => match (k % c == 0, cmp) {
                (true, Cmp::Eq) => self.narrow(u, -(k / c), -(k / c)),
                (true, _) => self.exclude(u, -(k / c)),
                (false, Cmp::Eq) => Err(Dead::End),
                (false, _) => Ok(()),
            },
            _ => self.at_most(u, c, if cmp == Cmp::Lt { -k - 1 } else { -k }),
        }
    }

    /// Demands `c * u <= most`.
    fn at_most(&mut self, u: Unknown, c: i128, most: i128) -> Step<()> {
        match c > 0 {
            true => self.narrow(u, i128::MIN, most.div_euclid(c)),
            false => self.narrow(u, -most.div_euclid(-c), i128::MAX),
        }
    }

    /// Narrows the unknowns of conditions on several of them, until nothing changes, but only a limited number of
    /// times: bounds that contradict each other can take as many steps as the domains have values.
    fn propagate(&mut self) -> Step<()> {
        for _ in 0..PASSES {
            let before = self.mark();
            for at in 0..self.pending.len() {
                if self.pending[at].2 {
                    self.propagate_one(at)?;
                }
            }
            if before == self.mark() {
                break;
            }
        }
        Ok(())
    }

    fn propagate_one(&mut self, at: usize) -> Step<()> {
        let (cmp, sum, _) = &self.pending[at];
        let (cmp, sum) = (*cmp, self.resolve(sum)?);
        match self.truth_of(cmp, &sum)? {
            Some(true) => {
                self.settle(at);
                return Ok(());
            }
            Some(false) => return Err(Dead::End),
            None => {}
        }
        if sum.terms.len() < 2 {
            self.single(cmp, &sum)?;
            self.settle(at);
            return Ok(());
        }
        if cmp == Cmp::Ne {
            return Ok(());
        }
        for (u, c) in sum.terms.clone() {
            let (lo, hi) = self.bounds(&sum);
            let d = &self.domains[u.0];
            let (least, most) = if c > 0 {
                (c.saturating_mul(d.lo), c.saturating_mul(d.hi))
            } else {
                (c.saturating_mul(d.hi), c.saturating_mul(d.lo))
            };
            let slack = i128::from(cmp == Cmp::Lt);
            self.at_most(u, c, least.saturating_sub(lo).saturating_sub(slack))?;
            if cmp == Cmp::Eq {
                self.at_most(u, -c, hi.saturating_sub(most))?;
            }
        }
        Ok(())
    }

    /// Splits an unknown into a quotient and a remainder by `divisor`.
    pub fn parts(&mut self, sum: &Linear, divisor: i128) -> Step<(Linear, Linear)> {
        let sum = self.resolve(sum)?;
        // Terms that are multiples of the divisor belong to the quotient.
        let multiple = |c: i128| c % divisor == 0;
        let whole = Linear {
            constant: sum.constant.div_euclid(divisor),
            terms: sum
                .terms
                .iter()
                .filter(|t| multiple(t.1))
                .map(|t| (t.0, t.1 / divisor))
                .collect(),
        };
        let rest = Linear {
            constant: sum.constant.rem_euclid(divisor),
            terms: sum.terms.iter().copied().filter(|t| !multiple(t.1)).collect(),
        };
        let (lo, hi) = self.bounds(&rest);
        if lo.div_euclid(divisor) == hi.div_euclid(divisor) {
            let quotient = lo.div_euclid(divisor);
            let remainder = rest.plus(-1, &(quotient * divisor).into()).ok_or(Dead::End)?;
            return Ok((whole.plus(1, &quotient.into()).ok_or(Dead::End)?, remainder));
        }
        let q = self.unknown(lo.div_euclid(divisor), hi.div_euclid(divisor), None);
        let r = self.unknown(0, divisor - 1, None);
        let parts = Linear::from(r).plus(divisor, &q.into()).ok_or(Dead::End)?;
        match rest.terms[..] {
            // From now on, the unknown equals the sum of its parts.
            [(u, 1)] if rest.constant == 0 => {
                let domain = self.domains[u.0].clone();
                self.split(u, parts.clone());
                let free = std::mem::replace(&mut self.choosing, domain.free);
                let bounds =
                    parts.plus(-1, &domain.lo.into()).zip(parts.plus(-1, &domain.hi.into()));
                let (low, high) = bounds.ok_or(Dead::End)?;
                let mut kept =
                    self.demand(Cmp::Ge, &low).and_then(|()| self.demand(Cmp::Le, &high));
                for value in domain.except {
                    let other = parts.plus(-1, &value.into()).ok_or(Dead::End)?;
                    kept = kept.and_then(|()| self.demand(Cmp::Ne, &other));
                }
                self.choosing = free;
                if let Some(value) = domain.preferred {
                    self.domains[q.0].preferred = Some(value.div_euclid(divisor));
                    self.domains[r.0].preferred = Some(value.rem_euclid(divisor));
                }
                kept?;
            }
            _ => self.demand(Cmp::Eq, &rest.plus(-1, &parts).ok_or(Dead::End)?)?,
        }
        Ok((whole.plus(1, &q.into()).ok_or(Dead::End)?, r.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A condition on three unknowns.
    fn condition() -> impl Strategy<Value = (Cmp, [i128; 3], i128)> {
        let cmp = prop::sample::select(vec![Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge]);
        (cmp, [-3..4i128, -3..4i128, -3..4i128], -9..10i128)
    }

    proptest! {
        #[test]
        fn no_solution_is_lost_and_decided_ones_are_solutions(
            conditions in prop::collection::vec(condition(), 1..5),
            value in [0..5i128, 0..5i128, 0..5i128],
        ) {
            let mut state = State::new(0, 0, 0, &[]);
            let unknowns = [0, 1, 2].map(|_| state.unknown(0, 4, None));
            let holds = conditions.iter().all(|(cmp, c, k)| {
                let sum: i128 = c.iter().zip(value).map(|(c, v)| c * v).sum::<i128>() + k;
                cmp.holds(sum.cmp(&0))
            });
            let demanded = conditions.iter().try_for_each(|(cmp, c, k)| {
                let mut sum = Linear::from(*k);
                for (u, c) in unknowns.iter().zip(c) {
                    sum = sum.plus(*c, &Linear::from(*u)).unwrap();
                }
                state.demand(*cmp, &sum)
            });
            if holds {
                prop_assert!(demanded.is_ok());
                for (u, v) in unknowns.iter().zip(value) {
                    let d = &state.domains[u.0];
                    prop_assert!(d.lo <= v && v <= d.hi && !d.except.contains(&v));
                }
            }
            // Once each unknown is decided, the rest is a solution or is refused.
            let decided = demanded.and_then(|()| {
                unknowns.iter().zip(value).try_for_each(|(u, v)| {
                    state.demand(Cmp::Eq, &Linear::from(*u).plus(-1, &v.into()).unwrap())
                })
            });
            prop_assert_eq!(decided.is_ok(), holds);
        }

        #[test]
        fn parts_are_quotient_and_remainder(
            value in 0..1000i128, times in 1..9i128, again in 1..9i128,
        ) {
            // A part can have parts itself, as the bits of a byte do.
            let divisor = times * again;
            let mut state = State::new(0, 0, 0, &[]);
            let u = state.unknown(0, 1000, None);
            let (q, r) = state.parts(&u.into(), divisor).unwrap();
            let (q2, r2) = state.parts(&r, again).unwrap();
            let sum = Linear::from(u).plus(-1, &value.into()).unwrap();
            state.demand(Cmp::Eq, &sum).unwrap();
            prop_assert_eq!(state.value(&q), Some(value / divisor));
            prop_assert_eq!(state.value(&r), Some(value % divisor));
            prop_assert_eq!(state.value(&q2), Some(value % divisor / again));
            prop_assert_eq!(state.value(&r2), Some(value % divisor % again));
        }
    }
}
