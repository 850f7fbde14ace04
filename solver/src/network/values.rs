//! The values that the constraints on an unknown allow, given the fixed unknowns: intervals and a residue.

use super::Network;
use super::constraint::{Constraint, Terms};
use super::state::{State, bounds_of};
use crate::domain::Domain;
use crate::interval::IntervalSet;
use language::program::eval::gcd;

/// The greatest number that is tried as a divisor.
const MOST_TRIED: i128 = 1 << 16;

impl Network {
    /// Returns the values that its constraints leave an unknown, or more; `None` if there is no solution, or that takes too long
    /// to find out.
    pub fn values_of(&self, unknown: usize) -> Option<Domain> {
        Some(State::at(self, self.root().ok()?, 0).values(unknown))
    }

    /// Returns the number of values of an unknown that is solved for, `alone` by constraints on it alone, that
    /// alternatives leave it.
    pub(super) fn count_alone(&self, unknown: usize, alone: u128) -> u128 {
        let left = self.watching[unknown].iter().filter_map(|c| {
            let Constraint::Any(branches) = &self.constraints[*c as usize] else { return None };
            let set = alternatives(branches.iter(), unknown as u32)?;
            Some(self.domains[unknown].set.intersect(&set).len())
        });
        left.fold(alone, u128::min)
    }
}

