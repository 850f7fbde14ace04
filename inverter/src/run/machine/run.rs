//! Runs code.

use super::code::{AffineCode, Code, Instruction, Register, StepCode, WorkCode};
use super::halt::{Halt, Irregular};
use super::host::{Arrays, Host};
use super::lanes::{AnyLane, typed};
use super::nest::Nest;
use super::vector;
use crate::lower::MOST_LOOPS;
use crate::program::eval::apply;

/// Runs code on the data of the host. Returns false if a condition does not hold.
///
/// # Errors
///
/// Returns an error if an array has to be allocated first, or if the interpreter must run the statement.
pub(super) fn run<H: Host>(code: &Code, host: &mut H) -> Result<bool, Halt> {
    let mut registers = code.registers.clone();
    for (field, register) in &code.given {
        registers[*register as usize] = host.given(*field).ok_or(Irregular)?;
    }
    Run { registers, nest: None }.all(&code.instructions, host)
}

struct Run {
    registers: Vec<i128>,
    /// The nest whose steps are being run.
    nest: Option<Nest>,
}

impl Run {
    fn get(&self, register: Register) -> i128 {
        self.registers[register as usize]
    }

    fn set(&mut self, register: Register, value: i128) {
        self.registers[register as usize] = value;
    }

    fn all<H: Host>(&mut self, instructions: &[Instruction], host: &mut H) -> Result<bool, Halt> {
        let mut at = 0;
        while let Some(instruction) = instructions.get(at) {
            at += 1;
            match instruction {
                Instruction::Binary { op, to, a, b } => {
                    let value = apply(*op, self.get(*a), self.get(*b)).map_err(|_| Irregular)?;
                    self.set(*to, value);
                }
                Instruction::Move { to, from } => self.set(*to, self.get(*from)),
                Instruction::Branch { cmp, a, b, when, place } => {
                    if cmp.holds(self.get(*a).cmp(&self.get(*b))) == *when {
                        at = *place;
                    }
                }
                Instruction::Jump(place) => at = *place,
                Instruction::Round { var, count, end } => {
                    if self.get(*var) < self.get(*count) {
                        host.budget().take(1)?;
                    } else {
                        at = *end;
                    }
                }
                Instruction::Next { var, head } => {
                    self.registers[*var as usize] += 1;
                    at = *head;
                }
                Instruction::Own { to, field } => {
                    let value = host.own(*field)?;
                    self.set(*to, value);
                }
                Instruction::Load { to, array, index } => {
                    let value = host.load(*array, self.values(index.registers()).as_slice())?;
                    self.set(*to, value);
                }
                Instruction::IfAllocated { field, place } => {
                    if host.is_allocated(*field) {
                        at = *place;
                    }
                }
                Instruction::Nest { counts, end } => {
                    let counts = self.values(counts);
                    self.nest = Nest::new(counts.as_slice(), host.budget())?;
                    if self.nest.is_none() {
                        at = *end;
                    }
                }
                Instruction::Step(step) => {
                    if let Some(place) = self.step(step, host)? {
                        at = place;
                    }
                }
                Instruction::False => return Ok(false),
                Instruction::Irregular => return Err(Halt::Irregular),
                Instruction::Settle { .. }
                | Instruction::Store { .. }
                | Instruction::Allocate { .. }
                | Instruction::Note { .. }
                | Instruction::Reserve { .. } => self.act(instruction, host)?,
            }
        }
        Ok(true)
    }

    /// Runs an instruction that only changes the host.
    fn act<H: Host>(&self, instruction: &Instruction, host: &mut H) -> Result<(), Halt> {
        match instruction {
            Instruction::Settle { field, range, value } => {
                host.settle(*field, *range, self.get(*value))?;
            }
            Instruction::Store { array, index, value } => {
                let index = self.values(index.registers());
                host.store(*array, index.as_slice(), self.get(*value))?;
            }
            Instruction::Allocate { field, lengths } => {
                host.allocate(*field, self.values(lengths.registers()).as_slice())?;
            }
            Instruction::Note { array, index } => {
                host.note(*array, self.values(index.registers()).as_slice());
            }
            Instruction::Reserve { field, start, end } => {
                host.reserve(*field, self.get(*start), self.get(*end));
            }
            _ => {}
        }
        Ok(())
    }

