//! An input of a size that Z3 proposes.

use std::collections::HashMap;

use z3::ast::{Bool, Int};
use z3::with_own_context;

use crate::terms::{Terms, values};
use inverter::check::outside::{RefusedInput, guided_read};
use inverter::program::eval::eval_with;
use inverter::program::views::{Bytes, Source};
use inverter::program::{Cmp, Expr, FieldId, Length, Pred, Program, Ref, Side, Span, StmtKind};
use inverter::run::views::complete;
use inverter::run::{Array, Cells, FieldValue, Record, RunError, normalize_within};
use inverter::solve::smt::int;

/// The effort of one query to Z3, in milliseconds.
const TIME: u32 = 300;
/// The number of loop rounds after which the run on an input is abandoned.
const ROUNDS: u64 = 10_000_000;
/// The maximum number of elements of an array of such an input.
const CELLS: usize = 1 << 20;

/// The sizes of inputs that are proposed, each tried in turn.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// The greatest scalars.
    pub most: &'static [i128],
    /// Lengths for an array without a declared length.
    pub free: &'static [usize],
}

/// Small scalars are tried first, because they are confirmed quickly. A mistake may be preceded by a read that is
/// outside a shorter array of free length.
pub const USUAL: Sizes = Sizes { most: &[1 << 12, 1 << 18], free: &[1 << 12, 1 << 16] };

/// The facts about an input, and the claim that it is to meet.
pub struct Question {
    pub facts: Vec<Bool>,
    pub claim: Bool,
}

