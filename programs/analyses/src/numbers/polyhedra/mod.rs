//! Convex polyhedra of a few cells each (Cousot and Halbwachs, 1978), and intervals of all cells.
//!
//! Unrelated cells are in different polyhedra; the state is their product (as in ELINA). A polyhedron with too many
//! cells or too large numbers is replaced by the intervals of its cells, which is sound.

mod blocks;
pub mod cone;
pub mod convex;
#[cfg(feature = "isl")]
pub mod isl;

use super::boxes::Boxes;
use super::{Interval, Linear, Numbers, Ranges, Sign};
use crate::unfold::memory::CellId;
use blocks::Block;
use cone::{Cone, Made};
use convex::Convex;

/// The polyhedra that the client uses.
#[cfg(not(feature = "isl"))]
pub type Chosen = cone::Polyhedron;
/// The polyhedra that the client has.
#[cfg(feature = "isl")]
pub type Chosen = isl::Polyhedron;

/// Intervals, and polyhedra of disjoint sets of cells.
#[derive(Debug, Clone)]
pub struct Polyhedra<P = Chosen> {
    boxes: Boxes,
    blocks: Vec<Block<P>>,
}

/// The widest interval of a constant for which a relation is kept.
const WIDEST: i128 = 1 << 20;

/// Only intervals have bounds of single cells that reach these numbers, because the vertices of a polyhedron with such
/// bounds may have numbers that are too large. If the numbers are still too large, the second limit is tried.
const BOUNDS: [i128; 2] = [1 << 31, 1 << 10];

/// A join does not keep relations with factors of this size: they relate a product to its factor, and would put all
/// other cells of the loop into one polyhedron.
const STEEP: i128 = 1 << 16;

impl<P: Convex> Polyhedra<P> {
    fn block(&self, cell: CellId) -> Option<usize> {
        self.blocks.iter().position(|block| block.cells.contains(&cell))
    }

