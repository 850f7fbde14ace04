//! Relations between causes.

use std::collections::HashSet;

use campaign::Cause;

/// The causes that are related to one, by index; those of its own client first.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Related {
    /// Causes with exactly the same dimensions.
    pub same: Vec<usize>,
    /// Causes with a proper subset of its dimensions.
    pub fewer: Vec<usize>,
    /// A proper superset of its dimensions, in the same client.
    pub more: Vec<usize>,
}

/// Finds the causes that are related to the one at `place`.
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
