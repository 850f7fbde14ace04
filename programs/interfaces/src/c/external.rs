//! Translates calls of external functions, which have no body.

use canonical::{Call, Expr as CExpr, ExprKind, FunctionId, Place as CPlace, Program, Type};

use super::expr::{Reader, Value};
use super::known::{Known, known};
use super::lower::Valued;
use super::scope::Scope;
use super::state::Lowering;
use crate::library::{Expr, Problem, Update, VarId};

impl<'p> Lowering<'p> {
    /// Translates a call of an external function. Its result is arbitrary, but memory is never exhausted. It must not
    /// receive pointers to memory of the library unless its effect on that memory is known.
    pub(super) fn external(
        &mut self,
        from: i64,
        to: i64,
        scope: &Scope<'p>,
        call: &Call,
        id: FunctionId,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let f = self.program.function(id);
        let effect = known(&f.name);
        if effect == Known::Control {
            let message =
                format!("`{}` changes the course of the program: it has no translation", f.name);
            return Err(self.refuse(place, message));
        }
        let mut reader = Reader::new(scope);
        for argument in &call.arguments {
            reader.value(argument).map_err(|why| self.refuse(place, why))?;
        }
        let mut defined = reader.defined;
        if f.no_return || effect == Known::Stops {
            self.fail(from, Expr::Int(1), place);
            return Ok(());
        }
        let mut updates = Vec::new();
        match effect {
            Known::Fills | Known::Copies(_) => {
                let also;
                (updates, also) = self.block(scope, call, effect, place)?;
                defined = Expr::and(defined, also);
            }
            Known::Reads | Known::Computes if only_reads(self.program, &f.name, call) => {}
            _ => self.receives(scope, call, &f.name, effect, place)?,
        }
        let middle = match call.result {
            Some(_) => self.location(),
            None => to,
        };
        self.defined(from, Expr::Int(1), &defined, updates, middle, place);
        let Some(target) = &call.result else { return Ok(()) };
        let value: Value = match effect {
            Known::Allocates | Known::Fills | Known::Copies(_) => Some(Expr::Int(1)),
            _ => None,
        };
        if !target.ty.is_scalar() {
            return Err(self.refuse(place, "a struct as a result has no translation"));
        }
        let why = format!(
            "the result of `{}` is not computed, and something depends on it: write a function of your own",
            f.name
        );
        let vague = (effect == Known::Computes).then_some(why);
        let valued = Valued { value, defined: Expr::Int(1), vague };
        self.store(middle, to, (scope, target), valued, place)
    }

    /// Refuses arguments that let external code change memory of the library or call it.
    fn receives(
        &self,
        scope: &Scope<'p>,
        call: &Call,
        name: &str,
        effect: Known,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        for argument in &call.arguments {
            let below = scope.resolved(argument.below_casts());
            if let ExprKind::Function(f) = below.kind {
                let inner = &self.program.function(f).name;
                // `atexit` is permitted, because no call follows the end of the program.
                if self.program.function(f).body.is_some() && name != "atexit" {
                    let message = format!("`{name}` may call `{inner}` at any time");
                    return Err(self.refuse(place, message));
                }
                continue;
            }
            let Some(element) = below.ty.element() else { continue };
            if matches!(element, Type::Composite(_)) && !scope.aliased.contains(element) {
                continue;
            }
            let mut reader = Reader::new(scope);
            let object = reader.object(below).map_err(|why| self.refuse(place, why))?;
            if object.is_some() {
                let advice = match effect {
                    Known::Writes => ": write a loop",
                    _ => "",
                };
                let message = format!("`{name}` may change memory of the library{advice}");
                return Err(self.refuse(place, message));
            }
        }
        Ok(())
    }

    /// Returns the updates of `memset`, `memcpy` or `memmove`, and the condition under which they are defined.
    #[allow(clippy::type_complexity, reason = "the two parts of one rule")]
    fn block(
        &mut self,
        scope: &Scope<'p>,
        call: &Call,
        effect: Known,
        place: Option<CPlace>,
    ) -> Result<(Vec<(VarId, Update)>, Expr), Problem> {
        let [to, with, count] = &call.arguments[..] else {
            return Err(self.refuse(place, "a call with other arguments than the function has"));
        };
        let mut reader = Reader::new(scope);
        let updates = match effect {
            Known::Fills => reader.filled(to, with, count),
            _ => reader.copied(to, with, count, effect == Known::Copies(true)),
        };
        let updates = updates.map_err(|why| self.refuse(place, why))?;
        for (leaf, update) in &updates {
            let is_any = matches!(update, Update::Any(..));
            self.note(*leaf, is_any, reader.vague.clone(), place);
        }
        Ok((updates, reader.defined))
    }
}

/// Returns true if a function that reads does not receive memory to write to, such as for `%n` of `printf`.
fn only_reads(program: &Program, name: &str, call: &Call) -> bool {
    let number = |argument: &CExpr| {
        let ty = argument.below_casts().ty.element();
        ty.and_then(Type::int).is_some_and(|int| int.bits() > 8)
    };
    let writes = |argument: &CExpr| match argument.below_casts().kind {
        ExprKind::String(id) => canonical::directives::write(program.string(id)),
        _ => false,
    };
    !name.contains("printf") || !call.arguments.iter().any(|a| number(a) || writes(a))
}
