//! Finds the shortest word of an automaton on which a deterministic observer decides in a given way, without building a
//! product. It explores summaries of calls in the order of cost.
//!
//! A *frame* is an activation: a state of the automaton and of the observer right after a call. The positions that are
//! reached in a frame are found once, however many callers it has, and combined with each caller (Knuth's
//! generalization of Dijkstra's algorithm to grammars). Words whose calls and returns do not match are not considered,
//! as in section 3.5 of the paper.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::nwa::{Nwa, Outgoing, State};
use super::observer::{Id, Observer};
use super::run::Step;
use crate::error::Error;

/// The maximum number of positions that are explored.
const NODES: usize = 20_000_000;

/// The maximum number of steps of a run that is written out in full.
const LONGEST: usize = 100_000;

/// A run of the automaton. It is cut off after 100,000 steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The steps.
    pub steps: Vec<Step>,
    /// The number of symbols of the whole word, including calls and returns.
    pub length: u64,
}

/// The step by which a position was first reached at its cost.
#[derive(Debug, Clone, Copy)]
enum Why {
    Begin,
    Internal { before: usize, step: usize },
    Summary { caller: usize, call: usize, exit: usize, ret: usize },
}

/// A position in a frame.
#[derive(Debug)]
struct Node {
    frame: usize,
    state: State,
    observer: Id,
    /// The number of symbols that were read since the frame began.
    cost: u64,
    why: Why,
    done: bool,
}

#[derive(Debug, Default)]
struct Frame {
    main: bool,
    /// The positions that make the call, with the transition.
    callers: Vec<(usize, usize)>,
    /// The positions from which it may return.
    exits: Vec<usize>,
}

struct Search<'a, O> {
    automaton: &'a Nwa,
    out: Outgoing,
    observer: &'a mut O,
    nodes: Vec<Node>,
    node_of: FxHashMap<(usize, State, Id), usize>,
    frames: Vec<Frame>,
    frame_of: FxHashMap<(State, Id, bool), usize>,
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

/// Returns the shortest word that `automaton` accepts and on which `observer` decides as `wanted`: true for a word that
/// it accepts, false for one that it refuses.
///
/// # Errors
///
/// Returns an error if the observer or the exploration needs more states than are allowed.
pub fn shortest<O: Observer>(
    automaton: &Nwa,
    observer: &mut O,
    wanted: bool,
) -> Result<Option<Found>, Error> {
    let mut search = Search {
        automaton,
        out: automaton.outgoing(),
        observer,
        nodes: Vec::new(),
        node_of: FxHashMap::default(),
        frames: Vec::new(),
        frame_of: FxHashMap::default(),
        queue: BinaryHeap::new(),
    };
    let begin = search.observer.initial()?;
    for state in &automaton.initial {
        search.frame(*state, begin, true)?;
    }
    while let Some(Reverse((cost, number))) = search.queue.pop() {
        let node = &mut search.nodes[number];
        if node.done || node.cost != cost {
            continue;
        }
        node.done = true;
        let (state, at, frame) = (node.state, node.observer, node.frame);
        let last = search.frames[frame].main && automaton.finals.contains(&state);
        if last && search.observer.accepts(at) == wanted {
            return Ok(Some(Found { steps: search.unfold(number), length: cost }));
        }
        search.advance(number)?;
    }
    Ok(None)
}

impl<O: Observer> Search<'_, O> {
    /// The frame that begins here, which is created if it is new.
    fn frame(&mut self, state: State, at: Id, main: bool) -> Result<usize, Error> {
        if let Some(frame) = self.frame_of.get(&(state, at, main)) {
            return Ok(*frame);
        }
        let frame = self.frames.len();
        self.frames.push(Frame { main, ..Frame::default() });
        self.frame_of.insert((state, at, main), frame);
        self.reach(frame, state, at, 0, Why::Begin)?;
        Ok(frame)
    }

    fn reach(
        &mut self,
        frame: usize,
        state: State,
        at: Id,
        cost: u64,
        why: Why,
    ) -> Result<(), Error> {
        let fresh = self.nodes.len();
        let number = *self.node_of.entry((frame, state, at)).or_insert(fresh);
        if number == fresh {
            if fresh >= NODES {
                return Err(Error::TooLarge { subject: "the comparison", limit: NODES });
            }
            self.nodes.push(Node { frame, state, observer: at, cost, why, done: false });
        } else {
            let node = &mut self.nodes[number];
            if node.done || node.cost <= cost {
                return Ok(());
            }
            (node.cost, node.why) = (cost, why);
        }
        self.queue.push(Reverse((cost, number)));
        Ok(())
    }

    /// Reaches all positions that are one step or one whole call after a position.
    fn advance(&mut self, number: usize) -> Result<(), Error> {
        let Node { frame, state, observer: at, cost, .. } = self.nodes[number];
        for k in 0..self.out.internal[state as usize].len() {
            let step = self.out.internal[state as usize][k];
            let t = self.automaton.internal[step];
            let (next, price) = match t.on {
                None => (at, 0),
                Some(on) => (self.observer.internal(at, on)?, 1),
            };
            self.reach(frame, t.to, next, cost + price, Why::Internal { before: number, step })?;
        }
        for k in 0..self.out.calls[state as usize].len() {
            let call = self.out.calls[state as usize][k];
            let t = self.automaton.calls[call];
            let inside = self.observer.call(at, t.on)?;
            let callee = self.frame(t.to, inside, false)?;
            self.frames[callee].callers.push((number, call));
            for exit in self.frames[callee].exits.clone() {
                self.summary(number, call, exit)?;
            }
        }
        if !self.out.returns[state as usize].is_empty() && !self.frames[frame].main {
            self.frames[frame].exits.push(number);
            for (caller, call) in self.frames[frame].callers.clone() {
                self.summary(caller, call, number)?;
            }
        }
        Ok(())
    }

    /// Combines a call with a position at which the callee may return.
    fn summary(&mut self, caller: usize, call: usize, exit: usize) -> Result<(), Error> {
        let (before, after) = (&self.nodes[caller], &self.nodes[exit]);
        let (frame, pushed, outside) = (before.frame, before.state, before.observer);
        let (state, inside) = (after.state, after.observer);
        let cost = before.cost.saturating_add(after.cost).saturating_add(2);
        for k in 0..self.out.returns[state as usize].len() {
            let ret = self.out.returns[state as usize][k];
            let t = self.automaton.returns[ret];
            if t.call == pushed {
                let next = self.observer.ret(inside, outside, t.on)?;
                let why = Why::Summary { caller, call, exit, ret };
                self.reach(frame, t.to, next, cost, why)?;
            }
        }
        Ok(())
    }

    /// The steps to a position of the main frame.
    fn unfold(&self, number: usize) -> Vec<Step> {
        enum Task {
            To(usize),
            Emit(Step),
        }
        let mut steps = Vec::new();
        // Tasks are taken from the end. The last step of a position comes after the steps that lead to it.
        let mut tasks = vec![Task::To(number)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Emit(step) => steps.push(step),
                Task::To(number) => match self.nodes[number].why {
                    Why::Begin => {}
                    Why::Internal { before, step } => {
                        tasks.push(Task::Emit(Step::Internal(step)));
                        tasks.push(Task::To(before));
                    }
                    Why::Summary { caller, call, exit, ret } => {
                        tasks.push(Task::Emit(Step::Return(ret)));
                        tasks.push(Task::To(exit));
                        tasks.push(Task::Emit(Step::Call(call)));
                        tasks.push(Task::To(caller));
                    }
                },
            }
            if steps.len() >= LONGEST {
                break;
            }
        }
        steps
    }
}