    /// Returns the cells of the blocks that have some of these cells, and the cells themselves, in ascending order.
    fn around(&self, cells: &[CellId]) -> Vec<CellId> {
        let mut all = cells.to_vec();
        for block in &self.blocks {
            if block.cells.iter().any(|cell| cells.contains(cell)) {
                all.extend(&block.cells);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the polyhedron of cells, which must include all cells of their blocks, without bounds that reach `far`.
    fn product(&self, cells: &[CellId], ranges: &Ranges, far: i128) -> Made<P> {
        if cells.len() > blocks::LARGEST {
            return Made::TooLarge;
        }
        let mut constraints = Cone { rays: Vec::new(), lines: Vec::new() };
        for block in &self.blocks {
            if !block.cells.iter().all(|cell| cells.contains(cell)) {
                continue;
            }
            let spread = |row: &cone::Row| {
                let mut wide = vec![0; cells.len() + 1];
                wide[0] = row[0];
                for (cell, factor) in block.cells.iter().zip(&row[1..]) {
                    if let Ok(at) = cells.binary_search(cell) {
                        wide[at + 1] = *factor;
                    }
                }
                wide
            };
            let near = |row: &&cone::Row| {
                let mut factors = row[1..].iter().filter(|factor| **factor != 0);
                let only = factors.next().filter(|_| factors.next().is_none());
                only.is_none_or(|only| row[0].saturating_abs() < far.saturating_mul(only.abs()))
            };
            let rays = block.polyhedron.constraints().rays.iter().filter(near);
            constraints.rays.extend(rays.map(spread));
            constraints.lines.extend(block.polyhedron.constraints().lines.iter().map(spread));
        }
        for (at, cell) in cells.iter().enumerate() {
            let (all, now) =
                (ranges[cell.0 as usize], self.boxes.bounds(&Linear::cell(*cell), ranges));
            let mut row = |constant: i128, factor: i128| {
                let mut wide = vec![0; cells.len() + 1];
                (wide[0], wide[at + 1]) = (constant, factor);
                constraints.rays.push(wide);
            };
            // The bound 0 of unsigned numbers often matters, and is a small number.
            if (now.lo > all.lo || now.lo == 0) && now.lo.saturating_abs() < far {
                row(-now.lo, 1);
            }
            if now.hi < all.hi && now.hi.saturating_abs() < far {
                row(now.hi, -1);
            }
        }
        P::constrained(cells.len(), constraints)
    }

    /// The polyhedron of cells with as many bounds as possible.
    fn first_product(&self, cells: &[CellId], ranges: &Ranges) -> Option<P> {
        BOUNDS.into_iter().find_map(|far| self.product(cells, ranges, far).some())
    }

    /// Replaces the blocks of cells by a single one.
    fn replace(&mut self, cells: Vec<CellId>, polyhedron: Option<P>, ranges: &Ranges) {
        self.blocks.retain(|block| !block.cells.iter().any(|cell| cells.contains(cell)));
        let Some(polyhedron) = polyhedron else { return };
        let block = Block { cells, polyhedron };
        for (at, cell) in block.cells.iter().enumerate() {
            let mut form = vec![0; block.cells.len()];
            form[at] = 1;
            if let Some((lo, hi)) = block.polyhedron.bounds(&form) {
                self.boxes.tighten(*cell, lo, hi, ranges);
            }
        }
        self.blocks.extend(block.split());
        self.blocks.sort_by(|a, b| a.cells.cmp(&b.cells));
    }

    /// Keeps the points that satisfy a constraint; returns false if there are none.
    fn restrict(&mut self, form: &Linear, sign: Sign, ranges: &Ranges) -> bool {
        let cells: Vec<CellId> = form.terms.iter().map(|term| term.0).collect();
        let all = self.around(&cells);
        for far in BOUNDS {
            match self.restricted(&all, (form, sign), ranges, far) {
                Made::Some(polyhedron) => {
                    self.replace(all, Some(polyhedron), ranges);
                    return true;
                }
                Made::Empty => return false,
                Made::TooLarge => {}
            }
        }
        true
    }

    /// The polyhedron of cells with a constraint.
    fn restricted(
        &self,
        all: &[CellId],
        (form, sign): (&Linear, Sign),
        ranges: &Ranges,
        far: i128,
    ) -> Made<P> {
        let now = match self.product(all, ranges, far) {
            Made::Some(now) => now,
            // Intervals that became smaller may contradict a relation.
            other => return other,
        };
        let mut constraints = now.constraints().clone();
        let mut row = |factor: i128, constant: i128, equation: bool| {
            let mut wide = vec![0; all.len() + 1];
            wide[0] = constant;
            for (cell, k) in &form.terms {
                if let Ok(at) = all.binary_search(cell) {
                    wide[at + 1] = k * factor;
                }
            }
            let wide = blocks::integral(wide, equation);
            if equation { constraints.lines.push(wide) } else { constraints.rays.push(wide) }
        };
        match sign {
            Sign::NotPositive => row(-1, -form.rest.lo, false),
            Sign::Zero if form.rest.lo == form.rest.hi => row(1, form.rest.lo, true),
            Sign::Zero => {
                row(-1, -form.rest.lo, false);
                row(1, form.rest.hi, false);
            }
            Sign::NotZero => {
                let bounds = self.bounds(form, ranges);
                if bounds.lo == 0 && form.rest.lo == form.rest.hi {
                    row(1, form.rest.lo - 1, false);
                } else if bounds.hi == 0 && form.rest.lo == form.rest.hi {
                    row(-1, -form.rest.lo - 1, false);
                } else {
                    return Made::Some(now);
                }
            }
        }
        P::constrained(all.len(), constraints)
    }

    /// Returns the image of a cell under a form; `None` if no relation is kept.
    fn image(&self, cell: CellId, form: &Linear, ranges: &Ranges) -> Option<(Vec<CellId>, P)> {
        if form.terms.is_empty() || form.rest.hi.saturating_sub(form.rest.lo) > WIDEST {
            return None;
        }
        let mut cells: Vec<CellId> = form.terms.iter().map(|term| term.0).collect();
        cells.push(cell);
        let all = self.around(&cells);
        let now = self.first_product(&all, ranges)?;
        let mut row = vec![0; all.len()];
        for (of, factor) in &form.terms {
            row[all.binary_search(of).ok()?] = *factor;
        }
        let target = all.binary_search(&cell).ok()?;
        let image = now.image(target, &row, [form.rest.lo, form.rest.hi]).some()?;
        Some((all, image))
    }

    /// Classes of cells that may be related after a join.
    fn classes(&self, other: &Self, ranges: &Ranges) -> Vec<Vec<CellId>> {
        let mut classes: Vec<Vec<CellId>> = Vec::new();
        // Cells that both states bound differently may have a relation even if neither state has one.
        let differing: Vec<CellId> =
            self.boxes.differing(&other.boxes, ranges).take(blocks::LARGEST).collect();
        let blocks = self.blocks.iter().chain(&other.blocks).map(|block| block.cells.clone());
        for cells in blocks.chain(std::iter::once(differing)) {
            let mut merged = cells.clone();
            for class in &classes {
                if class.iter().any(|cell| cells.contains(cell)) {
                    merged.extend(class);
                }
            }
            merged.sort_unstable();
            merged.dedup();
            if merged.len() > blocks::LARGEST {
                continue;
            }
            classes.retain(|class| !class.iter().any(|cell| merged.contains(cell)));
            classes.push(merged);
        }
        classes.retain(|class| class.len() >= 2);
        classes
    }

    /// Returns constraints of a later state that a widening keeps although this state does not have them, because each
    /// could replace one of its constraints (Halbwachs, 1979).
    fn exchanged(&self, block: &Block<P>, ranges: &Ranges) -> Vec<cone::Row> {
        let Some(now) = self.largest_class(&block.cells, ranges) else { return Vec::new() };
        block.polyhedron.inequalities().filter(|row| now.has_face(row)).collect()
    }

    fn check<'a>(&'a self, block: &Block<P>, ranges: &'a Ranges) -> Check<'a, P> {
        Check { state: self, class: self.largest_class(&block.cells, ranges), ranges }
    }

    /// The polyhedron of a class with as many bounds as it can have.
    fn largest_class(&self, class: &[CellId], ranges: &Ranges) -> Option<P> {
        BOUNDS.into_iter().find_map(|far| self.of_class(class, ranges, far))
    }

    /// Returns the polyhedron of a class: the constraints of its blocks without their other cells.
    fn of_class(&self, class: &[CellId], ranges: &Ranges, far: i128) -> Option<P> {
        let all = self.around(class);
        let Made::Some(whole) = self.product(&all, ranges, far) else { return None };
        if all == class {
            return Some(whole);
        }
        let keep: Vec<usize> =
            class.iter().filter_map(|cell| all.binary_search(cell).ok()).collect();
        whole.projected(&keep).some()
    }
}

/// Checks constraints of some cells in a state.
struct Check<'a, P> {
    state: &'a Polyhedra<P>,
    class: Option<P>,
    ranges: &'a Ranges,
}

impl<P: Convex> Check<'_, P> {
    /// Returns true if all points of the state satisfy a constraint of a block.
    fn holds(&self, block: &Block<P>, row: &cone::Row) -> bool {
        let exact = self.class.as_ref().and_then(|polyhedron| polyhedron.bounds(&row[1..]));
        let least = exact.and_then(|(lo, _)| lo.and_then(|lo| lo.checked_add(row[0])));
        least.is_some_and(|least| least >= 0)
            || self.state.bounds(&block.form(row), self.ranges).lo >= 0
    }
}

impl<P: Convex> Numbers for Polyhedra<P> {
    const NAME: &'static str = "polyhedra";