/// Returns the refusal of an input that may meet what `ask` asks, if Z3 finds one that the program refuses by a
/// message with one of these words.
pub fn refused(
    program: &Program,
    words: &[&str],
    sizes: Sizes,
    ask: impl Fn(&mut Terms<'_>) -> Question + Send + Sync,
) -> Option<RefusedInput> {
    sizes.most.iter().find_map(|most| {
        let scalars = with_own_context(|| proposed(program, *most, &ask)).ok()??;
        let of_length = |free: usize| confirmed(program, words, &built(program, &scalars, free)?);
        sizes.free.iter().copied().find_map(of_length)
    })
}

/// Returns a read at an index below 0 of an input that may meet what `ask` asks, if Z3 finds one. The input is
/// one that every assumption accepts.
pub fn read_below(
    program: &Program,
    ask: impl Fn(&mut Terms<'_>) -> Question + Send + Sync,
) -> Option<RefusedInput> {
    USUAL.most.iter().find_map(|most| {
        let scalars = with_own_context(|| proposed(program, *most, &ask)).ok()??;
        guided_read(program, &scalars)
    })
}

/// The scalars of an input that Z3 proposes.
fn proposed(
    program: &Program,
    most: i128,
    ask: &(impl Fn(&mut Terms<'_>) -> Question + Send + Sync),
) -> Option<HashMap<FieldId, i128>> {
    let mut terms = Terms::new(program);
    let Question { mut facts, claim } = ask(&mut terms);
    let mut scalars: Vec<(FieldId, Int)> = Vec::new();
    for (k, field) in program.input.indexed() {
        if field.is_scalar() {
            let r = Ref { side: Side::Input, field: k, index: Vec::new(), span: Span::default() };
            let term = terms.load(&r);
            facts.push(term.le(int(most)));
            scalars.push((k, term));
        }
    }
    if most > USUAL.most[0] {
        // Large scalars, but not several that make one array.
        facts.extend(cells_at_most(&mut terms, CELLS as i128));
    }
    facts.extend(terms.facts);
    let asked: Vec<Int> = scalars.iter().map(|(_, term)| term.clone()).collect();
    let values = values(&facts, &claim, TIME, &asked)?;
    Some(scalars.into_iter().map(|(field, _)| field).zip(values).collect())
}

/// The conditions that no input array has more than this number of elements, if its length is declared.
pub fn cells_at_most(terms: &mut Terms<'_>, most: i128) -> Vec<Bool> {
    let mut out = Vec::new();
    for field in &terms.program.input.fields {
        let lengths = field.lengths.iter().filter_map(|length| match length {
            Length::Is(e) => Some(terms.expr(e)),
            Length::Free => None,
        });
        let cells = lengths.reduce(|a, b| Int::mul(&[&a, &b]));
        out.extend(cells.map(|cells| cells.le(int(most))));
    }
    out
}

/// The input with these scalars, and zeros in its arrays, whose length is this number if none is declared. Numbers that
/// are read from bytes are in these bytes; `None` if other bytes determine them differently.
fn built(program: &Program, scalars: &HashMap<FieldId, i128>, free: usize) -> Option<Record> {
    // Scalars come first, because lengths depend on them.
    let mut x = Record { fields: Vec::new() };
    for (k, field) in program.input.indexed() {
        x.fields.push(match field.is_scalar() {
            true => FieldValue::Scalar(*scalars.get(&k)?),
            false => FieldValue::Array(Array::zeros(field.int, vec![0; field.lengths.len()])?),
        });
    }
    let declared = program.input.fields.len() - program.views.len();
    for (FieldId(k), field) in program.input.indexed().take(declared) {
        if field.is_scalar() {
            continue;
        }
        let length = |length: &Length| match length {
            Length::Is(e) => usize::try_from(x.length(e).ok()?.max(0)).ok(),
            Length::Free => Some(free),
        };
        let lengths: Vec<usize> = field.lengths.iter().map(length).collect::<Option<_>>()?;
        let cells = lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l));
        cells.filter(|n| *n <= CELLS)?;
        x.fields[k] = FieldValue::Array(Array::zeros(field.int, lengths)?);
    }
    for stmt in &program.body {
        if let StmtKind::Assume(p) = &stmt.kind {
            demanded(p, &mut x);
        }
    }
    for view in &program.views {
        if let (Source::Bytes(bytes), Some(n)) = (&view.source, scalars.get(&view.field)) {
            written(bytes, *n, scalars, &mut x);
        }
    }
    x.fields.truncate(declared);
    let read = complete(program, x.fields).ok()?;
    let agrees = |(field, n): (&FieldId, &i128)| match &read.fields[*field] {
        FieldValue::Scalar(own) => own == n,
        FieldValue::Array(_) => false,
    };
    scalars.iter().all(agrees).then_some(read)
}

/// Writes the bytes of a number, as far as the array has them.
fn written(bytes: &Bytes, n: i128, scalars: &HashMap<FieldId, i128>, x: &mut Record) {
    let at = eval_with(&bytes.at, |r| scalars.get(&r.field).copied());
    if let (Some(at), FieldValue::Array(Array { cells: Cells::U8(all), .. })) =
        (at.and_then(|at| usize::try_from(at).ok()), &mut x.fields[bytes.array])
        && let Some(own) = all.get_mut(at..at.saturating_add(bytes.form.bytes))
    {
        bytes.form.write(n, own);
    }
}

/// Writes elements that an assumption requires, such as those of a magic number, as far as the arrays have them.
fn demanded(p: &Pred, x: &mut Record) {
    match p {
        Pred::And(ps) => ps.iter().for_each(|p| demanded(p, x)),
        Pred::Cmp(Cmp::Eq, Expr::Ref(r), Expr::Int(n)) if r.side == Side::Input => {
            if let ([Expr::Int(at)], FieldValue::Array(array)) =
                (&r.index[..], &mut x.fields[r.field])
                && let Some(at) = array.place(&[*at])
            {
                array.cells.set(at, *n);
            }
        }
        _ => {}
    }
}

/// Returns the refusal of this input, if its message contains one of these words.
fn confirmed(program: &Program, words: &[&str], x: &Record) -> Option<RefusedInput> {
    match normalize_within(program, x, ROUNDS) {
        Err(RunError::Refused { message, span, .. })
            if words.iter().any(|words| message.contains(words))
                && !is_behind(program, &message) =>
        {
            let scalars =
                program.input.fields.iter().zip(&x.fields).filter_map(|(f, value)| match value {
                    FieldValue::Scalar(n) => Some(format!("{} = {n}", f.name)),
                    FieldValue::Array(_) => None,
                });
            let input: Vec<String> = scalars.take(8).collect();
            Some(RefusedInput { span, what: format!("{}: {message}", input.join(", ")) })
        }
        _ => None,
    }
}

/// Returns true if a message says that a read is beyond the end of an array that may have any length, because the input
/// could have been longer.
fn is_behind(program: &Program, message: &str) -> bool {
    program.input.indexed().any(|(k, f)| {
        let open = f.lengths.contains(&Length::Free) || program.length_of(k).is_some();
        let index = message.strip_prefix(&format!("{}[", program.input_name(k)));
        open && index.is_some_and(|index| !index.starts_with('-'))
    })
}
