//! The assembler: translates statements to code.

mod kernel;
mod nest;
mod predicate;

use std::collections::BTreeMap;

use super::code::{ArrayRef, Code, Index, Instruction, Place, Register};
use crate::lower::{Mode, Node, Scope};
use crate::program::{Expr, FieldId, Length, Pred, Program, Ref, VarId};

/// Assembles statements; `None` if they are beyond the machine.
pub(super) fn assemble(program: &Program, mode: Mode, nodes: &[Node<'_>]) -> Option<Code> {
    let mut scope = Scope::new(program, mode);
    if mode == Mode::Forward {
        nodes.iter().for_each(|n| n.reserved(&mut scope.reserved));
    }
    let mut assembler = Assembler {
        scope,
        instructions: Vec::new(),
        registers: Vec::new(),
        constants: BTreeMap::new(),
        given: BTreeMap::new(),
        vars: Vec::new(),
        labels: Vec::new(),
        failed: 0,
    };
    assembler.failed = assembler.label();
    let end = assembler.label();
    assembler.block(nodes)?;
    if mode == Mode::Forward {
        let arrays = program.output.indexed().filter(|(_, f)| !f.is_scalar());
        for (field, _) in arrays {
            assembler.allocate(field)?;
        }
    }
    assembler.instructions.push(Instruction::Jump(end));
    assembler.place(assembler.failed);
    assembler.instructions.push(match mode {
        Mode::Condition => Instruction::False,
        Mode::Forward | Mode::Backward => Instruction::Irregular,
    });
    assembler.place(end);
    Some(assembler.finish())
}

pub(super) struct Assembler<'p> {
    pub scope: Scope<'p>,
    pub instructions: Vec<Instruction>,
    registers: Vec<i128>,
    constants: BTreeMap<i128, Register>,
    /// Scalars of the given side.
    given: BTreeMap<FieldId, Register>,
    /// The loops around the statement, with the registers of their variables.
    vars: Vec<(VarId, Register)>,
    /// The places of labels.
    labels: Vec<Place>,
    /// The label of an assumption that does not hold.
    pub failed: Place,
}

