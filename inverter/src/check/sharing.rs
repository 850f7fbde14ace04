//! Representations that store two things in one place, where both happen to be equal: legal, but an
//! inverse keeps its writes apart, unless it draws sharing.

use std::collections::BTreeSet;

use crate::invert::access::Access;
use crate::program::{FieldId, Span};
use crate::run::eval::Env;
use crate::run::{Executable, Record, Steps, Store};

/// The most writes that are looked at.
const MOST: usize = 50_000;

/// Returns true if two writes of the inverse go to one element of the representation `x` of `y`.
pub fn shares(inverse: &Executable, x: &Record, y: &Record) -> bool {
    let (input, output) = (Store::full(x), Store::full(y));
    let steps = Steps::default();
    let mut vars = vec![0; inverse.program.vars.len()];
    let mut env = Env {
        steps: &steps,
        program: &inverse.program,
        input: &input,
        output: &output,
        conditions: None,
        vars: &mut vars,
    };
    let mut writes = Writes { env: &mut env, seen: BTreeSet::new(), left: MOST };
    inverse.accesses.iter().any(|access| writes.meet(access, 0) == Some(true))
}

struct Writes<'e, 'a> {
    env: &'e mut Env<'a>,
    seen: BTreeSet<(FieldId, Vec<i128>)>,
    left: usize,
}

impl Writes<'_, '_> {
    /// Returns true if a write of `access`, in the loops from `depth` on, goes to an element that was
    /// written; `None` if that cannot be decided.
    fn meet(&mut self, access: &Access, depth: usize) -> Option<bool> {
        let span: Span = access.span;
        if let Some(level) = access.nest.get(depth) {
            let count = self.env.eval(&level.count, span).ok()?;
            for k in 0..count {
                self.env.set_var(level.var, k);
                if self.meet(access, depth + 1)? {
                    return Some(true);
                }
            }
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        for guard in &access.guards {
            if !self.env.holds(guard, span).ok()? {
                return Some(false);
            }
        }
        let index = access.index.iter().map(|e| self.env.eval(e, span).ok());
        let index: Vec<i128> = index.collect::<Option<_>>()?;
        Some(!self.seen.insert((access.field, index)))
    }
}
