//! Inversion: from a normalization program to its nondeterministic inverse.
//!
//! The modules implement the rules of the paper, and have their names: `sequence` walks the statements, `assign`,
//! `assume`, `conditional` and `loops` invert one kind of statement each, and [`ensure`] computes the weakest
//! precondition of all assumptions. [`derive`](mod@derive) adds the conditions that the inverse needs and the spec does
//! not state: no element is written twice with different values, and every index is inside its array.

pub mod access;
mod assign;
mod assume;
mod bases;
mod bounds;
mod circular;
mod conditional;
mod defined;
pub mod derive;
mod digits;
pub mod ensure;
mod equations;
mod id;
pub mod injective;
pub mod inst;
mod inverse;
pub mod layout;
mod loops;
mod narrowed;
mod output_conditions;
pub mod primitive;
pub mod print;
mod sequence;
pub mod simplify;
mod sizes;
pub mod state;
mod strata;
mod write_once;

use std::collections::BTreeSet;

pub use bounds::Extent;
pub use derive::DisjointnessStrategy;
pub use id::{ConjunctId, EnsureId};
pub use inst::{Conjunct, Encode, Inst, InstKind, StreamLength, Why};
pub use inverse::{Ensure, EnsureKind, Inverse};
pub use layout::{Layout, Part};
pub use output_conditions::OutputConditions;
pub use state::Level;

use crate::program::fold::statements;
use crate::program::{
    Atom, Diagnostic, Expr, FieldId, Poly, Pred, Program, Ref, Side, SpecError, Stmt, StmtKind,
};
use access::{Access, Walk};
use sequence::{ElementsBy, Inverter};
use state::State;

/// Inverts a normalization program (paper, `Invert`).
///
/// # Errors
///
/// The obstacles, each with its statement and advice.
pub fn invert(program: &Program) -> Result<Inverse, SpecError> {
    if program.has_walks() {
        return Ok(Inverse::of_walks(program));
    }
    let sizes = sizes::equated_with_length(program);
    let attempt = |equations, whole: &BTreeSet<FieldId>| {
        // Scalars that an assumption equates with the length of an array are chosen before it, if something keeps the
        // writes disjoint in that case too.
        let places = || invert_by(program, Attempt { equations, whole, sizes: &BTreeSet::new() });
        if sizes.is_empty() {
            return places();
        }
        match invert_by(program, Attempt { equations, whole, sizes: &sizes }) {
            Ok(made) if !is_checked(&made.inverse) => Ok(made),
            other => match places() {
                Ok(made) if !is_checked(&made.inverse) => Ok(made),
                places => other.or(places),
            },
        }
    };
    let none = BTreeSet::new();
    // An array whose elements are partly determined by equations may be needed as a whole later on.
    let first = attempt(ElementsBy::Equations, &none)
        .or_else(|refused| attempt(ElementsBy::EquationsApart, &none).map_err(|_| refused))
        .or_else(|_| attempt(ElementsBy::Assignments, &none));
    // If an array would be known too late, an ensure may assign all of it from the beginning.
    let plain = |fields: &BTreeSet<FieldId>| -> BTreeSet<FieldId> {
        fields.iter().copied().filter(|f| is_plain(program, *f)).collect()
    };
    match first {
        Ok(Made { inverse, waiting }) => {
            let fixed = |f: &FieldId| has_fixed_elements(program, *f);
            let waiting: BTreeSet<FieldId> = plain(&waiting).into_iter().filter(fixed).collect();
            if waiting.is_empty() {
                return Ok(inverse);
            }
            match attempt(ElementsBy::Assignments, &waiting) {
                Ok(whole) if whole.inverse.losses.len() < inverse.losses.len() => Ok(whole.inverse),
                _ => Ok(inverse),
            }
        }
        Err(refused) => {
            let late = plain(&refused.late);
            match late.is_empty() {
                true => Err(refused.why),
                false => attempt(ElementsBy::Assignments, &late)
                    .map(|made| made.inverse)
                    .map_err(|_| refused.why),
            }
        }
    }
}

/// Returns true if neither conditions nor a layout keep the writes of some array disjoint.
fn is_checked(inverse: &Inverse) -> bool {
    inverse.strategies.values().any(|s| matches!(s, DisjointnessStrategy::RuntimeCheck))
}

/// An inverse, and the arrays whose conditions wait for their own elements.
struct Made {
    inverse: Inverse,
    waiting: BTreeSet<FieldId>,
}

/// The ways to invert among which [`invert`] chooses.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    /// The equations that determine elements of arrays.
    equations: ElementsBy,
    /// The arrays that ensures assign as a whole.
    whole: &'a BTreeSet<FieldId>,
    /// Scalars that are chosen before places, although they may be places.
    sizes: &'a BTreeSet<FieldId>,
}

