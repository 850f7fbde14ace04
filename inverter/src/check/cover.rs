//! Searches small inputs for one under which an output element is not assigned exactly once.

use std::collections::{BTreeSet, HashMap, HashSet};

use rand::{RngExt, SeedableRng};

use super::outside::{Guided, RefusedInput, only_scalars};
use crate::program::eval::eval_with;
use crate::program::streams::counted_by;
use crate::program::{Diagnostic, Expr, FieldId, Length, Program, Ref, Span, SpecError};
use crate::run::explore::{
    Bounds, Class, Element, Goal, Halt, Run, Step, Window, any_run, explore,
};
use crate::run::outputs::{assigned_twice, lengths_unassigned, never_assigned};

/// Searches small inputs for a counterexample. Returns the number of classes of inputs tried, and
/// the size up to which all were tried, if any.
///
/// # Errors
///
/// The counterexample.
pub fn search(program: &Program) -> Result<(usize, Option<i128>), SpecError> {
    let sizes = sizes(program);
    let goal = Cover::new(&sizes);
    let mut wrong = None;
    let mut reached = (0, None);
    for window in [1, 2, 3] {
        let bounds = Bounds { runs: 3000, steps: 60_000 };
        let mut options = Window::new(program, window);
        let mut inputs = 0;
        let whole = explore(program, &goal, &mut options, bounds, &mut |run, class| {
            match run.wrong {
                None => inputs += 1,
                Some((why, span)) => wrong = Some((class, why, span)),
            }
            wrong.is_none()
        });
        if reached.1.is_none() {
            reached.0 = inputs;
        }
        if wrong.is_some() || !whole {
            break;
        }
        reached = (inputs, Some(window));
    }
    if wrong.is_none() {
        wrong = at_random(program, &goal);
    }
    match wrong {
        None => Ok(reached),
        Some((class, why, span)) => Err(counterexample(program, &class, &why, span)),
    }
}

/// Returns a mistake in the assignment of outputs of an input with these scalars, if the assumptions accept one: an
/// element that is assigned twice, never, or outside its array.
pub fn guided_write(program: &Program, scalars: &HashMap<FieldId, i128>) -> Option<RefusedInput> {
    let sizes = sizes(program);
    let mut options = Guided::new(program, scalars);
    let mut found = None;
    explore(program, &Cover::new(&sizes), &mut options, Guided::BOUNDS, &mut |run, class| {
        found = run.wrong.map(|(why, span)| {
            let input = only_scalars(program, class).describe(program, 8);
            RefusedInput { span, what: format!("{input}: {why}") }
        });
        found.is_none()
    });
    found
}

/// Tries inputs at random, with the numerals of the spec among their values: an enumeration may not reach these.
/// Returns the first input with a mistake.
fn at_random(program: &Program, goal: &Cover<'_>) -> Option<(Class, String, Span)> {
    const TRIES: usize = 200;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut pick = |n| rng.random_range(0..n);
    let mut options = Window::new(program, 3);
    let bounds = Bounds { runs: 1, steps: 4_000 };
    (0..TRIES).find_map(|_| {
        let (run, class) = any_run(program, goal, &mut options, bounds, &mut pick)?;
        let (why, span) = run.wrong?;
        Some((class, why, span))
    })
}

fn counterexample(program: &Program, class: &Class, why: &str, span: Span) -> SpecError {
    let diagnostic = Diagnostic::new(
        format!("{}: {why}", class.describe(program, 8)),
        span,
        "each output element is assigned exactly once",
    )
    .help(
        "an `assume` that rules such inputs out, or another bound or index, makes every element be \
         assigned once",
    );
    SpecError::new(program.source.clone(), vec![diagnostic])
}

/// Tracks the output locations that a run assigns. Values matter only for scalars that determine
/// lengths.
#[derive(Clone)]
struct Cover<'s> {
    /// Output scalars that occur in lengths of output arrays.
    sizes: &'s BTreeSet<FieldId>,
    /// Their values, as far as they are assigned.
    scalars: HashMap<FieldId, i128>,
    assigned: HashSet<Element>,
    /// Outputs that a primitive assigns as a whole.
    whole: BTreeSet<FieldId>,
    /// The first mistake. It counts only if the run completes, because a later assumption may exclude the input.
    wrong: Option<(String, Span)>,
}

