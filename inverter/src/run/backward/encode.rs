//! What the encoders of primitives make.

use std::collections::BTreeSet;

use super::Backward;
use crate::invert::{Encode, Inst, InstKind, StreamLength};
use crate::primitive::EncodeError;
use crate::program::{FieldId, Length, Ref, Side, Span};
use crate::run::error::RunError;
use crate::run::store::{Array, Cells, Slot};
use crate::solve::draw::draw_integer;
use crate::solve::{Choice, Choices, IntervalSet};

/// The most elements that a stream may have.
const MOST: i128 = 1 << 32;

impl Backward<'_> {
    /// `x.target := primitive*(y.source, args..)`
    pub(super) fn encode(&mut self, e: &Encode, span: Span) -> Result<(), RunError> {
        let args = self.arguments(e, span)?;
        let lengths = match &e.length {
            StreamLength::Free => (0, MOST),
            StreamLength::Told(field) => {
                let (_, hi) = self.program.input.fields[*field].int.range();
                (0, hi.min(MOST))
            }
            StreamLength::Is(length) => {
                let length = self.eval(length, span)?.max(0);
                (length, length)
            }
        };
        let fits = |n: i128| usize::try_from(n).unwrap_or(usize::MAX);
        let lengths = fits(lengths.0)..=fits(lengths.1);
        // Asked for first: otherwise the process would end.
        let room = Vec::<u8>::new().try_reserve_exact(*lengths.start());
        if *lengths.start() as i128 > MOST || room.is_err() {
            let why = format!("{} would be too large", self.name(e.target));
            return Err(self.impossible(span, &why));
        }
        let Slot::Array(Array { cells: Cells::U8(data), .. }, _) = &self.output.slots[e.source]
        else {
            return Err(self.impossible(span, "there is no data to encode"));
        };
        let prefix = format!("{} ", self.program.input.fields[e.target].dimension());
        let primitive = self.inverse.primitive(&e.primitive).map_err(EncodeError::Impossible);
        let made = primitive.and_then(|p| {
            self.source.within(&prefix, |source| p.encode(data, &args, &lengths, source))
        });
        let stored = match made {
            Ok(stored) => stored,
            Err(EncodeError::Choice(error)) => return Err(error.into()),
            Err(EncodeError::Impossible(why)) => {
                return Err(self.impossible(span, &format!("{}: {why}", e.primitive.name)));
            }
        };
        if !lengths.contains(&stored.len()) {
            let (name, made) = (&e.primitive.name, stored.len());
            let why = format!("{name} makes {made} elements, which are too few or too many");
            return Err(self.impossible(span, &why));
        }
        if let StreamLength::Told(field) = e.length {
            self.input.slots[field] = Slot::Scalar(stored.len() as i128);
        }
        self.input.slots[e.target] = Slot::array(Array::bytes(stored), true);
        Ok(())
    }

    /// Why no stream stands for the data with the arguments as they are, and the inputs that these
    /// are made of; `None` if there is one, or not all arguments are known.
    pub(super) fn refused_encoding(&mut self) -> Option<(String, BTreeSet<FieldId>)> {
        let inverse = self.inverse;
        for inst in &inverse.body {
            let InstKind::Encode(e) = &inst.kind else { continue };
            let known = |e| self.env().eval(e, inst.span).ok();
            let Some(args) = e.args.iter().map(known).collect::<Option<Vec<_>>>() else { continue };
            let Slot::Array(Array { cells: Cells::U8(data), .. }, _) = &self.output.slots[e.source]
            else {
                continue;
            };
            let Ok(primitive) = inverse.primitive(&e.primitive) else { continue };
            if let Err(unfit) = primitive.accepts(data, &args) {
                let mut on = BTreeSet::new();
                let mut note = |r: &Ref| {
                    if r.side == Side::Input {
                        on.insert(r.field);
                    }
                };
                let blamed = |k: &usize| unfit.argument.is_none_or(|argument| argument == *k);
                (0..e.args.len()).filter(blamed).for_each(|k| e.args[k].refs(&mut note));
                let why = format!("{}: {}", e.primitive.name, unfit.why);
                let why = self.placed(inst.span, &why);
                return Some((why, on));
            }
        }
        None
    }

    fn arguments(&mut self, e: &Encode, span: Span) -> Result<Vec<i128>, RunError> {
        e.args.iter().map(|arg| self.eval(arg, span)).collect()
    }

    /// The choices that the streams of the input embody, as far as they can be told.
    pub(in crate::run) fn encoded(
        &mut self,
        body: &[Inst],
        out: &mut Choices,
    ) -> Result<(), RunError> {
        for inst in body {
            match &inst.kind {
                InstKind::If { cond, then, els } => {
                    let branch = if self.holds(cond, inst.span)? { then } else { els };
                    self.encoded(branch, out)?;
                }
                InstKind::Encode(e) => {
                    let args = self.arguments(e, inst.span)?;
                    let bytes = |slot: &'_ Slot| match slot {
                        Slot::Array(Array { cells: Cells::U8(bytes), .. }, _) => bytes.clone(),
                        _ => Vec::new(),
                    };
                    let stored = bytes(&self.input.slots[e.target]);
                    let data = bytes(&self.output.slots[e.source]);
                    let name = self.program.input.fields[e.target].dimension();
                    let primitive = self.inverse.primitive(&e.primitive).ok();
                    let own = primitive.and_then(|p| p.own_choices(&stored, &data, &args));
                    for (dimension, value) in own.unwrap_or_default().iter() {
                        out.set(&format!("{name} {dimension}"), value.clone());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a scalar is part of an input array's length.
    pub(super) fn is_length(&self, field: FieldId) -> bool {
        let mut found = false;
        for length in self.program.input.fields.iter().flat_map(|f| &f.lengths) {
            if let Length::Is(e) = length {
                e.refs(&mut |r| found |= r.side == Side::Input && r.field == field);
            }
        }
        found
    }

    /// A scalar that says how long an array is and that nothing else depends on. Any value
    /// may be given; what is drawn is no larger than the slack.
    pub(super) fn free_length(
        &mut self,
        dimension: &str,
        domain: &IntervalSet,
    ) -> Result<i128, RunError> {
        let (lo, hi) = (domain.min().unwrap_or(0), domain.max().unwrap_or(0));
        let drawn = IntervalSet::range(lo, hi.min(self.limits.slack.into()).max(lo));
        Ok(self.source.choose(
            dimension,
            |value| match value {
                Choice::Int(n) if domain.contains(*n) => Ok(*n),
                _ => Err(format!("it must be {lo} to {hi}")),
            },
            || Choice::Int(lo.max(0)),
            |rng| Choice::Int(draw_integer(rng, &drawn, self.landmarks)),
        )?)
    }
}
