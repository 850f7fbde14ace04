//! Runs of a normalization program on inputs of which nothing is known.
//!
//! Whenever a run needs an unknown, the values it may have are found (from the canonical
//! value where that settles them, else [`Options`] proposes some), one is taken, and the run
//! goes on; then it is repeated with the next. What a run never reads has no influence: all
//! inputs that agree on what was read are one *class*.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::eval::apply;
use super::store::{Array, Datum, Value};
use crate::program::streams::counted_by;
use crate::program::{
    Atom, Cmp, Expr, FieldId, Length, Op, Pred, Program, Ref, Side, Span, Stmt, StmtKind,
};
use crate::solve::domain::{self, Domain};

/// How far an exploration goes.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The most runs.
    pub runs: usize,
    /// The most steps, over all runs.
    pub steps: usize,
}

/// Which values of an unknown are tried, and in which order.
pub trait Options {
    /// Values of `place` within `domain`. `settled` tells that an equation with the
    /// canonical value leaves just these.
    fn of(&mut self, program: &Program, place: Place, domain: &Domain, settled: bool) -> Vec<i128>;
}

/// A small window of each unknown, in ascending order: for enumerating all.
#[derive(Debug, Clone)]
pub struct Window {
    largest: i128,
    landmarks: Vec<i128>,
}

impl Window {
    /// From 0 (or -2 if signed) to `largest`, and what lies next to the spec's own numerals.
    pub fn new(program: &Program, largest: i128) -> Self {
        Self { largest, landmarks: numerals(program) }
    }
}

impl Options for Window {
    fn of(&mut self, program: &Program, place: Place, domain: &Domain, settled: bool) -> Vec<i128> {
        const MOST: u128 = 4096;
        if let Some(members) = domain.members(MOST).filter(|_| settled) {
            return members;
        }
        let (lo, hi) = program.input.fields[place.0].int.range();
        let mut out: BTreeSet<i128> = (lo.max(-2)..=hi.min(self.largest)).collect();
        out.extend(self.landmarks.iter().filter(|n| (lo..=hi).contains(n)));
        out.retain(|n| domain.contains(*n));
        out.into_iter().collect()
    }
}

/// An element: its field and index (0 for a scalar's and for missing dimensions).
pub type Place = (FieldId, [i128; 3]);

/// Inputs that agree on all that the program reads of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// What was read.
    pub known: BTreeMap<Place, i128>,
    /// Reserved elements: field, first, one past the last.
    pub reserved: Vec<(FieldId, i128, i128)>,
}

/// What an exploration looks for.
#[derive(Debug, Clone, Copy)]
pub enum Goal<'a> {
    /// The representations of a canonical value.
    Match(&'a Value),
    /// Whether every output location is assigned once: values do not matter.
    Cover,
    /// Any representation of anything.
    Any,
}

/// How a run ended that was not cut short.
#[derive(Debug, Clone)]
pub enum Found {
    /// To the end. Under [`Goal::Match`] this is a representation.
    Class(Class),
    /// An output location was assigned twice, never, or is outside its array: an input
    /// that shows it, and what is wrong.
    Wrong(Class, String, Span),
}

/// Why a run goes no further.
enum Halt {
    /// The input is no representation, or not of this value.
    Dead,
    /// The exploration is over its bounds.
    Spent,
    /// Under [`Goal::Cover`].
    Wrong(String, Span),
}

type Step<T> = Result<T, Halt>;

/// Runs through the inputs of `program`, calling `each` until it says stop (false). True if
/// the exploration was complete within its bounds.
pub fn explore(
    program: &Program,
    goal: Goal<'_>,
    options: &mut dyn Options,
    bounds: Bounds,
    each: &mut dyn FnMut(Found) -> bool,
) -> bool {
    let sized = sized_outputs(program);
    let mut trail: Vec<(Vec<i128>, usize)> = Vec::new();
    let mut steps = bounds.steps;
    for _ in 0..bounds.runs {
        let mut run = Run {
            program,
            goal,
            most_cells: bounds.steps,
            options,
            sized: &sized,
            trail: &mut trail,
            depth: 0,
            steps: &mut steps,
            vars: vec![0; program.vars.len()],
            class: Class { known: BTreeMap::new(), reserved: Vec::new() },
            scalars: HashMap::new(),
            assigned: HashSet::new(),
            whole: BTreeSet::new(),
            read: BTreeSet::new(),
            wrong: None,
        };
        let ended = run.block(&program.body).and_then(|()| run.finish());
        let class = run.class;
        let go_on = match ended {
            Ok(()) => each(Found::Class(class)),
            Err(Halt::Wrong(why, span)) => each(Found::Wrong(class, why, span)),
            Err(Halt::Dead) => true,
            Err(Halt::Spent) => return false,
        };
        if !go_on {
            return false;
        }
        while let Some((options, at)) = trail.last_mut() {
            *at += 1;
            if *at < options.len() {
                break;
            }
            trail.pop();
        }
        if trail.is_empty() {
            return true;
        }
    }
    false
}

