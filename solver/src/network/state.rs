//! The state of a search in a network: bounds of all unknowns, propagated to a fixed point, with a trail that restores
//! them.

use std::sync::OnceLock;

use smallvec::SmallVec;

use super::Network;
use super::constraint::{Constraint, Graph, Terms};
use super::part::{Node, Part};
use super::pending::Pending;
use crate::domain::Domain;

/// The reason why propagation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// A constraint cannot hold.
    Dead,
    /// The effort is used up.
    Spent,
}

/// The bounds of the unknowns.
pub struct State<'n> {
    pub(super) network: &'n Network,
    bounds: Vec<(i128, i128)>,
    /// Values that an unknown cannot have, in addition to those outside its bounds.
    holes: Vec<(u32, i128)>,
    trail: Vec<(u32, (i128, i128))>,
    pending: Pending,
    /// The effort that is left: terms of sums that may still be visited.
    effort: u64,
}

/// The greatest integer not above the quotient.
fn floor_div(n: i128, d: i128) -> i128 {
    let quotient = n.checked_div(d).unwrap_or(i128::MAX);
    if n.checked_rem(d).unwrap_or(0) != 0 && (n < 0) != (d < 0) { quotient - 1 } else { quotient }
}

/// The least integer that is at least the quotient.
fn ceil_div(n: i128, d: i128) -> i128 {
    let quotient = n.checked_div(d).unwrap_or(i128::MAX);
    if n.checked_rem(d).unwrap_or(0) != 0 && (n < 0) == (d < 0) { quotient + 1 } else { quotient }
}

/// Unknowns with the least and greatest value that they may have.
pub type Hulls = SmallVec<[(u32, (i128, i128)); 4]>;

/// Returns the bounds on unknowns that follow from the comparisons of a conjunction with numerals.
pub fn bounds_of(all: &[Constraint]) -> Hulls {
    let mut out = Hulls::new();
    for c in all {
        let Constraint::Sum { terms, least, most } = c else { continue };
        let &[(unknown, c)] = &terms[..] else { continue };
        let (lo, hi) = match c {
            1 => (*least, *most),
            -1 => (most.saturating_neg(), least.saturating_neg()),
            _ => continue,
        };
        match out.iter_mut().find(|(own, _)| *own == unknown) {
            Some((_, own)) => *own = (own.0.max(lo), own.1.min(hi)),
            None => out.push((unknown, (lo, hi))),
        }
    }
    out
}

/// A state to restore.
#[derive(Clone, Copy)]
pub struct Mark {
    trail: usize,
    holes: usize,
}

impl<'n> State<'n> {
    /// Creates the state with every constraint propagated.
    ///
    /// # Errors
    ///
    /// Returns [`Stop`].
    pub fn new(network: &'n Network, effort: u64) -> Result<Self, Stop> {
        let bounds: Option<Vec<_>> = network.domains.iter().map(Domain::ends).collect();
        let count = network.constraints.len();
        let mut state = Self {
            network,
            bounds: bounds.ok_or(Stop::Dead)?,
            holes: Vec::new(),
            trail: Vec::new(),
            pending: Pending::new(count),
            effort,
        };
        for (k, urgent) in network.defining.iter().enumerate().rev() {
            state.pending.add(k as u32, *urgent);
        }
        state.propagate()?;
        Ok(state)
    }

    /// Creates the state of a node.
    pub fn at(network: &'n Network, root: &Node, effort: u64) -> Self {
        Self {
            network,
            bounds: root.bounds.clone(),
            holes: root.holes.clone(),
            trail: Vec::new(),
            pending: Pending::new(network.constraints.len()),
            effort,
        }
    }

    /// Returns this state with its parts.
    pub fn into_node(self, parts: Vec<Part>) -> Node {
        Node { bounds: self.bounds, holes: self.holes, parts, few: OnceLock::new() }
    }

    /// The values within its bounds that an unknown cannot have.
    pub fn holes_of(&self, unknown: u32) -> impl Iterator<Item = i128> {
        self.holes.iter().filter(move |(k, _)| *k == unknown).map(|(_, value)| *value)
    }

