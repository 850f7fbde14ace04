//! Streams: builds them with the encoders of primitives, and recovers the choices that a given stream embodies.

use std::collections::BTreeSet;

use super::context::Context;
use super::scalars::plan::Conflict;
use super::state::Backward;
use crate::invert::{Encode, Inst, InstKind, StreamLength};
use crate::primitive::{EncodeError, Encoding};
use crate::program::{FieldId, Ref, Side, Span};
use crate::run::error::RunError;
use crate::run::eval::Env;
use crate::run::store::{Array, Cells, Slot, Store};
use crate::solve::Choices;

/// The maximum number of elements of a stream.
const MOST: i128 = 1 << 32;

/// Runs `x.target := primitive*(y.source, args..)`.
pub fn encode(run: &mut Backward<'_>, e: &Encode, span: Span) -> Result<(), RunError> {
    let cx = run.cx;
    let args = arguments(run, e, span)?;
    let lengths = match &e.length {
        StreamLength::Free => (0, MOST),
        StreamLength::Stored(field) => (0, cx.range(*field).1.min(MOST)),
        StreamLength::Is(length) => {
            let length = run.eval(length, span)?.max(0);
            (length, length)
        }
    };
    let fits = |n: i128| usize::try_from(n).unwrap_or(usize::MAX);
    let lengths = fits(lengths.0)..=fits(lengths.1);
    // A failed reservation is an error; a failed allocation would end the process.
    let room = Vec::<u8>::new().try_reserve_exact(*lengths.start());
    if *lengths.start() as i128 > MOST || room.is_err() {
        let name = cx.name(e.target);
        let why = format!("{name} would be too large: {} elements", lengths.start());
        return Err(cx.impossible(span, &why));
    }
    let Some(data) = bytes(cx.output, e.source) else {
        return Err(cx.impossible(span, "there is no data to encode"));
    };
    let prefix = format!("{} ", cx.program.input.fields[e.target].dimension());
    let source = &mut *run.choices.source;
    let primitive = cx.inverse.primitive(&e.primitive);
    let encoded = primitive.map_err(|why| EncodeError::Impossible(why.into())).and_then(|p| {
        source.within(&prefix, |source| {
            p.encode(data, Encoding { args: &args, lengths: &lengths, source })
        })
    });
    let stored = match encoded {
        Ok(stored) => stored,
        Err(EncodeError::Choice(error)) => return Err(error.into()),
        Err(EncodeError::Impossible(why)) => {
            return Err(cx.impossible(span, &format!("{}: {why}", e.primitive.name)));
        }
    };
    if !lengths.contains(&stored.len()) {
        let (name, count) = (&e.primitive.name, stored.len());
        let why = format!("{name} makes {count} elements, which are too few or too many");
        return Err(cx.impossible(span, &why));
    }
    let slots = &mut run.assignment.input.slots;
    if let StreamLength::Stored(field) = e.length {
        slots[field] = Slot::Scalar(stored.len() as i128);
    }
    slots[e.target] = Slot::array(Array::bytes(stored), true);
    Ok(())
}

/// Returns a conflict if no stream encodes the data under the current arguments; `None` also if some argument has no
/// value.
pub fn refused_encoding(cx: Context<'_>, env: &Env<'_>) -> Option<Conflict> {
    for inst in &cx.inverse.body {
        let InstKind::Encode(e) = &inst.kind else { continue };
        let value = |e| env.eval(e, inst.span).ok();
        let Some(args) = e.args.iter().map(value).collect::<Option<Vec<_>>>() else { continue };
        let Some(data) = bytes(cx.output, e.source) else { continue };
        let Ok(primitive) = cx.inverse.primitive(&e.primitive) else { continue };
        if let Err(unfit) = primitive.accepts(data, &args) {
            let mut depends_on: BTreeSet<FieldId> = BTreeSet::new();
            let mut add = |r: &Ref| {
                if r.side == Side::Input {
                    depends_on.insert(r.field);
                }
            };
            let blamed = |k: &usize| unfit.argument.is_none_or(|argument| argument == *k);
            (0..e.args.len()).filter(blamed).for_each(|k| e.args[k].refs(&mut add));
            let why = format!("{}: {}", e.primitive.name, unfit.why);
            return Some(Conflict { why: cx.located(inst.span, &why), depends_on, crowded: None });
        }
    }
    None
}

fn arguments(run: &mut Backward<'_>, e: &Encode, span: Span) -> Result<Vec<i128>, RunError> {
    e.args.iter().map(|arg| run.eval(arg, span)).collect()
}

fn bytes(store: &Store, field: FieldId) -> Option<&[u8]> {
    match &store.slots[field] {
        Slot::Array(Array { cells: Cells::U8(bytes), .. }, _) => Some(bytes),
        _ => None,
    }
}

/// Records the choices that the streams of the input embody, as far as they can be recovered.
pub fn own_choices(
    run: &mut Backward<'_>,
    body: &[Inst],
    out: &mut Choices,
) -> Result<(), RunError> {
    for inst in body {
        match &inst.kind {
            InstKind::If { cond, then, els } => {
                let branch = if run.holds(cond, inst.span)? { then } else { els };
                own_choices(run, branch, out)?;
            }
            InstKind::Encode(e) => {
                let args = arguments(run, e, inst.span)?;
                let stored = bytes(&run.assignment.input, e.target).unwrap_or_default();
                let data = bytes(run.cx.output, e.source).unwrap_or_default();
                let name = run.cx.dimension(e.target);
                let primitive = run.cx.inverse.primitive(&e.primitive).ok();
                let own = primitive.and_then(|p| p.own_choices(stored, data, &args));
                for (dimension, value) in own.unwrap_or_default().iter() {
                    out.set(format!("{name} {dimension}"), value.clone());
                }
            }
            _ => {}
        }
    }
    Ok(())
}