/// The reason why a program is not inverted.
struct Refused {
    why: SpecError,
    /// The arrays that are needed before they can be known.
    late: BTreeSet<FieldId>,
}

/// Returns true if only the canonical value and loops decide which elements of an array are read.
fn is_plain(program: &Program, field: FieldId) -> bool {
    let mut plain = true;
    statements(&program.body, &mut |stmt| {
        plain &= !matches!(&stmt.kind, StmtKind::Decode { source, .. } if *source == field);
        plain &= !matches!(&stmt.kind, StmtKind::Reserve { field: f, .. } if *f == field);
        stmt.exprs(&mut |e| {
            e.refs(&mut |r| {
                let is_own = r.side == Side::Input && r.field == field;
                let chosen = |i: &Expr| i.mentions(|r| r.side == Side::Input);
                plain &= !is_own || !r.index.iter().any(chosen);
            });
        });
    });
    plain
}

/// Returns true if all elements of an array that are read have numerals as indices.
fn has_fixed_elements(program: &Program, field: FieldId) -> bool {
    let mut fixed = true;
    statements(&program.body, &mut |stmt| {
        stmt.exprs(&mut |e| {
            e.refs(&mut |r| {
                let is_own = r.side == Side::Input && r.field == field;
                fixed &= !is_own || r.index.iter().all(|i| Poly::of(i).as_int().is_some());
            });
        });
    });
    fixed
}

/// Inverts in one of these ways.
fn invert_by(program: &Program, way: Attempt<'_>) -> Result<Made, Refused> {
    let equations = way.equations;
    let mut state = State::default();
    state.ensured_arrays.extend(way.whole);
    control_arrays(&program.body, &mut state.ensured_arrays);
    let (nest, found, losses, late) = (Vec::new(), Vec::new(), Vec::new(), BTreeSet::new());
    let mut inverter = Inverter { program, state, nest, found, late, losses, equations };
    let mut body = inverter.sequence(&program.body);
    inverter.lengths(&mut body);
    let end = program.body.last().map(|s| s.span).unwrap_or_default();
    inverter.remaining(0, end, &mut body);
    for (field, f) in program.input.indexed() {
        let r = conditional::scalar(field, f.span);
        if f.is_scalar() && inverter.state.is_undetermined(&r, &[]) {
            body.push(Inst { kind: InstKind::Free(r), span: f.span });
        }
    }
    let Inverter { state, found, late, mut losses, .. } = inverter;
    if !found.is_empty() {
        return Err(Refused { why: SpecError::new(program.source.clone(), found), late });
    }

    let mut program = program.clone();
    let mut walk = Walk::over(&mut program, &body);
    defined::with_known_values(&mut walk.accesses, &body);
    let mut sizes = sizes::sizes(&program.body);
    sizes.extend(way.sizes);
    sizes.extend(sizes::computed(&program, &state, &sizes));
    sizes.extend(origins(&program, &walk.accesses, &state, &sizes));
    let placed = |r: &Ref| match r.index.is_empty() {
        true => state.ensured_scalars.contains(&r.field) && !sizes.contains(&r.field),
        false => state.ensured_arrays.contains(&r.field),
    };
    let distances = layout::distances(&walk.accesses, &placed);
    let given = |r: &Ref| placed(r) && !distances.contains(&r.field);
    let reads = access::reads_beside_reservations(&walk);
    let used = bases::bases_used(&program, &walk.accesses, &given);
    walk.accesses.extend(used);
    walk.accesses.extend(reads);
    let chosen = |r: &Ref| match r.index.is_empty() {
        true => state.ensured_scalars.contains(&r.field),
        false => state.ensured_arrays.contains(&r.field),
    };
    let derived = derive::derive(&program, &walk.accesses, &walk.mentions, &given, &chosen);
    losses.extend(circular::circular(&program, &derived.constraints.extents));
    let needed = ensure::weakest_precondition(&program, &mut body, derived.constraints.conjuncts);
    let mut ensured_arrays = state.ensured_arrays.clone();
    let mut waiting = BTreeSet::new();
    let mut conjuncts =
        decidable(needed, &walk.accesses, &mut ensured_arrays, &mut losses, &mut waiting);
    defined::without_defined(&program, &mut conjuncts);
    let mut inverse = Inverse {
        program,
        body,
        ensures: Vec::new(),
        strategies: derived.strategies,
        extents: derived.constraints.extents,
        accesses: walk.accesses,
        free_scalars: BTreeSet::new(),
        losses,
    };
    strata::place(&mut inverse, conjuncts, &state.ensured_scalars, &ensured_arrays);
    Ok(Made { inverse, waiting })
}