    /// The bounds of an unknown.
    pub fn bounds(&self, unknown: usize) -> (i128, i128) {
        self.bounds[unknown]
    }

    /// Returns true if an unknown has its value.
    pub fn is_fixed(&self, unknown: usize) -> bool {
        let (lo, hi) = self.bounds[unknown];
        lo == hi
    }

    /// Marks this state.
    pub fn mark(&self) -> Mark {
        Mark { trail: self.trail.len(), holes: self.holes.len() }
    }

    /// Restores a state.
    pub fn restore(&mut self, mark: Mark) {
        while self.trail.len() > mark.trail {
            if let Some((unknown, bounds)) = self.trail.pop() {
                self.bounds[unknown as usize] = bounds;
            }
        }
        self.holes.truncate(mark.holes);
        self.pending.clear();
    }

    /// Fixes an unknown, and propagates.
    ///
    /// # Errors
    ///
    /// Returns [`Stop`]. The state is then to be restored.
    pub fn fix(&mut self, unknown: usize, value: i128) -> Result<(), Stop> {
        self.within(unknown as u32, (value, value))
    }

    /// Narrows the bounds of an unknown, and propagates.
    ///
    /// # Errors
    ///
    /// Returns [`Stop`]. The state is then to be restored.
    pub fn within(&mut self, unknown: u32, bounds: (i128, i128)) -> Result<(), Stop> {
        self.narrow(unknown, bounds)?;
        self.propagate()
    }

    /// Intersects the bounds of an unknown with others.
    pub(super) fn narrow(&mut self, unknown: u32, (least, most): (i128, i128)) -> Result<(), Stop> {
        let k = unknown as usize;
        let (lo, hi) = self.bounds[k];
        if least <= lo && hi <= most {
            return Ok(());
        }
        let network = self.network;
        let domain = &network.domains[k];
        let mut new = (lo, hi);
        if least > lo {
            new.0 = domain.at_least(least).ok_or(Stop::Dead)?;
        }
        if most < hi {
            new.1 = domain.at_most(most).ok_or(Stop::Dead)?;
        }
        if !self.holes.is_empty() {
            while new.0 <= new.1 && self.holes.contains(&(unknown, new.0)) {
                new.0 = domain.at_least(new.0 + 1).ok_or(Stop::Dead)?;
            }
            while new.0 <= new.1 && self.holes.contains(&(unknown, new.1)) {
                new.1 = domain.at_most(new.1 - 1).ok_or(Stop::Dead)?;
            }
        }
        if new.0 > new.1 {
            return Err(Stop::Dead);
        }
        self.trail.push((unknown, (lo, hi)));
        self.bounds[k] = new;
        for &c in &network.watching[k] {
            // Auxiliary unknowns follow at once: a chain of places would be passed anew for each one that then moves on to a
            // multiple of an alignment.
            self.pending.add(c, network.defining[c as usize]);
        }
        Ok(())
    }

    /// Forbids one value of an unknown.
    fn without(&mut self, unknown: u32, value: i128) -> Result<(), Stop> {
        let (lo, hi) = self.bounds[unknown as usize];
        if value < lo || value > hi {
            return Ok(());
        }
        match (value == lo, value == hi) {
            (true, true) => Err(Stop::Dead),
            (true, false) => self.narrow(unknown, (value + 1, i128::MAX)),
            (false, true) => self.narrow(unknown, (i128::MIN, value - 1)),
            (false, false) => {
                self.holes.push((unknown, value));
                Ok(())
            }
        }
    }

    fn propagate(&mut self) -> Result<(), Stop> {
        while let Some(k) = self.pending.next() {
            let network = self.network;
            self.visit(&network.constraints[k as usize])?;
        }
        Ok(())
    }

    pub(super) fn spend(&mut self, effort: usize) -> Result<(), Stop> {
        self.effort = self.effort.checked_sub(effort as u64).ok_or(Stop::Spent)?;
        Ok(())
    }

