//! Computes a score: how many of some small changes of the producer the check notices.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::automata::Alphabet;
use crate::check::Mode;
use crate::error::Error;
use crate::model::{Model, conforms};
use crate::program::{Action, Edge, Part, Program, Site};

/// A change of one call of the producer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The event is left out.
    Omitted,
    /// The event is written twice.
    Doubled,
    /// The event is of another type.
    Type(String),
}

/// A change, and whether it is noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scored {
    /// The change.
    pub change: Change,
    /// The type of the event.
    #[serde(rename = "type")]
    pub kind: String,
    /// The call that is changed.
    pub site: Option<Site>,
    /// True if the consumer does not conform to the changed producer.
    pub noticed: bool,
}

/// Makes up to `most` changes of a producer to which the consumer conforms, distributed evenly over its events and
/// kinds of change, and checks each.
///
/// # Errors
///
/// Returns an error if an automaton is too large.
pub fn score(
    producer: &Program,
    consumer: &Model,
    mode: Mode,
    alphabet: &mut Alphabet,
    most: usize,
) -> Result<Vec<Scored>, Error> {
    let relevant = producer.relevant();
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    let mut all: Vec<(usize, usize)> = Vec::new();
    for (f, function) in producer.functions.iter().enumerate().filter(|(f, _)| relevant[*f]) {
        for (e, edge) in function.edges.iter().enumerate() {
            if let Action::Io(part) = &edge.action {
                kinds.insert(part.kind.clone());
                all.push((f, e));
            }
        }
    }
    for on in consumer.automaton.events() {
        kinds.insert(alphabet.event(on).kind.clone());
    }
    let mut changes: Vec<((usize, usize), Change)> = Vec::new();
    for at in all {
        let Action::Io(part) = &producer.functions[at.0].edges[at.1].action else { continue };
        changes.push((at, Change::Omitted));
        changes.push((at, Change::Doubled));
        let others = kinds.iter().filter(|kind| **kind != part.kind);
        changes.extend(others.map(|kind| (at, Change::Type(kind.clone()))));
    }
    let count = changes.len().min(most);
    let chosen = (0..count).map(|k| changes[k * changes.len() / count].clone());
    let mut scored = Vec::new();
    for ((f, e), change) in chosen {
        let edge = &producer.functions[f].edges[e];
        let Action::Io(part) = &edge.action else { continue };
        let changed = changed(producer, (f, e), edge, part, &change);
        let model = Model::program(changed, alphabet)?;
        let noticed = !conforms(&model, consumer, mode, alphabet)?;
        let site = edge.site.map(|site| producer.sites[site].clone());
        scored.push(Scored { change, kind: part.kind.clone(), site, noticed });
    }
    Ok(scored)
}

fn changed(
    producer: &Program,
    (f, e): (usize, usize),
    edge: &Edge,
    part: &Part,
    change: &Change,
) -> Program {
    let mut program = producer.clone();
    let function = &mut program.functions[f];
    match change {
        Change::Omitted => function.edges[e].action = Action::Nothing,
        Change::Type(kind) => function.edges[e].action = Action::Io(Part::one(kind.clone())),
        Change::Doubled => {
            function.edges.remove(e);
            let twice = [part.clone(), part.clone()];
            function.add_sequence(edge.from, edge.to, &twice, edge.site);
        }
    }
    program
}
