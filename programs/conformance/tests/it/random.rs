//! Random pairs of automata: inclusion on the fly, explicit determinization and brute force agree.

use std::collections::BTreeSet;

use conformance::automata::nwa::{CALL, Call, Internal, RETURN, Return};
use conformance::automata::{Alphabet, Event, Letter, Nwa, Symbol};
use conformance::check::{Mode, explicit, on_the_fly};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The letters of all words that are tried.
const LONGEST: usize = 8;

/// States of a determinized consumer, and of a difference, at most.
const RELATIONS: usize = 60;

struct Letters {
    alphabet: Alphabet,
    events: [Symbol; 2],
    call: Symbol,
    ret: Symbol,
}

fn letters() -> Letters {
    let mut alphabet = Alphabet::default();
    let events = ["a", "b"].map(|name| alphabet.symbol(Event::any(name)));
    let call = alphabet.symbol(Event::any(CALL));
    let ret = alphabet.symbol(Event::any(RETURN));
    Letters { alphabet, events, call, ret }
}

/// A random automaton of up to `most` states. Sparse ones have small languages, dense ones large ones.
fn automaton(rng: &mut ChaCha8Rng, letters: &Letters, density: u32, most: u32) -> Nwa {
    let mut nwa = Nwa::default();
    let states = rng.random_range(1..=most);
    for k in 0..states {
        nwa.add_state(k.to_string());
    }
    nwa.initial.insert(0);
    let some = |rng: &mut ChaCha8Rng| rng.random_range(0..states);
    nwa.finals.insert(some(rng));
    if rng.random_bool(0.5) {
        nwa.finals.insert(some(rng));
    }
    for _ in 0..states * density / 2 {
        let on = match rng.random_range(0..7) {
            0 => None,
            k => Some(letters.events[k % 2]),
        };
        nwa.internal.push(Internal { from: some(rng), on, to: some(rng) });
    }
    for _ in 0..states * density / 6 {
        let (from, to) = (some(rng), some(rng));
        nwa.calls.push(Call { from, on: letters.call, to });
        for _ in 0..rng.random_range(1..=3) {
            let ret = Return { from: some(rng), call: from, on: letters.ret, to: some(rng) };
            nwa.returns.push(ret);
        }
    }
    nwa
}

/// Sets of states as bits.
type States = u16;

/// One activation: for each state that was pushed before it (the last: none), the present states.
type Frame = [States; 13];

/// An automaton as tables of bits. Configurations are a frame for each pending call: a stack is
/// possible if each of its states is a present one in the frame below.
struct Tables {
    close: [States; 12],
    internal: [[States; 12]; 2],
    calls: [States; 12],
    returns: Vec<(usize, usize, usize)>,
    finals: States,
    initial: States,
}

impl Tables {
    fn new(nwa: &Nwa, letters: &Letters) -> Self {
        let mut close: [States; 12] = std::array::from_fn(|k| 1 << k);
        for _ in 0..12 {
            for t in nwa.internal.iter().filter(|t| t.on.is_none()) {
                for row in &mut close {
                    if *row >> t.from & 1 == 1 {
                        *row |= 1 << t.to;
                    }
                }
            }
        }
        let mut internal = [[0; 12]; 2];
        for t in &nwa.internal {
            if let Some(k) = letters.events.iter().position(|event| Some(*event) == t.on) {
                internal[k][t.from as usize] |= close[t.to as usize];
            }
        }
        let mut calls = [0; 12];
        for t in &nwa.calls {
            calls[t.from as usize] |= close[t.to as usize];
        }
        let returns = nwa.returns.iter();
        let returns = returns.map(|t| (t.from as usize, t.call as usize, t.to as usize)).collect();
        let finals = nwa.finals.iter().fold(0, |all, state| all | 1 << state);
        let initial = nwa.initial.iter().fold(0, |all, state| all | close[*state as usize]);
        Self { close, internal, calls, returns, finals, initial }
    }

    fn begin(&self) -> Vec<Frame> {
        let mut frame = [0; 13];
        frame[12] = self.initial;
        vec![frame]
    }

    fn image(states: States, step: &[States; 12]) -> States {
        (0..12).filter(|k| states >> k & 1 == 1).fold(0, |all, k| all | step[k])
    }