/// Returns true if conditions on scalars keep the elements of these accesses to one array disjoint.
pub fn conditions_of(program: &Program, accesses: &[&Access]) -> bool {
    write_once::written_once(program, accesses).is_some()
}

/// Returns the conditions that can be decided before anything is written, and reports the others as losses. Adds the
/// arrays that an ensure has to assign for them, and those for which such a condition waits.
fn decidable(
    needed: Vec<Conjunct>,
    accesses: &[Access],
    ensured_arrays: &mut BTreeSet<FieldId>,
    losses: &mut Vec<Diagnostic>,
    waiting: &mut BTreeSet<FieldId>,
) -> Vec<Conjunct> {
    let mut conjuncts = Vec::new();
    for c in needed {
        // If the precondition takes over a `:= *`, an ensure assigns its array.
        let assigned = |field: FieldId| {
            accesses.iter().any(|a| a.field == field && a.value.is_some() && !a.reads())
        };
        c.pred.refs(&mut |r| {
            if r.side == Side::Input && !r.index.is_empty() && !assigned(r.field) {
                ensured_arrays.insert(r.field);
            }
        });
        if c.pred == Pred::Const(true) && c.why != Why::Large {
            continue;
        }
        let waits = ensure::waits_for(&c.pred, &|field| ensured_arrays.contains(&field));
        if waits || c.why == Why::Large {
            c.pred.refs(&mut |r| {
                if r.side == Side::Input && assigned(r.field) {
                    waiting.insert(r.field);
                }
            });
            let message = match c.why {
                Why::Large => {
                    "a condition of this is too large to be solved, and only checked in the run"
                }
                _ => "whether this holds is only seen when the data is in place",
            };
            losses.push(
                Diagnostic::new(message, c.span, "not decided before anything is written")
                    .help("it is checked in the run, which may end without a representation"),
            );
            continue;
        }
        conjuncts.push(c);
    }
    conjuncts
}

/// Returns the scalars relative to which the elements of an array give places, as in `x.section + x.place[i]`. They are
/// chosen before the elements.
fn origins(
    program: &Program,
    accesses: &[Access],
    state: &State,
    sizes: &BTreeSet<FieldId>,
) -> BTreeSet<FieldId> {
    let given = |r: &Ref| match r.index.is_empty() {
        true => state.ensured_scalars.contains(&r.field) && !sizes.contains(&r.field),
        false => state.ensured_arrays.contains(&r.field),
    };
    let mut out = BTreeSet::new();
    for e in accesses.iter().flat_map(|a| &a.index) {
        if let Some((_, rest)) =
            layout::base(program, e, &given).filter(|(r, _)| !r.index.is_empty())
        {
            rest.to_expr().top_refs(&mut |r| {
                if r.side == Side::Input && r.index.is_empty() && given(r) {
                    out.insert(r.field);
                }
            });
        }
    }
    out
}

/// Arrays that an index, a bound or a guard mentions. They determine places, so an ensure assigns them as a whole
/// before anything is written.
fn control_arrays(body: &[Stmt], out: &mut BTreeSet<FieldId>) {
    let mut arrays = |p: &Poly| {
        p.any_atom(&mut |a| {
            if let Atom::Ref(Side::Input, field, index) = a
                && !index.is_empty()
            {
                out.insert(*field);
            }
            false
        });
    };
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                target.index.iter().for_each(|i| arrays(&Poly::of(i)));
                value.top_refs(&mut |r| r.index.iter().for_each(|i| arrays(&Poly::of(i))));
            }
            StmtKind::Assume(p) => p.exprs(&mut |e| {
                e.top_refs(&mut |r| r.index.iter().for_each(|i| arrays(&Poly::of(i))));
            }),
            StmtKind::If { cond, .. } => cond.exprs(&mut |e| arrays(&Poly::of(e))),
            StmtKind::For { count, .. } => arrays(&Poly::of(count)),
            StmtKind::Reserve { start, end, .. } => {
                arrays(&Poly::of(start));
                arrays(&Poly::of(end));
            }
            StmtKind::Decode { args, .. } => args.iter().for_each(|e| arrays(&Poly::of(e))),
            StmtKind::Walk(_) => {}
        }
    }
    for stmt in body {
        match &stmt.kind {
            StmtKind::If { then, els, .. } => {
                control_arrays(then, out);
                control_arrays(els, out);
            }
            StmtKind::For { body, .. } => control_arrays(body, out),
            _ => {}
        }
    }
}
