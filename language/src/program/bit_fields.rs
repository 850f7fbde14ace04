//! Bit fields: the parts of a word that is read from bytes.

use serde::{Deserialize, Serialize};

use super::id::FieldId;
use super::source::Span;
use super::syntax::{Cmp, Expr, Op, Pred, Ref, Side};

/// Neighbouring bits of a word.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BitField {
    /// Its hidden array.
    pub field: FieldId,
    /// The lowest bit, from 0.
    pub lowest: u32,
    /// The number of bits.
    pub size: u32,
}

/// Returns the weighted sum of bit fields, each at this element, and their bounds.
pub fn sum(fields: &[BitField], index: &[Expr], span: Span) -> (Expr, Pred) {
    let element = |f: &BitField| {
        Expr::Ref(Ref { side: Side::Input, field: f.field, index: index.to_vec(), span })
    };
    let weighted = |f: &BitField| match f.lowest {
        0 => element(f),
        lowest => Expr::bin(Op::Mul, Expr::Int(1 << lowest), element(f)),
    };
    let sum = fields.iter().map(weighted).reduce(|a, b| Expr::bin(Op::Add, a, b));
    let most = |f: &BitField| Expr::Int((1 << f.size) - 1);
    let bounds = fields.iter().map(|f| Pred::cmp(Cmp::Le, element(f), most(f)));
    (sum.unwrap_or(Expr::Int(0)), Pred::and(bounds))
}
