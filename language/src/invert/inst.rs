//! Inverse programs.

use serde::{Deserialize, Serialize};

use crate::invert::EnsureId;
use crate::program::{Callee, Cmp, Expr, FieldId, Pred, Ref, Side, Span, VarId};

/// A statement of an inverse, with the place of the statement it inverts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inst {
    /// The statement without its place.
    pub kind: InstKind,
    /// The place in the normalization program.
    pub span: Span,
}

/// The statements of inverses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum InstKind {
    /// `x := e`
    Assign {
        /// An input location.
        target: Ref,
        /// The value, in terms of outputs and of inputs that already have values.
        value: Expr,
    },
    /// `x := *`: any value of the type.
    Free(Ref),
    /// `assume p`, which an ensure makes true, and the reason why `p` must hold.
    Assume(Pred, Why),
    /// `ensure ..`, by its place in [`super::Inverse::ensures`].
    Ensure(EnsureId),
    /// `if p then .. else ..`
    If {
        /// The guard.
        cond: Pred,
        /// The statements to run if it holds.
        then: Vec<Inst>,
        /// The statements to run if it does not hold.
        els: Vec<Inst>,
    },
    /// `for i in 0..count do .. end`
    For {
        /// The loop variable.
        var: VarId,
        /// The number of iterations.
        count: Expr,
        /// The body.
        body: Vec<Inst>,
    },
    /// Elements that are reserved for something else.
    Reserve {
        /// The input array.
        field: FieldId,
        /// First index.
        start: Expr,
        /// One past the last index.
        end: Expr,
    },
    /// `x.target := primitive*(y.source, args..)`: any stream that represents the output.
    Encode(Encode),
}

/// `x.target := primitive*(y.source, args..)`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Encode {
    /// The input array.
    pub target: FieldId,
    /// The output array.
    pub source: FieldId,
    /// The encoder.
    pub primitive: Callee,
    /// The primitive's other arguments.
    pub args: Vec<Expr>,
    /// The length of the stream.
    pub length: StreamLength,
}

/// The length of the stream that a primitive makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StreamLength {
    /// Any length.
    Free,
    /// Any length, which this scalar input records.
    Stored(FieldId),
    /// This length.
    Is(Expr),
}

/// One conjunct of an ensure, and why it is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conjunct {
    /// The condition.
    pub pred: Pred,
    /// The place in the normalization program that requires it.
    pub span: Span,
    /// The reason.
    pub why: Why,
}

impl Conjunct {
    /// Matches a conjunct of the form `for all v in 0..count: x.field[v] = value`.
    pub fn definition(&self, field: FieldId) -> Option<(VarId, &Expr, &Expr)> {
        let Pred::All(var, count, inner) = &self.pred else { return None };
        let Pred::Cmp(Cmp::Eq, a, b) = &**inner else { return None };
        let is_element = |e: &Expr| match e {
            Expr::Ref(r) => {
                r.side == Side::Input
                    && r.field == field
                    && matches!(&r.index[..], [Expr::Var(v)] if v == var)
            }
            _ => false,
        };
        let mentions = |e: &Expr| e.mentions(|r| r.side == Side::Input && r.field == field);
        match (is_element(a), is_element(b)) {
            (true, false) if !mentions(b) => Some((*var, count, b)),
            (false, true) if !mentions(a) => Some((*var, count, a)),
            _ => None,
        }
    }
}

/// The reason why an ensure has a conjunct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// An assumption of the spec.
    Assumed,
    /// A statement assigns an output whose value is already determined.
    Settled,
    /// A branch assigns this scalar input, which an ensure assigns for other branches.
    Assigned(FieldId),
    /// The value of the named input must fit its type.
    Fits(String),
    /// A division must have no remainder.
    Even,
    /// A branch is not inverted.
    Lost,
    /// It is too large to be solved: the run checks it.
    Large,
    /// A divisor is at least 1.
    Divisor,
    /// No element of the named array may be written twice.
    Once(String),
    /// A primitive returns as many elements as it takes from the named array.
    Inside(String),
    /// A primitive gives as many elements as it takes from the named array.
    Length(String),
}

impl Why {
    /// Returns true if inversion derives conjuncts of this kind, which the spec does not state.
    pub fn is_derived(&self) -> bool {
        matches!(self, Why::Once(_) | Why::Inside(_))
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Assumed => f.write_str("assumed"),
            Why::Settled | Why::Assigned(_) => f.write_str("the output must come out as given"),
            Why::Fits(name) => write!(f, "the value must fit the type of {name}"),
            Why::Lost => f.write_str("this branch is not inverted"),
            Why::Large => f.write_str("too large to be solved"),
            Why::Even => f.write_str("the division must come out even"),
            Why::Divisor => f.write_str("a divisor is at least 1"),
            Why::Once(name) => write!(f, "no element of {name} is written twice"),
            Why::Length(name) => write!(f, "the output is as long as {name}"),
            Why::Inside(name) => write!(f, "every index of {name} is inside it"),
        }
    }
}
