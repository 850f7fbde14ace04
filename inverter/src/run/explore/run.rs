//! One run of a program on unknowns, and its repetition along a trail of decisions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::class::{Class, Element, Outside};
use super::halt::{Halt, Step};
use super::open::{Partial, Unknowns};
use super::options::Options;
use crate::program::eval::{self, Lookup, Quantify, Undefined};
use crate::program::{
    Atom, Cmp, Expr, FieldId, Length, Poly, Pred, Program, Ref, Side, Span, Stmt, StmtKind, VarId,
};
use crate::run::outputs::{Reservation, overlapping};
use crate::solve::domain::{self, Domain};

/// Bounds on an exploration.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The maximum number of runs.
    pub runs: usize,
    /// The maximum number of steps, over all runs.
    pub steps: usize,
}

/// The purpose of runs: handles outputs, and decides which runs count. Each run begins with a clone of it.
pub trait Goal: Clone {
    /// Handles `y.target = value`, where `element` is the target.
    ///
    /// # Errors
    ///
    /// Returns an error if the run goes no further.
    fn assign(
        &mut self,
        run: &mut Run<'_>,
        element: Element,
        target: &Ref,
        value: &Expr,
        span: Span,
    ) -> Step<()>;

    /// Handles the call of a primitive that returns the output array `target`.
    ///
    /// # Errors
    ///
    /// Returns an error if the run goes no further.
    fn decode(&mut self, run: &mut Run<'_>, target: FieldId, span: Span) -> Step<()> {
        let _ = (run, target, span);
        // The streams that an encoder may make are not enumerated.
        Err(Halt::Spent)
    }

    /// Returns true if a read outside an array is noted ([`Run::outside`]) and the run continues with any value,
    /// instead of ending.
    fn goes_on_outside(&self) -> bool {
        false
    }

    /// Checks, after the last statement, the conditions on the whole run.
    ///
    /// # Errors
    ///
    /// Returns an error if the run does not count.
    fn finish(&mut self, run: &mut Run<'_>) -> Step<()>;
}

/// The values tried for the unknowns of a run, in the order in which they came up, each with the position of the
/// current one.
type Trail = Vec<(Vec<i128>, usize)>;

/// Runs through the inputs of `program`. Calls `each` with every run that counts, in the state in which the goal left
/// it, until it returns false. Returns true if the exploration was complete within its bounds.
pub fn explore<G: Goal>(
    program: &Program,
    goal: &G,
    options: &mut dyn Options,
    bounds: Bounds,
    each: &mut dyn FnMut(G, Class) -> bool,
) -> bool {
    let mut trail = Trail::new();
    let mut steps = bounds.steps;
    for _ in 0..bounds.runs {
        let mut goal = goal.clone();
        let mut run = Run {
            program,
            most_cells: bounds.steps,
            options,
            trail: &mut trail,
            depth: 0,
            steps: &mut steps,
            vars: vec![0; program.vars.len()],
            known: FxHashMap::default(),
            reserved: Vec::new(),
            read: FxHashSet::default(),
            lenient: goal.goes_on_outside(),
            outside: None,
        };
        let ended = run.block(&mut goal, &program.body).and_then(|()| goal.finish(&mut run));
        let (known, reserved) = (run.known, run.reserved);
        let go_on = match ended {
            Ok(()) => each(goal, Class { known: known.into_iter().collect(), reserved }),
            Err(Halt::Dead) => true,
            Err(Halt::Spent) => return false,
        };
        if !go_on {
            return false;
        }
        if !advance(&mut trail) {
            return true;
        }
    }
    false
}

/// Takes the next value of the last unknown that has one; false if there is none.
fn advance(trail: &mut Trail) -> bool {
    while let Some((options, at)) = trail.last_mut() {
        *at += 1;
        if *at < options.len() {
            break;
        }
        trail.pop();
    }
    !trail.is_empty()
}

/// A run.
pub struct Run<'a> {
    /// The program that is run.
    pub program: &'a Program,
    /// The maximum number of elements of an output.
    pub most_cells: usize,
    options: &'a mut dyn Options,
    trail: &'a mut Trail,
    depth: usize,
    steps: &'a mut usize,
    vars: Vec<i128>,
    /// The values of what is read.
    known: FxHashMap<Element, i128>,
    reserved: Vec<Reservation>,
    /// Elements of input arrays that were read.
    read: FxHashSet<Element>,
    lenient: bool,
    /// The first read outside an array of declared length, if the goal continues after it.
    pub outside: Option<Outside>,
}

