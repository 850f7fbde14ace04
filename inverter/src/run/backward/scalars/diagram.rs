//! A decision diagram of connected scalars, built as far as a search has walked it.
//!
//! A node holds the unknowns that are still open with their constraints; its edges are the values
//! of the unknown that is assigned next. It is kept with the plan, so that the propagation of one
//! value is computed once for many variants.

use std::sync::{Arc, Mutex};

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

/// A node: the unknown that is assigned next, its values, and the node that follows each.
#[derive(Debug)]
pub struct Node {
    /// The constraints that are left.
    pub conditions: Vec<Arc<Condition>>,
    /// The position of the next unknown among those that are open.
    pub at: usize,
    /// Its values.
    pub domain: Domain,
    /// All of these values, if they are few.
    pub members: Option<Vec<i128>>,
    next: Mutex<FxHashMap<i128, Option<Arc<Node>>>>,
}

impl Node {
    /// Creates a node; up to `few` values are listed.
    pub fn new(conditions: Vec<Arc<Condition>>, at: usize, domain: Domain, few: u128) -> Self {
        let members = domain.members(few);
        Self { conditions, at, domain, members, next: Mutex::default() }
    }

    /// Calls `visit` with each node from this one on that has an unknown, and the unknowns that
    /// are open there.
    pub fn each(&self, open: &[FieldId], visit: &mut dyn FnMut(&[FieldId], &Node)) {
        if open.is_empty() {
            return;
        }
        visit(open, self);
        let rest: Vec<FieldId> =
            open.iter().enumerate().filter(|(k, _)| *k != self.at).map(|(_, f)| *f).collect();
        let next: Vec<Arc<Node>> = match self.next.lock() {
            Ok(next) => next.values().flatten().cloned().collect(),
            Err(_) => Vec::new(),
        };
        next.iter().for_each(|node| node.each(&rest, visit));
    }

    /// Returns the node after the unknown is assigned `value`, computed if it is not kept; `None`
    /// if a constraint fails.
    pub fn after(&self, value: i128, compute: impl FnOnce() -> Option<Node>) -> Option<Arc<Node>> {
        let found = self.next.lock().ok().and_then(|next| next.get(&value).cloned());
        found.unwrap_or_else(|| {
            let node = compute().map(Arc::new);
            if let Ok(mut next) = self.next.lock()
                && next.len() < MOST_NEXT
            {
                next.insert(value, node.clone());
            }
            node
        })
    }
}
