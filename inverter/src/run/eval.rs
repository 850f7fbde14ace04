//! Evaluation of expressions and predicates, whole or as far as values are known.

use std::cell::Cell;

use super::error::RunError;
use super::store::{Slot, Store};
use super::truths::Truths;
use crate::invert::Inverse;
use crate::program::print::Show;
use crate::program::{Expr, Op, Pred, Program, Ref, Side, Source, Span, VarId};

/// How often loops may still go round: in proportion to the data that there is, so that a
/// bound from anywhere cannot keep a run busy.
#[derive(Debug)]
pub struct Steps(Cell<u64>);

impl Default for Steps {
    fn default() -> Self {
        Self(Cell::new(1 << 22))
    }
}

impl Steps {
    /// There are that many more elements.
    pub fn allow(&self, cells: usize) {
        self.0.set(self.0.get().saturating_add((cells as u64).saturating_mul(1024)));
    }

    /// How many rounds there may still be.
    pub fn left(&self) -> u64 {
        self.0.get()
    }

    /// `n` rounds, if there may still be as many.
    pub fn try_take(&self, n: u64) -> bool {
        let left = self.0.get().checked_sub(n);
        left.inspect(|left| self.0.set(*left)).is_some()
    }

    /// Takes `n` rounds back.
    pub fn give(&self, n: u64) {
        self.0.set(self.0.get().saturating_add(n));
    }

    /// `n` rounds at `span`.
    ///
    /// # Errors
    ///
    /// If there have been too many.
    pub fn take(&self, n: u64, source: &Source, span: Span) -> Result<(), RunError> {
        match self.try_take(n) {
            true => Ok(()),
            false => Err(RunError::at(
                source,
                span,
                "the loops here take more steps than data of this size may",
            )),
        }
    }
}

/// What evaluation sees.
pub struct Env<'a> {
    /// What bounds its loops.
    pub steps: &'a Steps,
    /// The program, for names.
    pub program: &'a Program,
    /// The representation.
    pub input: &'a Store,
    /// The canonical value.
    pub output: &'a Store,
    /// What is known of the whole canonical value.
    pub truths: Option<(&'a Inverse, &'a Truths)>,
    /// The loop variables' values.
    pub vars: &'a mut Vec<i128>,
}

/// Why there is no value.
#[derive(Debug, Clone)]
pub enum Stop {
    /// An input location has no value yet: field and place among the cells.
    Unset(usize, usize),
    /// An error.
    Error(RunError),
}

impl From<RunError> for Stop {
    fn from(e: RunError) -> Self {
        Stop::Error(e)
    }
}

