//! A run of a program with walks on unknown bytes, and the decisions that remain when it ends.

use fixedbitset::FixedBitSet;
use rand::RngExt;

use super::choices::Numbers;
use super::decide::Purpose;
use super::linear::{Linear, Unknown};
use super::plan::Plan;
use super::state::{Bytes, Cell, Dead, PendingSum, State, Step};
use super::walker::{Mode, Walker};
use crate::program::{Cmp, FieldId, Program, Span};
use crate::run::backward::{Filler, draw_tail};
use crate::run::error::RunError;
use crate::run::store::{Array, FieldValue, Record, Slot, Store};
use crate::run::views;
use crate::solve::draw::shuffle;
use crate::solve::{ChoiceSource, Stream};

/// The maximum number of unused bytes at the end of an array.
const MOST_FREE: i128 = 1 << 24;
/// The maximum number of bytes of an input array.
const LONGEST: i128 = 1 << 32;
/// The maximum number of statements that a run executes; each element of the canonical value adds more.
const STEPS: u64 = 400_000;
/// The maximum number of ways through a program that are tried.
const WAYS: usize = 48;
/// The maximum number of times that a run is started.
const TIMES: usize = 6;

impl<'a> Walker<'a> {
    /// Starts a run. `known` has the bytes of the input arrays, if they are known.
    pub fn new(
        program: &'a Program,
        plan: &Plan,
        (y, numbers): (&'a Store, &'a Numbers),
        rng: Stream,
        known: Option<&Record>,
    ) -> Self {
        let cells = |slot: &Slot| match slot {
            Slot::Array(array, _) => array.cells.len(),
            Slot::Scalar(_) | Slot::Unset => 1,
        };
        let lengths: Vec<usize> = y.slots.iter().map(cells).collect();
        let fields = &program.input.fields;
        let mut state = State::new(program.vars.len(), fields.len(), plan.sites.len(), &lengths);
        for (k, f) in fields.iter().enumerate().filter(|(_, f)| !f.is_scalar()) {
            let bytes = known.and_then(|x| x.array(&program.input, &f.name));
            let known: Option<Vec<u8>> = bytes.map(|b| {
                let all = (0..b.cells.len()).filter_map(|at| b.cells.get(at));
                all.map(|byte| u8::try_from(byte).unwrap_or_default()).collect()
            });
            let n = known.as_ref().map(Vec::len);
            let (lo, hi) = n.map_or((0, LONGEST), |n| (n as i128, n as i128));
            let (length, site) = (state.unknown(lo, hi, None), plan.bytes_site(k));
            state.arrays[k] = Some(Bytes { cells: Vec::new(), used: 0, length, site, known });
        }
        let elements: usize = lengths.iter().sum();
        Self {
            program,
            y,
            state,
            rng,
            frames: Vec::new(),
            rest: Vec::new(),
            steps: STEPS + 64 * elements as u64,
            mode: Mode::Any,
            last: Span::default(),
            numbers,
            any: false,
        }
    }

    /// Runs the program, and decides everything except bytes on which nothing depends.
    pub fn run(&mut self, plan: &'a Plan, source: &mut ChoiceSource) -> Step<()> {
        let slack = self.numbers.slack;
        let mut result = Err(Dead::End);
        for _ in 0..TIMES {
            result = self.once(plan, source, slack);
            if result != Err(Dead::End) {
                break;
            }
        }
        result
    }

    fn once(&mut self, plan: &'a Plan, source: &mut ChoiceSource, slack: u64) -> Step<()> {
        self.attempt(WAYS, |walker| {
            walker.mode = Mode::Any;
            walker.block(&plan.body)?;
            walker.place_deferred(0)?;
            if !walker.any && walker.state.left.iter().any(|left| *left > 0) {
                return Err(Dead::End);
            }
            walker.close(source, slack)
        })
    }

    /// Decides the lengths of the arrays, then the remaining unknowns.
    fn close(&mut self, source: &mut ChoiceSource, slack: u64) -> Step<()> {
        for at in 0..self.state.sums.len() {
            let sum = self.state.sums[at].clone();
            let start = self.settled(&sum.start, Purpose::Place)?;
            let end = self.settled(&sum.end, Purpose::Place)?;
            let width = usize::try_from(end - start).map_err(|_| Dead::End)?;
            self.place(sum.array, start, width)?;
        }
        for k in 0..self.state.arrays.len() {
            let Some(bytes) = &self.state.arrays[k] else { continue };
            self.sizes_of(bytes.length)?;
            let Some(bytes) = &self.state.arrays[k] else { continue };
            let (length, used) = (bytes.length, bytes.used as i128);
            let d = &self.state.domains[length.0];
            let n = match (d.lo == d.hi, d.hi < LONGEST) {
                (true, _) => d.lo,
                // The last record ends where the array ends.
                (false, true) => d.hi,
                (false, false) => {
                    let name = self.program.input.fields[k].tail(0);
                    let tail = draw_tail(source, &name, slack).map_err(|_| Dead::End)?;
                    used.max(d.lo) + tail
                }
            };
            if n - used > MOST_FREE && !self.numbers.traced {
                return Err(Dead::End);
            }
            let exact = Linear::from(length).plus(-1, &n.into()).ok_or(Dead::End)?;
            self.state.demand(Cmp::Eq, &exact)?;
        }
        let summed = self.summed();
        // Unknowns that conditions connect, those with the greatest coefficients first.
        for at in 0..self.state.pending.len() {
            while self.state.pending[at].2 {
                let sum = self.state.resolve(&self.state.pending[at].1.clone())?;
                let open = sum.terms.iter().filter(|(u, _)| !summed.contains(u));
                let Some((u, _)) = open.max_by_key(|(_, c)| c.abs()) else { break };
                self.decide(*u, Purpose::Value)?;
            }
        }
        for k in 0..self.state.domains.len() {
            let u = Unknown(k);
            if !summed.contains(&u) {
                self.whole(u)?;
            }
        }
        Ok(())
    }

