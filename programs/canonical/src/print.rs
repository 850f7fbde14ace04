//! Prints expressions, lvalues and actions as text that resembles C.

use std::fmt::Write;

use crate::model::{
    Action, Binary, Callee, CompositeKind, Expr, ExprKind, FloatType, IntRank, IntType, Lvalue,
    LvalueBase, Program, Projection, Type, Unary,
};

/// The maximum number of characters of a string that are printed.
const STRING: usize = 60;

impl Binary {
    /// The operator in C.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }
}

impl Unary {
    /// The operator in C.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Minus => "-",
            Self::Complement => "~",
            Self::Not => "!",
        }
    }
}

impl Program {
    /// An expression as text.
    pub fn expr(&self, expr: &Expr) -> String {
        let mut out = String::new();
        self.write_expr(expr, &mut out);
        out
    }

    /// An lvalue as text.
    pub fn lvalue(&self, lvalue: &Lvalue) -> String {
        let mut out = String::new();
        self.write_lvalue(lvalue, &mut out);
        out
    }

    /// An action as text: `x = 1`, `[x < 2]`, `[!(x < 2)]`, `y = f(x)`, `return x`; empty for none.
    pub fn action(&self, action: &Action) -> String {
        match action {
            Action::Nothing => String::new(),
            Action::Assign { target, value } => {
                format!("{} = {}", self.lvalue(target), self.expr(value))
            }
            Action::Guard { condition, holds: true } => format!("[{}]", self.expr(condition)),
            Action::Guard { condition, holds: false } => format!("[!({})]", self.expr(condition)),
            Action::Return(None) => "return".to_owned(),
            Action::Return(Some(value)) => format!("return {}", self.expr(value)),
            Action::Call(call) => {
                let callee = match &call.callee {
                    Callee::Function(id) => self.function(*id).name.clone(),
                    Callee::Pointer { pointer, .. } => format!("(*{})", self.expr(pointer)),
                };
                let arguments: Vec<String> =
                    call.arguments.iter().map(|argument| self.expr(argument)).collect();
                let text = format!("{callee}({})", arguments.join(", "));
                match &call.result {
                    Some(result) => format!("{} = {text}", self.lvalue(result)),
                    None => text,
                }
            }
        }
    }

    /// Returns a type as text, in C's words but from left to right: `*[4] int` for `int (*)[4]`.
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".to_owned(),
            Type::Int(int) => int_name(*int).to_owned(),
            Type::Float(FloatType::Float) => "float".to_owned(),
            Type::Float(FloatType::Double) => "double".to_owned(),
            Type::Float(FloatType::LongDouble) => "long double".to_owned(),
            Type::Pointer(to) => format!("*{}", self.type_name(to)),
            Type::Array(element, Some(count)) => format!("[{count}] {}", self.type_name(element)),
            Type::Array(element, None) => format!("[] {}", self.type_name(element)),
            Type::Function(function) => {
                let parameters: Vec<String> =
                    function.parameters.iter().map(|ty| self.type_name(ty)).collect();
                format!("({}) {}", parameters.join(", "), self.type_name(&function.result))
            }
            Type::Composite(id) => {
                let composite = self.composite(*id);
                let kind = match composite.kind {
                    CompositeKind::Struct => "struct",
                    CompositeKind::Union => "union",
                };
                let tag = composite.tag.clone();
                format!("{kind} {}", tag.unwrap_or_else(|| format!("%{}", id.0)))
            }
        }
    }

    fn write_lvalue(&self, lvalue: &Lvalue, out: &mut String) {
        let mut path = lvalue.path.iter().peekable();
        match &lvalue.base {
            LvalueBase::Variable(id) => out.push_str(&self.variable(*id).name),
            LvalueBase::Deref(pointer) => match path.peek() {
                Some(Projection::Field(id, field)) => {
                    self.write_operand(pointer, out);
                    out.push_str("->");
                    out.push_str(&self.composite(*id).fields[*field as usize].name);
                    path.next();
                }
                Some(Projection::Index(_)) => {
                    out.push_str("(*");
                    self.write_operand(pointer, out);
                    out.push(')');
                }
                None => {
                    out.push('*');
                    self.write_operand(pointer, out);
                }
            },
        }
        for step in path {
            match step {
                Projection::Field(id, field) => {
                    out.push('.');
                    out.push_str(&self.composite(*id).fields[*field as usize].name);
                }
                Projection::Index(index) => {
                    out.push('[');
                    self.write_expr(index, out);
                    out.push(']');
                }
            }
        }
    }

    fn write_expr(&self, expr: &Expr, out: &mut String) {
        match &expr.kind {
            ExprKind::Int(value) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "{value}");
            }
            ExprKind::Float(value) => {
                let _ = write!(out, "{value:?}");
            }
            ExprKind::String(id) | ExprKind::Bytes(id) => {
                let bytes = self.string(*id);
                let text = String::from_utf8_lossy(&bytes[..bytes.len().saturating_sub(1)]);
                let short: String = text.chars().take(STRING).collect();
                let _ = write!(out, "{short:?}");
                if short.len() < text.len() {
                    out.push_str("..");
                }
            }
            ExprKind::Zero => out.push_str("{0}"),
            ExprKind::Function(id) => out.push_str(&self.function(*id).name),
            ExprKind::Load(lvalue) => self.write_lvalue(lvalue, out),
            ExprKind::AddressOf(lvalue) => {
                out.push('&');
                self.write_lvalue(lvalue, out);
            }
            ExprKind::Unary(operator, operand) => {
                out.push_str(operator.symbol());
                self.write_operand(operand, out);
            }
            ExprKind::Binary(operator, left, right) => {
                self.write_operand(left, out);
                let _ = write!(out, " {} ", operator.symbol());
                self.write_operand(right, out);
            }
            ExprKind::Cast(operand) => {
                let _ = write!(out, "({})", self.type_name(&expr.ty));
                self.write_operand(operand, out);
            }
            ExprKind::Unknown => out.push('?'),
        }
    }

    fn write_operand(&self, expr: &Expr, out: &mut String) {
        let simple = !matches!(expr.kind, ExprKind::Binary(..));
        if simple {
            return self.write_expr(expr, out);
        }
        out.push('(');
        self.write_expr(expr, out);
        out.push(')');
    }
}

fn int_name(int: IntType) -> &'static str {
    match (int.rank, int.signed) {
        (IntRank::Bool, _) => "_Bool",
        (IntRank::Char, true) => "signed char",
        (IntRank::Char, false) => "unsigned char",
        (IntRank::Short, true) => "short",
        (IntRank::Short, false) => "unsigned short",
        (IntRank::Int, true) => "int",
        (IntRank::Int, false) => "unsigned int",
        (IntRank::Long, true) => "long",
        (IntRank::Long, false) => "unsigned long",
        (IntRank::LongLong, true) => "long long",
        (IntRank::Wide, _) => "__int128",
        (IntRank::LongLong, false) => "unsigned long long",
    }
}