struct Run<'a> {
    program: &'a Program,
    goal: Goal<'a>,
    most_cells: usize,
    options: &'a mut dyn Options,
    sized: &'a BTreeSet<FieldId>,
    trail: &'a mut Vec<(Vec<i128>, usize)>,
    depth: usize,
    steps: &'a mut usize,
    vars: Vec<i128>,
    class: Class,
    /// Output scalars, under [`Goal::Cover`].
    scalars: HashMap<FieldId, i128>,
    assigned: HashSet<Place>,
    /// Output arrays that a primitive fills.
    whole: BTreeSet<FieldId>,
    /// Elements of input arrays that were read as data or otherwise.
    read: BTreeSet<Place>,
    /// What is wrong under [`Goal::Cover`], if the run comes to its end.
    wrong: Option<(String, Span)>,
}

/// An input that the program takes, of small values picked at random; `pick(n)` gives a
/// number below `n`. `None` if this pick leads to none.
pub fn any_input(
    program: &Program,
    options: &mut dyn Options,
    bounds: Bounds,
    pick: &mut dyn FnMut(usize) -> usize,
) -> Option<Value> {
    let mut value = None;
    let mut picked = Picked { options, pick };
    explore(program, Goal::Any, &mut picked, Bounds { runs: 1, ..bounds }, &mut |found| {
        if let Found::Class(class) = found {
            value = class.value(program);
        }
        false
    });
    value
}

/// One of the values that other options propose.
struct Picked<'a> {
    options: &'a mut dyn Options,
    pick: &'a mut dyn FnMut(usize) -> usize,
}

impl Options for Picked<'_> {
    fn of(&mut self, program: &Program, place: Place, domain: &Domain, settled: bool) -> Vec<i128> {
        let mut all = self.options.of(program, place, domain, settled);
        if all.is_empty() {
            return all;
        }
        let at = (self.pick)(all.len());
        vec![all.swap_remove(at)]
    }
}

