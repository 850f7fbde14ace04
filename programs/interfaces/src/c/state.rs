//! The state of a translation: variables, rules and locations of the current function.

use std::rc::Rc;

use canonical::{CompositeId, FunctionId, Lvalue, Place as CPlace, Program};

use super::alias::Aliased;
use super::memory::Bindings;
use super::options::{Options, problem};
use super::scope::Scope;
use crate::library::{Expr, Place, Problem, Rule, Update, VarId, Variable};

/// The variable that is set when a call fails.
pub(super) const FAILED: VarId = VarId(0);

/// The place to which a body returns.
#[derive(Debug, Clone)]
pub(super) struct Return<'p> {
    pub(super) location: i64,
    /// The lvalue, in the scope of the caller, that receives the result.
    pub(super) result: Option<(Lvalue, Scope<'p>)>,
    /// The variable that receives the result, if there is no lvalue.
    pub(super) variable: Option<VarId>,
}

/// The state of the translation; locals and rules are those of the current function.
pub(super) struct Lowering<'p> {
    pub(super) program: &'p Program,
    pub(super) options: &'p Options,
    pub(super) globals: Vec<Variable>,
    pub(super) global_bindings: Bindings,
    pub(super) objects: Vec<(CompositeId, VarId)>,
    pub(super) locals: Vec<Variable>,
    pub(super) rules: Vec<Rule>,
    pub(super) parameters: usize,
    pub(super) locations: i64,
    pub(super) active: Vec<FunctionId>,
    pub(super) activation: Option<Activation>,
    pub(super) aliased: Rc<Aliased>,
    /// Variables to which a value without a translation is assigned, which is a problem if they are relevant: the
    /// function, the variable, and the problem.
    pub(super) vague: Vec<(usize, VarId, Problem)>,
    /// The number of the current function.
    pub(super) function: usize,
}

/// Functions that call one another, while they are translated.
#[derive(Debug, Clone)]
pub(super) struct Activation {
    pub(super) functions: Vec<Frame>,
    pub(super) depth: VarId,
    /// Slots of the stack: the return location, and copies of `variables`.
    pub(super) slots: Vec<(VarId, Vec<VarId>)>,
    pub(super) variables: Vec<VarId>,
    pub(super) sites: Vec<Site>,
    /// The location that pops the stack, to which every function returns.
    pub(super) pop: i64,
}

#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) id: FunctionId,
    pub(super) bindings: Bindings,
    pub(super) result: Option<VarId>,
    /// The location of its entry, which is translated later.
    pub(super) entry: i64,
    pub(super) is_called: bool,
    pub(super) is_done: bool,
}

/// A call of one of the functions by another one.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) target: Option<VarId>,
    pub(super) result: Option<VarId>,
    pub(super) after: i64,
}

impl<'p> Lowering<'p> {
    pub(super) fn refuse(&self, place: Option<CPlace>, message: impl Into<String>) -> Problem {
        problem(self.program, place, message)
    }

    /// A new location.
    pub(super) fn location(&mut self) -> i64 {
        self.locations += 1;
        self.locations - 1
    }

    /// Returns the location variable, which comes right after the parameters.
    pub(super) fn s(&self) -> VarId {
        VarId(self.globals.len() + self.parameters)
    }

    /// Bindings of variables of static storage.
    pub(super) fn global_bindings(&self) -> &Bindings {
        &self.global_bindings
    }

    /// Adds a rule from one location to another.
    pub(super) fn step(
        &mut self,
        from: i64,
        guard: Expr,
        mut updates: Vec<(VarId, Update)>,
        to: i64,
        place: Option<CPlace>,
    ) {
        let s = self.s();
        updates.push((s, Update::Value(Expr::Int(to))));
        let here = Expr::equals(Expr::Var(s), Expr::Int(from));
        let place = place.map_or(Place::default(), |p| Place {
            line: p.line as usize,
            column: p.column as usize,
        });
        self.rules.push(Rule { guard: Expr::and(here, guard), updates, place });
    }

    /// Adds a rule that fails.
    pub(super) fn fail(&mut self, from: i64, guard: Expr, place: Option<CPlace>) {
        self.step(from, guard, vec![(FAILED, Update::Value(Expr::Int(1)))], from, place);
    }

    /// Adds a rule, and another one that fails if the condition under which its expressions are defined does not hold.
    pub(super) fn defined(
        &mut self,
        from: i64,
        guard: Expr,
        defined: &Expr,
        updates: Vec<(VarId, Update)>,
        to: i64,
        place: Option<CPlace>,
    ) {
        if *defined != Expr::Int(1) {
            self.fail(from, Expr::negated(defined.clone()), place);
        }
        self.step(from, Expr::and(guard, defined.clone()), updates, to, place);
    }
}