    fn top() -> Self {
        Self { boxes: Boxes::default(), blocks: Vec::new() }
    }

    fn bounds(&self, form: &Linear, ranges: &Ranges) -> Interval {
        let plain = self.boxes.bounds(form, ranges);
        if form.terms.len() < 2 {
            return plain;
        }
        // The minimum over a product is the sum of the minima over its parts.
        let mut sum = form.rest;
        let mut rest = form.terms.clone();
        while let Some((cell, _)) = rest.first().copied() {
            let (cells, value) = match self.block(cell) {
                Some(k) => {
                    let block = &self.blocks[k];
                    let here = Linear {
                        terms: rest
                            .iter()
                            .filter(|term| block.cells.contains(&term.0))
                            .copied()
                            .collect(),
                        rest: Interval::point(0),
                    };
                    (block.cells.clone(), block.bounds(&here, self.boxes.bounds(&here, ranges)))
                }
                None => {
                    let here = Linear { terms: vec![rest[0]], rest: Interval::point(0) };
                    (vec![cell], self.boxes.bounds(&here, ranges))
                }
            };
            rest.retain(|term| !cells.contains(&term.0));
            sum = sum.plus(value);
        }
        sum.meet(plain).unwrap_or(plain)
    }

    fn assign(&mut self, cell: CellId, form: &Linear, ranges: &Ranges) {
        let image = self.image(cell, form, ranges);
        let bounds = self.bounds(form, ranges);
        self.forget(cell);
        self.boxes.assign(cell, &Linear::interval(bounds), ranges);
        if let Some((cells, polyhedron)) = image {
            self.replace(cells, Some(polyhedron), ranges);
        }
    }