    /// Runs the work of a nest for one statement. Returns the position to go to, if a predicate does not hold.
    fn step<H: Host>(&self, step: &StepCode, host: &mut H) -> Result<Option<usize>, Halt> {
        let Some(nest) = &self.nest else { return Err(Halt::Irregular) };
        for lane in step.lanes.iter().filter(|lane| lane.noted) {
            host.note_lane(lane.array, nest, Rows::new(self, &lane.index)?.get().as_slice())?;
        }
        match &step.work {
            WorkCode::Fill(array, index, value) => {
                let (index, value) = (Rows::new(self, index)?, self.get(*value));
                typed!(array.int, T => host.write(array.field, |_, target| {
                    Ok(nest.fill::<T>(target.at(nest, index.get().as_slice())?, value)?)
                }))?;
            }
            WorkCode::Copy(array, index) => {
                let to = Rows::new(self, index)?;
                let [lane] = &step.lanes[..] else { return Err(Halt::Irregular) };
                let from = Rows::new(self, &lane.index)?;
                typed!(array.int, T => host.write(array.field, |arrays, target| {
                    let from = arrays.lane(lane.array, nest, from.get().as_slice())?;
                    Ok(nest.copy::<T>(target.at(nest, to.get().as_slice())?, from)?)
                }))?;
            }
            WorkCode::Map(array, index, kernel) => {
                let to = Rows::new(self, index)?;
                typed!(array.int, T => host.write(array.field, |arrays, target| {
                    let lanes = self.lanes(step, nest, arrays)?;
                    let aim = target.at(nest, to.get().as_slice())?;
                    Ok(vector::map::<T>(nest, aim, &lanes, kernel, &self.registers)?)
                }))?;
            }
            WorkCode::Check(kernel, place) => {
                let lanes = self.lanes(step, nest, host.arrays())?;
                if !vector::all(nest, &lanes, kernel, &self.registers)? {
                    return Ok(Some(*place));
                }
            }
        }
        Ok(None)
    }

    fn lanes<'a>(
        &self,
        step: &StepCode,
        nest: &Nest,
        arrays: &'a impl Arrays,
    ) -> Result<Vec<AnyLane<'a>>, Halt> {
        let lane = |lane: &super::code::LaneCode| {
            arrays.any_lane(lane.array, nest, Rows::new(self, &lane.index)?.get().as_slice())
        };
        step.lanes.iter().map(lane).collect()
    }

    fn values(&self, registers: &[Register]) -> Values {
        let mut values = Values { numbers: [0; MOST], len: registers.len().min(MOST) };
        for (value, register) in values.numbers.iter_mut().zip(registers) {
            *value = self.get(*register);
        }
        values
    }
}

/// The maximum number of numbers in an affine index: the constant, and the coefficients of the loops.
const MOST: usize = 1 + MOST_LOOPS;

/// The values of some registers.
#[derive(Debug, Clone, Copy)]
struct Values {
    numbers: [i128; MOST],
    len: usize,
}

impl Values {
    fn as_slice(&self) -> &[i128] {
        &self.numbers[..self.len]
    }
}

/// The values of an affine index.
struct Rows {
    rows: [Values; super::code::Index::MOST],
    len: usize,
}

impl Rows {
    fn new(run: &Run, index: &AffineCode) -> Result<Self, Irregular> {
        let none = Values { numbers: [0; MOST], len: 0 };
        let mut rows = Self { rows: [none; super::code::Index::MOST], len: index.len() };
        for (row, registers) in
            rows.rows.get_mut(..index.len()).ok_or(Irregular)?.iter_mut().zip(index)
        {
            *row = run.values(registers);
        }
        Ok(rows)
    }

    fn get(&self) -> Slices<'_> {
        Slices { rows: self.rows.each_ref().map(Values::as_slice), len: self.len }
    }
}

/// The rows of an affine index.
struct Slices<'a> {
    rows: [&'a [i128]; super::code::Index::MOST],
    len: usize,
}

impl<'a> Slices<'a> {
    fn as_slice(&self) -> &[&'a [i128]] {
        &self.rows[..self.len]
    }
}
