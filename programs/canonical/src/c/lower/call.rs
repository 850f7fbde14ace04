//! Lowers calls, and the functions that the compiler knows.

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};

use super::super::taken;
use super::operator::has_effects;
use super::symbols::Symbol;
use super::{Lowered, Lowerer};
use crate::fold;
use crate::model::{
    Action, Call, Callee, Effect, Expr, ExprKind, FloatType, Function, FunctionId, FunctionType,
    IntRank, IntType, Lvalue, Type,
};

/// A call whose arguments are evaluated.
pub(super) struct Prepared {
    callee: Callee,
    arguments: Vec<Expr>,
    pub(super) result: Type,
}

/// Functions that never return.
const NO_RETURN: [&str; 15] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__assert_fail",
    "__assert_perror_fail",
    "__builtin_unreachable",
    "__builtin_trap",
    "__builtin_abort",
    "err",
    "errx",
];

/// Returns true for a C library function that never returns. A program may define a function with the same name.
fn never_returns(name: &str, internal: bool, variadic: bool) -> bool {
    NO_RETURN.contains(&name) && !internal && (variadic || !matches!(name, "err" | "errx"))
}

/// Functions that may return twice.
const SETJMP: [&str; 9] = [
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "__builtin_setjmp",
    "getcontext",
    "swapcontext",
    "makecontext",
    "vfork",
];

/// The argument of `__builtin_expect` that is the value of the call.
pub(super) fn expected(call: &CallExpression) -> Option<&Node<Expression>> {
    match called(call) {
        Some("__builtin_expect" | "__builtin_expect_with_probability") => call.arguments.first(),
        _ => None,
    }
}