    /// Decides the sizes that the length of an array depends on.
    fn sizes_of(&mut self, length: Unknown) -> Step<()> {
        for at in 0..self.state.pending.len() {
            loop {
                let (_, sum, open) = &self.state.pending[at];
                let sum = self.state.resolve(sum)?;
                let of_length = *open && sum.terms.iter().any(|(u, _)| *u == length);
                // The bytes of a number that states the length follow from the length.
                let size =
                    |(u, _): &&(Unknown, i128)| *u != length && self.state.encodings[u.0].is_some();
                match sum.terms.iter().find(size).filter(|_| of_length) {
                    Some((u, _)) => self.decide(*u, Purpose::Place)?,
                    None => break,
                }
            }
        }
        Ok(())
    }

    /// Decides an unknown with all of its parts.
    fn whole(&mut self, u: Unknown) -> Step<()> {
        let number = self.state.resolve(&u.into())?;
        self.settled(&number, Purpose::Value).map(|_| ())
    }

    /// Returns the unknowns that are sums over bytes.
    fn summed(&self) -> Vec<Unknown> {
        let number = |sum: &PendingSum| self.state.resolve(&sum.number).ok();
        let all = self.state.sums.iter().filter_map(number);
        all.flat_map(|number| number.terms).map(|(u, _)| u).collect()
    }

    /// Fills the bytes on which nothing depends, computes the checksums, and returns the representation.
    ///
    /// # Errors
    ///
    /// Returns an error if a checksum does not match, or a given choice does not fit.
    pub fn finish(mut self, source: &mut ChoiceSource) -> Result<Record, RunError> {
        let mut arrays: Vec<(FieldId, Vec<u8>, FixedBitSet)> = Vec::new();
        for (k, f) in self.program.input.indexed() {
            let Some(bytes) = &self.state.arrays[k.0] else { continue };
            let length = self.state.value(&bytes.length.into()).unwrap_or_default();
            let found = self.bytes(k, usize::try_from(length).unwrap_or_default());
            let mut known = FixedBitSet::with_capacity(found.len());
            found.iter().enumerate().for_each(|(at, b)| known.set(at, b.is_some()));
            // Checksums are not free bytes.
            for at in 0..found.len() {
                if matches!(self.state.cell(k, at), Cell::Digit(..)) {
                    known.insert(at);
                }
            }
            let plain: Vec<u8> = found.into_iter().map(Option::unwrap_or_default).collect();
            let mut array = Array::bytes(plain);
            if !known.is_full() {
                let fill = source.fill(&format!("{} fill", f.dimension()))?;
                Filler::new(fill).rest(f.int, &mut array, &known);
            }
            let cells = (0..array.cells.len()).filter_map(|at| array.cells.get(at));
            arrays.push((k, cells.map(|b| b as u8).collect(), known));
        }
        self.compute_sums(&mut arrays)?;
        let declared = arrays.into_iter().map(|(_, all, _)| FieldValue::Array(Array::bytes(all)));
        views::complete(self.program, declared.collect())
            .map_err(|e| RunError::NoRepresentation(e.to_string()))
    }

    /// Computes the checksums, each when its bytes are known.
    fn compute_sums(
        &mut self,
        arrays: &mut [(FieldId, Vec<u8>, FixedBitSet)],
    ) -> Result<(), RunError> {
        let fails = |span: Span, program: &Program| {
            let why = "a sum has no value that fits its bytes";
            RunError::NoRepresentation(RunError::at(&program.source, span, why).to_string())
        };
        for at in 0..self.state.sums.len() {
            let sum = self.state.sums[at].clone();
            let Some((_, all, _)) = arrays.iter().find(|(k, ..)| *k == sum.array) else { continue };
            let place = |at: &Linear| usize::try_from(self.state.value(at).unwrap_or_default());
            let range = place(&sum.start).unwrap_or_default()..place(&sum.end).unwrap_or_default();
            let value = sum.sum.of(all.get(range).unwrap_or_default());
            let distance = sum.number.plus(-1, &value.into());
            let decided = distance.ok_or(Dead::End).and_then(|d| self.state.demand(Cmp::Eq, &d));
            decided.map_err(|_| fails(self.last, self.program))?;
            for (k, all, _) in arrays.iter_mut() {
                for (at, byte) in self.bytes(*k, all.len()).into_iter().enumerate() {
                    if let (Cell::Digit(..), Some(byte)) = (self.state.cell(*k, at), byte) {
                        all[at] = byte;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns items in random order.
    pub fn shuffled(&mut self, items: &[i128]) -> Vec<i128> {
        let mut items = items.to_vec();
        shuffle(&mut self.rng, &mut items);
        items
    }

    /// Returns the possible branches of a conditional, in reverse order of trial.
    pub fn weighted(&mut self, [els, then]: [u32; 2]) -> Vec<i128> {
        match (els, then) {
            (0, 0) => Vec::new(),
            (0, _) => vec![1],
            (_, 0) => vec![0],
            _ => {
                let sum = u64::from(els) + u64::from(then);
                let first = self.rng.random_range(0..sum) < u64::from(then);
                if first { vec![0, 1] } else { vec![1, 0] }
            }
        }
    }
}
