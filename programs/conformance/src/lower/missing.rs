//! Finds elements that may be missing (for example at the end of a file) and are followed by others. If one is missing,
//! so are those after it.

use std::collections::BTreeSet;

use super::Lowering;
use crate::program::{Action, Edge, Program};

impl Lowering<'_> {
    /// Adds a remark about each call that may read nothing if another type may be read afterwards.
    pub(super) fn missing(&mut self, program: &Program) {
        let (runs, able) = (program.runs(), program.able());
        let mut found = BTreeSet::new();
        let running = program.functions.iter().zip(&runs).filter(|(_, runs)| **runs);
        for (function, _) in running {
            let mut after: Vec<Vec<&Edge>> = vec![Vec::new(); function.nodes];
            function.edges.iter().for_each(|edge| after[edge.from].push(edge));
            for edge in &function.edges {
                let (Action::Nothing, Some(site)) = (&edge.action, edge.site) else { continue };
                let optional = self.found[site].parts.iter().find(|part| part.optional);
                let Some(kind) = optional.map(|part| part.kind.clone()) else { continue };
                if !found.contains(&site) && reads_other(&after, edge.to, &kind, &able) {
                    found.insert(site);
                }
            }
        }
        for site in found {
            let text = format!(
                "`{}` may read nothing, which is not only the end of the file here: more is read after it",
                program.sites[site].callee
            );
            self.remarks.add(text, Some(program.sites[site].place.clone()));
        }
    }
}

/// Returns true if an element of another type, or a function, may be read after a node.
fn reads_other(after: &[Vec<&Edge>], node: usize, kind: &str, able: &[bool]) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![node];
    while let Some(node) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        for edge in &after[node] {
            match &edge.action {
                Action::Io(part) if part.kind != kind => return true,
                Action::Call(callees) if callees.iter().any(|callee| able[*callee]) => return true,
                _ => work.push(edge.to),
            }
        }
    }
    false
}
