//! Canonical values of moderate size, with as many elements as real files. Small values would hide that an inverse
//! finds a representation only by trial, or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::parallel::first;
use inverter::program::fold::statements;
use inverter::program::{FieldId, Program, Ref, Side, StmtKind};
use inverter::run::explore::{AnyInput, Bounds, Element, Options, Window, explore};
use inverter::run::{Executable, Record, any_walk, normalize_with};
use inverter::solve::draw::draw_member;
use inverter::solve::{ChoiceSource, Domain};

/// The sizes that are tried, as numbers of elements in one dimension.
const SIZES: [i128; 5] = [16, 40, 100, 300, 24];
/// The minimum and maximum number of elements of a value of moderate size.
const ELEMENTS: std::ops::RangeInclusive<usize> = 16..=1500;
/// The number of inputs that are tried.
const TRIES: usize = 150;
/// The size of a crowded value: more elements than one-byte places can distinguish.
const CROWD: i128 = 300;
/// The number of inputs that are tried for a crowded value.
const CROWDED_TRIES: usize = 20;
/// Bounds on one try.
const EFFORT: Bounds = Bounds { runs: 60, steps: 300_000 };

/// Returns up to `count` canonical values of moderate size, as far as they are found before the deadline. Each is the
/// normal form of a random input, so it has a representation. If an array of places determines where elements are, one
/// more value follows: a crowded one, whose elements are all at one of two places, so that small places suffice only if
/// equal elements share them.
pub fn moderate_values_until(
    inverse: &Executable,
    count: usize,
    seed: u64,
    until: Instant,
) -> Vec<Record> {
    let program = &inverse.program;
    if program.has_walks() {
        return walked(inverse, count, seed, until);
    }
    let places = places(program);
    let mut out: Vec<Record> = Vec::new();
    let try_one = |k: usize, size: i128, crowded: bool| {
        let rng = ChaCha8Rng::seed_from_u64(seed.wrapping_add(k as u64));
        let window = Window::new(program, 3);
        let crowd = crowded.then(BTreeMap::new);
        let mut options = Sized { size, window, places: &places, rng, crowd };
        let mut found = None;
        explore(program, &AnyInput, &mut options, EFFORT, &mut |_, class| {
            found = class.value(program);
            false
        });
        let y = found.and_then(|x| normalize_with(inverse, &x).ok())?;
        ELEMENTS.contains(&y.elements()).then_some(y)
    };
    let in_time = || Instant::now() < until;
    let tries: Vec<usize> = (0..TRIES).collect();
    let mut left = &tries[..];
    while out.len() < count {
        let one = |k: &usize| {
            let made = in_time().then(|| try_one(*k, SIZES[*k % SIZES.len()], false)).flatten();
            made.filter(|y| !out.contains(y))
        };
        let Some((at, y)) = first(left, one) else { break };
        left = &left[at + 1..];
        out.push(y);
    }
    let many = |field: &FieldId| !program.input.fields[*field].is_scalar();
    if count > 0 && places.iter().any(many) {
        let tries: Vec<usize> = (TRIES..TRIES + CROWDED_TRIES).collect();
        let crowded = first(&tries, |k| {
            let made = in_time().then(|| try_one(*k, CROWD, true)).flatten();
            made.filter(|y| !out.contains(y))
        });
        out.extend(crowded.map(|(_, y)| y));
    }
    out
}

/// Returns canonical values of moderate size of a program with walks.
fn walked(inverse: &Executable, count: usize, seed: u64, until: Instant) -> Vec<Record> {
    let mut out: Vec<Record> = Vec::new();
    for k in 0..TRIES as u64 {
        if out.len() >= count || Instant::now() >= until {
            break;
        }
        let mut source = ChoiceSource::seeded(seed, k);
        if let Some((_, y)) = any_walk(inverse, &mut source)
            && ELEMENTS.contains(&y.elements())
            && !out.contains(&y)
        {
            out.push(y);
        }
    }
    out
}

/// Values for an input whose arrays have about `size` elements in a dimension.
struct Sized<'p> {
    size: i128,
    window: Window,
    places: &'p BTreeSet<FieldId>,
    rng: ChaCha8Rng,
    /// The places that elements share: for each array, one for even and one for odd elements; `None` if each element
    /// has its own.
    crowd: Option<BTreeMap<(FieldId, i128), i128>>,
}

/// Returns the numbers from which an index is computed and that are not iteration counts: these are places. They are
/// chosen far apart, away from everything else.
fn places(program: &Program) -> BTreeSet<FieldId> {
    let (mut places, mut counts) = (BTreeSet::new(), BTreeSet::new());
    statements(&program.body, &mut |stmt| {
        stmt.exprs(&mut |e| {
            e.refs(&mut |r| {
                let own = |r: &&Ref| r.side == Side::Input;
                r.index.iter().for_each(|i| {
                    i.top_refs(&mut |r| {
                        places.extend(own(&r).then_some(r.field));
                    })
                });
                if matches!(stmt.kind, StmtKind::For { .. }) && own(&r) {
                    counts.insert(r.field);
                }
            });
        });
    });
    places.difference(&counts).copied().collect()
}

