//! What an ensure of scalars comes to, kept to be drawn from again.

use crate::invert::EnsureId;
use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;

use super::scalars::{Left, Residual};
use super::turns::Condition;
use crate::program::{FieldId, Pred};
use crate::solve::Domain;

/// Something that does not work out, and the inputs that it depends on.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    pub(super) why: String,
    pub(super) depends_on: BTreeSet<FieldId>,
}

/// What an ensure leaves open, in parts that no condition connects.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) left: Left,
    pub(super) parts: Vec<Part>,
    /// What keeps writes apart.
    pub(super) apart: Vec<Pred>,
    /// The same unknowns, in parts, where writes are to meet.
    pub(super) meeting: OnceLock<Vec<Part>>,
}

/// Unknown scalars that conditions connect.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) fields: Vec<FieldId>,
    pub(super) preds: Vec<Residual>,
    /// The values of a single unknown, if they have a closed form.
    pub(super) domain: Option<Domain>,
    /// Of several: which is given a value first, and what that leaves.
    pub(super) turns: OnceLock<Node>,
}

/// The unknowns of a part that are still open, the one that comes next, its values, and what
/// each of them leaves: a decision diagram, as far as it was walked.
#[derive(Debug)]
pub(super) struct Node {
    /// The conditions that are left.
    pub(super) conditions: Vec<Arc<Condition>>,
    /// The place of the next unknown among those that are open.
    pub(super) at: usize,
    pub(super) domain: Domain,
    /// All values, where they are few.
    pub(super) members: Option<Vec<i128>>,
    next: Mutex<FxHashMap<i128, Option<Arc<Node>>>>,
}

/// Values of an unknown whose consequences are kept.
const MOST_NEXT: usize = 512;

impl Node {
    pub(super) fn new(
        conditions: Vec<Arc<Condition>>,
        at: usize,
        domain: Domain,
        few: u128,
    ) -> Self {
        let members = domain.members(few);
        Self { conditions, at, domain, members, next: Mutex::default() }
    }

    /// Calls `visit` with each node from here on that has an unknown, and what is open there.
    pub(super) fn each(&self, open: &[FieldId], visit: &mut dyn FnMut(&[FieldId], &Node)) {
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

    /// What is left once the unknown has `value`; `None` if that cannot be.
    pub(super) fn after(
        &self,
        value: i128,
        work_out: impl FnOnce() -> Option<Node>,
    ) -> Option<Arc<Node>> {
        let found = self.next.lock().ok().and_then(|next| next.get(&value).cloned());
        found.unwrap_or_else(|| {
            let node = work_out().map(Arc::new);
            if let Ok(mut next) = self.next.lock()
                && next.len() < MOST_NEXT
            {
                next.insert(value, node.clone());
            }
            node
        })
    }
}

/// An ensure, and the scalars that are known.
pub(super) type Key = (EnsureId, Vec<Option<i128>>);

/// The plans, or else, of one canonical value that are kept.
const MOST: usize = 1 << 14;

/// What was worked out so far, up to a number of entries; then it begins anew.
#[derive(Debug)]
pub(super) struct Plans<K, T = Arc<Plan>> {
    most: usize,
    entries: Mutex<FxHashMap<K, T>>,
}

impl<K: Eq + Hash, T: Clone> Plans<K, T> {
    pub(super) fn new(most: usize) -> Self {
        Self { most, entries: Mutex::default() }
    }

    /// Calls `visit` with each entry.
    pub(super) fn each(&self, mut visit: impl FnMut(&T)) {
        if let Ok(entries) = self.entries.lock() {
            entries.values().for_each(&mut visit);
        }
    }

    /// The entry, worked out if there is none. Errors are not kept.
    pub(super) fn get<E>(&self, key: K, work_out: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if let Ok(entries) = self.entries.lock()
            && let Some(entry) = entries.get(&key)
        {
            return Ok(entry.clone());
        }
        let entry = work_out()?;
        if let Ok(mut entries) = self.entries.lock() {
            if entries.len() >= self.most {
                entries.clear();
            }
            entries.insert(key, entry.clone());
        }
        Ok(entry)
    }
}

/// What was worked out of one canonical value.
#[derive(Debug)]
pub(super) struct Memo {
    pub(super) plans: Plans<Key>,
    pub(super) troubles: Plans<Key, Option<Arc<Trouble>>>,
}

impl Default for Memo {
    fn default() -> Self {
        Self { plans: Plans::new(MOST), troubles: Plans::new(MOST) }
    }
}
