//! An input of a size that Z3 proposes.

use z3::ast::{Bool, Int};

use crate::check::outside::RefusedInput;
use crate::check::terms::{Terms, values};
use crate::program::{FieldId, Length, Program, Ref, Side, Span};
use crate::run::{Array, FieldValue, Record, RunError, normalize};
use crate::solve::smt::{int, with_own_context};

/// The effort of one query to Z3, in milliseconds.
const TIME: u32 = 300;
/// The greatest scalars of an input that is proposed: first small ones, which are soon confirmed.
const MOST: [i128; 2] = [1 << 12, 1 << 18];
/// The length of an array that has none.
const FREE: usize = 1 << 12;
/// The most elements of an array of such an input.
const CELLS: usize = 1 << 20;

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
    ask: impl Fn(&mut Terms<'_>) -> Question + Send + Sync,
) -> Option<RefusedInput> {
    MOST.iter().find_map(|most| {
        let x = with_own_context(|| proposed(program, *most, &ask))?;
        confirmed(program, words, &x)
    })
}

fn proposed(
    program: &Program,
    most: i128,
    ask: &(impl Fn(&mut Terms<'_>) -> Question + Send + Sync),
) -> Option<Record> {
    let mut terms = Terms::new(program);
    let Question { mut facts, claim } = ask(&mut terms);
    let fields = &program.input.fields;
    let mut scalars: Vec<Int> = Vec::new();
    for (k, field) in program.input.indexed() {
        if field.is_scalar() {
            let r = Ref { side: Side::Input, field: k, index: Vec::new(), span: Span::default() };
            let term = terms.load(&r);
            facts.push(term.le(int(most)));
            scalars.push(term);
        }
    }
    if most > MOST[0] {
        // Large scalars, but not several that make one array.
        for field in fields.iter() {
            let lengths = field.lengths.iter().filter_map(|length| match length {
                Length::Is(e) => Some(terms.expr(e)),
                Length::Free => None,
            });
            let cells = lengths.reduce(|a, b| Int::mul(&[&a, &b]));
            facts.extend(cells.map(|cells| cells.le(int(CELLS as i128))));
        }
    }
    facts.extend(terms.facts);
    let mut values = values(&facts, &claim, TIME, &scalars)?.into_iter();
    // First the scalars, which lengths are made of.
    let mut x = Record { fields: Vec::new() };
    for field in fields.iter() {
        x.fields.push(match field.is_scalar() {
            true => FieldValue::Scalar(values.next()?),
            false => FieldValue::Array(Array::zeros(field.int, vec![0; field.lengths.len()])?),
        });
    }
    for (FieldId(k), field) in program.input.indexed().filter(|(_, f)| !f.is_scalar()) {
        let length = |length: &Length| match length {
            Length::Is(e) => usize::try_from(x.length(e).ok()?.max(0)).ok(),
            Length::Free => Some(FREE),
        };
        let lengths: Vec<usize> = field.lengths.iter().map(length).collect::<Option<_>>()?;
        let cells = lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l));
        cells.filter(|n| *n <= CELLS)?;
        x.fields[k] = FieldValue::Array(Array::zeros(field.int, lengths)?);
    }
    Some(x)
}

/// Returns the refusal of this input, if it is by a message with one of these words.
fn confirmed(program: &Program, words: &[&str], x: &Record) -> Option<RefusedInput> {
    match normalize(program, x) {
        Err(RunError::Refused { message, span, .. })
            if words.iter().any(|words| message.contains(words)) =>
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
