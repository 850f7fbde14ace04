//! Conditions of libraries that the syntax does not ensure: bounded intermediate values, and
//! updates that some value of a range satisfies.

use super::{BinaryOp, Expr, Interval, Library, Place, Problem, UnaryOp, Update, VarId, interval};

/// Bound of intermediate values: they fit into 64 bits with room to spare.
const BOUND: i128 = 1 << 61;

/// Bits of the two operands of a product or quotient above which diagrams become too large.
const PRODUCT_BITS: u32 = 26;

/// Checks a library. Updates out of range are found [later](crate::symbolic), as they depend on
/// what is reachable.
///
/// # Errors
///
/// The first problem, with the place of its rule.
pub fn check(library: &Library) -> Result<(), Problem> {
    if library.functions.is_empty() {
        return Err(Problem::new(Place::default(), "the library has no functions"));
    }
    for e in [&library.initial, &library.error] {
        bounded(library, None, e, Place::default())?;
    }
    for (index, function) in library.functions.iter().enumerate() {
        for rule in &function.rules {
            bounded(library, Some(index), &rule.guard, rule.place)?;
            for (v, update) in &rule.updates {
                let v = library.variable(Some(index), *v);
                match update {
                    Update::Value(e) => bounded(library, Some(index), e, rule.place)?,
                    Update::Any(low, high) if *low < v.low || *high > v.high => {
                        let message = format!(
                            "`{}` can get a value of [{low}..{high}], outside of [{}..{}]",
                            v.name, v.low, v.high
                        );
                        return Err(Problem::new(rule.place, message));
                    }
                    Update::Any(..) => {}
                }
            }
        }
    }
    Ok(())
}

/// Bounds of an expression in a scope.
fn bounds(library: &Library, function: Option<usize>, expr: &Expr) -> Interval {
    interval(expr, &|v: VarId| {
        let v = library.variable(function, v);
        Interval::new(v.low.into(), v.high.into())
    })
}

/// Checks that all parts of an expression stay below [`BOUND`].
fn bounded(l: &Library, f: Option<usize>, expr: &Expr, place: Place) -> Result<(), Problem> {
    let range = bounds(l, f, expr);
    if range.low < -BOUND || range.high > BOUND {
        let message = format!("`{}` may become too large", l.text(f, expr));
        return Err(Problem::new(place, message));
    }
    match expr {
        Expr::Int(_) | Expr::Var(_) => Ok(()),
        Expr::Unary(UnaryOp::Neg | UnaryOp::Not | UnaryOp::Complement, a) => {
            bounded(l, f, a, place)
        }
        Expr::Wrap { of, .. } => bounded(l, f, of, place),
        Expr::Binary(op, a, b) => {
            bounded(l, f, a, place)?;
            bounded(l, f, b, place)?;
            let is_product = matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem);
            let (a, b) = (bounds(l, f, a), bounds(l, f, b));
            let is_constant = a.low == a.high || b.low == b.high;
            match is_product && !is_constant && a.bits() + b.bits() > PRODUCT_BITS {
                true => {
                    let message = format!(
                        "`{}` has operands of {} and {} bits; at most {PRODUCT_BITS} together",
                        l.text(f, expr),
                        a.bits(),
                        b.bits()
                    );
                    Err(Problem::new(place, message))
                }
                false => Ok(()),
            }
        }
        Expr::If(parts) => {
            bounded(l, f, &parts.0, place)?;
            bounded(l, f, &parts.1, place)?;
            bounded(l, f, &parts.2, place)
        }
    }
}