impl Assembler<'_> {
    fn finish(mut self) -> Code {
        for instruction in &mut self.instructions {
            if let Some(place) = instruction.place_mut() {
                *place = self.labels[*place];
            }
        }
        Code {
            instructions: self.instructions,
            registers: self.registers,
            given: self.given.into_iter().collect(),
        }
    }

    /// Returns a new label.
    pub fn label(&mut self) -> Place {
        self.labels.push(0);
        self.labels.len() - 1
    }

    /// Places a label before the next instruction.
    pub fn place(&mut self, label: Place) {
        self.labels[label] = self.instructions.len();
    }

    /// Returns a new register.
    pub fn register(&mut self) -> Register {
        self.registers.push(0);
        (self.registers.len() - 1) as Register
    }

    /// Returns the register of a constant.
    pub fn constant(&mut self, n: i128) -> Register {
        if let Some(register) = self.constants.get(&n) {
            return *register;
        }
        let register = self.register();
        self.registers[register as usize] = n;
        self.constants.insert(n, register);
        register
    }

    /// Enters a loop whose variable the machine counts in the returned register.
    pub fn enter(&mut self, var: VarId, count: &Expr) -> Register {
        self.scope.enter(var, count);
        let register = self.register();
        self.vars.push((var, register));
        register
    }

    /// Leaves the innermost loop.
    pub fn leave(&mut self) {
        self.vars.pop();
        self.scope.leave_to(self.vars.len());
    }

    fn block(&mut self, nodes: &[Node<'_>]) -> Option<()> {
        nodes.iter().try_for_each(|n| self.statement(n))
    }

    fn statement(&mut self, node: &Node<'_>) -> Option<()> {
        match node {
            Node::Assign(target, value) => {
                for e in target.index.iter().chain([*value]) {
                    self.note(e)?;
                }
                self.assign(target, value)
            }
            Node::Assume(p) => {
                self.note_all(p)?;
                self.unless(p, self.failed)
            }
            Node::If(cond, then, els) => {
                self.note_all(cond)?;
                let (otherwise, end) = (self.label(), self.label());
                self.unless(cond, otherwise)?;
                self.block(then)?;
                self.instructions.push(Instruction::Jump(end));
                self.place(otherwise);
                self.block(els)?;
                self.place(end);
                Some(())
            }
            Node::For(var, count, body) => match self.nest(node, self.failed)? {
                true => Some(()),
                false => {
                    self.note(count)?;
                    self.each(*var, count, |inside| inside.block(body))
                }
            },
            Node::Reserve(field, start, end) => {
                self.note(start)?;
                self.note(end)?;
                let (start, end) = (self.expr(start)?, self.expr(end)?);
                self.instructions.push(Instruction::Reserve { field: *field, start, end });
                Some(())
            }
        }
    }

    /// Assembles a loop.
    pub fn each(
        &mut self,
        var: VarId,
        count: &Expr,
        body: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let (head, end) = (self.label(), self.label());
        let (rounds, zero) = (self.expr(count)?, self.constant(0));
        let var = self.enter(var, count);
        self.instructions.push(Instruction::Move { to: var, from: zero });
        self.place(head);
        self.instructions.push(Instruction::Round { var, count: rounds, end });
        body(self)?;
        self.instructions.push(Instruction::Next { var, head });
        self.place(end);
        self.leave();
        Some(())
    }

    fn assign(&mut self, target: &Ref, value: &Expr) -> Option<()> {
        let value = self.expr(value)?;
        let f = self.scope.program.field(target);
        let (field, range) = (target.field, f.int.range());
        if f.is_scalar() {
            self.instructions.push(Instruction::Settle { field, range, value });
            return Some(());
        }
        let index = self.index(&target.index)?;
        if self.scope.mode == Mode::Forward {
            self.allocate(field)?;
        }
        let array = self.array(target);
        self.instructions.push(Instruction::Store { array, index, value });
        Some(())
    }

    /// Assembles the allocation of an output array, unless it is already allocated.
    pub fn allocate(&mut self, field: FieldId) -> Option<()> {
        let place = self.label();
        self.instructions.push(Instruction::IfAllocated { field, place });
        let program = self.scope.program;
        let lengths = program.output.fields[field].lengths.iter().map(|length| match length {
            Length::Is(e) => self.expr(e),
            // Well-formed outputs have lengths.
            Length::Free => None,
        });
        let lengths = Index::new(&lengths.collect::<Option<Vec<_>>>()?)?;
        self.instructions.push(Instruction::Allocate { field, lengths });
        self.place(place);
        Some(())
    }

    /// Returns the array that a reference is into.
    pub fn array(&self, r: &Ref) -> ArrayRef {
        let int = self.scope.program.field(r).int;
        ArrayRef { field: r.field, int, own: r.side == self.scope.written() }
    }

    fn index(&mut self, index: &[Expr]) -> Option<Index> {
        let registers = index.iter().map(|i| self.expr(i)).collect::<Option<Vec<_>>>()?;
        Index::new(&registers)
    }

    /// Assembles an expression and returns the register of its value.
    pub fn expr(&mut self, e: &Expr) -> Option<Register> {
        if let Some(n) = crate::program::eval::constant(e) {
            return Some(self.constant(n));
        }
        match e {
            Expr::Int(n) => Some(self.constant(*n)),
            Expr::Var(v) => self.vars.iter().rev().find(|(w, _)| w == v).map(|(_, r)| *r),
            Expr::Ref(r) => self.load(r),
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                let to = self.register();
                self.instructions.push(Instruction::Binary { op: *op, to, a, b });
                Some(to)
            }
        }
    }

    fn load(&mut self, r: &Ref) -> Option<Register> {
        let array = self.array(r);
        match (array.own, r.index.is_empty()) {
            (false, true) => {
                if let Some(register) = self.given.get(&r.field) {
                    return Some(*register);
                }
                let register = self.register();
                self.given.insert(r.field, register);
                Some(register)
            }
            (true, true) if self.scope.mode != Mode::Condition => {
                let to = self.register();
                self.instructions.push(Instruction::Own { to, field: r.field });
                Some(to)
            }
            // Conditions on outputs do not read inputs, and outputs under construction are not read.
            (true, _) if self.scope.mode != Mode::Backward => None,
            _ => {
                let index = self.index(&r.index)?;
                let to = self.register();
                self.instructions.push(Instruction::Load { to, array, index });
                Some(to)
            }
        }
    }

    /// Records which elements of arrays with reservations an expression reads.
    fn note(&mut self, e: &Expr) -> Option<()> {
        let mut noted = Vec::new();
        e.refs(&mut |r| {
            if self.scope.is_noted(r) {
                noted.push(r);
            }
        });
        noted.into_iter().try_for_each(|r| {
            let (array, index) = (self.array(r), self.index(&r.index)?);
            self.instructions.push(Instruction::Note { array, index });
            Some(())
        })
    }

    fn note_all(&mut self, p: &Pred) -> Option<()> {
        let mut all: Vec<&Expr> = Vec::new();
        p.exprs(&mut |e| all.push(e));
        all.into_iter().try_for_each(|e| self.note(e))
    }
}

impl Instruction {
    /// Returns the place to which the instruction may jump.
    fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Instruction::Branch { place, .. }
            | Instruction::Jump(place)
            | Instruction::Round { end: place, .. }
            | Instruction::Next { head: place, .. }
            | Instruction::IfAllocated { place, .. }
            | Instruction::Nest { end: place, .. } => Some(place),
            Instruction::Step(step) => step.place_mut(),
            Instruction::Binary { .. }
            | Instruction::Move { .. }
            | Instruction::Own { .. }
            | Instruction::Load { .. }
            | Instruction::Settle { .. }
            | Instruction::Store { .. }
            | Instruction::Allocate { .. }
            | Instruction::Note { .. }
            | Instruction::Reserve { .. }
            | Instruction::False
            | Instruction::Irregular => None,
        }
    }
}