    /// The frames after a letter: 0 and 1 are events, 2 is a call, 3 a return.
    fn step(&self, frames: &[Frame], letter: usize) -> Vec<Frame> {
        let mut next = frames.to_vec();
        let Some(top) = next.pop() else { return next };
        match letter {
            0 | 1 => next.push(top.map(|states| Self::image(states, &self.internal[letter]))),
            2 => {
                let present = top.iter().fold(0, |all, states| all | states);
                let mut inner = [0; 13];
                for k in (0..12).filter(|k| present >> k & 1 == 1) {
                    inner[k] = self.calls[k];
                }
                next.extend([top, inner]);
            }
            _ => {
                let Some(below) = next.pop() else { return next };
                let mut joined = [0; 13];
                for (from, call, to) in &self.returns {
                    if top[*call] >> from & 1 == 1 {
                        for (row, states) in joined.iter_mut().zip(below) {
                            if states >> call & 1 == 1 {
                                *row |= self.close[*to];
                            }
                        }
                    }
                }
                next.push(joined);
            }
        }
        next
    }

    fn accepts(&self, frames: &[Frame]) -> bool {
        matches!(frames, [main] if main[12] & self.finals != 0)
    }
}

/// The length of the shortest word of at most eight letters that the first accepts and the second,
/// which is already enriched, refuses.
fn brute_force(producer: &Tables, consumer: &Tables) -> Option<usize> {
    let mut level = vec![(producer.begin(), consumer.begin())];
    for length in 0..=LONGEST {
        if level.iter().any(|(p, c)| producer.accepts(p) && !consumer.accepts(c)) {
            return Some(length);
        }
        let mut next = BTreeSet::new();
        for (p, c) in &level {
            for letter in 0..4 {
                let p = producer.step(p, letter);
                // A word that begins so has to end with all pending returns.
                let possible = p.last().is_some_and(|top| top.iter().any(|states| *states != 0));
                if possible && length + p.len() <= LONGEST {
                    next.insert((p, consumer.step(c, letter)));
                }
            }
        }
        level = next.into_iter().collect();
    }
    None
}

/// Compares the three on pairs; returns the numbers of pairs that conform and that do not.
fn agree(pairs: usize, most: u32, mode: Mode, seed: u64) -> (usize, usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut conform, mut differ, mut left_out) = (0, 0, 0);
    let mut pair = 0;
    while pair < pairs {
        let mut letters = letters();
        let density = rng.random_range(1..=3);
        let producer = automaton(&mut rng, &letters, density, most);
        let density = rng.random_range(2..=6);
        let consumer = automaton(&mut rng, &letters, density, most);
        let quick = on_the_fly(&producer, &consumer, mode).unwrap();
        // Some consumers have millions of states when they are determinized: another pair is drawn.
        let Ok(slow) = explicit(&producer, &consumer, mode, &mut letters.alphabet, RELATIONS)
        else {
            left_out += 1;
            continue;
        };
        pair += 1;
        let (mut own, mut rich) = (producer.clone(), consumer.clone());
        match mode {
            Mode::Vpa => rich = consumer.enriched(&mut letters.alphabet),
            Mode::Fa => (own, rich) = (producer.flattened(), consumer.flattened()),
            Mode::NoEnrich => {}
        }
        assert_eq!(quick.is_some(), slow.is_some(), "pair {pair}: {producer:?} {consumer:?}");
        let (own, rich) = (Tables::new(&own, &letters), Tables::new(&rich, &letters));
        let tried = brute_force(&own, &rich);
        let short = quick.as_ref().map(|q| q.word.len()).filter(|length| *length <= LONGEST);
        assert_eq!(short, tried, "pair {pair}: {producer:?} {consumer:?}");
        for found in quick.iter().chain(&slow) {
            let number = |letter: &Letter| match letter {
                Letter::Internal(on) => usize::from(*on == letters.events[1]),
                Letter::Call(_) => 2,
                Letter::Return(_) => 3,
            };
            let run = |tables: &Tables| {
                let step = |at: Vec<Frame>, letter| tables.step(&at, number(letter));
                tables.accepts(&found.word.iter().fold(tables.begin(), step))
            };
            assert!(run(&own) && !run(&rich), "pair {pair}: {:?}", found.word);
        }
        if quick.is_some() { differ += 1 } else { conform += 1 }
    }
    eprintln!("{mode:?}: {conform} conform, {differ} do not; {left_out} too large");
    (conform, differ)
}

#[test]
fn two_thousand_pairs_agree() {
    let (conform, differ) = agree(2_000, 12, Mode::Vpa, 1);
    assert!(conform >= 150 && differ >= 150, "{conform} {differ}");
}

#[test]
fn pairs_agree_in_the_other_modes() {
    for mode in [Mode::Fa, Mode::NoEnrich] {
        let (conform, differ) = agree(300, 5, mode, 2);
        assert!(conform >= 30 && differ >= 30, "{mode:?} {conform} {differ}");
    }
}