/// The name that is called.
fn called(call: &CallExpression) -> Option<&str> {
    match &call.callee.node {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Lowers a call. If its value is not used, the result is `void`.
    pub(super) fn call(
        &mut self,
        call: &Node<CallExpression>,
        span: Span,
        used: bool,
    ) -> Lowered<Expr> {
        if let Some(value) = self.known(&call.node, span)? {
            return Ok(value);
        }
        let Some(prepared) = self.prepare(call, span)? else {
            return self.problem(span, "a call that has no value");
        };
        if used && prepared.result != Type::Void {
            return self.call_value(prepared, span);
        }
        self.emit_call(prepared, None, span)?;
        Ok(Expr { kind: ExprKind::Zero, ty: Type::Void })
    }

    /// The value of a call, in a temporary.
    pub(super) fn call_value(&mut self, prepared: Prepared, span: Span) -> Lowered<Expr> {
        if prepared.result == Type::Void {
            self.emit_call(prepared, None, span)?;
            return Ok(Expr { kind: ExprKind::Zero, ty: Type::Void });
        }
        let result = self.temporary(prepared.result.clone(), span)?;
        self.emit_call(prepared, Some(result.clone()), span)?;
        Ok(Expr::load(result))
    }

    /// Adds the edge of a call.
    pub(super) fn emit_call(
        &mut self,
        prepared: Prepared,
        result: Option<Lvalue>,
        span: Span,
    ) -> Lowered<()> {
        let Prepared { callee, arguments, .. } = prepared;
        let ends = match &callee {
            Callee::Function(id) => self.program.function(*id).no_return,
            Callee::Pointer { .. } => false,
        };
        self.edge(Action::Call(Call { callee, arguments, result }), span)?;
        if ends {
            let unreachable = self.node(span)?;
            self.go_on(unreachable, span)?;
        }
        Ok(())
    }

    /// Evaluates the callee and the arguments; returns `None` for functions that are not calls.
    pub(super) fn prepare(
        &mut self,
        call: &Node<CallExpression>,
        span: Span,
    ) -> Lowered<Option<Prepared>> {
        self.body(span)?;
        let name = called(&call.node);
        if name.is_some_and(is_known) {
            return Ok(None);
        }
        if let Some(name) = name.filter(|name| self.look_up(name).is_none()) {
            self.implicit(name, span);
        }
        if name.is_some_and(|name| SETJMP.contains(&name)) {
            let place = self.place(span);
            let why = match name {
                Some(name) if name.contains("context") || name == "vfork" => {
                    format!("{name}: control that comes back is left out")
                }
                _ => "setjmp: control that comes back by longjmp is left out".to_owned(),
            };
            self.remark(place, why, Effect::Unsound);
        }
        let begin = self.edge_count();
        let mut pointer = match name.and_then(|name| self.look_up(name)) {
            Some(Symbol::Function(id)) => self.function_value(*id),
            _ => self.expression(&call.node.callee)?,
        };
        let effects = |list: &[Node<Expression>]| list.iter().any(|a| has_effects(&a.node));
        let arguments = &call.node.arguments;
        if effects(arguments) && !matches!(pointer.kind, ExprKind::Function(_)) {
            pointer = self.hold(pointer, call.node.callee.span)?;
        }
        let Some(Type::Function(ty)) = pointer.ty.element().cloned() else {
            return self.problem(span, "a call of something that is no function");
        };
        let mut values = Vec::new();
        let mut evaluated = vec![(begin, self.edge_count(), vec![pointer.clone()])];
        let last = arguments.iter().rposition(|a| has_effects(&a.node)).unwrap_or(0);
        for (k, argument) in arguments.iter().enumerate() {
            let begin = self.edge_count();
            let value = self.expression(argument)?;
            let value = self.passed(value, ty.parameters.get(k), argument.span)?;
            let value = if k < last { self.hold(value, argument.span)? } else { value };
            evaluated.push((begin, self.edge_count(), vec![value.clone()]));
            values.push(value);
        }
        self.unsequenced(evaluated, None, span);
        let callee = match pointer.kind {
            ExprKind::Function(id) => Callee::Function(id),
            _ => Callee::Pointer { pointer, targets: Vec::new(), complete: false },
        };
        Ok(Some(Prepared { callee, arguments: values, result: ty.result }))
    }

    /// Converts an argument for passing, or promotes it if its parameter type is unknown.
    fn passed(&mut self, value: Expr, parameter: Option<&Type>, span: Span) -> Lowered<Expr> {
        match (parameter, &value.ty) {
            (Some(ty), _) => self.convert(value, &ty.clone(), span),
            (None, Type::Float(FloatType::Float)) => {
                Ok(fold::cast(value, Type::Float(FloatType::Double)))
            }
            (None, Type::Void) => self.problem(span, "an argument without a value"),
            (None, _) => Ok(self.promoted(value)),
        }
    }

    /// Declares a function that is called without a declaration: C89's `int f()`.
    fn implicit(&mut self, name: &str, span: Span) {
        let plain = name.strip_prefix("__builtin_").and_then(|plain| self.look_up(plain));
        let ty = match plain {
            // The compiler's own version of a library function.
            Some(Symbol::Function(id)) => self.program.function(*id).ty.result.clone(),
            _ => builtin_result(name),
        };
        if plain.is_none() && !taken::is_known_implicitly(name) {
            let place = self.place(span);
            let message = format!("`{name}` of the compiler is not understood");
            self.remark(place, message, Effect::Unsound);
        }
        let ty = FunctionType { result: ty, parameters: Vec::new(), variadic: true };
        let id = self.declare_function(name, ty, false, span);
        if let Some(scope) = self.scopes.first_mut() {
            scope.names.insert(name.to_owned(), Symbol::Function(id));
        }
    }

    /// Returns the function with a name, which is created if it does not exist.
    pub(super) fn declare_function(
        &mut self,
        name: &str,
        ty: FunctionType,
        internal: bool,
        span: Span,
    ) -> FunctionId {
        let known = match self.scopes[0].names.get(name) {
            Some(Symbol::Function(id)) => Some(*id),
            _ if internal => None,
            _ => self.linkage.functions.get(name).copied(),
        };
        let place = self.place(span);
        // Inside a body, the text belongs to the function with that body.
        let outer = self.body.is_none();
        let (no_return, runs_outside) =
            (outer && self.text.no_return, outer && self.text.runs_outside);
        let weak = outer && self.text.weak.is_some();
        if let Some(id) = known {
            let entry = &mut self.program.functions[id.index()];
            // A declaration with parameters is more precise than one without.
            if entry.body.is_none() && (!ty.variadic || !ty.parameters.is_empty()) {
                entry.ty = ty;
            }
            entry.no_return |= no_return;
            entry.runs_outside |= runs_outside;
            entry.weak |= weak;
            return id;
        }
        let id = FunctionId::new(self.program.functions.len());
        let no_return = never_returns(name, internal, ty.variadic) || no_return;
        let declared = Function::declared(name, ty);
        let new = Function { internal, no_return, runs_outside, weak, place, ..declared };
        self.program.functions.push(new);
        if !internal {
            self.linkage.functions.insert(name.to_owned(), id);
        }
        id
    }

    /// Lowers functions of the compiler that are not calls.
    fn known(&mut self, call: &CallExpression, span: Span) -> Lowered<Option<Expr>> {
        let Some(name) = called(call).filter(|name| is_known(name)) else { return Ok(None) };
        let mut arguments = call.arguments.iter();
        let first = arguments.next();
        let Some(first) = first else {
            return self.problem(span, format!("`{name}` without arguments"));
        };
        Ok(Some(match name {
            "__builtin_constant_p" => {
                let value = self.without_effects(|this| this.expression(first))?;
                Expr::int(value.constant().is_some().into(), IntType::INT)
            }
            "__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy" => {
                let mut values = vec![self.expression(first)?];
                if let ("__builtin_va_copy", Some(from)) = (name, arguments.next()) {
                    values.push(self.expression(from)?);
                }
                self.builtin_call(name, values, None, span)?
            }
            // __builtin_expect
            _ => {
                let value = self.expression(first)?;
                self.convert(value, &Type::Int(IntType::LONG), span)?
            }
        }))
    }

    /// Lowers a call of a compiler function.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        arguments: Vec<Expr>,
        result: Option<Type>,
        span: Span,
    ) -> Lowered<Expr> {
        self.body(span)?;
        if self.look_up(name).is_none() {
            self.implicit(name, span);
        }
        let Some(Symbol::Function(id)) = self.look_up(name) else {
            return self.problem(span, format!("`{name}` is no function"));
        };
        let callee = Callee::Function(*id);
        let result = result.unwrap_or(Type::Void);
        self.call_value(Prepared { callee, arguments, result }, span)
    }
}

