//! Assembles nests.

use super::Assembler;
use crate::lower::{self, Lane, Node, Step, Work};
use crate::program::Expr;
use crate::run::machine::code::{
    AffineCode, Instruction, Kernel, LaneCode, Place, StepCode, WorkCode,
};

impl Assembler<'_> {
    /// Assembles the loop `node` as a nest, with a jump to `failed` if an assumption does not hold. Returns
    /// false if it is not one.
    pub fn nest(&mut self, node: &Node<'_>, failed: Place) -> Option<bool> {
        let Some(nest) = lower::nest(&self.scope, node) else { return Some(false) };
        let counts = nest.levels.iter().map(|(_, count)| self.expr(count));
        let counts = counts.collect::<Option<Vec<_>>>()?;
        let end = self.label();
        self.instructions.push(Instruction::Nest { counts, end });
        for (var, count) in &nest.levels {
            self.enter(*var, count);
        }
        nest.steps.iter().try_for_each(|step| self.step(step, failed))?;
        nest.levels.iter().for_each(|_| self.leave());
        self.place(end);
        Some(true)
    }

    fn step(&mut self, step: &Step, failed: Place) -> Option<()> {
        if let (Work::Check(p, _), []) = (&step.work, &step.lanes[..]) {
            return self.unless(p, failed);
        }
        let work = match &step.work {
            Work::Fill(aim, value) => {
                let value = self.expr(value)?;
                WorkCode::Fill(self.array(&aim.target), self.affine(&aim.index)?, value)
            }
            Work::Copy(aim) => WorkCode::Copy(self.array(&aim.target), self.affine(&aim.index)?),
            Work::Map(aim, value, hull) => {
                let index = self.affine(&aim.index)?;
                let kernel = Kernel::value(self, &step.lanes, *hull, value)?;
                WorkCode::Map(self.array(&aim.target), index, kernel)
            }
            Work::Check(p, hull) => {
                WorkCode::Check(Kernel::truth(self, &step.lanes, *hull, p)?, failed)
            }
        };
        let lanes = step.lanes.iter().map(|lane| self.lane(lane)).collect::<Option<Vec<_>>>()?;
        if let Work::Fill(aim, _) | Work::Copy(aim) | Work::Map(aim, ..) = &step.work
            && self.scope.mode == lower::Mode::Forward
        {
            self.allocate(aim.target.field)?;
        }
        self.instructions.push(Instruction::Step(Box::new(StepCode { lanes, work })));
        Some(())
    }

    fn lane(&mut self, lane: &Lane) -> Option<LaneCode> {
        let index = self.affine(&lane.index)?;
        let noted = self.scope.is_noted(&lane.element);
        Some(LaneCode { array: self.array(&lane.element), index, noted })
    }

    fn affine(&mut self, index: &[Vec<Expr>]) -> Option<AffineCode> {
        let row = |row: &Vec<Expr>| row.iter().map(|e| self.expr(e)).collect();
        index.iter().map(row).collect()
    }
}

impl StepCode {
    /// Returns the place that it may go to.
    pub fn place_mut(&mut self) -> Option<&mut Place> {
        match &mut self.work {
            WorkCode::Check(_, place) => Some(place),
            WorkCode::Fill(..) | WorkCode::Copy(..) | WorkCode::Map(..) => None,
        }
    }
}
