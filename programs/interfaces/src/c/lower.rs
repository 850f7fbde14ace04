//! Translates control-flow graphs to rules. An edge becomes one or more rules.

use canonical::{
    Action, Expr as CExpr, ExprKind, FunctionId, Lvalue, Place as CPlace, Projection, Storage, Type,
};

use super::expr::{FLOATING, Reader, Value};
use super::memory::{Binding, WIDE, declare, leaves, range};
use super::scope::Scope;
use super::state::{Lowering, Return};
use crate::library::{Expr, Problem, Update, VarId};

/// A value that was read (`None` if it is arbitrary), the condition under which it is defined, and the reason why it
/// has no translation.
pub(super) struct Valued {
    pub(super) value: Value,
    pub(super) defined: Expr,
    pub(super) vague: Option<String>,
}

/// The maximum number of rules of a function. A function with more is refused.
const MOST_RULES: usize = 20_000;

impl<'p> Lowering<'p> {
    /// Updates of the leaves of a target with a known place, and the condition under which the target and the value are
    /// defined.
    pub(super) fn copy(
        &self,
        scope: &Scope<'p>,
        target: &Lvalue,
        value: &CExpr,
    ) -> Result<(Vec<(VarId, Update)>, Expr), String> {
        let mut reader = Reader::new(scope);
        let choices = reader.choices(target)?.leaves;
        let [(_, at)] = choices[..] else {
            return Err("the place of this assignment is not certain".to_owned());
        };
        let parts = leaves(self.program, &target.ty)?;
        let leaf = |k: usize| VarId(at.0 + k);
        let all = 0..parts.len();
        let updates = match &value.kind {
            ExprKind::Zero => all.map(|k| (leaf(k), Update::Value(Expr::Int(0)))).collect(),
            ExprKind::Bytes(string) => {
                let element = target.ty.element().unwrap_or(&target.ty);
                let mut characters = reader.characters(*string, element).into_iter();
                let mut next = || characters.next().unwrap_or(Expr::Int(0));
                all.map(|k| (leaf(k), Update::Value(next()))).collect()
            }
            ExprKind::Load(from) if !target.ty.is_scalar() => {
                let sources = reader.choices(from)?.leaves;
                let [(_, from)] = sources[..] else {
                    return Err("the source of this assignment is not certain".to_owned());
                };
                let source = |k: usize| Update::Value(Expr::Var(VarId(from.0 + k)));
                all.map(|k| (leaf(k), source(k))).collect()
            }
            _ if target.ty.is_scalar() => {
                let (low, high) = range(&target.ty);
                let value = reader.value(value)?;
                if let (None, Some(why)) = (&value, reader.vague.take()) {
                    return Err(why);
                }
                let value = value.map(|value| self.narrowed(target, value));
                vec![(leaf(0), value.map_or(Update::Any(low, high), Update::Value))]
            }
            _ => return Err("this assignment of a struct has no translation".to_owned()),
        };
        Ok((updates, reader.defined))
    }

    /// A value as it is stored in a bit-field.
    fn narrowed(&self, target: &Lvalue, value: Expr) -> Expr {
        let Some(Projection::Field(id, field)) = target.path.last() else { return value };
        let bits = self.program.composite(*id).fields[*field as usize].bits;
        match (bits, target.ty.int()) {
            (Some(bits), Some(int)) if bits.width < int.bits() && bits.width < WIDE => {
                Expr::Wrap { bits: bits.width, signed: int.signed, of: Box::new(value) }
            }
            _ => value,
        }
    }

    /// Translates a body; returns the location of its entry.
    pub(super) fn body(
        &mut self,
        id: FunctionId,
        mut scope: Scope<'p>,
        to: &Return<'p>,
    ) -> Result<i64, Problem> {
        let f = self.program.function(id);
        for local in &f.locals {
            let v = self.program.variable(*local);
            if v.storage == Storage::Static || scope.bindings.contains_key(local) {
                continue;
            }
            let prefix = format!("{}.", f.name);
            let at = declare(self.program, *local, &prefix, self.globals.len(), &mut self.locals)?;
            scope.bindings.insert(*local, Binding::Memory(at));
        }
        let Some(graph) = &f.body else {
            return Err(self.refuse(f.place, format!("`{}` has no body", f.name)));
        };
        scope.find_addresses(graph);
        self.active.push(id);
        let mut locations = Vec::new();
        for k in 0..graph.nodes.len() {
            let is_exit = k == graph.exit.index();
            locations.push(if is_exit { to.location } else { self.location() });
        }
        for edge in &graph.edges {
            let (from, next) = (locations[edge.from.index()], locations[edge.to.index()]);
            match &edge.action {
                Action::Nothing => self.step(from, Expr::Int(1), Vec::new(), next, edge.place),
                Action::Guard { condition, holds } => {
                    self.guard(from, next, &scope, condition, *holds, edge.place)?;
                }
                Action::Assign { target, value } => {
                    self.assign(from, next, (&scope, target), (&scope, value), edge.place)?;
                }
                Action::Call(call) => self.call(from, next, &scope, call, edge.place)?,
                Action::Return(value) => {
                    self.returns(from, &scope, value.as_ref(), to, edge.place)?
                }
            }
            if self.rules.len() > MOST_RULES {
                let message = format!(
                    "`{}` has more than {MOST_RULES} rules, calls included: smaller arrays, or fewer \
                     indices that are not constant, need fewer",
                    f.name
                );
                return Err(self.refuse(f.place, message));
            }
        }
        self.active.pop();
        Ok(locations[graph.entry.index()])
    }

