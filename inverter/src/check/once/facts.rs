//! Instantiates universal facts for the relevant iterations, and for elements that are already mentioned, so that
//! queries are free of quantifiers.

use std::collections::{BTreeMap, BTreeSet};

use super::collect::{Fact, Step, loops};
use super::logic::{Env, Logic};
use crate::program::{Atom, Expr, Poly, Ref, Side, VarId};

/// The maximum number of values of one loop variable.
const VALUES: usize = 8;
/// The maximum number of instances of one fact.
const INSTANCES: usize = 24;

/// Asserts the instances of `facts` for the iterations `envs` and for elements that occur in
/// earlier assertions. The second round covers elements that the first one mentions.
pub fn say(logic: &mut Logic<'_>, facts: &[Fact], envs: &[Env]) {
    let mut seen: Vec<BTreeSet<Env>> = vec![BTreeSet::new(); facts.len()];
    for _ in 0..2 {
        for (fact, seen) in facts.iter().zip(&mut seen) {
            for env in instances(logic, fact, envs) {
                if seen.len() < INSTANCES && seen.insert(env.clone()) {
                    let here = logic.path(&fact.path, &env);
                    let holds = logic.pred(&fact.pred, &env);
                    logic.say(here.implies(holds));
                }
            }
        }
    }
}

fn instances(logic: &Logic<'_>, fact: &Fact, envs: &[Env]) -> Vec<Env> {
    let vars: Vec<VarId> = loops(&fact.path).collect();
    let mut out: Vec<Env> = Vec::new();
    // First whole iterations, then combinations of their values.
    for env in envs {
        let own: Env = vars.iter().filter_map(|v| Some((*v, env.get(v)?.clone()))).collect();
        if own.len() == vars.len() {
            out.push(own);
        }
    }
    let values = values(logic, fact, &vars, envs);
    let mut mixed = vec![Env::new()];
    for v in &vars {
        let values = values.get(v).map(Vec::as_slice).unwrap_or_default();
        let with = |env: &Env, value: &Poly| {
            let mut env = env.clone();
            env.insert(*v, value.clone());
            env
        };
        mixed = mixed.iter().flat_map(|env| values.iter().map(|p| with(env, p))).collect();
        mixed.truncate(INSTANCES);
    }
    out.extend(mixed);
    out
}

/// Returns values of each loop variable: those that it has in `envs`, and those for which the fact is about an element
/// already mentioned.
fn values(
    logic: &Logic<'_>,
    fact: &Fact,
    vars: &[VarId],
    envs: &[Env],
) -> BTreeMap<VarId, Vec<Poly>> {
    let mut out: BTreeMap<VarId, Vec<Poly>> = BTreeMap::new();
    let mut add = |v: VarId, p: Poly| {
        let list = out.entry(v).or_default();
        if list.len() < VALUES && !list.contains(&p) {
            list.push(p);
        }
    };
    for env in envs {
        for v in vars {
            if let Some(p) = env.get(v) {
                add(*v, p.clone());
            }
        }
    }
    let mut refs: Vec<&Ref> = Vec::new();
    let note = |e: &Expr| -> Vec<Ref> {
        let mut found = Vec::new();
        e.refs(&mut |r| found.push(r.clone()));
        found
    };
    let mut found = Vec::new();
    fact.pred.exprs(&mut |e| found.extend(note(e)));
    for step in &fact.path {
        match step {
            Step::Loop(_, count) => found.extend(note(count)),
            Step::Guard(p) => p.exprs(&mut |e| found.extend(note(e))),
        }
    }
    refs.extend(found.iter().filter(|r| r.side == Side::Input && !r.index.is_empty()));
    for r in refs {
        for (field, ground) in logic.elements() {
            if field != r.field {
                continue;
            }
            for (index, value) in r.index.iter().zip(ground) {
                let index = logic.poly(index, &Env::new());
                let mut open = vars.iter().filter(|v| index.mentions(&Atom::Var(**v)));
                let (Some(v), None) = (open.next(), open.next()) else { continue };
                let Some((coefficient, rest)) = index.linear_in(&Atom::Var(*v)) else { continue };
                match coefficient.as_int() {
                    Some(1) => add(*v, value.sub(&rest)),
                    Some(-1) => add(*v, rest.sub(value)),
                    _ => {}
                }
            }
        }
    }
    out
}
