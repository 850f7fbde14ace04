//! Ensures of scalars: independent parts, each in closed form where it has one, else Z3.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::Backward;
use super::plan::{Part, Plan, Trouble};
use super::turns::{Turns, filled};
use crate::invert::{ConjunctId, Discipline, EnsureId, EnsureKind, Extent, Level, Why};
use crate::program::print::Show;
use crate::program::{Atom, Cmp, Expr, FieldId, Length, Pred, Ref, Side, Span};
use crate::run::error::RunError;
use crate::run::eval::Stop;
use crate::run::store::Slot;
use crate::solve::domain::{self, Domain};
use crate::solve::smt::{self, Failure, Unknown};
use crate::solve::{Choice, ChoiceError, IntervalSet};
use rand::RngExt;

/// How many values of an unknown are tried one by one where there is no closed form.
const ENUMERATE: u128 = 4096;
/// How often scalars are chosen anew because what depends on them does not work out.
const ATTEMPTS: usize = 64;

fn note(r: &Ref, out: &mut BTreeSet<FieldId>) {
    if r.side == Side::Input {
        out.insert(r.field);
    }
}

pub(super) fn derived(why: &Why) -> bool {
    matches!(why, Why::Once(_) | Why::Inside(_))
}

/// What is left of a conjunct once everything known is filled in.
#[derive(Debug, Clone)]
pub(super) struct Residual {
    pub(super) pred: Pred,
    /// The statement that asks for it.
    pub(super) span: Span,
    /// What it is left of.
    pub(super) origin: Origin,
    /// Whether it only keeps writes apart: those of equal values may meet all the same.
    pub(super) once: bool,
}

/// What a residual is left of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// An ensure, and which of its conjuncts.
    Conjunct(EnsureId, ConjunctId),
    /// The limit on the size of an array.
    Size(FieldId),
    /// Writes that are to meet.
    Meet,
}

/// The residuals of an ensure, and the conjuncts that can only be checked afterwards.
#[derive(Debug)]
pub(super) struct Left {
    pub(super) residuals: Vec<Residual>,
    pub(super) deferred: Vec<ConjunctId>,
}

