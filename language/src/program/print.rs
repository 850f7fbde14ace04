//! Prints expressions and predicates with the spec's own names.

use std::fmt::{self, Write};

use super::syntax::{Cmp, Expr, IntType, Op, Pred, Program, Ref};

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Shows an expression, a reference or a predicate with a program's names.
pub struct Show<'a, T>(pub &'a Program, pub &'a T);

impl fmt::Display for Show<'_, Ref> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        reference(f, self.0, self.1)
    }
}

impl fmt::Display for Show<'_, Expr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        expr(f, self.0, self.1, 0)
    }
}

impl fmt::Display for Show<'_, Pred> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pred(f, self.0, self.1, 0)
    }
}

fn reference(f: &mut impl Write, program: &Program, r: &Ref) -> fmt::Result {
    let record = program.record(r.side);
    write!(f, "{}.{}", record.binder, record.fields[r.field].name)?;
    for index in &r.index {
        f.write_str("[")?;
        expr(f, program, index, 0)?;
        f.write_str("]")?;
    }
    Ok(())
}

/// The binding strength of an operator, for parentheses.
fn strength(op: Op) -> u8 {
    match op {
        Op::Add | Op::Sub => 1,
        Op::Mul | Op::Div | Op::Rem => 2,
        Op::Min | Op::Max | Op::DivCeil => 3,
    }
}

fn expr(f: &mut impl Write, program: &Program, e: &Expr, outer: u8) -> fmt::Result {
    match e {
        Expr::Int(n) if *n < 0 && outer > 0 => write!(f, "({n})"),
        Expr::Int(n) => write!(f, "{n}"),
        Expr::Var(v) => f.write_str(&program.vars[v.0]),
        Expr::Ref(r) => reference(f, program, r),
        // A negation.
        Expr::Bin(Op::Sub, a, b) if **a == Expr::Int(0) => {
            let mine = strength(Op::Sub);
            f.write_str(if mine <= outer { "(-" } else { "-" })?;
            expr(f, program, b, mine)?;
            f.write_str(if mine <= outer { ")" } else { "" })
        }
        Expr::Bin(op, a, b) => {
            let name = match op {
                Op::Min => "min",
                Op::Max => "max",
                Op::DivCeil => "div_ceil",
                _ => "",
            };
            if !name.is_empty() {
                write!(f, "{name}(")?;
                expr(f, program, a, 0)?;
                f.write_str(", ")?;
                expr(f, program, b, 0)?;
                return f.write_str(")");
            }
            let mine = strength(*op);
            if mine <= outer {
                f.write_str("(")?;
            }
            expr(f, program, a, mine - 1)?;
            f.write_str(match op {
                Op::Add => " + ",
                Op::Sub => " - ",
                Op::Mul => "*",
                Op::Div => " / ",
                _ => " % ",
            })?;
            // Left-associative: the right operand needs parentheses at equal strength, except in a
            // sum of sums or a product of products: `2*(k % 2)` differs from `2*k % 2`.
            let right = match (op, &**b) {
                (Op::Mul, Expr::Bin(Op::Div | Op::Rem, ..)) => mine,
                (Op::Add | Op::Mul, _) => mine - 1,
                _ => mine,
            };
            expr(f, program, b, right)?;
            if mine <= outer {
                f.write_str(")")?;
            }
            Ok(())
        }
    }
}

fn pred(f: &mut impl Write, program: &Program, p: &Pred, outer: u8) -> fmt::Result {
    match p {
        Pred::Const(b) => write!(f, "{b}"),
        Pred::Cmp(cmp, a, b) => {
            expr(f, program, a, 0)?;
            f.write_str(match cmp {
                Cmp::Eq => " = ",
                Cmp::Ne => " != ",
                Cmp::Lt => " < ",
                Cmp::Le => " <= ",
                Cmp::Gt => " > ",
                Cmp::Ge => " >= ",
            })?;
            expr(f, program, b, 0)
        }
        Pred::And(ps) => join(f, program, ps, " and ", 2, outer),
        Pred::Or(ps) => join(f, program, ps, " or ", 1, outer),
        Pred::All(var, count, p) => {
            // Inside another predicate, parentheses show where the quantifier ends.
            f.write_str(if outer > 0 { "(" } else { "" })?;
            write!(f, "for all {} in 0..", program.vars[var.0])?;
            expr(f, program, count, 1)?;
            f.write_str(": ")?;
            pred(f, program, p, 0)?;
            f.write_str(if outer > 0 { ")" } else { "" })
        }
    }
}

fn join(
    f: &mut impl Write,
    program: &Program,
    ps: &[Pred],
    word: &str,
    mine: u8,
    outer: u8,
) -> fmt::Result {
    // "and" inside "or" is also parenthesized, so that readers need not know the precedence.
    let parens = outer != 0;
    if parens {
        f.write_str("(")?;
    }
    for (k, p) in ps.iter().enumerate() {
        if k > 0 {
            f.write_str(word)?;
        }
        pred(f, program, p, mine)?;
    }
    if parens {
        f.write_str(")")?;
    }
    Ok(())
}
