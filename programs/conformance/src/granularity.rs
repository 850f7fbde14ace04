//! Types that consist of other types. Events of such a type become events of its parts.
//!
//! Section 2.2 of the paper mentions this problem without a solution. With the replacement here, a writer of a `long`
//! and a reader of four bytes agree.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::error::Error;
use crate::program::{Action, Edge, Function, Part, Program};

/// The types that consist of others, by name.
pub type Types = BTreeMap<String, Made>;

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The lowest byte first.
    Little,
    /// The highest byte first.
    Big,
}

/// The parts that replace a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The parts, in order.
    pub parts: Vec<Part>,
    /// The order, if the type is a number and the parts are its bytes.
    pub order: Option<Order>,
}

impl Made {
    /// Returns true if the values of the parts follow from the value of the whole: the parts are two to eight single
    /// bytes in a given order.
    pub fn keeps_values(&self) -> bool {
        let plain = |part: &Part| *part == Part::one(part.kind.clone());
        self.order.is_some() && (2..=8).contains(&self.parts.len()) && self.parts.iter().all(plain)
    }

    /// The values of the parts of a number.
    fn bytes(&self, value: i128) -> Vec<i128> {
        let bytes = (0..self.parts.len()).map(|k| value >> (8 * k) & 255);
        match self.order {
            Some(Order::Big) => bytes.rev().collect(),
            _ => bytes.collect(),
        }
    }
}

/// The maximum number of edges of one function after types are split.
const EDGES: usize = 1_000_000;

/// Refuses types that contain themselves.
fn well_founded(types: &Types) -> Result<(), Error> {
    // A type is settled when all its parts are.
    let mut settled: Vec<&str> = Vec::new();
    loop {
        let open: Vec<&String> = types.keys().filter(|t| !settled.contains(&t.as_str())).collect();
        let is_settled =
            |kind: &String| !types.contains_key(kind) || settled.contains(&kind.as_str());
        let ready = |name: &&&String| types[**name].parts.iter().all(|part| is_settled(&part.kind));
        let next: Vec<&str> = open.iter().filter(ready).map(|name| name.as_str()).collect();
        match (open.first(), next.is_empty()) {
            (None, _) => return Ok(()),
            (Some(name), true) => {
                let why = format!("type `{name}` is made of itself, or of a type that is");
                return Err(Error::Program(why));
            }
            _ => settled.extend(next),
        }
    }
}

/// Splits the types of all events of a program.
///
/// # Errors
///
/// Returns an error if a type contains itself, or a function would have more than a million edges.
pub fn take_apart(program: &mut Program, types: &Types) -> Result<(), Error> {
    well_founded(types)?;
    for function in &mut program.functions {
        let mut done = Vec::new();
        while let Some(edge) = function.edges.pop() {
            match &edge.action {
                Action::Io(part) if types.contains_key(&part.kind) => {
                    let made = &types[&part.kind];
                    if part.values.is_empty() && part.excluded.is_empty() || !made.keeps_values() {
                        function.add_sequence(edge.from, edge.to, &made.parts, edge.site);
                    } else {
                        add_bytes(function, &edge, part, made);
                    }
                }
                _ => done.push(edge),
            }
            if function.edges.len() + done.len() > EDGES {
                return Err(Error::TooLarge { subject: "types taken apart", limit: EDGES });
            }
        }
        done.reverse();
        function.edges = done;
    }
    Ok(())
}

/// Adds the bytes of a number whose values are known, byte by byte while they match one of its constants.
fn add_bytes(function: &mut Function, edge: &Edge, part: &Part, made: &Made) {
    let is = !part.values.is_empty();
    let constants = if is { &part.values } else { &part.excluded };
    let words: BTreeSet<Vec<i128>> = constants.iter().map(|value| made.bytes(*value)).collect();
    // Nodes, each with the bytes that led to it; `None` if the bytes do not match any constant.
    let mut at: Vec<(usize, Option<Vec<i128>>)> = vec![(edge.from, Some(Vec::new()))];
    for (k, own) in made.parts.iter().enumerate() {
        let last = k + 1 == made.parts.len();
        let mut next: BTreeMap<Option<Vec<i128>>, usize> = BTreeMap::new();
        for (from, begun) in at {
            let mut add = |values: Vec<i128>, excluded: Vec<i128>, begun: Option<Vec<i128>>| {
                if last && begun.is_some() != is {
                    return;
                }
                let to = match last {
                    true => edge.to,
                    false => *next.entry(begun).or_insert_with(|| function.add_node()),
                };
                let action = Action::Io(Part { values, excluded, ..own.clone() });
                function.edges.push(Edge { from, to, action, site: edge.site });
            };
            let Some(begun) = begun else {
                add(Vec::new(), Vec::new(), None);
                continue;
            };
            let matching = words.iter().filter(|word| word.starts_with(&begun));
            let bytes: BTreeSet<i128> = matching.map(|word| word[k]).collect();
            for byte in &bytes {
                let longer = begun.iter().copied().chain([*byte]).collect();
                add(vec![*byte], Vec::new(), Some(longer));
            }
            if !is {
                add(Vec::new(), bytes.into_iter().collect(), None);
            }
        }
        at = next.into_iter().map(|(begun, node)| (node, begun)).collect();
    }
}
