//! The operations of convex polyhedra that the domain needs.

use std::fmt::Debug;

use super::cone::{Cone, Made, Polyhedron, Row, reduced};

/// A convex polyhedron of few dimensions that is not empty.
pub trait Convex: Debug + Clone + Send + 'static {
    /// The points that satisfy constraints.
    fn constrained(size: usize, constraints: Cone) -> Made<Self>;

    /// Returns its constraints, none of which follows from the others.
    fn constraints(&self) -> &Cone;

    /// Returns the least polyhedron that contains the points of both.
    fn hull(&self, other: &Self) -> Made<Self>;

    /// The polyhedron with only some of its coordinates.
    fn projected(&self, keep: &[usize]) -> Made<Self>;

    /// Returns the points with one coordinate replaced by a form of all coordinates, plus a number between two bounds.
    fn image(&self, coordinate: usize, form: &[i128], between: [i128; 2]) -> Made<Self>;

    /// Returns the minimum and the maximum integer value of a form of coordinates; `None` for a bound that does not
    /// exist.
    fn bounds(&self, form: &[i128]) -> Option<(Option<i128>, Option<i128>)>;

    /// Returns true if all points satisfy a constraint and the constraint holds with equality at the same points as one
    /// of this polyhedron.
    fn has_face(&self, row: &Row) -> bool;

    /// The constraints as inequalities: `row * (1, x) >= 0`.
    fn inequalities(&self) -> impl Iterator<Item = Row> {
        let equations = self.constraints().lines.iter().flat_map(|row| {
            let negated: Row = row.iter().map(|x| -x).collect();
            [row.clone(), negated]
        });
        let trivial = |row: &Row| row[1..].iter().all(|x| *x == 0);
        self.constraints().rays.iter().cloned().chain(equations).filter(move |row| !trivial(row))
    }

    /// Returns the polyhedron without constraints whose factors reach this size; `None` if it is too large.
    fn without_steep(self, size: usize, steep: i128) -> Option<Self> {
        let flat = |row: &Row| row[1..].iter().all(|factor| factor.abs() < steep);
        let Cone { rays, lines } = self.constraints();
        if rays.iter().chain(lines).all(flat) {
            return Some(self);
        }
        let kept = |rows: &[Row]| rows.iter().filter(|row| flat(row)).cloned().collect();
        Self::constrained(size, Cone { rays: kept(rays), lines: kept(lines) }).some()
    }
}

impl<P> Made<P> {
    /// The polyhedron, if there is one.
    pub fn some(self) -> Option<P> {
        match self {
            Self::Some(polyhedron) => Some(polyhedron),
            Self::Empty | Self::TooLarge => None,
        }
    }
}

impl Convex for Polyhedron {
    fn constrained(size: usize, constraints: Cone) -> Made<Self> {
        Self::constrained(size, constraints)
    }

    fn constraints(&self) -> &Cone {
        &self.constraints
    }

    fn hull(&self, other: &Self) -> Made<Self> {
        let mut generators = self.generators.clone();
        generators.rays.extend(other.generators.rays.iter().cloned());
        generators.lines.extend(other.generators.lines.iter().cloned());
        Self::generated(self.size, generators)
    }

    fn projected(&self, keep: &[usize]) -> Made<Self> {
        self.projected(keep)
    }

    fn image(&self, coordinate: usize, form: &[i128], between: [i128; 2]) -> Made<Self> {
        let moved = |row: &Row, constant: i128| {
            let mut value = row[0].checked_mul(constant)?;
            for (factor, at) in form.iter().zip(&row[1..]) {
                value = value.checked_add(at.checked_mul(*factor)?)?;
            }
            let mut row = row.clone();
            row[coordinate + 1] = value;
            Some(reduced(row))
        };
        let [lo, hi] = between;
        let constants = if lo == hi { vec![lo] } else { vec![lo, hi] };
        let of = &self.generators;
        let rays = constants.iter().flat_map(|k| of.rays.iter().map(|ray| moved(ray, *k)));
        let lines = of.lines.iter().map(|line| moved(line, 0));
        let (Some(mut rays), Some(mut lines)) =
            (rays.collect::<Option<Vec<_>>>(), lines.collect::<Option<Vec<_>>>())
        else {
            return Made::TooLarge;
        };
        let empty = |row: &Row| row.iter().all(|x| *x == 0);
        rays.retain(|row| !empty(row));
        lines.retain(|row| !empty(row));
        Self::generated(self.size, Cone { rays, lines })
    }

    fn bounds(&self, form: &[i128]) -> Option<(Option<i128>, Option<i128>)> {
        self.bounds(form)
    }

    fn has_face(&self, row: &Row) -> bool {
        let face = self.saturated(row);
        face.is_some() && self.inequalities().any(|own| self.saturated(&own) == face)
    }
}
