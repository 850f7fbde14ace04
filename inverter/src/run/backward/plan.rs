//! What an ensure of scalars comes to, kept to be drawn from again.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;

use super::scalars::{Left, Residual};
use crate::program::Pred;
use crate::solve::Domain;

/// Something that does not work out, and the inputs that it depends on.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    pub(super) why: String,
    pub(super) depends_on: BTreeSet<usize>,
}

/// What an ensure leaves open, in parts that no condition connects.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) left: Left,
    pub(super) parts: Vec<Part>,
    /// What keeps writes apart.
    pub(super) apart: Vec<Pred>,
}

/// Unknown scalars that conditions connect.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) fields: Vec<usize>,
    pub(super) preds: Vec<Residual>,
    /// The values of a single unknown, if they have a closed form.
    pub(super) domain: Option<Domain>,
    /// Of several: which is given a value first, and what that leaves.
    pub(super) turns: OnceLock<Arc<Node>>,
}

/// The unknowns of a part that are still open, the one that comes next, its values, and what
/// each of them leaves: a decision diagram, as far as it was walked.
#[derive(Debug)]
pub(super) struct Node {
    /// The conditions that are left.
    pub(super) preds: Vec<Residual>,
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
    pub(super) fn new(preds: Vec<Residual>, at: usize, domain: Domain, few: u128) -> Self {
        let quotients = domain.quotients();
        let count = quotients.len();
        let members = (count <= few)
            .then(|| (0..count).filter_map(|n| Some(domain.member(quotients.nth(n)?))).collect());
        Self { preds, at, domain, members, next: Mutex::default() }
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
pub(super) type Key = (usize, Vec<Option<i128>>);

/// Entries of each kind that are kept.
const MOST: usize = 1 << 14;

/// What was worked out so far.
#[derive(Debug, Default)]
pub(super) struct Memo {
    plans: Mutex<FxHashMap<Key, Arc<Plan>>>,
    troubles: Mutex<FxHashMap<Key, Option<Arc<Trouble>>>>,
}

impl Memo {
    pub(super) fn plan(&self, key: &Key) -> Option<Arc<Plan>> {
        self.plans.lock().ok()?.get(key).cloned()
    }

    pub(super) fn keep_plan(&self, key: Key, plan: &Arc<Plan>) {
        keep(&self.plans, key, Arc::clone(plan));
    }

    pub(super) fn trouble(&self, key: &Key) -> Option<Option<Arc<Trouble>>> {
        self.troubles.lock().ok()?.get(key).cloned()
    }

    pub(super) fn keep_trouble(&self, key: Key, trouble: Option<Arc<Trouble>>) {
        keep(&self.troubles, key, trouble);
    }
}

fn keep<T>(entries: &Mutex<FxHashMap<Key, T>>, key: Key, entry: T) {
    if let Ok(mut entries) = entries.lock()
        && entries.len() < MOST
    {
        entries.insert(key, entry);
    }
}
