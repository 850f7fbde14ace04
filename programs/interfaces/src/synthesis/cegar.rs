//! Interface synthesis by counterexample-guided refinement (Henzinger et al.): Boolean variables, which are the bits of
//! the globals, distinguish states, and a bit is added when a call is ambiguous.

use std::collections::{BTreeSet, VecDeque};

use biodivine_lib_bdd::{Bdd, BddVariable};

use super::{any_arguments, empty};
use crate::graph::{Edge, Graph, Node};
use crate::library::Problem;
use crate::symbolic::{Calls, meet};

/// The class of a cell, and for each call the class to which it leads; `None` is an error.
type Signature = (usize, BTreeSet<(usize, Option<usize>)>);

/// Computes an interface graph whose nodes are values of bits. It is as safe and permissive as the
/// [stable](super::Stable) one, but may be larger.
///
/// # Errors
///
/// The deadline has passed.
pub fn cegar(calls: &Calls) -> Result<Graph, Problem> {
    let fails: Vec<Bdd> =
        (0..calls.functions.len()).map(|f| calls.may_fail(f)).collect::<Result<_, _>>()?;
    let mut tracked: Vec<BddVariable> = Vec::new();
    loop {
        let cells = explore(calls, &tracked, &fails)?;
        match ambiguity(calls, &cells, &fails, &tracked)? {
            Some(bit) => tracked.push(bit),
            None => return Ok(graph(calls, &cells)),
        }
    }
}

/// The reached cells and their edges. The last cell of an edge is `None` for the error.
struct Cells {
    sets: Vec<Bdd>,
    initial: usize,
    edges: Vec<(usize, usize, Option<usize>)>,
}

/// Explores the abstract graph of the tracked bits.
fn explore(calls: &Calls, tracked: &[BddVariable], fails: &[Bdd]) -> Result<Cells, Problem> {
    let legal = calls.domain.and_not(&calls.error);
    // The cells that have a state in common with a set.
    let split = |set: &Bdd| {
        let mut rest = set.and_not(&calls.error);
        let mut out = Vec::new();
        while let Some(state) = rest.first_valuation() {
            let values: Vec<_> = tracked.iter().map(|v| (*v, state.value(*v))).collect();
            let cell = legal.select(&values);
            rest = rest.and_not(&cell);
            out.push(cell);
        }
        out
    };
    let mut sets = split(&calls.initial);
    let initial = sets.len();
    let mut queue: VecDeque<usize> = (0..initial).collect();
    let mut edges = Vec::new();
    while let Some(from) = queue.pop_front() {
        for (f, fails) in fails.iter().enumerate() {
            calls.in_time()?;
            if meet(&sets[from], fails) {
                edges.push((from, f, None));
                continue;
            }
            for cell in split(&calls.after(f, &sets[from])?) {
                let to = sets.iter().position(|s| *s == cell).unwrap_or_else(|| {
                    queue.push_back(sets.len());
                    sets.push(cell);
                    sets.len() - 1
                });
                edges.push((from, f, Some(to)));
            }
        }
    }
    Ok(Cells { sets, initial, edges })
}

/// Returns a bit that would make a call less ambiguous. A call is ambiguous if it fails in a part of a cell, or leads
/// to cells that differ in what is legal later.
fn ambiguity(
    calls: &Calls,
    cells: &Cells,
    fails: &[Bdd],
    tracked: &[BddVariable],
) -> Result<Option<BddVariable>, Problem> {
    let choose = |part: &Bdd, cell: &Bdd| {
        let mut support: Vec<BddVariable> = part.support_set().into_iter().collect();
        support.retain(|v| !tracked.contains(v));
        support.sort_unstable();
        // Returns a bit that distinguishes the part from the rest of the cell and does not merely limit the domain.
        let tells = |v: &BddVariable| part.var_exists(*v).and(cell) != *part;
        support.iter().copied().find(tells).or(support.first().copied())
    };
    for cell in &cells.sets {
        for fails in fails {
            let part = cell.and(fails);
            if !part.is_false() && part != *cell {
                return Ok(choose(&part, cell));
            }
        }
    }
    // Groups cells into classes by what is legal now and later.
    let mut class: Vec<usize> = vec![0; cells.sets.len()];
    loop {
        calls.in_time()?;
        let mut signatures: Vec<Signature> = class.iter().map(|c| (*c, BTreeSet::new())).collect();
        for (from, f, to) in &cells.edges {
            signatures[*from].1.insert((*f, to.map(|to| class[to])));
        }
        for (cell, (_, signature)) in signatures.iter().enumerate() {
            for (f, to) in signature {
                let others = signature.iter().filter(|(g, _)| g == f).count();
                let (Some(to), true) = (to, others > 1) else { continue };
                let members = (0..class.len()).filter(|c| class[*c] == *to);
                let target = members.fold(calls.space.nothing(), |s, c| s.or(&cells.sets[c]));
                let into = calls.into(*f, &target)?.exists(&calls.functions[*f].parameters);
                let part = into.and(&cells.sets[cell]);
                if part != cells.sets[cell] {
                    return Ok(choose(&part, &cells.sets[cell]));
                }
            }
        }
        let mut known: Vec<&Signature> = Vec::new();
        let finer: Vec<usize> = signatures
            .iter()
            .map(|s| {
                known.iter().position(|k| *k == s).unwrap_or_else(|| {
                    known.push(s);
                    known.len() - 1
                })
            })
            .collect();
        if finer == class {
            return Ok(None);
        }
        class = finer;
    }
}

fn graph(calls: &Calls, cells: &Cells) -> Graph {
    let mut graph = empty(&calls.library);
    let error = cells.sets.len();
    graph.nodes = cells
        .sets
        .iter()
        .map(|set| Node {
            description: calls.describe(set),
            states: calls.space.count(set),
            is_error: false,
        })
        .collect();
    graph.initial = (0..cells.initial).collect();
    if cells.edges.iter().any(|(_, _, to)| to.is_none()) {
        graph.nodes.push(Node {
            description: calls.describe(&calls.error),
            states: calls.space.count(&calls.error),
            is_error: true,
        });
    }
    graph.edges = cells
        .edges
        .iter()
        .map(|(from, function, to)| Edge {
            from: *from,
            function: *function,
            arguments: any_arguments(&calls.library, *function),
            to: to.unwrap_or(error),
        })
        .collect();
    graph.edges.sort_by_key(|e| (e.from, e.function, e.to));
    graph
}
