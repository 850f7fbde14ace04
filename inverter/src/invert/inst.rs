//! Inverse programs.

use crate::invert::EnsureId;
use crate::program::{Callee, Expr, FieldId, Pred, Ref, Span, VarId};

/// A statement of an inverse, with the place of the statement it inverts.
#[derive(Debug, Clone, PartialEq)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// The place in the normalization program.
    pub span: Span,
}

/// The statements of inverses.
#[derive(Debug, Clone, PartialEq)]
pub enum InstKind {
    /// `x := e`
    Assign {
        /// An input location.
        target: Ref,
        /// Its value: outputs, and inputs that have theirs.
        value: Expr,
    },
    /// `x := *`: any value of the type.
    Free(Ref),
    /// `assume p`: holds, because of an ensure; and why it must.
    Assume(Pred, Why),
    /// `ensure ..`, by its place in [`super::Inverse::ensures`].
    Ensure(EnsureId),
    /// `if p then .. else ..`
    If {
        /// The guard.
        cond: Pred,
        /// Done where it holds.
        then: Vec<Inst>,
        /// Done where it does not.
        els: Vec<Inst>,
    },
    /// `for i in 0..count do .. end`
    For {
        /// The loop variable.
        var: VarId,
        /// How many iterations.
        count: Expr,
        /// The body.
        body: Vec<Inst>,
    },
    /// These elements are somebody else's.
    Reserve {
        /// The input array.
        field: FieldId,
        /// First index.
        start: Expr,
        /// One past the last index.
        end: Expr,
    },
    /// `x.target := primitive*(y.source, args..)`: any stream that stands for the output.
    Encode(Encode),
}

/// `x.target := primitive*(y.source, args..)`
#[derive(Debug, Clone, PartialEq)]
pub struct Encode {
    /// The input array.
    pub target: FieldId,
    /// The output array.
    pub source: FieldId,
    /// What encodes it.
    pub primitive: Callee,
    /// The primitive's other arguments.
    pub args: Vec<Expr>,
    /// How long the stream is.
    pub length: StreamLength,
}

/// How long the stream is that a primitive makes.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamLength {
    /// As long as it comes out.
    Free,
    /// The same, and this scalar input tells it.
    Told(FieldId),
    /// Just so long.
    Is(Expr),
}

/// One conjunct of an ensure, and why it is there.
#[derive(Debug, Clone, PartialEq)]
pub struct Conjunct {
    /// What must hold.
    pub pred: Pred,
    /// The place in the normalization program that asks for it.
    pub span: Span,
    /// Why.
    pub why: Why,
}

/// Why an ensure has a conjunct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The spec assumes it, there.
    Assumed,
    /// The statement there gives an output whose value is already settled.
    Settled,
    /// The value of the named input must fit its type.
    Fits(String),
    /// A division there must come out even.
    Even,
    /// The branch there is given up.
    Lost,
    /// It would be too large to be solved: the run looks at it.
    Large,
    /// The divisor there is at least 1.
    Divisor,
    /// No element of the named array may be written twice.
    Once(String),
    /// Every index of the named array is inside it.
    Inside(String),
    /// A primitive gives as many elements as it takes of the named array.
    Length(String),
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Assumed => f.write_str("assumed"),
            Why::Settled => f.write_str("the output must come out as given"),
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