impl Backward<'_> {
    pub(super) fn ensure_scalars(
        &mut self,
        n: EnsureId,
        fields: &[FieldId],
    ) -> Result<(), RunError> {
        let open: Vec<FieldId> =
            fields.iter().copied().filter(|f| self.input.slots[*f] == Slot::Unset).collect();
        let plan = self.plan(n, &open)?;
        if fields.is_empty() || self.meet(n, &open, &plan)? {
            return Ok(());
        }
        let left = &plan.left;
        let kept = self.save(&open);
        match self.solve_apart(n, &open, &plan) {
            // Given values may let writes meet that are equal.
            Err(e @ (RunError::Choice(_) | RunError::NoRepresentation(_)))
                if open.iter().any(|f| self.is_given(*f)) =>
            {
                self.restore(&open, &kept);
                let loose: Vec<Residual> =
                    left.residuals.iter().filter(|r| !r.once).cloned().collect();
                if loose.len() == left.residuals.len() {
                    return Err(e);
                }
                let none = vec![IntervalSet::empty(); open.len()];
                let loose = self.parted(&open, loose);
                let met = self.solve_scalars(&open, &loose, &none, false).is_ok()
                    && self.trouble(n, &left.deferred, true)?.is_none();
                if met { Ok(()) } else { Err(e) }
            }
            other => other,
        }
    }

    /// Works out what ensure `n` leaves to `open`.
    pub(super) fn new_plan(&mut self, n: EnsureId, open: &[FieldId]) -> Result<Plan, RunError> {
        let mut left = self.residuals(n)?;
        let scalar = |r: &Ref| r.index.is_empty();
        if !open.is_empty() {
            left.residuals.extend(self.size_limits(&scalar)?);
        }
        let apart = left.residuals.iter().filter(|r| r.once).map(|r| r.pred.clone()).collect();
        let parts = self.parted(open, left.residuals.clone());
        Ok(Plan { left, parts, apart, meeting: OnceLock::new() })
    }

    /// The unknowns in parts that no condition connects.
    fn parted(&self, open: &[FieldId], residuals: Vec<Residual>) -> Vec<Part> {
        let part = |fields: Vec<FieldId>| {
            let concerns = |r: &&Residual| fields.iter().any(|f| mentions(&r.pred, *f));
            let preds: Vec<Residual> = residuals.iter().filter(concerns).cloned().collect();
            let domain = match &fields[..] {
                [field] => {
                    let atom = Atom::Ref(Side::Input, *field, Vec::new());
                    let range = self.program.input.fields[*field].int.range();
                    closed_form(&atom, range, &preds.iter().collect::<Vec<_>>())
                }
                _ => None,
            };
            Part { fields, preds, domain, turns: OnceLock::new() }
        };
        parts(open, &residuals).into_iter().map(part).collect()
    }

    /// Now and then, values under which equal writes meet. False if that is not to be, or
    /// does not work out.
    fn meet(&mut self, n: EnsureId, open: &[FieldId], plan: &Plan) -> Result<bool, RunError> {
        /// The most cells of a canonical value for which it is tried: every write is looked
        /// at.
        const MOST_CELLS: i128 = 1 << 14;
        const TRIES: usize = 3;
        let (left, apart) = (&plan.left, &plan.apart);
        if !self.limits.sharing || apart.is_empty() {
            return Ok(false);
        }
        let name = |f: &FieldId| self.program.input.fields[*f].dimension();
        let concerned = |f: &&FieldId| apart.iter().any(|p| mentions(p, **f));
        let Some(first) = open.iter().find(concerned) else { return Ok(false) };
        if self.held() > MOST_CELLS
            || open.iter().any(|f| self.is_given(*f))
            || !open.iter().filter(concerned).any(|f| self.source.varies(name(f)))
            || self.source.stream(&format!("{}: meets", name(first))).random_range(0..6) != 0
        {
            return Ok(false);
        }
        let parts = plan.meeting.get_or_init(|| {
            let mut preds: Vec<Residual> =
                left.residuals.iter().filter(|r| !r.once).cloned().collect();
            preds.push(Residual {
                pred: Pred::and(apart.iter().cloned()).negated(),
                span: Span::default(),
                origin: Origin::Meet,
                once: false,
            });
            self.parted(open, preds)
        });
        let mut excluded: Vec<IntervalSet> = vec![IntervalSet::empty(); open.len()];
        let at = open.iter().position(|f| f == first).unwrap_or(0);
        let kept = self.save(open);
        for _ in 0..TRIES {
            if self.solve_scalars(open, parts, &excluded, false).is_ok()
                && self.trouble(n, &left.deferred, true)?.is_none()
            {
                // Also what is forced, given that writes meet: without that it would not be.
                for field in open {
                    if let Slot::Scalar(value) = self.input.slots[*field] {
                        self.source.settle(name(field), Choice::Int(value), String::new)?;
                    }
                }
                return Ok(true);
            }
            if let Slot::Scalar(value) = self.input.slots[*first] {
                excluded[at] = excluded[at].union(&IntervalSet::point(value));
            }
            self.restore(open, &kept);
        }
        Ok(false)
    }

    fn is_given(&self, field: FieldId) -> bool {
        self.source.is_given(self.program.input.fields[field].dimension())
    }

    fn save(&self, fields: &[FieldId]) -> Vec<(Slot, bool)> {
        fields.iter().map(|f| (self.input.slots[*f].clone(), self.by_ensure[*f])).collect()
    }

    fn restore(&mut self, fields: &[FieldId], kept: &[(Slot, bool)]) {
        for (field, (slot, given)) in fields.iter().zip(kept) {
            self.input.slots[*field] = slot.clone();
            self.by_ensure[*field] = *given;
            let name = self.program.input.fields[*field].dimension();
            self.source.retract(name);
        }
    }

    /// The conjunct that a residual is left of, in the spec's names, and why it is there.
    pub(super) fn text(&self, r: &Residual) -> String {
        match r.origin {
            Origin::Conjunct(n, k) => {
                let c = &self.inverse.ensures[n].conjuncts[k];
                format!("{} ({})", Show(self.program, &c.pred), c.why)
            }
            Origin::Size(array) => {
                let (name, most) = (self.name(array), self.most_elements());
                format!("{name} may not grow beyond {most} elements")
            }
            Origin::Meet => String::new(),
        }
    }

    /// That an array of free length does not become much larger than what it holds, unless one of
    /// the guards fails that are `decided`.
    pub(super) fn size_limit(&self, e: &Extent, decided: impl Fn(&Pred) -> bool) -> Pred {
        let small = Pred::cmp(Cmp::Lt, e.hi.clone(), Expr::Int(self.most_elements()));
        let unless = e.guards.iter().filter(|g| decided(g)).map(Pred::negated);
        Level::all(&e.nest, Pred::or(unless.chain([small])))
    }

    /// The most elements that an array of free length gets for what it holds.
    fn most_elements(&self) -> i128 {
        4 * self.held() + i128::from(self.limits.slack)
    }

    /// How many scalars and elements the canonical value has.
    fn held(&self) -> i128 {
        self.prepared.elements as i128
    }

    /// Values under which no two writes meet.
    fn solve_apart(&mut self, n: EnsureId, open: &[FieldId], plan: &Plan) -> Result<(), RunError> {
        let mut excluded: Vec<IntervalSet> = vec![IntervalSet::empty(); open.len()];
        let mut last: Option<String> = None;
        for turn in 0..ATTEMPTS {
            match (self.solve_scalars(open, &plan.parts, &excluded, true), &last) {
                (Ok(()), _) => {}
                // Nothing is left to try.
                (Err(RunError::NoRepresentation(_)), Some(why)) => {
                    return Err(RunError::NoRepresentation(why.clone()));
                }
                (Err(e), _) => return Err(e),
            }
            let trouble = self.trouble(n, &plan.left.deferred, false)?;
            let Some(trouble) = trouble else { return Ok(()) };
            // Something that depends on these values does not work out: other values for
            // one that it depends on, in turn.
            let may_help: Vec<usize> = (0..open.len())
                .filter(|k| trouble.depends_on.contains(&open[*k]))
                .filter(|k| !self.source.is_given(self.program.input.fields[open[*k]].dimension()))
                .collect();
            let k = may_help.get(turn % may_help.len().max(1)).copied();
            let Some((k, Slot::Scalar(value))) = k.map(|k| (k, &self.input.slots[open[k]])) else {
                return Err(RunError::NoRepresentation(trouble.why.clone()));
            };
            excluded[k] = excluded[k].union(&IntervalSet::point(*value));
            last = Some(trouble.why.clone());
            for field in open {
                let name = self.program.input.fields[*field].dimension();
                self.source.retract(name);
                self.input.slots[*field] = Slot::Unset;
            }
        }
        Err(RunError::NoRepresentation(last.unwrap_or_default()))
    }

    /// What is left of an ensure's conjuncts.
    pub(super) fn residuals(&mut self, n: EnsureId) -> Result<Left, RunError> {
        self.residuals_but(n, |_, _| false)
    }

    /// The same without the conjuncts that are `done`.
    pub(super) fn residuals_but(
        &mut self,
        n: EnsureId,
        mut done: impl FnMut(&mut Self, ConjunctId) -> bool,
    ) -> Result<Left, RunError> {
        let mut left = Left { residuals: Vec::new(), deferred: Vec::new() };
        let inverse = self.inverse;
        let conjuncts = inverse.ensures[n].conjuncts.iter().enumerate();
        for (k, c) in conjuncts.map(|(k, c)| (ConjunctId(k), c)) {
            if done(self, k) {
                continue;
            }
            let mut preds = Vec::new();
            let pred = &inverse.output_conditions().conjuncts[n][k];
            match self.env().residual_pred(pred, c.span, &mut |p| preds.push(p)) {
                Ok(true) => {
                    left.residuals.extend(preds.into_iter().map(|pred| Residual {
                        pred,
                        span: c.span,
                        origin: Origin::Conjunct(n, k),
                        once: matches!(c.why, Why::Once(_)),
                    }));
                }
                Ok(false) => {
                    let text = format!("{} does not hold: {}", self.env().show(&c.pred), c.why);
                    return Err(self.impossible(c.span, &text));
                }
                Err(Stop::Unset(..)) => left.deferred.push(k),
                // Derived of a statement that is not reached: else its divisors would be
                // conditions of their own.
                Err(Stop::Error(_)) if derived(&c.why) => {}
                Err(Stop::Error(e)) => return Err(e),
            }
        }
        Ok(left)
    }

    /// Arrays of free length must not become much larger than what they hold: the limits on
    /// what is `asked` for.
    pub(super) fn size_limits(
        &mut self,
        asked: &dyn Fn(&Ref) -> bool,
    ) -> Result<Vec<Residual>, RunError> {
        let mut out = Vec::new();
        let inverse = self.inverse;
        for e in &inverse.extents {
            // A guard on elements that are not known yet may hold.
            let decided = |g: &Pred| {
                let mut decided = true;
                g.refs(&mut |r| {
                    decided &= r.side == Side::Output || r.index.is_empty() || asked(r);
                });
                decided
            };
            let all = self.size_limit(e, decided);
            let mut preds = Vec::new();
            // What is not known yet (elements of arrays) is bounded when it is chosen.
            let done = self.env().residual_pred(&all, e.span, &mut |p| preds.push(p));
            if matches!(done, Ok(true)) {
                let only = |p: &Pred| {
                    let mut only = true;
                    p.refs(&mut |r| only &= asked(r));
                    only
                };
                out.extend(preds.into_iter().filter(only).map(|pred| Residual {
                    pred,
                    span: e.span,
                    origin: Origin::Size(e.array),
                    once: false,
                }));
            }
        }
        Ok(out)
    }

    /// Gives `open` values that satisfy what is said of their `parts`. Where there are none, the
    /// conditions that clash are found only if they are to be `told`: that takes Z3.
    fn solve_scalars(
        &mut self,
        open: &[FieldId],
        parts: &[Part],
        excluded: &[IntervalSet],
        told: bool,
    ) -> Result<(), RunError> {
        for part in parts {
            let at = |f: &FieldId| Some(&excluded[open.iter().position(|o| o == f)?]);
            let excluded: Vec<&IntervalSet> = part.fields.iter().filter_map(at).collect();
            match &part.fields[..] {
                [field] => self.solve_one(*field, part, excluded[0], told)?,
                _ => self.solve_many(part, &excluded, told)?,
            }
        }
        Ok(())
    }

    fn solve_one(
        &mut self,
        field: FieldId,
        part: &Part,
        excluded: &IntervalSet,
        told: bool,
    ) -> Result<(), RunError> {
        let f = &self.program.input.fields[field];
        let Some(unbounded) = &part.domain else {
            return self.solve_many(part, &[excluded], told);
        };
        let domain = if excluded.is_empty() {
            Cow::Borrowed(unbounded)
        } else {
            let range = (unbounded.set.min().unwrap_or(0), unbounded.set.max().unwrap_or(-1));
            let set = unbounded.set.intersect(&excluded.complement(range));
            Cow::Owned(Domain { set, ..*unbounded })
        };
        if domain.is_empty() {
            return Err(self.clash(&[field], &part.preds.iter().collect::<Vec<_>>()));
        }
        // A value that is forced is no choice.
        let quotients = unbounded.quotients();
        if quotients.len() == 1 && !self.source.is_given(f.dimension()) {
            self.give(field, unbounded.member(quotients.min().unwrap_or(0)));
            return Ok(());
        }
        let value = self.source.stepped(f.dimension(), &domain, self.landmarks).map_err(|e| {
            // The constraint that a given value breaks, in the spec's words.
            let atom = Atom::Ref(Side::Input, field, Vec::new());
            let broken = part.preds.iter().find(|r| {
                match (&e.value, domain::solutions(&r.pred, &atom, f.int.range())) {
                    (Choice::Int(v), Some(d)) => !d.contains(*v),
                    _ => false,
                }
            });
            match broken {
                Some(r) => ChoiceError { why: format!("{}: {}", e.why, self.text(r)), ..e },
                None => e,
            }
        })?;
        self.give(field, value);
        Ok(())
    }

    fn solve_many(
        &mut self,
        part: &Part,
        excluded: &[&IntervalSet],
        told: bool,
    ) -> Result<(), RunError> {
        let fields = &part.fields[..];
        let turns = match fields {
            [_] => Turns::Unknown,
            _ => self.solve_in_turn(part, excluded)?,
        };
        match turns {
            Turns::Found => return Ok(()),
            Turns::Nothing if !told => {
                return Err(RunError::NoRepresentation("nothing is left to choose".to_owned()));
            }
            _ => {}
        }
        let preds = &part.preds.iter().collect::<Vec<_>>()[..];
        if let Some(refusal) = self.broken_by_given(fields, preds) {
            return Err(refusal.into());
        }
        let unknowns: Vec<Unknown> = fields
            .iter()
            .map(|f| Unknown {
                atom: Atom::Ref(Side::Input, *f, Vec::new()),
                range: self.program.input.fields[*f].int.range(),
            })
            .collect();
        let mut all: Vec<Pred> = preds.iter().map(|r| r.pred.clone()).collect();
        for (f, set) in fields.iter().zip(excluded) {
            let x = Expr::Ref(Ref {
                side: Side::Input,
                field: *f,
                index: Vec::new(),
                span: Span::default(),
            });
            let outside = |&(lo, hi): &(i128, i128)| {
                Pred::or([
                    Pred::cmp(Cmp::Lt, x.clone(), Expr::Int(lo)),
                    Pred::cmp(Cmp::Gt, x.clone(), Expr::Int(hi)),
                ])
            };
            all.extend(set.spans().iter().map(outside));
        }
        let candidates: Vec<Vec<i128>> = fields
            .iter()
            .map(|f| {
                let field = &self.program.input.fields[*f];
                let atom = Atom::Ref(Side::Input, *f, Vec::new());
                // Bounds that mention only this unknown narrow what is proposed.
                let own: Vec<&Residual> = preds
                    .iter()
                    .filter(|r| fields.iter().all(|g| g == f || !mentions(&r.pred, *g)))
                    .copied()
                    .collect();
                let domain = closed_form(&atom, field.int.range(), &own)
                    .unwrap_or(Domain::range(field.int.range()));
                self.source.candidates(field.dimension(), &domain.set, self.landmarks)
            })
            .collect();
        let solved = smt::solve(&unknowns, &all, &mut |k, n| candidates[k].get(n).copied());
        let values = solved.map_err(|failure| match failure {
            Failure::Clash(core) => {
                let clash: Vec<&Residual> =
                    core.iter().filter_map(|k| preds.get(*k)).copied().collect();
                self.clash(fields, if clash.is_empty() { preds } else { &clash })
            }
            Failure::GaveUp(_) if turns == Turns::Nothing => self.clash(fields, preds),
            Failure::GaveUp(why) => RunError::NoRepresentation(format!(
                "Z3 found no values for {} and no proof that there are none ({why})",
                fields.iter().map(|f| self.name(*f)).collect::<Vec<_>>().join(", ")
            )),
        })?;
        for (field, value) in fields.iter().zip(values) {
            let name = self.program.input.fields[*field].dimension();
            let text = preds.iter().map(|r| self.text(r)).collect::<Vec<_>>().join(" and ");
            self.source.settle(name, Choice::Int(value), || text)?;
            self.give(*field, value);
        }
        Ok(())
    }

    /// The refusal of a given value that breaks a condition by itself, or with the other
    /// given ones; that condition is told.
    fn broken_by_given(&self, fields: &[FieldId], preds: &[&Residual]) -> Option<ChoiceError> {
        let mut given: Vec<(FieldId, i128)> = Vec::new();
        for field in fields {
            let f = &self.program.input.fields[*field];
            let Some(value) = self.source.given(f.dimension()) else { continue };
            let (least, most) = f.int.range();
            match value {
                Choice::Int(n) if (least..=most).contains(n) => given.push((*field, *n)),
                other => {
                    let why = format!("it must be {least} to {most}");
                    return Some(self.source.refusal(f.dimension(), other, why));
                }
            }
        }
        let refusal = |(field, value): (FieldId, i128), others: &str, r: &Residual| {
            let name = self.program.input.fields[field].dimension();
            let why = format!("with it{others} this does not hold: {}", self.text(r));
            self.source.refusal(name, &Choice::Int(value), why)
        };
        for (field, value) in &given {
            let breaks = |r: &&&Residual| filled(&r.pred, *field, *value) == Pred::Const(false);
            if let Some(r) = preds.iter().find(breaks) {
                return Some(refusal((*field, *value), "", r));
            }
        }
        for r in preds {
            let mut left = r.pred.clone();
            for (field, value) in &given {
                left = filled(&left, *field, *value);
                if left == Pred::Const(false) {
                    return Some(refusal((*field, *value), " and what else is given", r));
                }
            }
        }
        None
    }

    /// "no value of x.pitch satisfies: .. and .."
    fn clash(&self, fields: &[FieldId], preds: &[&Residual]) -> RunError {
        let names: Vec<String> = fields.iter().map(|f| self.name(*f)).collect();
        let mut texts: Vec<String> = Vec::new();
        for r in preds {
            let place = self.program.source.place(r.span);
            let text = format!("{} [{place}]", self.text(r));
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let (verb, names) =
            (if names.len() == 1 { "satisfies" } else { "satisfy" }, names.join(", "));
        RunError::NoRepresentation(format!("no value of {names} {verb} {}", texts.join(" and ")))
    }

    /// What does not work out with the scalars as they are, if anything; looking at every
    /// write also where conditions on scalars would keep them apart.
    pub(super) fn new_trouble(
        &mut self,
        n: EnsureId,
        deferred: &[ConjunctId],
        every_write: bool,
    ) -> Result<Option<Trouble>, RunError> {
        let inverse = self.inverse;
        // A solver knows no bound on what the parts of a condition come to.
        let conjuncts =
            inverse.ensures[n].conjuncts.iter().zip(&inverse.output_conditions().conjuncts[n]);
        for (c, pred) in conjuncts.filter(|(c, _)| !derived(&c.why)) {
            if let Err(Stop::Error(e)) = self.env().holds(pred, c.span) {
                let mut depends_on = BTreeSet::new();
                c.pred.refs(&mut |r| note(r, &mut depends_on));
                return Ok(Some(Trouble { why: e.to_string(), depends_on }));
            }
        }
        for k in deferred {
            let c = &inverse.ensures[n].conjuncts[*k];
            match self.env().holds(&inverse.output_conditions().conjuncts[n][*k], c.span) {
                Ok(true) | Err(Stop::Unset(..)) => {}
                Err(Stop::Error(_)) if derived(&c.why) => {}
                Ok(false) => {
                    let text = format!("{} does not hold: {}", self.env().show(&c.pred), c.why);
                    let why = self.impossible(c.span, &text).to_string();
                    let mut depends_on = BTreeSet::new();
                    c.pred.refs(&mut |r| note(r, &mut depends_on));
                    return Ok(Some(Trouble { why, depends_on }));
                }
                Err(Stop::Error(e)) => return Err(e),
            }
        }
        for (array, discipline) in &inverse.disciplines {
            if every_write
                && matches!(discipline, Discipline::Layout(_))
                && !self.segments_agree(*array)?
            {
                let why = format!("elements of {} do not agree", self.name(*array));
                return Ok(Some(Trouble { why, depends_on: self.writes_depend_on(*array) }));
            }
            if (matches!(discipline, Discipline::Checked)
                || every_write && matches!(discipline, Discipline::Closed))
                && let Some(why) = self.meeting_writes(*array)?
            {
                return Ok(Some(Trouble { why, depends_on: self.writes_depend_on(*array) }));
            }
        }
        if let Some((why, depends_on)) = self.refused_encoding() {
            return Ok(Some(Trouble { why, depends_on }));
        }
        for (k, e) in inverse.ensures.iter().enumerate().map(|(k, e)| (EnsureId(k), e)) {
            if let EnsureKind::Places { array, .. } = &e.kind
                && let Some(why) = self.no_room(k, *array)?
            {
                let mut depends_on = self.writes_depend_on(*array);
                for c in &e.conjuncts {
                    c.pred.refs(&mut |r| note(r, &mut depends_on));
                }
                return Ok(Some(Trouble { why, depends_on }));
            }
        }
        Ok(None)
    }

    /// The inputs that decide which elements of an array are written, and when.
    pub(super) fn writes_depend_on(&self, array: FieldId) -> BTreeSet<FieldId> {
        let mut out = BTreeSet::new();
        for access in self.inverse.accesses.iter().filter(|a| a.field == array) {
            let mut look = |e: &Expr| e.refs(&mut |r| note(r, &mut out));
            access.nest.iter().for_each(|l| look(&l.count));
            access.index.iter().for_each(&mut look);
            access.guards.iter().for_each(|g| g.exprs(&mut look));
            access.value.iter().for_each(look);
        }
        out
    }

    /// The length of an array's dimension that the spec fixes.
    pub(super) fn fixed_length(
        &mut self,
        field: FieldId,
        dimension: usize,
    ) -> Result<Option<i128>, RunError> {
        let f = &self.program.input.fields[field];
        match &f.lengths[dimension] {
            Length::Free => Ok(None),
            Length::Is(e) => self.eval(e, f.span).map(Some),
        }
    }
}

