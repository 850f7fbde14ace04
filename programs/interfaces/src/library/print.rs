//! Libraries as text in the syntax that [`parse`](super::parse()) reads.

use std::fmt::{self, Write as _};

use super::{BinaryOp, Expr, Library, UnaryOp, Update, VarId};

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "module {}:", self.name)?;
        for v in &self.globals {
            writeln!(f, "  var {} : [{}..{}];", v.name, v.low, v.high)?;
        }
        writeln!(f, "  init {};", self.text(None, &self.initial))?;
        writeln!(f, "  error {};", self.text(None, &self.error))?;
        for (index, function) in self.functions.iter().enumerate() {
            let index = Some(index);
            let (parameters, locals) = function.locals.split_at(function.parameters);
            let text = |v: &super::Variable| format!("{} : [{}..{}]", v.name, v.low, v.high);
            let parameters: Vec<String> = parameters.iter().map(text).collect();
            writeln!(f, "  output {}({}): {{", function.name, parameters.join(", "))?;
            for v in locals {
                writeln!(f, "    var {} = {};", text(v), v.initial)?;
            }
            for rule in &function.rules {
                let updates: Vec<String> = rule
                    .updates
                    .iter()
                    .map(|(v, update)| {
                        let name = &self.variable(index, *v).name;
                        match update {
                            Update::Value(e) => format!("{name}' = {}", self.text(index, e)),
                            Update::Any(low, high) => format!("{name}' in [{low}..{high}]"),
                        }
                    })
                    .collect();
                let guard = self.text(index, &rule.guard);
                writeln!(f, "    {guard} ==> {};", updates.join(" & "))?;
            }
            writeln!(f, "  }}")?;
        }
        writeln!(f, "endmodule")
    }
}

impl Library {
    /// An expression as text, in the scope of a function or of the globals alone.
    pub fn text(&self, function: Option<usize>, expr: &Expr) -> String {
        let mut out = String::new();
        // Writing to a string succeeds.
        let _ = self.write(&mut out, function, expr);
        out
    }

    fn write(&self, out: &mut String, function: Option<usize>, expr: &Expr) -> fmt::Result {
        let name = |v: VarId| self.variable(function, v).name.as_str();
        match expr {
            Expr::Int(n) if *n < 0 => write!(out, "({n})"),
            Expr::Int(n) => write!(out, "{n}"),
            Expr::Var(v) => write!(out, "{}", name(*v)),
            Expr::Unary(op, a) => {
                out.push_str(match op {
                    UnaryOp::Neg => "(-",
                    UnaryOp::Not => "(!",
                    UnaryOp::Complement => "(not ",
                });
                self.write(out, function, a)?;
                out.write_char(')')
            }
            Expr::Binary(op, a, b) => {
                out.write_char('(')?;
                self.write(out, function, a)?;
                write!(out, " {} ", sign(*op))?;
                self.write(out, function, b)?;
                out.write_char(')')
            }
            Expr::If(parts) => {
                out.push_str("(if ");
                self.write(out, function, &parts.0)?;
                out.push_str(" then ");
                self.write(out, function, &parts.1)?;
                out.push_str(" else ");
                self.write(out, function, &parts.2)?;
                out.write_char(')')
            }
            Expr::Wrap { bits, signed, of } => {
                write!(out, "{}({bits}, ", if *signed { "swrap" } else { "wrap" })?;
                self.write(out, function, of)?;
                out.write_char(')')
            }
        }
    }
}

/// The sign of an operator.
fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "band",
        BinaryOp::BitOr => "bor",
        BinaryOp::BitXor => "bxor",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "=",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
    }
}