fn is_known(name: &str) -> bool {
    matches!(
        name,
        "__builtin_constant_p"
            | "__builtin_va_start"
            | "__builtin_va_end"
            | "__builtin_va_copy"
            | "__builtin_expect"
            | "__builtin_expect_with_probability"
    )
}

/// Returns the result type of a function that no header declares.
fn builtin_result(name: &str) -> Type {
    let Some(name) = name.strip_prefix("__builtin_") else {
        return if name == "alloca" { Type::Void.pointer() } else { Type::INT };
    };
    match name {
        "bswap16" => Type::Int(IntType { rank: IntRank::Short, signed: false }),
        "bswap32" => Type::Int(IntType::UNSIGNED),
        "bswap64" | "strlen" | "object_size" | "dynamic_object_size" => Type::Int(IntType::SIZE),
        "inff" | "nanf" | "huge_valf" | "fabsf" | "sqrtf" => Type::Float(FloatType::Float),
        "inf" | "nan" | "huge_val" | "fabs" | "sqrt" | "floor" | "ceil" | "pow" => {
            Type::Float(FloatType::Double)
        }
        "alloca" | "malloc" | "calloc" | "realloc" | "assume_aligned" | "frame_address"
        | "return_address" => Type::Void.pointer(),
        _ if ["mem", "str", "___mem", "___str"].iter().any(|start| name.starts_with(start))
            && !["cmp", "spn", "len"].iter().any(|end| name.ends_with(end)) =>
        {
            Type::Void.pointer()
        }
        _ => Type::INT,
    }
}