/// The values of one unknown that satisfy all of `preds`, in closed form or, if there are
/// few, one by one.
pub(super) fn closed_form(atom: &Atom, range: (i128, i128), preds: &[&Residual]) -> Option<Domain> {
    let (domain, exact) = narrowed(atom, range, preds);
    exact.then_some(domain)
}

/// The same; or, and that is told, more values than satisfy what has no closed form.
pub(super) fn narrowed(atom: &Atom, range: (i128, i128), preds: &[&Residual]) -> (Domain, bool) {
    let mut domain = Domain::range(range);
    let mut hard = Vec::new();
    for r in preds {
        match domain::solutions(&r.pred, atom, range).and_then(|d| domain.intersect(&d)) {
            Some(narrowed) => domain = narrowed,
            None => hard.push(&r.pred),
        }
    }
    if hard.is_empty() {
        return (domain, true);
    }
    let Some(members) = domain.members(ENUMERATE) else { return (domain, false) };
    let fits = |v: &i128| hard.iter().all(|p| decide(p, atom, *v) == Some(true));
    (Domain::of(IntervalSet::from_spans(members.into_iter().filter(fits).map(|v| (v, v)))), true)
}

/// Whether `p` holds, nothing in it being unknown.
pub(super) fn decided(p: &Pred) -> Option<bool> {
    // Any name will do.
    decide(p, &Atom::Ref(Side::Input, FieldId(usize::MAX), Vec::new()), 0)
}