impl State<'_> {
    /// Returns the values of an unknown that each of its constraints allows. The result is complete, but some values
    /// may be incompatible with the others, which is found when those are fixed.
    pub fn values(&self, unknown: usize) -> Domain {
        let (lo, hi) = self.bounds(unknown);
        let mut domain = self.network.domains[unknown].clone();
        domain.set = domain.set.intersect(&IntervalSet::range(lo, hi));
        let mut narrow = |own: Domain| {
            if let Some(both) = domain.intersect(&own) {
                domain = both;
            }
        };
        for c in &self.network.watching[unknown] {
            match &self.network.constraints[*c as usize] {
                Constraint::Sum { terms, least, most } if least == most => {
                    if let Some((modulus, residue)) = self.residue(terms, *most, unknown as u32) {
                        narrow(Domain { set: IntervalSet::range(lo, hi), modulus, residue });
                    }
                }
                Constraint::Any(branches) => {
                    if let Some(set) = self.of_branches(branches, unknown as u32) {
                        narrow(Domain::of(set));
                    }
                }
                Constraint::Table { of, value, graph } => {
                    let is_argument = *of as usize == unknown;
                    let supported = self.supported(*of, *value, graph);
                    narrow(points(supported.map(|(a, v)| if is_argument { a } else { v })));
                }
                Constraint::Product { factors, product } => {
                    if let Some(divisors) = self.divisors(unknown as u32, *factors, *product) {
                        narrow(points(divisors));
                    }
                }
                Constraint::Other(other) if !other.decides_only => {
                    if let Some((_, own)) = self.solutions(other) {
                        narrow(own);
                    }
                }
                Constraint::Sum { .. } | Constraint::Differs { .. } | Constraint::Other(_) => {}
            }
        }
        let holes = points(self.holes_of(unknown as u32)).set;
        if !holes.is_empty() {
            domain.set = domain.set.without(&holes);
        }
        domain
    }

    /// Returns the number of values of an unknown, or more.
    pub fn count(&self, unknown: usize) -> u128 {
        let (lo, hi) = self.bounds(unknown);
        let domain = &self.network.domains[unknown];
        let mut count = match domain.set.spans() {
            [_] if domain.modulus == 1 => hi.abs_diff(lo).saturating_add(1),
            _ => {
                let set = domain.set.intersect(&IntervalSet::range(lo, hi));
                Domain { set, ..*domain }.quotients().len()
            }
        };
        for c in &self.network.watching[unknown] {
            if let Constraint::Any(branches) = &self.network.constraints[*c as usize]
                && let Some(set) = self.of_branches(branches, unknown as u32)
            {
                count = count.min(set.intersect(&IntervalSet::range(lo, hi)).len());
            }
        }
        count
    }

    /// Returns a modulus and the residue that all values of an unknown have: those of its domain, or, of a product, that it is a
    /// multiple of a factor that is fixed.
    fn step(&self, unknown: u32) -> (i128, i128) {
        let factor = self.network.watching[unknown as usize].iter().find_map(|c| {
            let Constraint::Product { factors, product } = &self.network.constraints[*c as usize]
            else {
                return None;
            };
            let fixed = factors.iter().find(|f| self.is_fixed(**f as usize))?;
            let (factor, _) = self.bounds(*fixed as usize);
            (*product == unknown && factor != 0).then(|| factor.saturating_abs())
        });
        let domain = &self.network.domains[unknown as usize];
        match factor {
            Some(factor) if factor > domain.modulus => (factor, 0),
            _ => (domain.modulus, domain.residue),
        }
    }

    /// Returns the modulus and the residue that `sum == to` gives an unknown: the others that are open change the sum
    /// by multiples of what divides their coefficients times their steps.
    fn residue(&self, terms: &Terms, to: i128, unknown: u32) -> Option<(i128, i128)> {
        let (mut own, mut left, mut step) = (0, to, 0);
        for &(k, c) in terms {
            let (lo, hi) = self.bounds(k as usize);
            if k == unknown {
                own = c;
            } else if lo == hi {
                left = left.checked_sub(c.checked_mul(lo)?)?;
            } else {
                let (modulus, residue) = self.step(k);
                left = left.checked_sub(c.checked_mul(residue)?)?;
                step = gcd(step, c.checked_mul(modulus)?);
            }
        }
        if own == 0 || step <= 1 {
            return None;
        }
        // own * x = left, modulo step.
        let common = gcd(own, step);
        let modulus = step / common;
        if left % common != 0 || modulus == 1 {
            return None;
        }
        let inverse = inverse((own / common).rem_euclid(modulus), modulus)?;
        let residue = (left / common).rem_euclid(modulus).checked_mul(inverse)?;
        Some((modulus, residue.rem_euclid(modulus)))
    }

    /// Returns the values of an unknown in the remaining alternatives, if each of them bounds it.
    fn of_branches(&self, branches: &[Vec<Constraint>], unknown: u32) -> Option<IntervalSet> {
        alternatives(branches.iter().filter(|branch| self.may_hold_all(branch)), unknown)
    }

    /// Returns true if an unknown is a factor of a product, so that its values are divisors of the product.
    pub fn is_factor(&self, unknown: u32) -> bool {
        self.network.watching[unknown as usize].iter().any(|c| {
            matches!(&self.network.constraints[*c as usize], Constraint::Product { factors, product }
                if self.divisors(unknown, *factors, *product).is_some())
        })
    }

    /// Returns the divisors of a fixed product, if an unknown is one of its two open factors and the product is small
    /// enough to try all numbers up to its root.
    fn divisors(&self, unknown: u32, factors: [u32; 2], product: u32) -> Option<Vec<i128>> {
        let (least, most) = self.bounds(product as usize);
        let open = factors.iter().all(|f| !self.is_fixed(*f as usize));
        let size = i128::try_from(least.unsigned_abs()).ok()?;
        let few = size != 0 && size <= MOST_TRIED * MOST_TRIED;
        if least != most || !few || !open || !factors.contains(&unknown) {
            return None;
        }
        let small = (1..=MOST_TRIED).take_while(|d| d * d <= size).filter(|d| size % d == 0);
        Some(small.flat_map(|d| [d, -d, size / d, -(size / d)]).collect())
    }
}

/// Returns the values of an unknown in alternatives, if each bounds it.
fn alternatives<'c>(
    branches: impl Iterator<Item = &'c Vec<Constraint>>,
    unknown: u32,
) -> Option<IntervalSet> {
    let bounds = |branch: &Vec<Constraint>| {
        bounds_of(branch).iter().find(|(k, _)| *k == unknown).map(|(_, bounds)| *bounds)
    };
    Some(IntervalSet::from_spans(branches.map(bounds).collect::<Option<Vec<_>>>()?))
}

/// Returns a domain of single values.
fn points(values: impl IntoIterator<Item = i128>) -> Domain {
    Domain::of(IntervalSet::from_spans(values.into_iter().map(|n| (n, n))))
}

/// The number whose product with `a` is 1 modulo `m`, if `a` and `m` are coprime.
pub fn inverse(a: i128, m: i128) -> Option<i128> {
    let (mut r, mut next_r) = (m, a);
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t.checked_sub(quotient.checked_mul(next_t)?)?);
    }
    (r == 1).then(|| t.rem_euclid(m))
}