impl<'s> Cover<'s> {
    fn new(sizes: &'s BTreeSet<FieldId>) -> Self {
        Self {
            sizes,
            scalars: HashMap::new(),
            assigned: HashSet::new(),
            whole: BTreeSet::new(),
            wrong: None,
        }
    }

    /// Returns the value of a length that depends only on output scalars; `None` if one of them is not assigned yet.
    fn length(&self, e: &Expr) -> Option<i128> {
        eval_with(e, |r| self.scalars.get(&r.field).copied())
    }

    /// Records a mistake, if it is the first.
    fn complain(&mut self, why: String, span: Span) {
        self.wrong.get_or_insert((why, span));
    }

    fn name(run: &Run<'_>, element: Element) -> String {
        let f = &run.program.output.fields[element.field];
        element.name(&f.name, f.lengths.len())
    }

    /// Records a mistake if an element is never assigned.
    fn all_assigned(&mut self, run: &Run<'_>) -> Step<()> {
        for (field, f) in run.program.output.indexed() {
            if self.whole.contains(&field) {
                continue;
            }
            let mut lengths = [1i128; 3];
            for (slot, length) in lengths.iter_mut().zip(&f.lengths) {
                let Length::Is(e) = length else { continue };
                // An unassigned scalar is reported as a separate mistake.
                *slot = self.length(e).map_or(0, |n| n.max(0));
            }
            let cells = lengths.iter().try_fold(1i128, |n, l| n.checked_mul(*l));
            if cells.is_none_or(|n| n > run.most_cells as i128) {
                return Err(Halt::Spent);
            }
            for i in 0..lengths[0] {
                for j in 0..lengths[1] {
                    for k in 0..lengths[2] {
                        let element = Element { field, index: [i, j, k] };
                        if !self.assigned.contains(&element) {
                            self.complain(never_assigned(Self::name(run, element)), f.span);
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Goal for Cover<'_> {
    fn assign(
        &mut self,
        run: &mut Run<'_>,
        element: Element,
        _: &Ref,
        value: &Expr,
        span: Span,
    ) -> Step<()> {
        let f = &run.program.output.fields[element.field];
        if f.is_scalar() && self.sizes.contains(&element.field) {
            let n = run.eval(value)?;
            let (lo, hi) = f.int.range();
            if n < lo || n > hi {
                return Err(Halt::Dead);
            }
            self.scalars.insert(element.field, n);
        }
        for (length, index) in f.lengths.iter().zip(element.index) {
            let Length::Is(e) = length else { continue };
            let Some(n) = self.length(e) else {
                self.complain(lengths_unassigned(f), span);
                return Ok(());
            };
            if index < 0 || index >= n {
                let name = Self::name(run, element);
                let length = n.max(0);
                let why = format!("{name} is outside the array, whose length there is {length}");
                self.complain(why, span);
                return Ok(());
            }
        }
        if !self.assigned.insert(element) {
            self.complain(assigned_twice(Self::name(run, element)), span);
        }
        Ok(())
    }

    fn decode(&mut self, run: &mut Run<'_>, target: FieldId, span: Span) -> Step<()> {
        let f = &run.program.output.fields[target];
        if let Some(count) = counted_by(run.program, target) {
            self.whole.insert(count);
        } else if f.lengths.iter().any(|l| matches!(l, Length::Is(e) if self.length(e).is_none())) {
            self.complain(lengths_unassigned(f), span);
        }
        self.whole.insert(target);
        Ok(())
    }

    fn finish(&mut self, run: &mut Run<'_>) -> Step<()> {
        run.input_fits()?;
        if self.wrong.is_none() { self.all_assigned(run) } else { Ok(()) }
    }
}

/// Returns the output scalars that occur in lengths of output arrays.
fn sizes(program: &Program) -> BTreeSet<FieldId> {
    let mut out = BTreeSet::new();
    let lengths = program.output.fields.iter().flat_map(|f| &f.lengths);
    for length in lengths {
        if let Length::Is(e) = length {
            e.refs(&mut |r| {
                out.insert(r.field);
            });
        }
    }
    out
}
