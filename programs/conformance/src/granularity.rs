//! Types that are made of others: events of such a type become events of their parts.
//!
//! Section 2.2 of the paper names this and leaves it open. A writer of a `long` and a reader of four
//! bytes then agree.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::program::{Action, Edge, Part, Program};

/// The parts of types, by name.
pub type Types = BTreeMap<String, Vec<Part>>;

/// Edges of one function, at most, when everything is taken apart.
const EDGES: usize = 1_000_000;

/// Refuses types that are made of themselves.
fn well_founded(types: &Types) -> Result<(), Error> {
    // A type is settled when all its parts are.
    let mut settled: Vec<&str> = Vec::new();
    loop {
        let open: Vec<&String> = types.keys().filter(|t| !settled.contains(&t.as_str())).collect();
        let is_settled =
            |kind: &String| !types.contains_key(kind) || settled.contains(&kind.as_str());
        let ready = |name: &&&String| types[**name].iter().all(|part| is_settled(&part.kind));
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

/// Takes apart the types of all events of a program.
///
/// # Errors
///
/// If a type is made of itself, or a function would have more than a million edges.
pub fn take_apart(program: &mut Program, types: &Types) -> Result<(), Error> {
    well_founded(types)?;
    for function in &mut program.functions {
        let mut done = Vec::new();
        while let Some(edge) = function.edges.pop() {
            match &edge.action {
                Action::Io(part) if types.contains_key(&part.kind) => {
                    let Edge { from, to, site, .. } = edge;
                    function.add_sequence(from, to, &types[&part.kind], site);
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