impl Run<'_> {
    fn step(&mut self) -> Step<()> {
        *self.steps = self.steps.checked_sub(1).ok_or(Halt::Spent)?;
        Ok(())
    }

    fn block(&mut self, body: &[Stmt]) -> Step<()> {
        for stmt in body {
            self.step()?;
            match &stmt.kind {
                StmtKind::Assign { target, value } => self.assign(target, value, stmt.span)?,
                StmtKind::Assume(p) => self.require(p)?,
                StmtKind::If { cond, then, els } => {
                    let branch = if self.holds(cond)? { then } else { els };
                    self.block(branch)?;
                }
                StmtKind::For { var, count, body } => {
                    let count = self.eval(count)?;
                    for k in 0..count {
                        self.step()?;
                        self.vars[var.0] = k;
                        self.block(body)?;
                    }
                }
                StmtKind::Decode { target, .. } => match self.goal {
                    Goal::Cover => {
                        let f = &self.program.output.fields[*target];
                        let known = |l: &Length| match l {
                            Length::Is(e) => self.output_length(e).is_some(),
                            Length::Free => true,
                        };
                        if let Some(count) = counted_by(self.program, *target) {
                            self.whole.insert(count);
                        } else if !f.lengths.iter().all(known) {
                            let why =
                                format!("the lengths of {} are not assigned before it", f.name);
                            self.wrong.get_or_insert((why, stmt.span));
                        }
                        self.whole.insert(*target);
                    }
                    // What a primitive's encoder may make is not enumerated.
                    Goal::Match(_) | Goal::Any => return Err(Halt::Spent),
                },
                StmtKind::Reserve { field, start, end } => {
                    let (start, end) = (self.eval(start)?, self.eval(end)?);
                    if start < end {
                        self.class.reserved.push((*field, start, end));
                    }
                }
            }
        }
        Ok(())
    }

    fn assign(&mut self, target: &Ref, value: &Expr, span: Span) -> Step<()> {
        let mut index = [0; 3];
        for (slot, e) in index.iter_mut().zip(&target.index) {
            *slot = self.eval(e)?;
        }
        let place = (target.field, index);
        let f = &self.program.output.fields[target.field];
        match self.goal {
            Goal::Match(y) => {
                let wanted = match &y.fields[target.field] {
                    Datum::Scalar(n) => *n,
                    Datum::Array(a) => {
                        let at = a.place(&index[..target.index.len()]).ok_or(Halt::Dead)?;
                        a.cells.get(at).ok_or(Halt::Dead)?
                    }
                };
                if !self.assigned.insert(place) {
                    return Err(Halt::Dead);
                }
                self.require(&Pred::cmp(Cmp::Eq, value.clone(), Expr::Int(wanted)))
            }
            Goal::Any => self.eval(value).map(|_| ()),
            Goal::Cover => {
                // A value is needed only where it says how large something is.
                if f.is_scalar() && self.sized.contains(&target.field) {
                    let n = self.eval(value)?;
                    let (lo, hi) = f.int.range();
                    if n < lo || n > hi {
                        return Err(Halt::Dead);
                    }
                    self.scalars.insert(target.field, n);
                }
                for (k, length) in f.lengths.iter().enumerate() {
                    let Length::Is(e) = length else { continue };
                    let Some(n) = self.output_length(e) else {
                        let why = format!("the lengths of {} are not assigned before it", f.name);
                        self.wrong.get_or_insert((why, span));
                        return Ok(());
                    };
                    if index[k] < 0 || index[k] >= n {
                        let why = format!(
                            "{} is outside the array, whose length there is {}",
                            self.output_name(place),
                            n.max(0)
                        );
                        self.wrong.get_or_insert((why, span));
                        return Ok(());
                    }
                }
                if !self.assigned.insert(place) {
                    let why = format!("{} is assigned twice", self.output_name(place));
                    self.wrong.get_or_insert((why, span));
                }
                Ok(())
            }
        }
    }

    fn output_name(&self, (field, index): Place) -> String {
        let f = &self.program.output.fields[field];
        let index: String = index[..f.lengths.len()].iter().map(|i| format!("[{i}]")).collect();
        format!("{}{index}", f.name)
    }

    /// A length in terms of the output's scalars, which have been assigned.
    fn output_length(&self, e: &Expr) -> Option<i128> {
        match e {
            Expr::Int(n) => Some(*n),
            Expr::Var(_) => None,
            Expr::Ref(r) => self.scalars.get(&r.field).copied(),
            Expr::Bin(op, a, b) => apply(*op, self.output_length(a)?, self.output_length(b)?).ok(),
        }
    }

    /// After the last statement: what must hold of the whole.
    fn finish(&mut self) -> Step<()> {
        match self.goal {
            Goal::Match(y) => {
                let cells = |d: &Datum| match d {
                    Datum::Scalar(_) => 1,
                    Datum::Array(a) => a.cells.len(),
                };
                if self.assigned.len() != y.fields.iter().map(cells).sum::<usize>() {
                    return Err(Halt::Dead);
                }
                self.input_fits()?;
                self.reservations()
            }
            Goal::Cover => self.all_assigned(),
            Goal::Any => self.input_fits(),
        }
    }

    fn all_assigned(&mut self) -> Step<()> {
        // Only an input that no later assumption rules out is one.
        self.input_fits()?;
        if let Some((why, span)) = self.wrong.take() {
            return Err(Halt::Wrong(why, span));
        }
        for (field, f) in self.program.output.indexed() {
            if self.whole.contains(&field) {
                continue;
            }
            let mut lengths = [1i128; 3];
            for (slot, length) in lengths.iter_mut().zip(&f.lengths) {
                let Length::Is(e) = length else { continue };
                match self.output_length(e) {
                    Some(n) => *slot = n.max(0),
                    // The missing scalar is complained of itself.
                    None => *slot = 0,
                }
            }
            let cells = lengths.iter().try_fold(1i128, |n, l| n.checked_mul(*l));
            if cells.is_none_or(|n| n > self.most_cells as i128) {
                return Err(Halt::Spent);
            }
            for i in 0..lengths[0] {
                for j in 0..lengths[1] {
                    for k in 0..lengths[2] {
                        let place = (field, [i, j, k]);
                        if !self.assigned.contains(&place) {
                            let why = format!("{} is never assigned", self.output_name(place));
                            return Err(Halt::Wrong(why, f.span));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The input's declared lengths hold what was read.
    fn input_fits(&mut self) -> Step<()> {
        for (field, f) in self.program.input.indexed() {
            for (k, length) in f.lengths.iter().enumerate() {
                let Length::Is(e) = length else { continue };
                let n = self.eval(e)?;
                let inside = |p: &Place| p.0 != field || (0..n).contains(&p.1[k]);
                if n < 0 || !self.class.known.keys().all(inside) {
                    return Err(Halt::Dead);
                }
            }
        }
        Ok(())
    }

    fn reservations(&mut self) -> Step<()> {
        let reserved = &mut self.class.reserved;
        reserved.sort_unstable();
        let meet = reserved.windows(2).any(|p| p[0].0 == p[1].0 && p[1].1 < p[0].2);
        let read = self.read.iter().any(|(field, index)| {
            reserved.iter().any(|r| r.0 == *field && (r.1..r.2).contains(&index[0]))
        });
        if meet || read || reserved.iter().any(|r| r.1 < 0) {
            return Err(Halt::Dead);
        }
        for (field, _, end) in reserved.clone() {
            if let [Length::Is(e)] = &self.program.input.fields[field].lengths[..]
                && self.eval(e)? < end
            {
                return Err(Halt::Dead);
            }
        }
        Ok(())
    }

    /// Makes `p` hold: where it leaves one unknown, just the values for which it does.
    fn require(&mut self, p: &Pred) -> Step<()> {
        if let Pred::And(ps) = p {
            return ps.iter().try_for_each(|p| self.require(p));
        }
        if let Pred::Cmp(cmp, a, b) = p {
            loop {
                let mut open = Vec::new();
                let left = self.residual(a, &mut open)?;
                let right = self.residual(b, &mut open)?;
                let Some(first) = open.first().copied() else {
                    let (Expr::Int(l), Expr::Int(r)) = (left, right) else {
                        return Err(Halt::Dead);
                    };
                    return if cmp.holds(l.cmp(&r)) { Ok(()) } else { Err(Halt::Dead) };
                };
                let options = if self.depth < self.trail.len() {
                    Vec::new() // They are known from the run before.
                } else if open.iter().all(|o| *o == first) {
                    self.solutions(first, &Pred::Cmp(*cmp, left, right), *cmp == Cmp::Eq)
                } else {
                    self.any(first)
                };
                self.decide(first, options)?;
            }
        }
        if self.holds(p)? { Ok(()) } else { Err(Halt::Dead) }
    }

    /// The values of an unknown that a comparison allows.
    fn solutions(&mut self, place: Place, p: &Pred, equation: bool) -> Vec<i128> {
        let range = self.program.input.fields[place.0].int.range();
        match domain::solutions(p, &self.atom(place), range) {
            Some(domain) => self.options.of(self.program, place, &domain, equation),
            None => self.any(place),
        }
    }

    fn atom(&self, (field, index): Place) -> Atom {
        let rank = self.program.input.fields[field].lengths.len();
        let index = index[..rank].iter().map(|i| crate::program::Poly::int(*i)).collect();
        Atom::Ref(Side::Input, field, index)
    }

    /// The values of an unknown that nothing settles.
    fn any(&mut self, place: Place) -> Vec<i128> {
        let domain = Domain::range(self.program.input.fields[place.0].int.range());
        self.options.of(self.program, place, &domain, false)
    }

    fn decide(&mut self, place: Place, options: Vec<i128>) -> Step<i128> {
        self.step()?;
        if self.depth == self.trail.len() {
            if options.is_empty() {
                return Err(Halt::Dead);
            }
            self.trail.push((options, 0));
        }
        let (options, at) = &self.trail[self.depth];
        let value = options[*at];
        self.depth += 1;
        self.class.known.insert(place, value);
        Ok(value)
    }

    fn locate(&mut self, r: &Ref) -> Step<Place> {
        let mut index = [0; 3];
        for (slot, e) in index.iter_mut().zip(&r.index) {
            *slot = self.eval(e)?;
            if *slot < 0 {
                return Err(Halt::Dead);
            }
        }
        let place = (r.field, index);
        if !r.index.is_empty() && self.read.insert(place) {
            // What is outside the array cannot be read.
            let lengths = self.program.input.fields[r.field].lengths.clone();
            for (k, length) in lengths.iter().enumerate() {
                if let Length::Is(e) = length
                    && self.eval(e)? <= index[k]
                {
                    return Err(Halt::Dead);
                }
            }
        }
        Ok(place)
    }

    fn eval(&mut self, e: &Expr) -> Step<i128> {
        match e {
            Expr::Int(n) => Ok(*n),
            Expr::Var(v) => Ok(self.vars.get(v.0).copied().unwrap_or(0)),
            Expr::Ref(r) => {
                let place = self.locate(r)?;
                match self.class.known.get(&place) {
                    Some(n) => Ok(*n),
                    None => {
                        let options = match self.depth < self.trail.len() {
                            true => Vec::new(),
                            false => self.any(place),
                        };
                        self.decide(place, options)
                    }
                }
            }
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                apply(*op, a, b).map_err(|_| Halt::Dead)
            }
        }
    }

    /// `e` with what is known filled in, and the unknowns that are left.
    fn residual(&mut self, e: &Expr, open: &mut Vec<Place>) -> Step<Expr> {
        Ok(match e {
            Expr::Int(_) => e.clone(),
            Expr::Var(_) => Expr::Int(self.eval(e)?),
            Expr::Ref(r) => {
                let place = self.locate(r)?;
                match self.class.known.get(&place) {
                    Some(n) => Expr::Int(*n),
                    None => {
                        open.push(place);
                        let index = place.1[..r.index.len()].iter().map(|i| Expr::Int(*i));
                        Expr::Ref(Ref { index: index.collect(), ..r.clone() })
                    }
                }
            }
            Expr::Bin(op, a, b) => match (self.residual(a, open)?, self.residual(b, open)?) {
                (Expr::Int(a), Expr::Int(b)) => {
                    Expr::Int(apply(*op, a, b).map_err(|_| Halt::Dead)?)
                }
                (a, b) => Expr::bin(*op, a, b),
            },
        })
    }

    fn holds(&mut self, p: &Pred) -> Step<bool> {
        Ok(match p {
            Pred::Const(b) => *b,
            Pred::Cmp(cmp, a, b) => cmp.holds(self.eval(a)?.cmp(&self.eval(b)?)),
            Pred::And(ps) => {
                for p in ps {
                    if !self.holds(p)? {
                        return Ok(false);
                    }
                }
                true
            }
            Pred::Or(ps) => {
                for p in ps {
                    if self.holds(p)? {
                        return Ok(true);
                    }
                }
                false
            }
            Pred::All(..) => false,
        })
    }
}

/// The values of one input.
struct Just<'a>(&'a Value);

impl Options for Just<'_> {
    fn of(&mut self, _: &Program, (field, index): Place, _: &Domain, _: bool) -> Vec<i128> {
        let value = match &self.0.fields[field] {
            Datum::Scalar(n) => Some(*n),
            Datum::Array(a) => a.place(&index[..a.lengths.len()]).and_then(|at| a.cells.get(at)),
        };
        value.into_iter().collect()
    }
}

impl Class {
    /// The class of a representation `x` of `y`; `None` if it is none, or reads a stream.
    pub fn of(program: &Program, x: &Value, y: &Value) -> Option<Class> {
        let mut found = None;
        let bounds = Bounds { runs: 1, steps: 1 << 24 };
        explore(program, Goal::Match(y), &mut Just(x), bounds, &mut |f| {
            if let Found::Class(class) = f {
                found = Some(class);
            }
            false
        });
        found
    }

    /// The least input of the class: arrays as long as they must be, zeros where nothing is
    /// read.
    pub fn value(&self, program: &Program) -> Option<Value> {
        let scalar = |field: FieldId| {
            let (lo, _) = program.input.fields[field].int.range();
            self.known.get(&(field, [0; 3])).copied().unwrap_or(lo.max(0))
        };
        let length = |e: &Expr| -> Option<i128> {
            fn eval(e: &Expr, scalar: &dyn Fn(FieldId) -> i128) -> Option<i128> {
                match e {
                    Expr::Int(n) => Some(*n),
                    Expr::Var(_) => None,
                    Expr::Ref(r) => Some(scalar(r.field)),
                    Expr::Bin(op, a, b) => apply(*op, eval(a, scalar)?, eval(b, scalar)?).ok(),
                }
            }
            eval(e, &scalar)
        };
        let mut fields = Vec::new();
        for (field, f) in program.input.indexed() {
            if f.is_scalar() {
                fields.push(Datum::Scalar(scalar(field)));
                continue;
            }
            let own = || self.known.iter().filter(|(p, _)| p.0 == field);
            let mut lengths = Vec::new();
            for (k, l) in f.lengths.iter().enumerate() {
                let n = match l {
                    Length::Is(e) => length(e)?.max(0),
                    Length::Free => {
                        let used = own().map(|(p, _)| p.1[k] + 1).max().unwrap_or(0);
                        let ends = self.reserved.iter().filter(|r| r.0 == field).map(|r| r.2);
                        ends.fold(used, i128::max)
                    }
                };
                lengths.push(usize::try_from(n).ok().filter(|n| *n <= 1 << 24)?);
            }
            let mut array = Array::zeros(f.int, lengths)?;
            for ((_, index), n) in own() {
                let at = array.place(&index[..f.lengths.len()])?;
                array.cells.set(at, *n);
            }
            fields.push(Datum::Array(array));
        }
        Some(Value { fields })
    }

    /// Whether `x` is in the class, with arrays as long as those of `least`.
    pub fn contains(&self, x: &Value, least: &Value) -> bool {
        let lengths = x.fields.iter().zip(&least.fields).all(|(a, b)| match (a, b) {
            (Datum::Array(a), Datum::Array(b)) => a.lengths == b.lengths,
            (Datum::Scalar(_), Datum::Scalar(_)) => true,
            _ => false,
        });
        lengths
            && self.known.iter().all(|((field, index), n)| match &x.fields[*field] {
                Datum::Scalar(m) => m == n,
                Datum::Array(a) => {
                    let at = a.place(&index[..a.lengths.len()]);
                    at.and_then(|at| a.cells.get(at)) == Some(*n)
                }
            })
    }

    /// The scalars and elements that matter, in the spec's names: `rows = 2, place[1] = 0`.
    pub fn describe(&self, program: &Program, most: usize) -> String {
        let name = |(field, index): &Place| {
            let f = &program.input.fields[*field];
            let index: String = index[..f.lengths.len()].iter().map(|i| format!("[{i}]")).collect();
            format!("{}{index}", f.name)
        };
        let mut parts: Vec<String> =
            self.known.iter().take(most).map(|(p, n)| format!("{} = {n}", name(p))).collect();
        if self.known.len() > most {
            parts.push("…".to_owned());
        }
        if parts.is_empty() { "any input".to_owned() } else { parts.join(", ") }
    }
}

/// Output scalars that say how long an output array is.
fn sized_outputs(program: &Program) -> BTreeSet<FieldId> {
    let mut out = BTreeSet::new();
    for f in &program.output.fields {
        for length in &f.lengths {
            if let Length::Is(e) = length {
                e.refs(&mut |r| {
                    out.insert(r.field);
                });
            }
        }
    }
    out
}

/// The spec's numerals beyond the smallest, and their neighbours: where behaviour changes.
fn numerals(program: &Program) -> Vec<i128> {
    fn expr(e: &Expr, out: &mut BTreeSet<i128>) {
        match e {
            Expr::Int(n) => {
                out.insert(*n);
            }
            Expr::Var(_) => {}
            Expr::Ref(r) => r.index.iter().for_each(|i| expr(i, out)),
            // A factor or a divisor is no value to compare with.
            Expr::Bin(Op::Mul | Op::Div | Op::Rem | Op::DivCeil, a, b) => {
                for e in [a, b] {
                    if !matches!(**e, Expr::Int(_)) {
                        expr(e, out);
                    }
                }
            }
            Expr::Bin(_, a, b) => {
                expr(a, out);
                expr(b, out);
            }
        }
    }
    fn block(body: &[Stmt], out: &mut BTreeSet<i128>) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Assume(p) => p.exprs(&mut |e| expr(e, out)),
                StmtKind::If { cond, then, els } => {
                    cond.exprs(&mut |e| expr(e, out));
                    block(then, out);
                    block(els, out);
                }
                StmtKind::For { body, .. } => block(body, out),
                StmtKind::Assign { value, .. } => bounds(value, out),
                StmtKind::Reserve { .. } | StmtKind::Decode { .. } => {}
            }
        }
    }
    // What clips a value.
    fn bounds(e: &Expr, out: &mut BTreeSet<i128>) {
        if let Expr::Bin(op, a, b) = e {
            for side in [a, b] {
                match &**side {
                    Expr::Int(n) if matches!(op, Op::Min | Op::Max) => {
                        out.insert(*n);
                    }
                    inner => bounds(inner, out),
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    block(&program.body, &mut found);
    let near: BTreeSet<i128> = found.iter().flat_map(|n| [n - 1, *n, n + 1]).collect();
    // Many cases are no landmarks but a table; the window must do.
    near.into_iter().filter(|n| *n > 3).take(24).collect()
}