impl Env<'_> {
    /// An error at `span`.
    pub fn error(&self, span: Span, message: impl Into<String>) -> RunError {
        RunError::at(&self.program.source, span, message)
    }

    /// `n` rounds of a loop.
    ///
    /// # Errors
    ///
    /// If there have been too many.
    pub fn step(&self, n: u64, span: Span) -> Result<(), RunError> {
        self.steps.take(n, &self.program.source, span)
    }

    /// The variable's value.
    pub fn var(&self, var: VarId) -> i128 {
        self.vars.get(var.0).copied().unwrap_or(0)
    }

    /// Sets a loop variable.
    pub fn set_var(&mut self, var: VarId, value: i128) {
        if self.vars.len() <= var.0 {
            self.vars.resize(var.0 + 1, 0);
        }
        self.vars[var.0] = value;
    }

    /// The value of `e`; `span` is the statement's place, for errors.
    ///
    /// # Errors
    ///
    /// [`Stop`].
    pub fn eval(&self, e: &Expr, span: Span) -> Result<i128, Stop> {
        match e {
            Expr::Int(n) => Ok(*n),
            Expr::Var(v) => Ok(self.var(*v)),
            Expr::Ref(r) => self.load(r, span),
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.eval(a, span)?, self.eval(b, span)?);
                Ok(apply(*op, a, b).map_err(|why| self.error(span, why))?)
            }
        }
    }

    fn load(&self, r: &Ref, span: Span) -> Result<i128, Stop> {
        let store = match r.side {
            Side::Input => self.input,
            Side::Output => self.output,
        };
        match &store.slots[r.field] {
            Slot::Scalar(n) => Ok(*n),
            Slot::Unset => Err(Stop::Unset(r.field, 0)),
            Slot::Array(array, known) => {
                let at = match &r.index[..] {
                    // By far the most frequent case, without a list.
                    [i] => {
                        let i = self.eval(i, span)?;
                        usize::try_from(i).ok().filter(|i| *i < array.cells.len())
                    }
                    indices => {
                        let mut index = [0i128; 3];
                        for (slot, i) in index.iter_mut().zip(indices) {
                            *slot = self.eval(i, span)?;
                        }
                        array.place(&index[..indices.len()])
                    }
                };
                match at {
                    Some(at) if known.is_empty() || known.contains(at) => {
                        Ok(array.cells.get(at).unwrap_or_default())
                    }
                    Some(at) => Err(Stop::Unset(r.field, at)),
                    None => Err(self.outside(r, &array.lengths, span).into()),
                }
            }
        }
    }

    /// `x.a[7] is outside the array, which has 5 elements`
    pub fn outside(&self, r: &Ref, lengths: &[usize], span: Span) -> RunError {
        let index: Vec<String> = r
            .index
            .iter()
            .map(|i| self.eval(i, span).map_or_else(|_| "?".to_owned(), |n| n.to_string()))
            .collect();
        let name = &self.program.field(r).name;
        let lengths: Vec<String> = lengths.iter().map(ToString::to_string).collect();
        let binder = &self.program.record(r.side).binder;
        let message = format!(
            "{binder}.{name}[{}] is outside the array, which has {} elements",
            index.join("]["),
            lengths.join(" x ")
        );
        self.error(span, message)
    }

    /// Where a reference points: the place among its array's cells (0 for a scalar).
    ///
    /// # Errors
    ///
    /// [`Stop`], also where the array has no such element.
    pub fn locate(&self, r: &Ref, span: Span) -> Result<usize, Stop> {
        if r.index.is_empty() {
            return Ok(0);
        }
        let mut index = [0i128; 3];
        for (slot, i) in index.iter_mut().zip(&r.index) {
            *slot = self.eval(i, span)?;
        }
        let store = match r.side {
            Side::Input => self.input,
            Side::Output => self.output,
        };
        match &store.slots[r.field] {
            Slot::Array(array, _) => array
                .place(&index[..r.index.len()])
                .ok_or_else(|| self.outside(r, &array.lengths, span).into()),
            _ => Err(Stop::Unset(r.field, 0)),
        }
    }

    /// Whether `p` holds.
    ///
    /// # Errors
    ///
    /// [`Stop`].
    pub fn holds(&mut self, p: &Pred, span: Span) -> Result<bool, Stop> {
        match p {
            Pred::Const(b) => Ok(*b),
            Pred::Cmp(cmp, a, b) => Ok(cmp.holds(self.eval(a, span)?.cmp(&self.eval(b, span)?))),
            Pred::And(ps) => {
                for p in ps {
                    if !self.holds(p, span)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Pred::Or(ps) => {
                for p in ps {
                    if self.holds(p, span)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pred::All(var, count, inner) => {
                if let Some(truth) = self.truth(p) {
                    return Ok(truth);
                }
                let count = self.eval(count, span)?;
                for k in 0..count {
                    self.step(1, span)?;
                    self.set_var(*var, k);
                    if !self.holds(inner, span)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Whether a quantified predicate holds, where that is known of the whole canonical value.
    fn truth(&self, p: &Pred) -> Option<bool> {
        let (inverse, truths) = self.truths?;
        truths.of(inverse, self.output, p)
    }

    /// `e` with everything known replaced by numerals. What has no value yet stays, array
    /// elements with numerals as indices.
    ///
    /// # Errors
    ///
    /// What evaluation would report.
    pub fn residual(&self, e: &Expr, span: Span) -> Result<Expr, RunError> {
        Ok(match e {
            Expr::Int(_) => e.clone(),
            Expr::Var(v) => Expr::Int(self.var(*v)),
            Expr::Ref(r) => match self.load(r, span) {
                Ok(n) => Expr::Int(n),
                Err(Stop::Error(e)) => return Err(e),
                Err(Stop::Unset(..)) => {
                    let index: Result<_, _> =
                        r.index.iter().map(|i| self.residual(i, span)).collect();
                    Expr::Ref(Ref { index: index?, ..r.clone() })
                }
            },
            Expr::Bin(op, a, b) => match (self.residual(a, span)?, self.residual(b, span)?) {
                (Expr::Int(a), Expr::Int(b)) => {
                    Expr::Int(apply(*op, a, b).map_err(|why| self.error(span, why))?)
                }
                (a, b) => Expr::bin(*op, a, b),
            },
        })
    }

    /// `p` with everything known decided, calling `each` on every conjunct that is left:
    /// quantifiers are run through. `false` if it surely fails.
    ///
    /// # Errors
    ///
    /// What evaluation would report; a quantifier whose bound is not known.
    pub fn residual_pred(
        &mut self,
        p: &Pred,
        span: Span,
        each: &mut dyn FnMut(Pred),
    ) -> Result<bool, Stop> {
        match p {
            Pred::All(var, count, inner) => {
                if let Some(truth) = self.truth(p) {
                    return Ok(truth);
                }
                let count = self.eval(count, span)?;
                for k in 0..count {
                    self.step(1, span)?;
                    self.set_var(*var, k);
                    if !self.residual_pred(inner, span, each)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Pred::And(ps) => {
                for p in ps {
                    if !self.residual_pred(p, span, each)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Pred::Or(ps) => {
                let mut left = Vec::new();
                let mut valueless = None;
                for p in ps {
                    let mut inner = Vec::new();
                    match self.residual_pred(p, span, &mut |p| inner.push(p)) {
                        Ok(true) if inner.is_empty() => return Ok(true),
                        Ok(true) => left.push(Pred::and(inner)),
                        Ok(false) => {}
                        // Another part that holds spares it.
                        Err(stop @ Stop::Error(_)) => valueless = Some(stop),
                        Err(stop) => return Err(stop),
                    }
                }
                if left.is_empty() {
                    return valueless.map_or(Ok(false), Err);
                }
                // One part that is left must hold, each conjunct of it by itself.
                match Pred::or(left) {
                    Pred::And(ps) => ps.into_iter().for_each(each),
                    p => each(p),
                }
                Ok(true)
            }
            Pred::Const(b) => Ok(*b),
            Pred::Cmp(cmp, a, b) => match (self.residual(a, span)?, self.residual(b, span)?) {
                (Expr::Int(a), Expr::Int(b)) => Ok(cmp.holds(a.cmp(&b))),
                (a, b) => {
                    // It takes room, too.
                    self.step(64, span)?;
                    each(Pred::Cmp(*cmp, a, b));
                    Ok(true)
                }
            },
        }
    }

    /// An unset location, as an error.
    pub fn unset(&self, field: usize, at: usize, span: Span) -> RunError {
        let f = &self.program.input.fields[field];
        let place = if f.is_scalar() { String::new() } else { format!(" (element {at})") };
        let name = format!("{}.{}{place}", self.program.input.binder, f.name);
        self.error(span, format!("{name} is used before it has a value"))
    }

    /// A predicate in the spec's names.
    pub fn show(&self, p: &Pred) -> String {
        Show(self.program, p).to_string()
    }
}

/// `op(a, b)`, or why it has no value.
pub fn apply(op: Op, a: i128, b: i128) -> Result<i128, &'static str> {
    let overflow = "the value of an expression leaves 128 bits";
    if matches!(op, Op::Div | Op::Rem | Op::DivCeil) && b < 1 {
        return Err("a division by less than 1");
    }
    match op {
        Op::Add => a.checked_add(b).ok_or(overflow),
        Op::Sub => a.checked_sub(b).ok_or(overflow),
        Op::Mul => a.checked_mul(b).ok_or(overflow),
        Op::Min => Ok(a.min(b)),
        Op::Max => Ok(a.max(b)),
        Op::Div => Ok(a.div_euclid(b)),
        Op::Rem => Ok(a.rem_euclid(b)),
        Op::DivCeil => a.checked_neg().map(|a| -a.div_euclid(b)).ok_or(overflow),
    }
}
