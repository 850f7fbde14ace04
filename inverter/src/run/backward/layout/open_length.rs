//! Arrays whose length is an additional choice: dictionaries, `[u8; 3 * colors]` with `colors` free, files with data
//! anchored at the end, and others whose length nothing else determines. The length is chosen after the places, so
//! there is always room.

use crate::invert::{Inst, InstKind, Layout};
use crate::program::{FieldId, Length, Poly, Ref, Side, Span};
use crate::run::backward::context::Context;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::{Domain, IntervalSet};

/// A length `factor * scalar + rest` whose scalar has not been chosen.
#[derive(Debug)]
pub struct OpenLength {
    scalar: FieldId,
    factor: i128,
    rest: i128,
}

/// Returns the length of `array` if it is an additional choice; a given length is not.
pub fn open_length(run: &mut Backward<'_>, array: FieldId) -> Result<Option<OpenLength>, RunError> {
    let cx = run.cx;
    let ends = |l: &Layout| cx.program.length_of(array).is_some_and(|f| l.bases().contains(&f));
    let Some(layout) = cx.layout(array) else { return Ok(None) };
    let by_layout = layout.dictionary().is_some() || ends(layout);
    let f = &cx.program.input.fields[array];
    let Length::Is(length) = &f.lengths[layout.dimension] else { return Ok(None) };
    let mut unset: Vec<FieldId> = Vec::new();
    length.refs(&mut |r| {
        let open = r.side == Side::Input && run.assignment.is_unset(r.field);
        if open && !unset.contains(&r.field) {
            unset.push(r.field);
        }
    });
    let [scalar] = unset[..] else { return Ok(None) };
    let body = &cx.inverse.body;
    if run.choices.source.is_given(cx.dimension(scalar)) || is_assigned(body, scalar) {
        return Ok(None);
    }
    // If an equation connects the length with a place, it is chosen together with the places.
    let with_places = || cx.placed(array).into_iter().any(|field| field == scalar);
    if !by_layout && (layout.dimension > 0 || !is_free(body, scalar) && !with_places()) {
        return Ok(None);
    }
    let atom = Ref { side: Side::Input, field: scalar, index: Vec::new(), span: Span::default() };
    let Some((factor, rest)) = Poly::of(length).linear_in(&Poly::ref_atom(&atom)) else {
        return Ok(None);
    };
    match factor.as_int() {
        Some(factor) if factor > 0 => {
            let rest = run.eval(&rest.to_expr(), f.span)?;
            Ok(Some(OpenLength { scalar, factor, rest }))
        }
        _ => Ok(None),
    }
}

impl OpenLength {
    /// Returns the scalar.
    pub fn scalar(&self) -> FieldId {
        self.scalar
    }

    /// Returns the greatest length that the type of the scalar allows.
    pub fn greatest(&self, cx: Context<'_>) -> i128 {
        self.factor.saturating_mul(cx.range(self.scalar).1).saturating_add(self.rest)
    }

    /// Chooses a length of at least `end`, and in `among` if that restricts it.
    pub fn choose(
        &self,
        run: &mut Backward<'_>,
        end: i128,
        among: Option<&Domain>,
    ) -> Result<(), RunError> {
        let cx = run.cx;
        let (lo, hi) = cx.range(self.scalar);
        let least = lo.max(-(self.rest - end).div_euclid(self.factor));
        let most = hi.min(least.saturating_add(cx.limits.slack.into()));
        let domain = Domain::of(IntervalSet::range(least, most));
        let domain = among.map_or(Some(domain.clone()), |among| among.intersect(&domain));
        let Some(domain) = domain.filter(|d| !d.is_empty()) else {
            let why = format!("no length of at least {end} is allowed");
            return Err(RunError::NoRepresentation(why));
        };
        let name = cx.dimension(self.scalar);
        let value = run.choices.source.stepped(name, &domain, cx.interesting_values)?;
        run.assignment.assign(self.scalar, value);
        Ok(())
    }
}

/// Returns true if the inverse assigns an arbitrary number to the scalar.
fn is_free(body: &[Inst], scalar: FieldId) -> bool {
    body.iter().any(|inst| matches!(&inst.kind, InstKind::Free(r) if r.field == scalar))
}

/// Returns true if a statement assigns the scalar.
fn is_assigned(body: &[Inst], scalar: FieldId) -> bool {
    body.iter().any(|inst| match &inst.kind {
        InstKind::Assign { target, .. } => target.field == scalar,
        InstKind::If { then, els, .. } => is_assigned(then, scalar) || is_assigned(els, scalar),
        InstKind::For { body, .. } => is_assigned(body, scalar),
        _ => false,
    })
}
