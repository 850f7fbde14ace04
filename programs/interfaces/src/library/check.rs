//! Checks conditions that the syntax of libraries does not ensure: intermediate values are bounded, and some value of
//! the range satisfies each update.

use super::{BinaryOp, Expr, Interval, Library, Place, Problem, UnaryOp, Update, VarId, interval};

/// The bound of intermediate values. They fit into 64 bits with room to spare.
const BOUND: i128 = 1 << 61;

/// The maximum number of bits of the two operands of a product or quotient. With more, diagrams become too large.
const PRODUCT_BITS: u32 = 26;

/// Checks a library. Updates out of range are found [later](crate::symbolic), because they depend on what is reachable.
///
/// # Errors
///
/// Returns the first problem, with the place of its rule.
pub fn check(library: &Library) -> Result<(), Problem> {
    if library.functions.is_empty() {
        return Err(Problem::new(library.places.module, "the library has no functions"));
    }
    for (e, place) in conditions(library) {
        bounded(library, None, e, place)?;
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

/// Returns the initial condition and the error condition, which are over globals only, with their places.
fn conditions(library: &Library) -> [(&Expr, Place); 2] {
    [(&library.initial, library.places.initial), (&library.error, library.places.error)]
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
        let message = format!(
            "`{}` may exceed 61 bits: use smaller types, or wrap what it is made of",
            l.text(f, expr)
        );
        return Err(Problem::new(place, message));
    }
    match expr {
        Expr::Int(_) | Expr::Var(_) => Ok(()),
        Expr::Unary(_, a) => bounded(l, f, a, place),
        Expr::Wrap { of, .. } => modular(l, f, of, place),
        Expr::Binary(_, a, b) => {
            bounded(l, f, a, place)?;
            bounded(l, f, b, place)
        }
        Expr::If(parts) => {
            bounded(l, f, &parts.0, place)?;
            bounded(l, f, &parts.1, place)?;
            bounded(l, f, &parts.2, place)
        }
    }
}

/// Checks an expression of which only the low bits count. In it, sums and products may exceed 64 bits.
fn modular(l: &Library, f: Option<usize>, expr: &Expr, place: Place) -> Result<(), Problem> {
    match expr {
        Expr::Unary(UnaryOp::Neg | UnaryOp::Complement, a) => modular(l, f, a, place),
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
            modular(l, f, a, place)?;
            modular(l, f, b, place)
        }
        other => bounded(l, f, other, place),
    }
}

/// Checks that the products and quotients of a library are small enough for diagrams.
///
/// # Errors
///
/// Returns the first product or quotient that is too large, with the place of its rule.
pub fn check_products(library: &Library) -> Result<(), Problem> {
    for (e, place) in conditions(library) {
        small_products(library, None, e, place)?;
    }
    for (index, function) in library.functions.iter().enumerate() {
        for rule in &function.rules {
            let values = rule.updates.iter().filter_map(|(_, update)| match update {
                Update::Value(e) => Some(e),
                Update::Any(..) => None,
            });
            for expr in std::iter::once(&rule.guard).chain(values) {
                small_products(library, Some(index), expr, rule.place)?;
            }
        }
    }
    Ok(())
}

fn small_products(l: &Library, f: Option<usize>, e: &Expr, place: Place) -> Result<(), Problem> {
    let Some((product, a, b)) = large_product(e, &|e: &Expr| bounds(l, f, e)) else {
        return Ok(());
    };
    let message = format!(
        "`{}` multiplies or divides variables of {a} and {b} bits; diagrams can have at most \
         {PRODUCT_BITS} bits together: use smaller types, or constants",
        l.text(f, product)
    );
    Err(Problem::new(place, message))
}

/// Returns a product or quotient of two operands that are not constants and have too many bits, with the number of
/// bits.
pub(crate) fn large_product<'e>(
    expr: &'e Expr,
    range: &impl Fn(&Expr) -> Interval,
) -> Option<(&'e Expr, u32, u32)> {
    match expr {
        Expr::Int(_) | Expr::Var(_) => None,
        Expr::Unary(_, a) | Expr::Wrap { of: a, .. } => large_product(a, range),
        Expr::Binary(op, a, b) => {
            if let Some(inner) = large_product(a, range).or_else(|| large_product(b, range)) {
                return Some(inner);
            }
            let is_product = matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem);
            let (a, b) = (range(a), range(b));
            let is_constant = a.low == a.high || b.low == b.high;
            let bits = (a.bits(), b.bits());
            let is_large = is_product && !is_constant && bits.0 + bits.1 > PRODUCT_BITS;
            is_large.then_some((expr, bits.0, bits.1))
        }
        Expr::If(parts) => large_product(&parts.0, range)
            .or_else(|| large_product(&parts.1, range))
            .or_else(|| large_product(&parts.2, range)),
    }
}

/// Returns true if each update stays in the range of its variable, whatever values the other variables have.
pub(crate) fn stays_in_range(library: &Library) -> bool {
    library.functions.iter().enumerate().all(|(index, function)| {
        function.rules.iter().flat_map(|rule| &rule.updates).all(|(v, update)| match update {
            Update::Value(e) => {
                let (v, range) =
                    (library.variable(Some(index), *v), bounds(library, Some(index), e));
                range.low >= v.low.into() && range.high <= v.high.into()
            }
            Update::Any(..) => true,
        })
    })
}