    fn forget(&mut self, cell: CellId) {
        self.boxes.forget(cell);
        let Some(k) = self.block(cell) else { return };
        let block = self.blocks.remove(k);
        self.blocks.extend(block.without(cell));
        self.blocks.sort_by(|a, b| a.cells.cmp(&b.cells));
    }

    fn constrain(&mut self, form: &Linear, sign: Sign, ranges: &Ranges) -> bool {
        if !self.boxes.constrain(form, sign, ranges) {
            return false;
        }
        let related =
            form.terms.len() >= 2 || form.terms.iter().any(|term| self.block(term.0).is_some());
        let far = form.terms.len() == 1 && form.rest.lo.saturating_abs() >= BOUNDS[0];
        if !related || far || form.rest.hi.saturating_sub(form.rest.lo) > WIDEST {
            return true;
        }
        self.restrict(form, sign, ranges) && self.boxes.constrain(form, sign, ranges)
    }

    fn join(&self, other: &Self, ranges: &Ranges) -> Self {
        let mut joined = Self { boxes: self.boxes.join(&other.boxes, ranges), blocks: Vec::new() };
        for class in self.classes(other, ranges) {
            let hull = |far: i128| {
                let own = self.of_class(&class, ranges, far)?;
                let hull = own.hull(&other.of_class(&class, ranges, far)?).some()?;
                hull.without_steep(class.len(), STEEP)
            };
            if let Some(polyhedron) = BOUNDS.into_iter().find_map(hull) {
                joined.replace(class, Some(polyhedron), ranges);
            }
        }
        joined
    }

    fn widen(&self, other: &Self, thresholds: &[i128], ranges: &Ranges) -> Self {
        let mut widened =
            Self { boxes: self.boxes.widen(&other.boxes, thresholds, ranges), blocks: Vec::new() };
        for block in &self.blocks {
            let check = other.check(block, ranges);
            let kept =
                block.polyhedron.inequalities().filter(|row| check.holds(block, row)).collect();
            let made = P::constrained(block.cells.len(), Cone { rays: kept, lines: Vec::new() });
            if let Made::Some(polyhedron) = made {
                // Bounds of single cells come from the intervals, whose chains end.
                let block = Block { cells: block.cells.clone(), polyhedron };
                widened.blocks.extend(block.split());
            }
        }
        widened.blocks.sort_by(|a, b| a.cells.cmp(&b.cells));
        for block in &other.blocks {
            for row in self.exchanged(block, ranges) {
                let form = Linear::point(0).add(&block.form(&row), -1);
                if let Some(form) = form {
                    widened.restrict(&form, Sign::NotPositive, ranges);
                }
            }
        }
        widened
    }

    fn within(&self, other: &Self, ranges: &Ranges) -> bool {
        let related = other.blocks.iter().all(|block| {
            let check = self.check(block, ranges);
            block.polyhedron.inequalities().all(|row| check.holds(block, &row))
        });
        related && self.boxes.within(&other.boxes, ranges)
    }

    fn constraints(&self, cells: &[CellId], ranges: &Ranges) -> Vec<Linear> {
        let mut found = self.boxes.constraints(cells, ranges);
        for block in &self.blocks {
            for block in block.named(cells) {
                for row in block.polyhedron.inequalities() {
                    let form = block.form(&row);
                    if form.terms.len() >= 2 {
                        found.extend(Linear::point(0).add(&form, -1));
                    }
                }
            }
        }
        found
    }
}
