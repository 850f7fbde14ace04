//! Random pairs of automata: inclusion on the fly, explicit determinization and brute force agree.

use std::collections::{BTreeMap, BTreeSet};

use conformance::automata::nwa::{CALL, Call, Internal, RETURN, Return};
use conformance::automata::{Alphabet, Event, Letter, Nwa, State, Symbol};
use conformance::check::{Mode, explicit, on_the_fly};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The letters of all words that are tried.
const LONGEST: usize = 8;

/// States of a determinized consumer, and of a difference, at most.
const RELATIONS: usize = 150;

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

/// A random automaton of 1 to 12 states. Sparse ones have small languages, dense ones large ones.
fn automaton(rng: &mut ChaCha8Rng, letters: &Letters, density: u32) -> Nwa {
    let mut nwa = Nwa::default();
    let states = rng.random_range(1..=12u32);
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

/// A state with the states before pending calls.
type Configurations = BTreeSet<(State, Vec<State>)>;

fn closed(nwa: &Nwa, mut all: Configurations) -> Configurations {
    let mut work: Vec<_> = all.iter().cloned().collect();
    while let Some((state, stack)) = work.pop() {
        for t in nwa.internal.iter().filter(|t| t.from == state && t.on.is_none()) {
            let next = (t.to, stack.clone());
            if all.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    all
}

fn begin(nwa: &Nwa) -> Configurations {
    closed(nwa, nwa.initial.iter().map(|state| (*state, Vec::new())).collect())
}

fn step(nwa: &Nwa, from: &Configurations, letter: Letter) -> Configurations {
    let mut next = Configurations::new();
    for (state, stack) in from {
        match letter {
            Letter::Internal(on) => {
                let steps = nwa.internal.iter().filter(|t| t.from == *state && t.on == Some(on));
                next.extend(steps.map(|t| (t.to, stack.clone())));
            }
            Letter::Call(on) => {
                for t in nwa.calls.iter().filter(|t| t.from == *state && t.on == on) {
                    let mut stack = stack.clone();
                    stack.push(*state);
                    next.insert((t.to, stack));
                }
            }
            Letter::Return(on) => {
                let Some((top, rest)) = stack.split_last() else { continue };
                let pops = |t: &&Return| t.from == *state && t.call == *top && t.on == on;
                next.extend(nwa.returns.iter().filter(pops).map(|t| (t.to, rest.to_vec())));
            }
        }
    }
    closed(nwa, next)
}

fn accepts(nwa: &Nwa, at: &Configurations) -> bool {
    at.iter().any(|(state, stack)| stack.is_empty() && nwa.finals.contains(state))
}

/// The length of the shortest word of at most eight letters that the first accepts and the second,
/// which is already enriched, refuses.
fn brute_force(producer: &Nwa, enriched: &Nwa, letters: &Letters) -> Option<usize> {
    // Words that lead both to the same configurations have the same continuations.
    let mut level: BTreeMap<(Configurations, Configurations), usize> = BTreeMap::new();
    level.insert((begin(producer), begin(enriched)), 0);
    for length in 0..=LONGEST {
        if level.keys().any(|(p, c)| accepts(producer, p) && !accepts(enriched, c)) {
            return Some(length);
        }
        let mut next = BTreeMap::new();
        for ((p, c), depth) in &level {
            for (letter, change) in [
                (Letter::Internal(letters.events[0]), 0),
                (Letter::Internal(letters.events[1]), 0),
                (Letter::Call(letters.call), 1),
                (Letter::Return(letters.ret), -1),
            ] {
                let Some(depth) = depth.checked_add_signed(change) else { continue };
                let p = step(producer, p, letter);
                if length + depth < LONGEST && !p.is_empty() {
                    next.insert((p, step(enriched, c, letter)), depth);
                }
            }
        }
        level = next;
    }
    None
}

/// Compares the three on pairs; returns the numbers of pairs that conform and that do not.
fn agree(pairs: usize, mode: Mode, seed: u64) -> (usize, usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut conform, mut differ, mut left_out) = (0, 0, 0);
    let mut pair = 0;
    while pair < pairs {
        let mut letters = letters();
        let density = rng.random_range(1..=4);
        let producer = automaton(&mut rng, &letters, density);
        let density = rng.random_range(3..=8);
        let consumer = automaton(&mut rng, &letters, density);
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
        let tried = brute_force(&own, &rich, &letters);
        let short = quick.as_ref().map(|q| q.word.len()).filter(|length| *length <= LONGEST);
        assert_eq!(short, tried, "pair {pair}: {producer:?} {consumer:?}");
        for found in quick.iter().chain(&slow) {
            if found.word.len() > 2 * LONGEST {
                continue;
            }
            let run = |nwa: &Nwa| {
                let last = found.word.iter().fold(begin(nwa), |at, letter| step(nwa, &at, *letter));
                accepts(nwa, &last)
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
    let (conform, differ) = agree(2_000, Mode::Vpa, 1);
    assert!(conform >= 400 && differ >= 400, "{conform} {differ}");
}

#[test]
fn pairs_agree_in_the_other_modes() {
    for mode in [Mode::Fa, Mode::NoEnrich] {
        let (conform, differ) = agree(300, mode, 2);
        assert!(conform >= 30 && differ >= 30, "{mode:?} {conform} {differ}");
    }
}