    fn visit(&mut self, c: &'n Constraint) -> Result<(), Stop> {
        match c {
            Constraint::Sum { terms, least, most } => self.sum(terms, *least, *most),
            Constraint::Differs { terms, from } => self.differs(terms, *from),
            Constraint::Product { factors: [a, b], product } => self.product_of(*a, *b, *product),
            Constraint::Table { of, value, graph } => self.table(*of, *value, graph),
            Constraint::Any(branches) => self.any(branches),
            Constraint::Other(other) => self.other(other),
        }
    }

    /// Applies the only branch that may hold, or the common part of all of them.
    fn any(&mut self, branches: &'n [Vec<Constraint>]) -> Result<(), Stop> {
        let mut only = None;
        let mut hulls = Hulls::new();
        for branch in branches {
            self.spend(branch.len())?;
            if !self.may_hold_all(branch) {
                continue;
            }
            match only {
                None => {
                    only = Some((branch, true));
                    hulls = bounds_of(branch);
                }
                Some((first, _)) => {
                    only = Some((first, false));
                    let own = bounds_of(branch);
                    hulls.retain(|(k, hull)| match own.iter().find(|(unknown, _)| unknown == k) {
                        Some((_, bounds)) => {
                            *hull = (hull.0.min(bounds.0), hull.1.max(bounds.1));
                            true
                        }
                        None => false,
                    });
                    if hulls.is_empty() {
                        return Ok(());
                    }
                }
            }
        }
        match only.ok_or(Stop::Dead)? {
            (branch, true) => branch.iter().try_for_each(|c| self.visit(c)),
            _ => hulls.into_iter().try_for_each(|(unknown, hull)| self.narrow(unknown, hull)),
        }
    }

    /// The least and greatest value of a sum; `None` if they exceed 128 bits.
    pub fn extremes(&self, terms: &Terms) -> Option<(i128, i128)> {
        terms.iter().try_fold((0i128, 0i128), |(least, most), (k, c)| {
            let (lo, hi) = self.product(*k, *c)?;
            Some((least.checked_add(lo)?, most.checked_add(hi)?))
        })
    }

    /// The least and greatest value of `c * unknown`.
    fn product(&self, unknown: u32, c: i128) -> Option<(i128, i128)> {
        let (lo, hi) = self.bounds[unknown as usize];
        let (a, b) = (c.checked_mul(lo)?, c.checked_mul(hi)?);
        Some((a.min(b), a.max(b)))
    }

    /// Returns false if one of these constraints cannot hold within the bounds.
    pub fn may_hold_all(&self, all: &[Constraint]) -> bool {
        all.iter().all(|c| self.may_hold(c))
    }

    fn may_hold(&self, c: &Constraint) -> bool {
        match c {
            Constraint::Sum { terms, least, most } => {
                self.extremes(terms).is_none_or(|(lo, hi)| lo <= *most && *least <= hi)
            }
            Constraint::Differs { terms, from } => self.extremes(terms) != Some((*from, *from)),
            Constraint::Product { .. }
            | Constraint::Table { .. }
            | Constraint::Any(_)
            | Constraint::Other(_) => true,
        }
    }

    fn sum(&mut self, terms: &Terms, least: i128, most: i128) -> Result<(), Stop> {
        self.spend(terms.len())?;
        let Some((lo, hi)) = self.extremes(terms) else { return self.unbounded(terms) };
        if lo > most || hi < least {
            return Err(Stop::Dead);
        }
        if least <= lo && hi <= most {
            return Ok(());
        }
        for &(k, c) in terms {
            // The extremes use the bounds before any of these was narrowed, so they are never too tight.
            let Some((own_lo, own_hi)) = self.product(k, c) else { continue };
            let others = (lo.saturating_sub(own_lo), hi.saturating_sub(own_hi));
            // c * unknown is at least this, and at most that.
            let from = least.saturating_sub(others.1);
            let to = most.saturating_sub(others.0);
            if from <= own_lo && own_hi <= to {
                continue;
            }
            let size = c.saturating_abs();
            let (from, to) =
                if c > 0 { (from, to) } else { (to.saturating_neg(), from.saturating_neg()) };
            let up = from.div_euclid(size) + i128::from(from.rem_euclid(size) != 0);
            self.narrow(k, (up, to.div_euclid(size)))?;
        }
        Ok(())
    }

