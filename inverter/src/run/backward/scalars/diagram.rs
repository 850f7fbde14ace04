//! A decision diagram of connected scalars, built as far as a search has walked it.
//!
//! A node holds the unknowns that are still open with their constraints; its edges are the values
//! of the unknown that is assigned next. It is kept with the plan, so that the propagation of one
//! value is computed once for many variants.

use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;

use crate::program::{FieldId, Pred, Side};
use crate::run::backward::constraints::constraint::Residual;
use crate::solve::Domain;

/// The most values of an unknown whose consequences are kept.
const MOST_NEXT: usize = 512;

/// A constraint that is left, and the scalars that it mentions. It is shared by all nodes between
/// which none of these scalars is assigned.
#[derive(Debug)]
pub struct Condition {
    /// The constraint.
    pub left: Residual,
    /// The scalars that it mentions.
    pub unknowns: Vec<FieldId>,
}

impl Condition {
    /// Creates a condition.
    pub fn of(left: Residual) -> Arc<Self> {
        let mut unknowns = Vec::new();
        left.pred.refs(&mut |r| {
            if r.side == Side::Input && !unknowns.contains(&r.field) {
                unknowns.push(r.field);
            }
        });
        Arc::new(Self { left, unknowns })
    }

    /// Returns its predicate.
    pub fn pred(&self) -> &Pred {
        &self.left.pred
    }
}

/// The values that constraints leave to an unknown, or more.
#[derive(Debug)]
pub struct Narrowed {
    /// The values.
    pub domain: Domain,
    /// Their number; the greatest one where they may be many fewer.
    pub count: u128,
    /// The number of constraints on this unknown alone, if no other constraint mentions it and these allow each of the
    /// values: then the values have the same consequences.
    pub alone: Option<usize>,
}

/// A node: the unknown that is assigned next, its values, and the node that follows each.
#[derive(Debug)]
pub struct Node {
    /// The constraints that are left.
    pub conditions: Vec<Arc<Condition>>,
    /// The values of each unknown that is open. Nodes share those that no assignment between them narrows.
    pub narrowed: Vec<Arc<Narrowed>>,
    /// The position of the next unknown among those that are open.
    pub at: usize,
    /// Its values.
    pub domain: Domain,
    /// All of these values, if they are few.
    pub members: Option<Vec<i128>>,
    next: Mutex<FxHashMap<i128, Option<Arc<Node>>>>,
    /// The node that follows each value of an unknown that is connected with no other.
    same: OnceLock<Arc<Node>>,
}

impl Node {
    /// Creates the node whose next unknown is the first with the fewest values; up to `few` of them are listed.
    pub fn new(conditions: Vec<Arc<Condition>>, narrowed: Vec<Arc<Narrowed>>, few: u128) -> Self {
        let next = narrowed.iter().enumerate().min_by_key(|(_, narrowed)| narrowed.count);
        let (at, domain) = match next {
            Some((at, narrowed)) => (at, narrowed.domain.clone()),
            None => (0, Domain::range((0, -1))),
        };
        let members = domain.members(few);
        let (next, same) = (Mutex::default(), OnceLock::new());
        Self { conditions, narrowed, at, domain, members, next, same }
    }

    /// Calls `visit` with each node from this one on that has an unknown, and the unknowns that
    /// are open there.
    pub fn each(&self, open: &[FieldId], visit: &mut dyn FnMut(&[FieldId], &Node)) {
        if open.is_empty() {
            return;
        }
        visit(open, self);
        let rest = self.rest(open);
        if let Some(same) = self.same.get() {
            same.each(&rest, visit);
        }
        let next: Vec<Arc<Node>> = match self.next.lock() {
            Ok(next) => next.values().flatten().cloned().collect(),
            Err(_) => Vec::new(),
        };
        next.iter().for_each(|node| node.each(&rest, visit));
    }

    /// Returns what is open after the next unknown is assigned.
    pub fn rest<T: Copy>(&self, open: &[T]) -> Vec<T> {
        open.iter().enumerate().filter(|(k, _)| *k != self.at).map(|(_, f)| *f).collect()
    }

    /// Returns the values that are left to an unknown that is the only one that is open, if these are all solutions.
    pub fn last(&self) -> Option<&Narrowed> {
        match &self.narrowed[..] {
            [last] if last.alone == Some(self.conditions.len()) => Some(last),
            _ => None,
        }
    }

    /// Returns the node after the unknown is assigned `value`, computed if it is not kept; `None`
    /// if a constraint fails.
    pub fn after(&self, value: i128, compute: impl FnOnce() -> Option<Node>) -> Option<Arc<Node>> {
        let alone = self.narrowed.get(self.at).and_then(|narrowed| narrowed.alone);
        let alone = alone.filter(|_| self.domain.contains(value));
        if alone.is_some()
            && let Some(same) = self.same.get()
        {
            return Some(Arc::clone(same));
        }
        let found = self.next.lock().ok().and_then(|next| next.get(&value).cloned());
        found.unwrap_or_else(|| {
            let node = compute().map(Arc::new);
            if let (Some(own), Some(node)) = (alone, &node)
                && node.conditions.len() + own == self.conditions.len()
            {
                return Some(Arc::clone(self.same.get_or_init(|| Arc::clone(node))));
            }
            if let Ok(mut next) = self.next.lock()
                && next.len() < MOST_NEXT
            {
                next.insert(value, node.clone());
            }
            node
        })
    }
}
