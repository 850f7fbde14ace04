//! The decision tree of a network: what each value of an unknown with few values leaves for the others.
//!
//! A [`Node`] is a state that is propagated to a fixed point, split into parts that no constraint connects. A
//! [`Branch`] of a part has one node for each value of one unknown. Nodes are made when they are first needed, and
//! kept: a draw descends along existing nodes, and a value that leads to a dead end is found to do so only once.
//! Unknowns with many values have no branches. They are searched for in the state of their node or, if no other unknown
//! depends on them, drawn from their domain.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use super::Network;
use super::part::{Node, Part};
use super::pick::Pick;
use super::search::{FEW, Search, to_try};
use super::state::{State, Stop};

/// The maximum number of nodes of a network that are kept.
const MOST_NODES: usize = 1 << 12;

/// The few values of an unknown of a part, and what each leaves for the others.
#[derive(Debug)]
pub struct Branch {
    values: Vec<i128>,
    children: Vec<OnceLock<Result<Box<Node>, Stop>>>,
}

/// One descent.
pub struct Walk<'w> {
    /// Selects the values.
    pub pick: &'w mut dyn Pick,
    /// The unknowns of the part in the order in which they are decided.
    pub order: &'w [u32],
    /// The values of all unknowns, including auxiliary ones, as far as they are decided.
    pub values: Vec<i128>,
    /// The number of values that may still lead to a dead end.
    pub dead_ends: usize,
}

impl Walk<'_> {
    /// Takes over the values that a node assigns to the unknowns of the part that it splits. Unknowns that the node
    /// leaves open receive any value within their bounds.
    fn enter(&mut self, node: &Node, part: &Part) {
        for k in part.own.iter().chain(&part.auxiliary) {
            self.values[*k as usize] = node.bounds[*k as usize].0;
        }
    }
}

impl Branch {
    /// Calls `visit` with the node of a value. The node is kept unless there are many; the result is the same either
    /// way.
    fn at<T>(
        &self,
        network: &Network,
        (node, part): (&Node, &Part),
        (unknown, value): (u32, i128),
        visit: impl FnOnce(&Node) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let at = self.values.binary_search(&value).map_err(|_| Stop::Dead)?;
        let make = || {
            let mut state = State::at(network, node, network.effort());
            state.fix(unknown as usize, value)?;
            let parts = network.parts(&state, Some(part));
            Ok(Box::new(state.into_node(parts)))
        };
        let child = &self.children[at];
        if child.get().is_none() && network.nodes.load(Ordering::Relaxed) >= MOST_NODES {
            return visit(&*make()?);
        }
        let kept = child.get_or_init(|| {
            network.nodes.fetch_add(1, Ordering::Relaxed);
            make()
        });
        visit(kept.as_deref().map_err(|stop| *stop)?)
    }
}

impl Network {
    /// Returns the branch of an unknown of a part, given by position; `None` if it has many values.
    fn branch<'n>(&self, node: &'n Node, part: &'n Part, at: usize) -> Option<&'n Branch> {
        let branch = part.branches[at].get_or_init(|| {
            let values = self.domain(node, part, at).members(FEW)?;
            let children = values.iter().map(|_| OnceLock::new()).collect();
            Some(Branch { values, children })
        });
        branch.as_ref()
    }

    /// Decides the unknowns of a part, those of `walk.order` that come first before the others.
    ///
    /// # Errors
    ///
    /// Returns [`Stop`] if there is no solution, or none was found.
    pub(super) fn decide(&self, node: &Node, part: &Part, walk: &mut Walk<'_>) -> Result<(), Stop> {
        let first = walk.order.iter().find_map(|k| part.own.iter().position(|own| own == k));
        let Some(at) = first else { return self.search(node, part, walk) };
        let unknown = part.own[at];
        if let [_] = part.own[..]
            && part.auxiliary.is_empty()
        {
            return self.draw_alone(node, part, walk);
        }
        let Some(branch) = self.branch(node, part, at) else {
            return self.search(node, part, walk);
        };
        let mut stop = Stop::Dead;
        for value in to_try(walk.pick, (unknown, true), self.domain(node, part, at), 0).0 {
            let decided = branch.at(self, (node, part), (unknown, value), |child| {
                walk.enter(child, part);
                child.parts.iter().try_for_each(|part| self.decide(child, part, walk))
            });
            match decided {
                Ok(()) => return Ok(()),
                Err(_) if walk.dead_ends == 0 => return Err(Stop::Spent),
                Err(Stop::Dead) => {}
                // Another value may need less effort.
                Err(Stop::Spent) => stop = Stop::Spent,
            }
            walk.dead_ends -= 1;
        }
        Err(stop)
    }

    /// Decides an unknown that no other depends on.
    fn draw_alone(&self, node: &Node, part: &Part, walk: &mut Walk<'_>) -> Result<(), Stop> {
        let unknown = part.own[0] as usize;
        let domain = self.domain(node, part, 0);
        let own = part.own[0];
        let (tried, all) = to_try(walk.pick, (own, true), domain, self.draws(own));
        for value in tried {
            walk.values[unknown] = value;
            let mut watching =
                self.watching[unknown].iter().map(|c| &self.constraints[*c as usize]);
            if watching.all(|c| c.holds(&walk.values)) {
                return Ok(());
            }
        }
        if all { Err(Stop::Dead) } else { self.search(node, part, walk) }
    }

    /// Decides the unknowns of a part by a search.
    pub(super) fn search(&self, node: &Node, part: &Part, walk: &mut Walk<'_>) -> Result<(), Stop> {
        let mut state = State::at(self, node, self.effort());
        let order = walk.order.iter().copied().filter(|k| part.own.contains(k)).collect();
        Search::new(self, &mut state, part, order, walk.pick).run()?;
        for k in part.own.iter().chain(&part.auxiliary) {
            walk.values[*k as usize] = state.bounds(*k as usize).0;
        }
        Ok(())
    }

    /// Sets `out` for the values of a part that are choices, if unknowns are decided in the order of the number of
    /// values that constraints on each alone allow.
    pub(super) fn mark_choices(&self, node: &Node, part: &Part, values: &[i128], out: &mut [bool]) {
        let Some(&at) = part.order.first() else { return };
        let unknown = part.own[at];
        let value = values[unknown as usize];
        if let [_] = part.own[..] {
            out[unknown as usize] = self.domain(node, part, at).quotients().len() > 1;
        } else if let Some(branch) = self.branch(node, part, at) {
            out[unknown as usize] = branch.values.len() > 1;
            // A value that leads to a dead end does not belong to a solution.
            let _ = branch.at(self, (node, part), (unknown, value), |child| {
                child.parts.iter().for_each(|part| self.mark_choices(child, part, values, out));
                Ok(())
            });
        } else {
            let mut state = State::at(self, node, self.effort());
            for k in part.order.iter().map(|at| part.own[*at] as usize) {
                out[k] = !state.is_fixed(k) && state.values(k).quotients().len() > 1;
                if state.fix(k, values[k]).is_err() {
                    break;
                }
            }
        }
    }
}
