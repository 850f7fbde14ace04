//! What causes have to do with each other.

use std::collections::HashSet;

use crate::campaign::{Cause, Depth};

/// The places of causes that have their outcome, their dimensions and the values that fail
/// in common; the first of each group is where it would be alone.
pub fn groups(causes: &[Cause]) -> Vec<Vec<usize>> {
    let alike = |a: &Cause, b: &Cause| {
        a.depth == Depth::Minimal
            && !a.dimensions.is_empty()
            && (a.depth, a.outcome, &a.dimensions, &a.values)
                == (b.depth, b.outcome, &b.dimensions, &b.values)
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (k, cause) in causes.iter().enumerate() {
        match groups.iter_mut().find(|g| alike(&causes[g[0]], cause)) {
            Some(group) => group.push(k),
            None => groups.push(vec![k]),
        }
    }
    groups
}

/// The causes that have to do with one, by their places; those of its own client first.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Related {
    /// Just the same dimensions.
    pub same: Vec<usize>,
    /// Some of its dimensions, and no other.
    pub fewer: Vec<usize>,
    /// All of its dimensions and more, of the same client.
    pub more: Vec<usize>,
}

/// What has to do with the cause at `place`.
pub fn related(causes: &[Cause], place: usize) -> Related {
    let mut related = Related::default();
    let this = &causes[place];
    let dimensions: HashSet<&String> = this.dimensions.iter().collect();
    if dimensions.is_empty() {
        return related;
    }
    for (k, other) in causes.iter().enumerate() {
        let others: HashSet<&String> = other.dimensions.iter().collect();
        if k == place || others.is_empty() {
        } else if others == dimensions {
            related.same.push(k);
        } else if others.is_subset(&dimensions) {
            related.fewer.push(k);
        } else if others.is_superset(&dimensions) && other.client == this.client {
            related.more.push(k);
        }
    }
    for list in [&mut related.same, &mut related.fewer] {
        list.sort_by_key(|k| causes[*k].client != this.client);
    }
    related
}
