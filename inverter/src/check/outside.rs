//! Searches small inputs for one in which a spec reads an element outside its array. Such an input is refused although
//! no assumption says so, which is more often caused by a wrong index than by a rule of the format.

use std::collections::HashMap;
use std::time::Instant;

use rand::{RngExt, SeedableRng};

use crate::program::{Expr, FieldId, Program, Ref, Span};
use crate::run::explore::{
    Bounds, Class, Element, Goal, Options, Outside, Run, Step, Window, any_run, explore,
};
use crate::solve::Domain;

/// An input that is refused although no assumption says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedInput {
    /// The place of the statement, or of the read, that refuses it.
    pub span: Span,
    /// The input and the reason: `h = 2, w = 1: x.a[2] is outside the array, whose length is 2`.
    pub what: String,
}

/// Returns the first read outside an array for each place in the spec that has one, as far as they are found before the
/// deadline.
pub fn outside_reads(program: &Program, until: Instant) -> Vec<RefusedInput> {
    const TRIES: usize = 200;
    let mut found: Vec<RefusedInput> = Vec::new();
    let mut note = |run: Reads, class: Class| {
        if let Some(outside) = run.outside
            && found.iter().all(|f| f.span != outside.span)
        {
            let mut inside = class;
            inside.known.retain(|element, _| element.index.iter().all(|i| *i >= 0));
            found.push(describe(program, outside, &inside));
        }
    };
    for window in [1, 2] {
        let bounds = Bounds { runs: 2000, steps: 40_000 };
        let mut options = Window::new(program, window);
        let whole = explore(program, &Reads::default(), &mut options, bounds, &mut |run, class| {
            note(run, class);
            Instant::now() < until
        });
        if !whole {
            break;
        }
    }
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut pick = |n| rng.random_range(0..n);
    let mut options = Window::new(program, 3);
    let bounds = Bounds { runs: 1, steps: 4_000 };
    for _ in (0..TRIES).take_while(|_| Instant::now() < until) {
        if let Some((run, class)) =
            any_run(program, &Reads::default(), &mut options, bounds, &mut pick)
        {
            note(run, class);
        }
    }
    found
}

fn describe(program: &Program, outside: Outside, class: &Class) -> RefusedInput {
    let Outside { element, dimension, length, span } = outside;
    let f = &program.input.fields[element.field];
    let name = format!("{}.{}", program.input.binder, element.name(&f.name, f.lengths.len()));
    let array = match (length, f.lengths.len()) {
        (None, _) => "the array, whose first index is 0".to_owned(),
        (Some(length), 1) => format!("the array, whose length is {length}"),
        (Some(length), _) => {
            format!("the array, whose length in dimension {} is {length}", dimension + 1)
        }
    };
    let input = class.describe(program, 8);
    RefusedInput { span, what: format!("{input}: {name} is outside {array}") }
}

/// Returns a read outside an array in an input with these scalars, if the assumptions accept such an input.
pub fn guided_read(program: &Program, scalars: &HashMap<FieldId, i128>) -> Option<RefusedInput> {
    let mut options = Guided::new(program, scalars);
    let mut found = None;
    explore(program, &Reads::default(), &mut options, Guided::BOUNDS, &mut |run, class| {
        let scalars = only_scalars(program, class);
        found = run.outside.map(|outside| describe(program, outside, &scalars));
        found.is_none()
    });
    found
}

/// Returns a class without the elements of arrays.
pub(super) fn only_scalars(program: &Program, mut class: Class) -> Class {
    class.known.retain(|element, _| program.input.fields[element.field].is_scalar());
    class
}

/// Scalars with given values, where the conditions allow them.
pub(super) struct Guided<'s> {
    scalars: &'s HashMap<FieldId, i128>,
    window: Window,
}

impl<'s> Guided<'s> {
    /// The bounds of an exploration of inputs with such scalars.
    pub const BOUNDS: Bounds = Bounds { runs: 20, steps: 400_000 };

    /// Returns the values of an input with these scalars.
    pub fn new(program: &Program, scalars: &'s HashMap<FieldId, i128>) -> Self {
        Self { scalars, window: Window::new(program, 3) }
    }
}

impl Options for Guided<'_> {
    fn of(
        &mut self,
        program: &Program,
        element: Element,
        domain: &Domain,
        settled: bool,
    ) -> Vec<i128> {
        /// The values that are tried of an element.
        const ALTERNATIVES: usize = 4;
        if let Some(given) = self.scalars.get(&element.field).filter(|n| domain.contains(**n)) {
            return vec![*given];
        }
        let mut out = self.window.of(program, element, domain, settled);
        if out.is_empty() && !domain.is_empty() {
            out.push(domain.least());
        }
        out.truncate(ALTERNATIVES);
        out
    }
}

/// Runs through all reads. The values of elements do not matter, unless a place depends on them.
#[derive(Debug, Clone, Default)]
struct Reads {
    outside: Option<Outside>,
}

impl Goal for Reads {
    fn assign(
        &mut self,
        run: &mut Run<'_>,
        _: Element,
        _: &Ref,
        value: &Expr,
        _: Span,
    ) -> Step<()> {
        run.touch(value)
    }

    fn decode(&mut self, _: &mut Run<'_>, _: FieldId, _: Span) -> Step<()> {
        Ok(())
    }

    fn goes_on_outside(&self) -> bool {
        true
    }

    fn finish(&mut self, run: &mut Run<'_>) -> Step<()> {
        // A later assumption may have ruled out the input.
        self.outside = run.outside;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::parse;

    fn found(assumption: &str, index: &str) -> Vec<String> {
        let text = format!(
            "struct In {{ h: u8, w: u8, a: [u8; h * w] }}
            struct Out {{ h: u8, w: u8, v: [[u8; w]; h] }}
            fn normalize(x: &In, y: &mut Out) {{
                y.h = x.h;
                y.w = x.w;
                for r in 0..x.h {{ for c in 0..x.w {{ y.v[r][c] = x.a[{index}]; }} }}
                {assumption}
            }}"
        );
        let until = Instant::now() + std::time::Duration::from_secs(600);
        outside_reads(&parse("t.rs", &text).unwrap(), until).into_iter().map(|f| f.what).collect()
    }

    #[test]
    fn a_wrong_stride_is_found() {
        let wrong = found("", "r * x.h + c");
        assert_eq!(wrong, ["h = 2, w = 1: x.a[2] is outside the array, whose length is 2"]);
    }

    #[test]
    fn reads_that_are_inside_or_ruled_out_are_not_found() {
        assert_eq!(found("", "r * x.w + c"), [""; 0]);
        assert_eq!(found("assume(x.h == x.w);", "r * x.h + c"), [""; 0]);
    }
}
