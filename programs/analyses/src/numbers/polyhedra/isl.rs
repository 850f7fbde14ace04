//! Convex polyhedra by isl, the Integer Set Library (Verdoolaege, 2010).
//!
//! isl has sets of integers, but a polyhedron should have rational points. Therefore isl receives the cone over it,
//! with the common denominator as the first coordinate. Each rational point is then a line of integer points.

use isl_rs::{Aff, BasicSet, Context, DimType, Error, LibISLError, Mat, Space, Val};

use super::cone::{Cone, Made, Row};
use super::convex::Convex;

/// A polyhedron that is not empty: its constraints, as isl found them.
#[derive(Debug, Clone)]
pub struct Polyhedron {
    size: usize,
    constraints: Cone,
}

/// A constraint: a form of numbered coordinates, a number that is added, and true if the sum must be 0, false if it
/// must be at least 0.
type Part<'r> = (&'r [i128], i64, bool);

/// The columns of matrices.
const COLUMNS: [DimType; 4] = [DimType::Cst, DimType::Param, DimType::Set, DimType::Div];

/// The number of isl operations after which a polyhedron is abandoned.
const OPERATIONS: u64 = 1_000_000;

thread_local! {
    static CONTEXT: Context = {
        let context = Context::alloc();
        context.set_max_operations(OPERATIONS);
        context
    };
}

/// Computes something, or gives up.
fn with<T>(compute: impl FnOnce(&Context) -> Result<T, LibISLError>) -> Option<T> {
    CONTEXT.with(|context| {
        context.reset_operations();
        compute(context).ok()
    })
}

fn value(context: &Context, number: i128) -> Result<Val, LibISLError> {
    let too_large = |_| LibISLError::new(Error::Quota, "a number is too large");
    Val::int_from_si(context, i64::try_from(number).map_err(too_large)?)
}