/// Whether `p` holds with `atom = value`, nothing else in it being unknown.
fn decide(p: &Pred, atom: &Atom, value: i128) -> Option<bool> {
    match p {
        Pred::Const(b) => Some(*b),
        Pred::Cmp(cmp, a, b) => {
            Some(cmp.holds(number(a, atom, value)?.cmp(&number(b, atom, value)?)))
        }
        Pred::And(ps) => ps.iter().try_fold(true, |all, p| Some(all && decide(p, atom, value)?)),
        Pred::Or(ps) => ps.iter().try_fold(false, |any, p| Some(any || decide(p, atom, value)?)),
        Pred::All(..) => None,
    }
}

fn number(e: &Expr, atom: &Atom, value: i128) -> Option<i128> {
    match e {
        Expr::Int(n) => Some(*n),
        Expr::Var(_) => None,
        Expr::Ref(r) => (crate::program::Poly::ref_atom(r) == *atom).then_some(value),
        Expr::Bin(op, a, b) => {
            crate::run::eval::apply(*op, number(a, atom, value)?, number(b, atom, value)?).ok()
        }
    }
}

pub(super) fn mentions(p: &Pred, field: FieldId) -> bool {
    let mut found = false;
    p.refs(&mut |r| found |= r.side == Side::Input && r.field == field);
    found
}

/// The unknowns in groups that no residual connects.
fn parts(open: &[FieldId], residuals: &[Residual]) -> Vec<Vec<FieldId>> {
    let mut group: Vec<usize> = (0..open.len()).collect();
    for r in residuals {
        let members: Vec<usize> =
            (0..open.len()).filter(|k| mentions(&r.pred, open[*k])).map(|k| group[k]).collect();
        if let Some(first) = members.iter().min().copied() {
            for g in &mut group {
                if members.contains(g) {
                    *g = first;
                }
            }
        }
    }
    let mut parts: Vec<Vec<FieldId>> = Vec::new();
    for g in 0..open.len() {
        let part: Vec<FieldId> =
            (0..open.len()).filter(|k| group[*k] == g).map(|k| open[k]).collect();
        if !part.is_empty() {
            parts.push(part);
        }
    }
    parts
}
