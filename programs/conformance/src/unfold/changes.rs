//! The calls that change the value of a home.

use canonical::{
    Call, Callee, Expr, ExprKind, FunctionId, LvalueBase, Program, Storage, Type, walk,
};

use super::context::{Context, Effect, is_unknown};
use super::home::Home;
use crate::library;

impl Home {
    /// Returns true if a call may change the value. A function with a body changes what it assigns. Other functions
    /// change the targets of their pointer arguments, and unknown ones global variables too. A call that reads
    /// (`reads`) changes only its result, the variables whose addresses it receives, and what its body assigns.
    pub fn is_changed_by_call(
        &self,
        source: &Program,
        context: &Context,
        call: &Call,
        reads: bool,
    ) -> bool {
        if call.result.as_ref().is_some_and(|result| self.is_changed(source, result)) {
            return true;
        }
        if context.is_macro(source, call)
            && call.arguments.iter().any(|a| self.is_assigned(source, a))
        {
            return true;
        }
        let inside = call.callee.targets().iter().filter_map(|target| context.effect(*target));
        if inside.into_iter().any(|effect| self.is_changed_in(source, effect)) {
            return true;
        }
        let is_absent = |callee: &Callee| {
            callee.targets().iter().any(|target| source.function(*target).body.is_none())
        };
        if !is_absent(&call.callee) && !is_unknown(source, &call.callee) {
            return false;
        }
        if reads {
            return call.arguments.iter().any(|argument| self.is_given(argument));
        }
        let unknown = is_unknown(source, &call.callee);
        let own = &source.variable(self.root).name;
        let changes =
            |target: &FunctionId| library::changes_variable(&source.function(*target).name, own);
        if call.callee.targets().iter().any(changes) {
            return true;
        }
        let keeps = |target: &FunctionId| {
            let function = source.function(*target);
            function.body.is_some() || library::keeps_memory(&function.name)
        };
        if !unknown && call.callee.targets().iter().all(keeps) {
            return false;
        }
        let reached = |argument| self.is_given(argument) || self.may_be_given(source, argument);
        call.arguments.iter().any(reached) || unknown && self.is_reachable(source)
    }

    /// Returns true if unknown code may change the value, whatever arguments it receives.
    fn is_reachable(&self, source: &Program) -> bool {
        let variable = source.variable(self.root);
        variable.storage == Storage::Global || variable.address_taken && !self.through
    }

    /// Returns true if a function with this effect may change the value.
    fn is_changed_in(&self, source: &Program, effect: &Effect) -> bool {
        let variable = source.variable(self.root);
        if effect.variables.contains(&self.root) || effect.unknown && self.is_reachable(source) {
            return true;
        }
        let by_pointer = self.through || variable.address_taken;
        let through = effect.through.iter().any(|other| !self.is_apart(source, *other));
        let named = self.through && !effect.variables.is_empty();
        by_pointer && (through || named)
    }

    /// Returns true if an argument of a macro is the variable.
    fn is_assigned(&self, source: &Program, argument: &Expr) -> bool {
        match &argument.below_casts().kind {
            ExprKind::Load(lvalue) => self.is_changed(source, lvalue),
            _ => false,
        }
    }

    /// Returns true if an argument is a pointer to the home.
    fn is_given(&self, argument: &Expr) -> bool {
        let mut found = false;
        walk::expressions(argument, &mut |expr| match &expr.kind {
            ExprKind::AddressOf(lvalue) => match &lvalue.base {
                LvalueBase::Variable(own) => found |= *own == self.root,
                LvalueBase::Deref(_) => found |= self.through,
            },
            ExprKind::Load(lvalue) if matches!(expr.ty, Type::Pointer(_)) => {
                found |= self.through && lvalue.whole_variable() == Some(self.root);
            }
            _ => {}
        });
        found
    }

    /// Returns true if an argument is a pointer that may point to the home. Pointers to structs with unknown members do
    /// not count.
    fn may_be_given(&self, source: &Program, argument: &Expr) -> bool {
        if !self.through && !source.variable(self.root).address_taken {
            return false;
        }
        let pointer = argument.below_casts();
        let is_stream = |ty: &Type| match ty {
            Type::Composite(id) => source.composite(*id).tag.as_deref() == Some("_IO_FILE"),
            _ => false,
        };
        match &pointer.kind {
            ExprKind::String(_) | ExprKind::Function(_) | ExprKind::AddressOf(_) => false,
            _ => pointer.ty.element().is_some_and(|ty| !is_stream(ty)),
        }
    }
}