impl Run<'_> {
    fn step(&mut self) -> Step<()> {
        *self.steps = self.steps.checked_sub(1).ok_or(Halt::Spent)?;
        Ok(())
    }

    fn block<G: Goal>(&mut self, goal: &mut G, body: &[Stmt]) -> Step<()> {
        for stmt in body {
            self.step()?;
            match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    let element = self.index(target)?;
                    goal.assign(self, element, target, value, stmt.span)?;
                }
                StmtKind::Assume(p) => self.require(p)?,
                StmtKind::If { cond, then, els } => {
                    let branch = if eval::holds(self, cond)? { then } else { els };
                    self.block(goal, branch)?;
                }
                StmtKind::For { var, count, body } => {
                    let count = self.eval(count)?;
                    for k in 0..count {
                        self.step()?;
                        self.vars[var.0] = k;
                        self.block(goal, body)?;
                    }
                }
                StmtKind::Decode { target, .. } => goal.decode(self, *target, stmt.span)?,
                // The inverse of a program with walks runs it by itself.
                StmtKind::Walk(_) => return Err(Halt::Dead),
                StmtKind::Reserve { field, start, end } => {
                    let (start, end) = (self.eval(start)?, self.eval(end)?);
                    self.reserved.extend(Reservation::of(*field, start, end));
                }
            }
        }
        Ok(())
    }

    fn index(&mut self, r: &Ref) -> Step<Element> {
        let mut index = [0; 3];
        for (slot, e) in index.iter_mut().zip(&r.index) {
            *slot = self.eval(e)?;
        }
        Ok(Element { field: r.field, index })
    }

    /// Returns the hidden scalar that is the length of an array, if it has no value so far. Conditions on the length
    /// decide it; otherwise it is decided last, when all reads are known.
    fn open_length(&self, array: FieldId) -> Option<Element> {
        let length = self.program.length_of(array).map(Element::scalar)?;
        (!self.known.contains_key(&length)).then_some(length)
    }

    /// Decides the length of an array that nothing else determines: at least large enough for all reads.
    fn close_length(&mut self, array: FieldId) -> Step<()> {
        let Some(length) = self.open_length(array) else { return Ok(()) };
        let own = self.known.keys().filter(|e| e.field == array);
        let least = own.map(|e| e.index[0] + 1).max().unwrap_or(0);
        let mut options = Vec::new();
        if !self.replays() {
            let (lo, hi) = self.range(length);
            let domain = Domain::range((lo.max(least), hi));
            options = self.options.of(self.program, length, &domain, false);
            if !options.contains(&least) {
                options.push(least);
            }
        }
        self.decide(length, options).map(|_| ())
    }

    /// Checks that the input's declared lengths are large enough for all reads.
    ///
    /// # Errors
    ///
    /// Returns an error if they are too small, or have no value.
    pub fn input_fits(&mut self) -> Step<()> {
        for (field, f) in self.program.input.indexed() {
            self.close_length(field)?;
            for (k, length) in f.lengths.iter().enumerate() {
                let Length::Is(e) = length else { continue };
                let n = self.eval(e)?;
                let inside = |e: &Element| e.field != field || (0..n).contains(&e.index[k]);
                if n < 0 || !self.known.keys().all(inside) {
                    return Err(Halt::Dead);
                }
            }
        }
        Ok(())
    }

    /// Checks that no reserved element was read, no two reservations overlap, and all are inside
    /// their arrays.
    ///
    /// # Errors
    ///
    /// Returns [`Halt::Dead`] if a reservation is read, overlaps another or leaves its array.
    pub fn reservations(&mut self) -> Step<()> {
        let reserved = &mut self.reserved;
        reserved.sort_unstable();
        let overlap = overlapping(reserved, |r| r).is_some();
        let read =
            self.read.iter().any(|e| reserved.iter().any(|r| r.contains(e.field, e.index[0])));
        if overlap || read || reserved.iter().any(|r| r.start < 0) {
            return Err(Halt::Dead);
        }
        for r in reserved.clone() {
            if let [Length::Is(e)] = &self.program.input.fields[r.field].lengths[..]
                && self.eval(e)? < r.end
            {
                return Err(Halt::Dead);
            }
        }
        Ok(())
    }

    /// Makes `p` hold: if only one unknown remains in it, only the values for which it holds are tried.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not hold.
    pub fn require(&mut self, p: &Pred) -> Step<()> {
        if let Pred::And(ps) = p {
            return ps.iter().try_for_each(|p| self.require(p));
        }
        if let Pred::Cmp(cmp, a, b) = p {
            loop {
                let mut partial = Partial { run: self, open: Vec::new() };
                let left = eval::residual(&mut partial, a)?;
                let right = eval::residual(&mut partial, b)?;
                let open = partial.open;
                let Some(first) = open.first().copied() else {
                    let (Expr::Int(l), Expr::Int(r)) = (left, right) else {
                        return Err(Halt::Dead);
                    };
                    return if cmp.holds(l.cmp(&r)) { Ok(()) } else { Err(Halt::Dead) };
                };
                if open.iter().any(|o| *o != first) {
                    let (element, range) = match cmp {
                        Cmp::Eq => self.greatest_digit(&open, &left, &right),
                        _ => (first, self.range(first)),
                    };
                    let options =
                        if self.replays() { Vec::new() } else { self.within(element, range) };
                    self.decide(element, options)?;
                    continue;
                }
                let options = match self.replays() {
                    true => Vec::new(),
                    false => self.solutions(first, &Pred::Cmp(*cmp, left, right), *cmp == Cmp::Eq),
                };
                self.decide(first, options)?;
            }
        }
        if let Pred::Or(_) = p
            && let Some((element, rest)) = super::open::only_unknown(self, p)?
        {
            let options = match self.replays() {
                true => Vec::new(),
                false => self.solutions(element, &rest, false),
            };
            self.decide(element, options)?;
        }
        if eval::holds(self, p)? { Ok(()) } else { Err(Halt::Dead) }
    }

    /// Returns the value of `e`; unknowns in it get values.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no value.
    pub fn eval(&mut self, e: &Expr) -> Step<i128> {
        eval::eval(self, e)
    }

    /// Returns the values of an unknown that a comparison allows.
    fn solutions(&mut self, element: Element, p: &Pred, equation: bool) -> Vec<i128> {
        let range = self.program.input.fields[element.field].int.range();
        match domain::solutions(p, &self.atom(element), range) {
            Some(domain) => self.options.of(self.program, element, &domain, equation),
            None => self.any(element),
        }
    }

    fn range(&self, element: Element) -> (i128, i128) {
        self.program.input.fields[element.field].int.range()
    }

    /// Returns the values of an unknown within a range; all of them if there are few.
    fn within(&mut self, element: Element, (lo, hi): (i128, i128)) -> Vec<i128> {
        const FEW: i128 = 4;
        if lo > hi {
            return Vec::new();
        }
        let few = hi - lo < FEW;
        self.options.of(self.program, element, &Domain::range((lo, hi)), few)
    }

    /// Returns the unknown among `open` that an equation bounds most closely, with its bounds. Among digits this is the
    /// greatest, whose value leaves the fewest values for the others.
    fn greatest_digit(
        &self,
        open: &[Element],
        left: &Expr,
        right: &Expr,
    ) -> (Element, (i128, i128)) {
        let first = (open[0], self.range(open[0]));
        let mut rest = Poly::of(left).sub(&Poly::of(right));
        let mut terms: Vec<(Element, i128)> = Vec::new();
        for element in open {
            if terms.iter().any(|(e, _)| e == element) {
                continue;
            }
            let Some((coefficient, others)) = rest.linear_in(&self.atom(*element)) else {
                return first;
            };
            let Some(c) = coefficient.as_int().filter(|c| *c != 0) else { return first };
            terms.push((*element, c));
            rest = others;
        }
        let Some(constant) = rest.as_int() else { return first };
        let Some(at) = (0..terms.len()).max_by_key(|k| (terms[*k].1.abs(), usize::MAX - k)) else {
            return first;
        };
        // c * value = -constant - others
        let (element, c) = terms[at];
        let (mut least, mut most) = (-constant, -constant);
        for (other, c) in terms.iter().filter(|(e, _)| *e != element) {
            let (lo, hi) = self.range(*other);
            let (a, b) = (c.saturating_mul(lo), c.saturating_mul(hi));
            least = least.saturating_sub(a.max(b));
            most = most.saturating_sub(a.min(b));
        }
        if c < 0 {
            (least, most) = (-most, -least);
        }
        let c = c.abs();
        let (lo, hi) = self.range(element);
        let bounds = (lo.max(-((-least).div_euclid(c))), hi.min(most.div_euclid(c)));
        (element, bounds)
    }

    fn atom(&self, Element { field, index }: Element) -> Atom {
        let rank = self.program.input.fields[field].lengths.len();
        let index = index[..rank].iter().map(|i| Poly::int(*i)).collect();
        Atom::Ref(Side::Input, field, index)
    }

    /// Returns the values of an unconstrained unknown.
    fn any(&mut self, element: Element) -> Vec<i128> {
        let domain = Domain::range(self.program.input.fields[element.field].int.range());
        self.options.of(self.program, element, &domain, false)
    }

    /// Returns true if the next decision is on the trail of the previous run.
    fn replays(&self) -> bool {
        self.depth < self.trail.len()
    }

    /// Decides an unknown: by the trail or, beyond its end, by the first of `options`.
    fn decide(&mut self, element: Element, options: Vec<i128>) -> Step<i128> {
        self.step()?;
        if !self.replays() {
            if options.is_empty() {
                return Err(Halt::Dead);
            }
            self.trail.push((options, 0));
        }
        let (options, at) = &self.trail[self.depth];
        let value = options[*at];
        self.depth += 1;
        self.known.insert(element, value);
        Ok(value)
    }

    pub(super) fn locate(&mut self, r: &Ref) -> Step<Element> {
        let mut index = [0; 3];
        for (slot, e) in index.iter_mut().zip(&r.index) {
            *slot = self.eval(e)?;
            if *slot < 0 && !self.lenient {
                return Err(Halt::Dead);
            }
        }
        let element = Element { field: r.field, index };
        if self.lenient {
            return self.note_outside(r, element);
        }
        if !r.index.is_empty() && self.read.insert(element) {
            // Elements outside of the array cannot be read.
            let program = self.program;
            for (k, length) in program.input.fields[r.field].lengths.iter().enumerate() {
                if let Length::Is(e) = length
                    && self.open_length(r.field).is_none()
                    && self.eval(e)? <= index[k]
                {
                    return Err(Halt::Dead);
                }
            }
        }
        Ok(element)
    }
}

impl Unknowns for Run<'_> {
    fn place(&mut self, r: &Ref) -> Step<Element> {
        self.locate(r)
    }

    fn known(&self, element: &Element) -> Option<i128> {
        self.known.get(element).copied()
    }
}

impl Lookup for Run<'_> {
    type Stop = Halt;

    fn var(&mut self, var: VarId) -> Step<i128> {
        Ok(self.vars.get(var.0).copied().unwrap_or(0))
    }

    fn load(&mut self, r: &Ref) -> Step<i128> {
        let element = self.locate(r)?;
        if let Some(n) = self.known.get(&element) {
            return Ok(*n);
        }
        let options = if self.replays() { Vec::new() } else { self.any(element) };
        self.decide(element, options)
    }

    fn undefined(&self, _: Undefined) -> Halt {
        Halt::Dead
    }
}

impl Quantify for Run<'_> {
    /// Specs have no quantifier.
    fn all(&mut self, _: &Pred, _: VarId, _: &Expr, _: &Pred) -> Step<bool> {
        Ok(false)
    }
}