impl Options for Sized<'_> {
    fn of(
        &mut self,
        program: &Program,
        element: Element,
        domain: &Domain,
        settled: bool,
    ) -> Vec<i128> {
        /// Alternatives to a value that a condition restricts; without them, one wrong element would invalidate an
        /// input with hundreds.
        const ALTERNATIVES: usize = 4;
        if domain.is_empty() {
            return Vec::new();
        }
        let f = &program.input.fields[element.field];
        let range = f.int.range();
        let free = *domain == Domain::range(range);
        let mut out: Vec<i128> = Vec::new();
        let count = if settled || !free { ALTERNATIVES } else { 1 };
        for k in 0..count {
            let place = self.places.contains(&element.field);
            let value = match f.is_scalar() {
                _ if place && !settled && !f.is_scalar() => self.place_of(element, domain),
                _ if place && !settled => self.place(domain),
                true if !settled => self.scalar(domain, k),
                _ => self.element(domain, range, k),
            };
            out.extend(value.filter(|value| !out.contains(value)));
        }
        out
    }
}

impl Sized<'_> {
    /// The place of an element; in a crowd, that of others.
    fn place_of(&mut self, element: Element, domain: &Domain) -> Option<i128> {
        let own = (element.field, element.index[0] % 2);
        let known = self.crowd.as_ref().and_then(|crowd| crowd.get(&own)).copied();
        if let Some(known) = known.filter(|place| domain.contains(*place)) {
            return Some(known);
        }
        let place = self.place(domain)?;
        if let Some(crowd) = &mut self.crowd {
            crowd.insert(own, place);
        }
        Some(place)
    }

    /// A place that is likely to be free.
    fn place(&mut self, domain: &Domain) -> Option<i128> {
        /// The places of a file of moderate size.
        const PLACES: i128 = 1 << 18;
        let place = self.rng.random_range(0..PLACES);
        domain.at_least(place).or_else(|| draw_member(&mut self.rng, domain))
    }

    /// A size, a number that the spec mentions, or any member.
    fn scalar(&mut self, domain: &Domain, k: usize) -> Option<i128> {
        let near = self.size + self.rng.random_range(-1..=1);
        let size = if self.rng.random_bool(0.8) { near } else { self.rng.random_range(0..=3) };
        if k == 0 && domain.contains(size) {
            return Some(size);
        }
        let quotients = domain.quotients();
        let within = (domain.least(), quotients.max().map_or(0, |q| domain.member(q)));
        let mut known = self.window.within(within);
        known.retain(|n| domain.contains(*n));
        // A place may be anywhere; the nearest member at which a size is allowed is the most likely.
        match known.choose(&mut self.rng) {
            Some(n) if self.rng.random_bool(0.5) => Some(*n),
            _ => domain.at_least(size).or_else(|| draw_member(&mut self.rng, domain)),
        }
    }

    /// Any member; among those above a bound, one that leaves room for more, because arrays may be ordered.
    fn element(&mut self, domain: &Domain, range: (i128, i128), k: usize) -> Option<i128> {
        let above = domain.least() > range.0;
        if above && k == 0 {
            let room = range.1.saturating_sub(domain.least()) / (2 * self.size) + 1;
            let step = self.rng.random_range(0..room.min(1 << 32));
            return domain.at_least(domain.least() + step);
        }
        draw_member(&mut self.rng, domain)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use inverter::check::load;

    fn sizes(text: &str) -> Vec<usize> {
        let inverse = load("t.rs", text).unwrap();
        let until = Instant::now() + Duration::from_secs(600);
        let values = moderate_values_until(&inverse, 3, 1, until);
        values.iter().map(Record::elements).collect()
    }

    #[test]
    fn distinct_pairs_and_tables_of_places_are_no_obstacle() {
        let pairs = sizes(
            "struct In { n: u16, a: [u16; n], b: [u16; n] }
            struct Out { n: u16, a: [u16; n], b: [u16; n] }
            fn normalize(x: &In, y: &mut Out) {
                y.n = x.n;
                for i in 0..x.n { for j in 0..i { assume(x.a[i] != x.a[j] || x.b[i] != x.b[j]); } }
                for i in 0..x.n { y.a[i] = x.a[i]; y.b[i] = x.b[i]; }
            }",
        );
        assert_eq!(pairs.len(), 3);
        let table = sizes(
            "struct File { file: [u8] }
            struct Out { n: u16, v: [u8; n] }
            fn normalize(x: &File, y: &mut Out) {
                assume(bytes(x.file, 0) == b\"TABL\");
                let n = u16le(x.file, 4);
                y.n = n;
                for k in 0..n {
                    let place = u32le(x.file, 6 + 4 * k);
                    y.v[k] = x.file[place];
                }
            }",
        );
        // The last is crowded.
        assert_eq!(table.len(), 4);
        assert!(*table.last().unwrap() > 256);
    }

    #[test]
    fn digits_of_text_and_files_with_a_length_are_found() {
        let text = sizes(
            "struct File { file: [u8] }
            struct Out { n: u16, v: [u8; n] }
            fn normalize(x: &File, y: &mut Out) {
                assume(bytes(x.file, 0) == b\"HEX1\");
                let total = u32le(x.file, 4);
                assume(total == len(x.file));
                let n = u16le(x.file, 8);
                assume(total == 10 + n);
                y.n = n;
                for k in 0..n {
                    let c = x.file[10 + k];
                    assume(c >= 48 && c <= 57 || c >= 97 && c <= 102);
                    y.v[k] = c;
                }
            }",
        );
        assert_eq!(text.len(), 3);
    }
}
