//! The coarsest partition of listed states whose classes agree on where each call leads.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Label, Labels, Listing};
use crate::library::Problem;
use crate::watch::Watch;

/// A class of states; `None` is the error.
pub(super) type Class = Option<usize>;

/// The targets of the calls of a state: function, class and arguments, in order.
pub(super) type Signature = Vec<(usize, Class, Label)>;

/// The class of each state.
pub(super) fn partition(listing: &mut Listing, watch: &Watch) -> Result<Vec<usize>, Problem> {
    let count = listing.states.len();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, calls) in listing.calls.iter().enumerate() {
        for (to, _) in calls.iter().flat_map(|call| &call.to) {
            before[*to].push(from);
        }
    }
    let mut class = vec![0; count];
    let mut members: Vec<BTreeSet<usize>> = vec![(0..count).collect()];
    let mut signatures: Vec<Signature> = vec![Signature::new(); count];
    let mut dirty: BTreeSet<usize> = (0..count).collect();
    while !dirty.is_empty() {
        watch.begin(format!("states were told apart: {} nodes so far", members.len()));
        watch.in_time()?;
        let mut touched: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for state in std::mem::take(&mut dirty) {
            let new = signature(listing, &class, state);
            if new != signatures[state] {
                signatures[state] = new;
                touched.entry(class[state]).or_default().push(state);
            }
        }
        for (old, changed) in touched {
            for group in apart(&members[old], &changed, &signatures) {
                let new = members.len();
                for state in &group {
                    class[*state] = new;
                    members[old].remove(state);
                    dirty.extend(&before[*state]);
                }
                members.push(group.into_iter().collect());
            }
        }
    }
    Ok(class)
}

/// Returns the groups that leave a class in which some members have new signatures; the others keep theirs. The largest
/// group stays.
fn apart(
    members: &BTreeSet<usize>,
    changed: &[usize],
    signatures: &[Signature],
) -> Vec<Vec<usize>> {
    let mut groups: HashMap<&Signature, Vec<usize>> = HashMap::new();
    for state in changed {
        groups.entry(&signatures[*state]).or_default().push(*state);
    }
    let is_old = |state: &&usize| changed.binary_search(state).is_err();
    let old = members.len() - changed.len();
    let mut groups: Vec<Vec<usize>> = match members.iter().find(is_old) {
        // A changed state differs from an unchanged one, because all had the same signature before.
        Some(_) if groups.values().all(|group| group.len() <= old) => {
            return sorted(groups.into_values().collect());
        }
        Some(_) => {
            let rest = members.iter().filter(is_old).copied().collect();
            groups.into_values().chain([rest]).collect()
        }
        None => groups.into_values().collect(),
    };
    groups = sorted(groups);
    groups.remove(0);
    groups
}

/// The largest group comes first. The order does not depend on hashes.
fn sorted(mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    groups
}

/// Returns the targets of the calls of a state.
pub(super) fn signature(listing: &mut Listing, class: &[usize], state: usize) -> Signature {
    let Listing { calls, labels, .. } = listing;
    let mut out = Signature::new();
    for (f, call) in calls[state].iter().enumerate() {
        let mut to: BTreeMap<Class, Label> = BTreeMap::new();
        let targets = call.to.iter().map(|(state, label)| (Some(class[*state]), *label));
        for (class, label) in call.fails.map(|label| (None, label)).into_iter().chain(targets) {
            add(&mut to, class, label, labels);
        }
        out.extend(to.into_iter().map(|(class, label)| (f, class, label)));
    }
    out
}

fn add(to: &mut BTreeMap<Class, Label>, class: Class, label: Label, labels: &mut Labels) {
    let union = match to.get(&class) {
        Some(known) => labels.union(*known, label),
        None => label,
    };
    to.insert(class, union);
}