    /// A sum that exceeds 128 bits narrows nothing, and has no value in the end.
    fn unbounded(&self, terms: &Terms) -> Result<(), Stop> {
        let fixed = terms.iter().all(|(k, _)| self.is_fixed(*k as usize));
        if fixed { Err(Stop::Dead) } else { Ok(()) }
    }

    fn product_of(&mut self, a: u32, b: u32, product: u32) -> Result<(), Stop> {
        self.spend(6)?;
        let (x, y) = (self.bounds[a as usize], self.bounds[b as usize]);
        let corners = [x.0, x.1].map(|x| [y.0, y.1].map(|y| x.saturating_mul(y)));
        let corners = corners.as_flattened();
        let least = corners.iter().min().copied().unwrap_or(i128::MIN);
        let most = corners.iter().max().copied().unwrap_or(i128::MAX);
        self.narrow(product, (least, most))?;
        for (factor, other) in [(a, b), (b, a)] {
            let (lo, hi) = self.bounds[product as usize];
            let (d_lo, d_hi) = self.bounds[other as usize];
            if d_lo > 0 || d_hi < 0 {
                let corners =
                    [lo, hi].map(|n| [d_lo, d_hi].map(|d| (ceil_div(n, d), floor_div(n, d))));
                let corners = corners.as_flattened();
                let least = corners.iter().map(|c| c.0).min().unwrap_or(i128::MIN);
                let most = corners.iter().map(|c| c.1).max().unwrap_or(i128::MAX);
                self.narrow(factor, (least, most))?;
            } else if lo > 0 || hi < 0 {
                // The other factor is not 0, so this one is no greater than the product.
                let size = lo.saturating_abs().max(hi.saturating_abs());
                self.narrow(factor, (-size, size))?;
            }
        }
        Ok(())
    }

    /// Narrows an argument and its value to the pairs that both bounds allow.
    fn table(&mut self, of: u32, value: u32, graph: &Graph) -> Result<(), Stop> {
        let (mut arguments, mut values) = ((i128::MAX, i128::MIN), (i128::MAX, i128::MIN));
        let mut count = 0;
        for (a, v) in self.supported(of, value, graph) {
            arguments = (arguments.0.min(a), arguments.1.max(a));
            values = (values.0.min(v), values.1.max(v));
            count += 1;
        }
        // A step in a table is a small part of that in a sum.
        self.spend(1 + count / 16)?;
        if count == 0 {
            return Err(Stop::Dead);
        }
        self.narrow(of, arguments)?;
        self.narrow(value, values)
    }

    /// Returns the arguments, with their values, that are possible within the bounds of both.
    pub fn supported<'g>(
        &self,
        of: u32,
        value: u32,
        graph: &'g Graph,
    ) -> impl Iterator<Item = (i128, i128)> + use<'g> {
        let (lo, hi) = self.bounds[of as usize];
        let (least, most) = self.bounds[value as usize];
        let first = graph.partition_point(|(a, _)| *a < lo);
        let within = graph[first..].iter().copied().take_while(move |(a, _)| *a <= hi);
        within.filter(move |(_, v)| least <= *v && *v <= most)
    }

    fn differs(&mut self, terms: &Terms, from: i128) -> Result<(), Stop> {
        self.spend(terms.len())?;
        let mut open = terms.iter().filter(|(k, _)| !self.is_fixed(*k as usize));
        let (first, second) = (open.next().copied(), open.next());
        if second.is_some() {
            return Ok(());
        }
        let Some((sum, _)) = self.extremes(terms) else { return self.unbounded(terms) };
        let Some((unknown, c)) = first else {
            return if sum == from { Err(Stop::Dead) } else { Ok(()) };
        };
        let Some((own, _)) = self.product(unknown, c) else { return self.unbounded(terms) };
        let rest = sum.saturating_sub(own);
        let left = from.saturating_sub(rest);
        if left % c == 0 { self.without(unknown, left / c) } else { Ok(()) }
    }
}
