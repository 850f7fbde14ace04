//! Evaluation in a run: expressions and predicates over the values of both records, whole or as far as
//! values are known, with a bound on the rounds of loops.

use std::ops::Deref;

use super::condition_values::ConditionValues;
use super::error::RunError;
use super::executable::Executable;
use super::steps::Steps;
use super::store::{Slot, Store};
pub use crate::program::eval::apply;
use crate::program::eval::{self, Lookup, Quantify, Reduce, Undefined};
use crate::program::print::Show;
use crate::program::{Expr, FieldId, Pred, Program, Ref, Side, Span, VarId};

/// The environment of evaluation.
pub struct Env<'a> {
    /// The bound on its loops.
    pub steps: &'a Steps,
    /// The program, for names.
    pub program: &'a Program,
    /// The representation.
    pub input: &'a Store,
    /// The canonical value.
    pub output: &'a Store,
    /// The conditions on the whole canonical value that have been decided.
    pub conditions: Option<(&'a Executable, &'a ConditionValues)>,
    /// The values of the loop variables.
    pub vars: &'a mut Vec<i128>,
}

/// The reason why there is no value.
#[derive(Debug, Clone)]
pub enum Stop {
    /// An input location has no value yet: its field, and its position among the cells.
    Unset(FieldId, usize),
    /// An error.
    Error(RunError),
}

impl From<RunError> for Stop {
    fn from(e: RunError) -> Self {
        Stop::Error(e)
    }
}

impl Stop {
    /// Converts to an error of the statement at `span`, which needs the value.
    pub fn into_error(self, env: &Env<'_>, span: Span) -> RunError {
        match self {
            Stop::Error(e) => e,
            Stop::Unset(field, at) => env.unset(field, at, span),
        }
    }
}

impl Env<'_> {
    /// An error at `span`.
    pub fn error(&self, span: Span, message: impl Into<String>) -> RunError {
        RunError::at(&self.program.source, span, message)
    }

    /// Counts `n` rounds of a loop.
    ///
    /// # Errors
    ///
    /// Returns an error if there have been too many.
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
    /// Returns [`Stop`].
    pub fn eval(&self, e: &Expr, span: Span) -> Result<i128, Stop> {
        eval::eval(&mut At { env: self, span }, e)
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
                    // By far the most frequent case, which needs no list.
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

    /// Returns the position of a referenced element among its array's cells (0 for a scalar).
    ///
    /// # Errors
    ///
    /// Returns [`Stop`], also if the array has no such element.
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

    /// Returns true if `p` holds.
    ///
    /// # Errors
    ///
    /// Returns [`Stop`].
    pub fn holds(&mut self, p: &Pred, span: Span) -> Result<bool, Stop> {
        eval::holds(&mut At { env: self, span }, p)
    }

    /// `for all var in 0..count`: calls `each` in every iteration, up to the first in which it returns false. Returns
    /// true if there is no such iteration.
    ///
    /// # Errors
    ///
    /// Those of `each`; [`Stop`] if the bound has no value, or there are too many rounds.
    fn each_iteration(
        &mut self,
        var: VarId,
        count: &Expr,
        span: Span,
        mut each: impl FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let count = self.eval(count, span)?;
        for k in 0..count {
            self.step(1, span)?;
            self.set_var(var, k);
            if !each(self)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the truth of a quantified predicate that is a condition on the canonical value.
    fn truth(&self, p: &Pred) -> Option<bool> {
        let (executable, values) = self.conditions?;
        values.get(executable, self.output, p, || interpreted(executable, self.output, p))
    }

    /// Partially evaluates `e`: replaces everything known by numerals. References without a value
    /// remain, with numerals as indices.
    ///
    /// # Errors
    ///
    /// As for evaluation.
    pub fn residual(&self, e: &Expr, span: Span) -> Result<Expr, RunError> {
        let residual = eval::residual(&mut At { env: self, span }, e);
        residual.map_err(|stop| stop.into_error(self, span))
    }

    /// `p` with all known parts decided, calling `each` on every remaining conjunct; quantifiers are unrolled. `false`
    /// if it certainly fails.
    ///
    /// # Errors
    ///
    /// The errors of evaluation, and an error if the bound of a quantifier has no value.
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
                self.each_iteration(*var, count, span, |env| env.residual_pred(inner, span, each))
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
                        // Another part that holds makes this one unnecessary.
                        Err(stop @ Stop::Error(_)) => valueless = Some(stop),
                        Err(stop) => return Err(stop),
                    }
                }
                if left.is_empty() {
                    return valueless.map_or(Ok(false), Err);
                }
                // If only one part is left, it must hold, and so must each of its conjuncts.
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
                    // The remaining conjunct takes memory, so it counts as several rounds.
                    self.step(16, span)?;
                    each(Pred::Cmp(*cmp, a, b));
                    Ok(true)
                }
            },
        }
    }

    /// An unset location, as an error.
    pub fn unset(&self, field: FieldId, at: usize, span: Span) -> RunError {
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

/// An [`Env`], for the statement at `span`.
struct At<E> {
    env: E,
    span: Span,
}

impl<'a, E: Deref<Target = Env<'a>>> Lookup for At<E> {
    type Stop = Stop;

    #[inline]
    fn var(&mut self, var: VarId) -> Result<i128, Stop> {
        Ok(self.env.var(var))
    }

    #[inline]
    fn load(&mut self, r: &Ref) -> Result<i128, Stop> {
        self.env.load(r, self.span)
    }

    fn undefined(&self, why: Undefined) -> Stop {
        self.env.error(self.span, why.message()).into()
    }
}

impl Reduce for At<&Env<'_>> {
    fn reduce(&mut self, r: &Ref) -> Result<Expr, Stop> {
        match self.load(r) {
            Ok(n) => Ok(Expr::Int(n)),
            Err(stop @ Stop::Error(_)) => Err(stop),
            Err(Stop::Unset(..)) => {
                let index: Result<_, _> = r.index.iter().map(|i| eval::residual(self, i)).collect();
                Ok(Expr::Ref(Ref { index: index?, ..r.clone() }))
            }
        }
    }
}

impl Quantify for At<&mut Env<'_>> {
    fn all(&mut self, all: &Pred, var: VarId, count: &Expr, inner: &Pred) -> Result<bool, Stop> {
        if let Some(truth) = self.env.truth(all) {
            return Ok(truth);
        }
        let span = self.span;
        self.env.each_iteration(var, count, span, |env| env.holds(inner, span))
    }
}

/// Decides a condition on the canonical value `y` by evaluating it.
fn interpreted(executable: &Executable, y: &Store, p: &Pred) -> Option<bool> {
    let steps = Steps::default();
    y.slots.iter().for_each(|slot| steps.allow(slot.cells()));
    let program = &executable.program;
    let input = Store::unset(&program.input);
    let mut vars = vec![0; program.vars.len()];
    let (input, vars) = (&input, &mut vars);
    let mut env = Env { steps: &steps, program, input, output: y, conditions: None, vars };
    env.holds(p, Span::default()).ok()
}