/// Returns the rows of some constraints, with a column for the constant and one for each coordinate in a given order.
fn matrix(context: &Context, order: &[usize], parts: &[&Part<'_>]) -> Result<Mat, LibISLError> {
    let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut matrix = Mat::alloc(context, size(parts.len()), size(order.len() + 1))?;
    for ((row, constant, _), at) in parts.iter().zip(0..) {
        matrix = matrix.set_element_val(at, 0, value(context, i128::from(*constant))?)?;
        for (coordinate, column) in order.iter().zip(1..) {
            let factor = row.get(*coordinate).copied().unwrap_or(0);
            matrix = matrix.set_element_val(at, column, value(context, factor)?)?;
        }
    }
    Ok(matrix)
}

/// The set that satisfies constraints, with its coordinates in a given order. The first coordinate is not negative.
fn set(context: &Context, order: &[usize], parts: &[Part<'_>]) -> Result<BasicSet, LibISLError> {
    let positive: Part<'_> = (&[1], 0, false);
    let all = || parts.iter().chain([&positive]);
    let equations: Vec<&Part<'_>> = all().filter(|part| part.2).collect();
    let inequalities: Vec<&Part<'_>> = all().filter(|part| !part.2).collect();
    let [constant, parameters, coordinates, divisors] = COLUMNS;
    BasicSet::from_constraint_matrices(
        space(context, order.len())?,
        matrix(context, order, &equations)?,
        matrix(context, order, &inequalities)?,
        constant,
        parameters,
        coordinates,
        divisors,
    )
}

fn space(context: &Context, size: usize) -> Result<Space, LibISLError> {
    Space::set_alloc(context, 0, u32::try_from(size).unwrap_or(u32::MAX))
}

fn parts(cone: &Cone) -> Vec<Part<'_>> {
    let rays = cone.rays.iter().map(|row| (row.as_slice(), 0, false));
    rays.chain(cone.lines.iter().map(|row| (row.as_slice(), 0, true))).collect()
}

/// Returns a number; `None` if it is not finite or has more than 56 bits.
fn number(value: &Val) -> Result<Option<i128>, LibISLError> {
    let fits = value.is_int()? && value.n_abs_num_chunks(7)? <= 1;
    fits.then(|| value.get_num_si().map(i128::from)).transpose()
}

/// Returns the rows of a matrix; `None` if a number is too large.
fn rows(matrix: &Mat) -> Result<Option<Vec<Row>>, LibISLError> {
    let (height, width) = (matrix.rows()?, matrix.cols()?);
    let row = |k| {
        let numbers = (0..width).map(|at| number(&matrix.get_element_val(k, at)?));
        // The first column is that of the constant, which a cone does not have.
        numbers.skip(1).collect::<Result<Option<Row>, _>>()
    };
    (0..height).map(row).collect()
}

/// A polyhedron from the cone over it.
fn made(context: &Context, size: usize, cone: BasicSet) -> Result<Made<Polyhedron>, LibISLError> {
    let order: Vec<usize> = (0..=size).collect();
    let points = cone.copy()?.intersect(set(context, &order, &[(&[1], -1, false)])?)?;
    if points.is_empty()? {
        return Ok(Made::Empty);
    }
    let cone = cone.detect_equalities()?.remove_redundancies()?;
    let [constant, parameters, coordinates, divisors] = COLUMNS;
    let rays = rows(&cone.inequalities_matrix(constant, parameters, coordinates, divisors)?)?;
    let [constant, parameters, coordinates, divisors] = COLUMNS;
    let lines = rows(&cone.equalities_matrix(constant, parameters, coordinates, divisors)?)?;
    let (Some(rays), Some(lines)) = (rays, lines) else { return Ok(Made::TooLarge) };
    Ok(Made::Some(Polyhedron { size, constraints: Cone { rays, lines } }))
}

impl Polyhedron {
    fn order(&self) -> Vec<usize> {
        (0..=self.size).collect()
    }

    fn cone(&self, context: &Context) -> Result<BasicSet, LibISLError> {
        set(context, &self.order(), &parts(&self.constraints))
    }

    /// Returns true if its points are those that satisfy some constraints; `None` if isl gives up.
    pub fn is_equal(&self, constraints: &Cone) -> Option<bool> {
        with(|context| {
            let other = set(context, &self.order(), &parts(constraints))?;
            self.cone(context)?.is_equal(&other)
        })
    }

    /// The points of a cone on the hyperplane of a constraint.
    fn face(&self, context: &Context, row: &[i128]) -> Result<BasicSet, LibISLError> {
        self.cone(context)?.intersect(set(context, &self.order(), &[(row, 0, true)])?)
    }
}

impl Convex for Polyhedron {
    fn constrained(size: usize, constraints: Cone) -> Made<Self> {
        let order: Vec<usize> = (0..=size).collect();
        with(|context| made(context, size, set(context, &order, &parts(&constraints))?))
            .unwrap_or(Made::TooLarge)
    }

    fn constraints(&self) -> &Cone {
        &self.constraints
    }

    fn hull(&self, other: &Self) -> Made<Self> {
        let hull = with(|context| {
            let both = self.cone(context)?.to_set()?.union(other.cone(context)?.to_set()?)?;
            made(context, self.size, both.convex_hull()?)
        });
        hull.unwrap_or(Made::TooLarge)
    }

    fn projected(&self, keep: &[usize]) -> Made<Self> {
        let mut order: Vec<usize> = std::iter::once(0).chain(keep.iter().map(|k| k + 1)).collect();
        order.extend((1..=self.size).filter(|k| !keep.contains(&(k - 1))));
        let projected = with(|context| {
            let cone = set(context, &order, &parts(&self.constraints))?;
            made(context, keep.len(), without_last(cone, keep.len() + 1, self.size - keep.len())?)
        });
        projected.unwrap_or(Made::TooLarge)
    }

    fn image(&self, coordinate: usize, form: &[i128], between: [i128; 2]) -> Made<Self> {
        // The new value takes the position of the old one, which is the last coordinate until it is removed.
        let mut order = self.order();
        order.push(coordinate + 1);
        order[coordinate + 1] = self.size + 1;
        let bound = |constant: i128, sign: i128| {
            let row = std::iter::once(constant).chain(form.iter().copied()).map(|x| -sign * x);
            row.chain(std::iter::once(sign)).collect::<Row>()
        };
        let [least, greatest] = [bound(between[0], 1), bound(between[1], -1)];
        let image = with(|context| {
            let mut parts = parts(&self.constraints);
            parts.extend([(least.as_slice(), 0, false), (greatest.as_slice(), 0, false)]);
            let cone = set(context, &order, &parts)?;
            made(context, self.size, without_last(cone, self.size + 1, 1)?)
        });
        image.unwrap_or(Made::TooLarge)
    }

    fn bounds(&self, form: &[i128]) -> Option<(Option<i128>, Option<i128>)> {
        with(|context| {
            let points = self.cone(context)?.fix_si(DimType::Set, 0, 1)?;
            let mut sum = Aff::zero_on_domain_space(space(context, self.size + 1)?)?;
            for (factor, at) in form.iter().zip(1..) {
                sum = sum.set_coefficient_val(DimType::In, at, value(context, *factor)?)?;
            }
            let least = number(&points.min_lp_val(&sum)?.ceil()?)?;
            let greatest = number(&points.max_lp_val(&sum)?.floor()?)?;
            Ok((least, greatest))
        })
    }

    fn has_face(&self, row: &Row) -> bool {
        let found = with(|context| {
            let negated: Row = row.iter().map(|x| -x).collect();
            let beyond = set(context, &self.order(), &[(&negated, -1, false)])?;
            if !self.cone(context)?.intersect(beyond)?.is_empty()? {
                return Ok(false);
            }
            let face = self.face(context, row)?;
            for own in self.inequalities() {
                if self.face(context, &own)?.is_equal(&face)? {
                    return Ok(true);
                }
            }
            Ok(false)
        });
        found.unwrap_or(false)
    }
}

/// Projects out the last coordinates of a cone. Everything that follows for rational points is kept, so divisors do not
/// matter.
fn without_last(cone: BasicSet, from: usize, count: usize) -> Result<BasicSet, LibISLError> {
    let (from, count) = (u32::try_from(from).unwrap_or(0), u32::try_from(count).unwrap_or(0));
    cone.eliminate(DimType::Set, from, count)?.remove_dims(DimType::Set, from, count)?.remove_divs()
}