    fn guard(
        &mut self,
        from: i64,
        to: i64,
        scope: &Scope<'p>,
        condition: &CExpr,
        holds: bool,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let mut reader = Reader::new(scope);
        let value = reader.value(condition).map_err(|why| self.refuse(place, why))?;
        if let (None, Some(why)) = (&value, reader.vague.take()) {
            return Err(self.refuse(place, why));
        }
        if matches!(condition.ty, Type::Float(_)) {
            return Err(self.refuse(place, FLOATING));
        }
        let guard = match (value, holds) {
            // If a condition is unknown, both branches are possible.
            (None, _) => Expr::Int(1),
            (Some(value), true) => value,
            (Some(value), false) => Expr::negated(value),
        };
        let defined = reader.defined;
        self.defined(from, guard, &defined, Vec::new(), to, place);
        Ok(())
    }

    fn returns(
        &mut self,
        from: i64,
        scope: &Scope<'p>,
        value: Option<&CExpr>,
        to: &Return<'p>,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        if let (Some((target, caller)), Some(value)) = (&to.result, value) {
            return self.assign(from, to.location, (caller, target), (scope, value), place);
        }
        let mut updates = Vec::new();
        let mut reader = Reader::new(scope);
        if let Some(value) = value.filter(|value| value.ty.is_scalar()) {
            // An unused result is computed as well, because `return a[n]` may exceed the array.
            let (low, high) = range(&value.ty);
            let value = reader.value(value).map_err(|why| self.refuse(place, why))?;
            if let Some(variable) = to.variable {
                self.note(variable, value.is_none(), reader.vague.take(), place);
            }
            let update = value.map_or(Update::Any(low, high), Update::Value);
            updates.extend(to.variable.map(|variable| (variable, update)));
        }
        let defined = reader.defined;
        self.defined(from, Expr::Int(1), &defined, updates, to.location, place);
        Ok(())
    }

    /// Notes that a variable gets a value without a translation.
    pub(super) fn note(
        &mut self,
        variable: VarId,
        is_any: bool,
        why: Option<String>,
        place: Option<CPlace>,
    ) {
        if let (true, Some(why)) = (is_any, why) {
            let problem = self.refuse(place, why);
            self.vague.push((self.function, variable, problem));
        }
    }

    /// An assignment of a value in one scope to a target in another one.
    pub(super) fn assign(
        &mut self,
        from: i64,
        to: i64,
        (target_scope, target): (&Scope<'p>, &Lvalue),
        (scope, value): (&Scope<'p>, &CExpr),
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        if !target.ty.is_scalar() {
            if !std::ptr::eq(target_scope, scope) {
                return Err(self.refuse(place, "a struct as a result has no translation"));
            }
            let (updates, defined) =
                self.copy(scope, target, value).map_err(|why| self.refuse(place, why))?;
            self.defined(from, Expr::Int(1), &defined, updates, to, place);
            return Ok(());
        }
        let mut reader = Reader::new(scope);
        let value = reader.value(value).map_err(|why| self.refuse(place, why))?;
        let valued = Valued { value, defined: reader.defined, vague: reader.vague };
        self.store(from, to, (target_scope, target), valued, place)
    }

    /// An assignment of a value that has been read.
    pub(super) fn store(
        &mut self,
        from: i64,
        to: i64,
        (scope, target): (&Scope<'p>, &Lvalue),
        valued: Valued,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let mut reader = Reader::new(scope);
        let choices = reader.choices(target).map_err(|why| self.refuse(place, why))?;
        if let (false, Some(why)) = (choices.leaves.is_empty(), reader.vague.take()) {
            return Err(self.refuse(place, why));
        }
        let defined = Expr::and(valued.defined, reader.defined);
        let value = valued.value.map(|value| self.narrowed(target, value));
        for (_, leaf) in &choices.leaves {
            self.note(*leaf, value.is_none(), valued.vague.clone(), place);
        }
        let (low, high) = range(&target.ty);
        let update = value.map_or(Update::Any(low, high), Update::Value);
        if choices.leaves.is_empty() {
            self.defined(from, Expr::Int(1), &defined, Vec::new(), to, place);
        }
        for (k, (condition, leaf)) in choices.leaves.into_iter().enumerate() {
            let updates = vec![(leaf, update.clone())];
            match k {
                0 => self.defined(from, condition, &defined, updates, to, place),
                _ => self.step(from, Expr::and(condition, defined.clone()), updates, to, place),
            }
        }
        Ok(())
    }
}
