//! The difference of two automata, built completely as in the paper (sections 2.4 and 3.4).

use std::collections::BTreeSet;

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::determinize::Determinized;
use super::nwa::{Call, Internal, Nwa, Return, State};
use super::observer::{Id, Observer};
use crate::error::Error;

/// Positions of the product by the state of one of the two automata.
type Reached = FxHashMap<State, Vec<(State, Id)>>;

/// The maximum number of returns of a difference, per state that it may have.
const RETURNS: usize = 100;

/// Returns the automaton of the words of `producer` that `consumer` refuses. It is the product of `producer` with the
/// complement of `consumer`, with only the states that can be reached if the stack is ignored.
///
/// # Errors
///
/// Returns an error if there are more than `limit` states.
pub fn difference(producer: &Nwa, consumer: &mut Determinized, limit: usize) -> Result<Nwa, Error> {
    let mut product = Product { known: IndexSet::new(), work: Vec::new(), result: Nwa::default() };
    let begin = consumer.initial()?;
    for state in &producer.initial {
        let state = product.state(producer, (*state, begin));
        product.result.initial.insert(state);
    }
    let out = producer.outgoing();
    let mut by_exit: FxHashMap<State, Vec<usize>> = FxHashMap::default();
    for (k, t) in producer.returns.iter().enumerate() {
        by_exit.entry(t.call).or_default().push(k);
    }
    let mut seen: Reached = FxHashMap::default();
    while let Some((state, at)) = product.work.pop() {
        let returns = product.result.returns.len() / RETURNS;
        if product.known.len().max(returns) > limit {
            return Err(Error::TooLarge { subject: "the difference", limit });
        }
        let own = product.state(producer, (state, at));
        for k in &out.internal[state as usize] {
            let t = producer.internal[*k];
            let next = t.on.map_or(Ok(at), |on| consumer.internal(at, on))?;
            let to = product.state(producer, (t.to, next));
            product.result.internal.push(Internal { from: own, on: t.on, to });
        }
        for k in &out.calls[state as usize] {
            let t = producer.calls[*k];
            let next = consumer.call(at, t.on)?;
            let to = product.state(producer, (t.to, next));
            product.result.calls.push(Call { from: own, on: t.on, to });
        }
        seen.entry(state).or_default().push((state, at));
        // The position is first used as the state before the return, then as the one before the call.
        for k in &out.returns[state as usize] {
            for (call, outside) in seen.get(&producer.returns[*k].call).cloned().unwrap_or_default()
            {
                product.ret(producer, consumer, *k, (state, at), (call, outside))?;
            }
        }
        for k in by_exit.get(&state).into_iter().flatten() {
            for (exit, inside) in seen.get(&producer.returns[*k].from).cloned().unwrap_or_default()
            {
                if (exit, inside) != (state, at) {
                    product.ret(producer, consumer, *k, (exit, inside), (state, at))?;
                }
            }
        }
    }
    let finals: BTreeSet<State> = (0..)
        .zip(&product.known)
        .filter(|(_, (state, at))| producer.finals.contains(state) && !consumer.accepts(*at))
        .map(|(number, _)| number)
        .collect();
    product.result.finals = finals;
    Ok(product.result)
}

struct Product {
    known: IndexSet<(State, Id)>,
    work: Vec<(State, Id)>,
    result: Nwa,
}

impl Product {
    fn state(&mut self, producer: &Nwa, pair: (State, Id)) -> State {
        let (index, new) = self.known.insert_full(pair);
        if new {
            self.work.push(pair);
            let name = &producer.names[pair.0 as usize];
            self.result.add_state(format!("{name}/{}", pair.1));
        }
        State::try_from(index).unwrap_or(State::MAX)
    }

    fn ret(
        &mut self,
        producer: &Nwa,
        consumer: &mut Determinized,
        k: usize,
        exit: (State, Id),
        call: (State, Id),
    ) -> Result<(), Error> {
        let t = producer.returns[k];
        let next = consumer.ret(exit.1, call.1, t.on)?;
        let (from, pushed) = (self.state(producer, exit), self.state(producer, call));
        let to = self.state(producer, (t.to, next));
        self.result.returns.push(Return { from, call: pushed, on: t.on, to });
        Ok(())
    }
}
