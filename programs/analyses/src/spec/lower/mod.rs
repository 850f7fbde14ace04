//! Lowers normalization programs to canonical programs, with their obligations as assertions.
//!
//! Inputs and loop variables become variables, and numbers have only the bounds of fields. Array elements may have any
//! values of their types; an element that is read twice in nested blocks is a single variable. Analyses are linear, so
//! each product, quotient and minimum has a variable, and theorems relate these variables (`value`). This
//! over-approximates the runs of the spec, so a proof holds for inputs of all sizes.

mod condition;
mod emit;
mod obligation;
mod place;
mod statement;
mod theorem;
mod value;

use std::collections::HashMap;
use std::sync::Arc;

use canonical::{IntType, Program, VariableId};
use inverter::program::views::Around;
use inverter::program::{Expr, FieldId, Monomial, Program as Spec, Span, VarId};

use emit::{Emitter, int_type};
pub use obligation::{Kind, Obligation};
pub use place::place;

/// The name of the function for the spec. No C function has this name.
pub const ENTRY: &str = "%spec";

/// A spec as a canonical program.
#[derive(Debug)]
pub struct Lowered {
    /// The program, which begins with [`ENTRY`].
    pub program: Arc<Program>,
    /// The obligations, in the order of the text.
    pub obligations: Vec<Obligation>,
    /// The input scalars in the order in which the program reads them, before it reads anything else.
    pub scalars: Vec<FieldId>,
}

/// The lowering of one spec.
struct Lower<'s> {
    spec: &'s Spec,
    emit: Emitter,
    /// The statement that is being lowered.
    span: Span,
    inputs: HashMap<FieldId, VariableId>,
    outputs: HashMap<FieldId, VariableId>,
    vars: HashMap<VarId, VariableId>,
    /// The loops around the statement, outermost first.
    loops: Vec<Around>,
    scopes: Vec<Scope>,
    /// For each open block, the variables that were created since it began.
    made: Vec<Vec<VariableId>>,
    obligations: Vec<Obligation>,
}

/// A block, and the terms that received a variable since it began.
#[derive(Default)]
struct Scope {
    /// The variables of products, and of single elements and operators.
    known: HashMap<Monomial, VariableId>,
    /// The values of output scalars.
    outputs: HashMap<FieldId, Expr>,
}

/// Lowers a spec.
pub fn lower(spec: &Spec) -> Lowered {
    let mut lower = Lower {
        spec,
        emit: Emitter::new(ENTRY, place::files(&spec.source)),
        span: Span::default(),
        inputs: HashMap::new(),
        outputs: HashMap::new(),
        vars: HashMap::new(),
        loops: Vec::new(),
        scopes: Vec::new(),
        made: Vec::new(),
        obligations: Vec::new(),
    };
    let mut scalars = Vec::new();
    for (field, about) in spec.input.indexed().filter(|(_, about)| about.is_scalar()) {
        let variable = lower.field(&spec.input.binder, &about.name, about.int, about.span);
        lower.emit.input(variable);
        lower.inputs.insert(field, variable);
        scalars.push(field);
    }
    for (field, about) in spec.output.indexed().filter(|(_, about)| about.is_scalar()) {
        let variable = lower.field(&spec.output.binder, &about.name, about.int, about.span);
        lower.outputs.insert(field, variable);
    }
    lower.block(&spec.body);
    let mut obligations = lower.obligations;
    obligations.sort_by_key(|obligation| obligation.place);
    Lowered { program: lower.emit.finish(), obligations, scalars }
}

impl Lower<'_> {
    fn field(&mut self, binder: &str, name: &str, ty: inverter::IntType, span: Span) -> VariableId {
        let place = place(&self.spec.source, span);
        self.emit.place = Some(place);
        self.emit.variable(format!("{binder}.{name}"), int_type(ty), Some(place))
    }

    /// A variable for a number that the front end names.
    fn temporary(&mut self, name: String, ty: IntType) -> VariableId {
        let place = self.emit.place;
        let variable = self.emit.variable(name, ty, place);
        if let Some(made) = self.made.last_mut() {
            made.push(variable);
        }
        variable
    }

    /// Lowers a part in a separate block.
    fn scoped<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let result = part(self);
        self.scopes.pop();
        result
    }
}
