//! Convex polyhedra of few dimensions with both descriptions: constraints and generators.
//!
//! A polyhedron is a cone with one more dimension (the first coordinate, which is positive at its points). So points,
//! rays, and constraints are all vectors, and Chernikova's algorithm computes each description from the other by adding
//! constraints one after another. Rational numbers are integers with a common factor. No number is rounded; if one does
//! not fit, there is no result.

/// A vector. The vector of a generator has the common denominator, then the coordinates. That of a constraint has the
/// constant, then the factors.
pub type Row = Vec<i128>;

/// A cone: nonnegative combinations of rays, plus any combinations of lines. For the dual, these are inequalities and
/// equations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cone {
    /// Generators with one direction, or inequalities (`row * x >= 0`).
    pub rays: Vec<Row>,
    /// Generators with both directions, or equations (`row * x = 0`).
    pub lines: Vec<Row>,
}

/// The scalar product.
pub fn dot(a: &[i128], b: &[i128]) -> Option<i128> {
    a.iter().zip(b).try_fold(0_i128, |sum, (x, y)| sum.checked_add(x.checked_mul(*y)?))
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Divides a vector by the common divisor of its numbers.
pub fn reduced(mut row: Row) -> Row {
    let divisor = row.iter().fold(0, |g, x| gcd(g, x.unsigned_abs()));
    if let (true, Ok(divisor)) = (divisor > 1, i128::try_from(divisor)) {
        row.iter_mut().for_each(|x| *x /= divisor);
    }
    row
}

/// `a * x + b * y`.
fn combine(a: &[i128], x: i128, b: &[i128], y: i128) -> Option<Row> {
    let part = |(p, q): (&i128, &i128)| p.checked_mul(x)?.checked_add(q.checked_mul(y)?);
    a.iter().zip(b).map(part).collect::<Option<Row>>().map(reduced)
}

/// The largest factor and the largest constant of a constraint. With these limits, sums of a few products do not
/// overflow.
const FACTOR: i128 = 1 << 40;
const CONSTANT: i128 = 1 << 100;

/// The maximum number of rays of an intermediate cone. If there are more, there is no result.
const MOST: usize = 600;

/// Returns the generators of the set that satisfies inequalities and equations, or the constraints of the set that
/// generators generate. `None` if numbers grow too large.
pub fn dual(size: usize, of: &Cone) -> Option<Cone> {
    let unit = |k: usize| (0..size).map(|j| i128::from(j == k)).collect::<Row>();
    let mut cone = Cone { rays: Vec::new(), lines: (0..size).map(unit).collect() };
    let mut done: Vec<&Row> = Vec::new();
    let equations = of.lines.iter().map(|row| (row, true));
    for (row, equation) in equations.chain(of.rays.iter().map(|row| (row, false))) {
        restrict(&mut cone, row, equation, &done)?;
        done.push(row);
        if cone.rays.len() > MOST {
            return None;
        }
    }
    Some(cone)
}

/// Adds a constraint to a cone that satisfies the previous ones.
fn restrict(cone: &mut Cone, row: &Row, equation: bool, done: &[&Row]) -> Option<()> {
    let mut pivot = None;
    for (k, line) in cone.lines.iter().enumerate() {
        let value = dot(row, line)?;
        if value != 0 {
            pivot = Some((k, value));
            break;
        }
    }
    if let Some((k, value)) = pivot {
        // A line is not in the hyperplane. Everything else is moved into the hyperplane along the line.
        let mut line = cone.lines.swap_remove(k);
        if value < 0 {
            line.iter_mut().for_each(|x| *x = -*x);
        }
        let value = value.checked_abs()?;
        for other in cone.lines.iter_mut().chain(cone.rays.iter_mut()) {
            *other = combine(other, value, &line, dot(row, other)?.checked_neg()?)?;
        }
        if !equation {
            cone.rays.push(reduced(line));
        }
        return Some(());
    }
    let values = cone.rays.iter().map(|ray| dot(row, ray)).collect::<Option<Vec<_>>>()?;
    let mut rays = Vec::new();
    let keeps =
        |ray: &Row| done.iter().map(|row| Some(dot(row, ray)? == 0)).collect::<Option<Vec<bool>>>();
    let saturated = cone.rays.iter().map(keeps).collect::<Option<Vec<_>>>()?;
    for (k, ray) in cone.rays.iter().enumerate() {
        if values[k] == 0 || (values[k] > 0 && !equation) {
            rays.push(ray.clone());
        }
    }
    for (p, positive) in values.iter().enumerate().filter(|(_, value)| **value > 0) {
        for (n, negative) in values.iter().enumerate().filter(|(_, value)| **value < 0) {
            if adjacent(&saturated, p, n) {
                rays.push(combine(
                    &cone.rays[p],
                    negative.checked_neg()?,
                    &cone.rays[n],
                    *positive,
                )?);
            }
        }
    }
    cone.rays = rays;
    Some(())
}

/// Returns true if no other ray is in all hyperplanes that contain two given rays.
fn adjacent(saturated: &[Vec<bool>], p: usize, n: usize) -> bool {
    let common = |k: usize| saturated[p][k] && saturated[n][k];
    !saturated
        .iter()
        .enumerate()
        .any(|(other, of)| other != p && other != n && (0..of.len()).all(|k| !common(k) || of[k]))
}

/// A polyhedron that is not empty.
#[derive(Debug, Clone)]
pub struct Polyhedron {
    /// The number of coordinates.
    pub size: usize,
    /// Constraints.
    pub constraints: Cone,
    /// Generators: points, whose first number is positive, and rays.
    pub generators: Cone,
}

/// The outcome of an operation that may have no result.
#[derive(Debug)]
pub enum Made<P = Polyhedron> {
    /// A polyhedron.
    Some(P),
    /// There is no point.
    Empty,
    /// Numbers grew too large.
    TooLarge,
}

impl Polyhedron {
    /// The points that satisfy constraints.
    pub fn constrained(size: usize, mut constraints: Cone) -> Made {
        let mut positive = vec![0; size + 1];
        positive[0] = 1;
        constraints.rays.push(positive);
        let Some(generators) = dual(size + 1, &constraints) else { return Made::TooLarge };
        if !generators.rays.iter().any(|ray| ray[0] > 0) {
            return Made::Empty;
        }
        Self::generated(size, generators)
    }

    /// The points that generators generate; there must be at least one.
    pub fn generated(size: usize, generators: Cone) -> Made {
        let Some(constraints) = dual(size + 1, &generators) else { return Made::TooLarge };
        let mut rows = constraints.rays.iter().chain(&constraints.lines);
        if rows.any(|row| row[0].abs() > CONSTANT || row[1..].iter().any(|x| x.abs() > FACTOR)) {
            return Made::TooLarge;
        }
        let Some(generators) = dual(size + 1, &constraints) else { return Made::TooLarge };
        Made::Some(Self { size, constraints, generators })
    }

    /// Returns the minimum and the maximum of a form of coordinates; `None` for a bound that does not exist.
    pub fn bounds(&self, form: &[i128]) -> Option<(Option<i128>, Option<i128>)> {
        let (mut lo, mut hi): (Option<i128>, Option<i128>) = (None, None);
        let (mut down, mut up) = (false, false);
        for ray in &self.generators.rays {
            let value = dot(form, &ray[1..])?;
            if ray[0] > 0 {
                // Only integer points count.
                let (floor, ceil) = (value.div_euclid(ray[0]), -((-value).div_euclid(ray[0])));
                lo = Some(lo.map_or(ceil, |lo| lo.min(ceil)));
                hi = Some(hi.map_or(floor, |hi| hi.max(floor)));
            } else {
                down |= value < 0;
                up |= value > 0;
            }
        }
        for line in &self.generators.lines {
            let moves = dot(form, &line[1..])? != 0;
            down |= moves;
            up |= moves;
        }
        Some((lo.filter(|_| !down), hi.filter(|_| !up)))
    }

    /// Returns the generators on the hyperplane of a constraint that all points satisfy; `None` if not all points
    /// satisfy it.
    pub fn saturated(&self, row: &Row) -> Option<Vec<bool>> {
        let on = |value: i128| (value >= 0).then_some(value == 0);
        let rays = self.generators.rays.iter().map(|ray| on(dot(row, ray)?));
        let lines = self.generators.lines.iter().map(|line| on(-dot(row, line)?.saturating_abs()));
        rays.chain(lines).collect()
    }

    /// The polyhedron without some coordinates.
    pub fn projected(&self, keep: &[usize]) -> Made {
        let of = |row: &Row| {
            let kept = keep.iter().map(|k| row[k + 1]);
            reduced(std::iter::once(row[0]).chain(kept).collect())
        };
        let some =
            |rows: &[Row]| rows.iter().map(of).filter(|row| row.iter().any(|x| *x != 0)).collect();
        let generators =
            Cone { rays: some(&self.generators.rays), lines: some(&self.generators.lines) };
        Self::generated(keep.len(), generators)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(made: Made) -> Polyhedron {
        match made {
            Made::Some(polyhedron) => polyhedron,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_triangle_has_three_points() {
        // x >= 0, y >= 0, x + y <= 4.
        let rays = vec![vec![0, 1, 0], vec![0, 0, 1], vec![4, -1, -1]];
        let triangle = made(Polyhedron::constrained(2, Cone { rays, lines: Vec::new() }));
        assert_eq!(triangle.generators.rays.len(), 3, "{triangle:?}");
        assert_eq!(triangle.constraints.rays.len(), 3, "{triangle:?}");
        assert_eq!(triangle.bounds(&[1, 1]), Some((Some(0), Some(4))));
        assert_eq!(triangle.bounds(&[1, -2]), Some((Some(-8), Some(4))));
    }

    #[test]
    fn hulls_have_the_equations_of_their_points() {
        let rays = vec![vec![1, 0, 0], vec![1, 3, 3]];
        let segment = made(Polyhedron::generated(2, Cone { rays, lines: Vec::new() }));
        assert_eq!(segment.constraints.lines.len(), 1, "{segment:?}");
        assert_eq!(segment.bounds(&[1, -1]), Some((Some(0), Some(0))));
    }

    #[test]
    fn contradictions_are_empty() {
        let rays = vec![vec![0, 1], vec![-1, -1]];
        assert!(matches!(
            Polyhedron::constrained(1, Cone { rays, lines: Vec::new() }),
            Made::Empty
        ));
    }

    #[test]
    fn unbounded_forms_have_no_bound() {
        let rays = vec![vec![0, 1, -1]];
        let half = made(Polyhedron::constrained(2, Cone { rays, lines: Vec::new() }));
        assert_eq!(half.bounds(&[1, -1]), Some((Some(0), None)));
        assert_eq!(half.bounds(&[1, 0]), Some((None, None)));
        let line = made(half.projected(&[0]));
        assert_eq!(line.bounds(&[1]), Some((None, None)));
    }
}
