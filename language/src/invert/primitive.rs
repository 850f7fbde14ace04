//! Primitives: a decoder is inverted by its encoder.

use std::fmt::{self, Formatter};

use super::inst::{Encode, Inst, InstKind, StreamLength, Why};
use super::sequence::Inverter;
use super::{Inverse, conditional, simplify};
use crate::program::fold::statements;
use crate::program::print::Show;
use crate::program::{
    Callee, Cmp, Diagnostic, Expr, FieldId, Length, Op, Pred, Program, Ref, Side, Stmt, StmtKind,
    range,
};

impl Inverter<'_> {
    /// Inverts `y.target = primitive(x.source, args..)`.
    pub fn decode(&mut self, stmt: &Stmt, out: &mut Vec<Inst>) {
        let StmtKind::Decode { target, source, primitive, args } = &stmt.kind else { return };
        let (at, program) = (stmt.span, self.program);
        let args = args.iter().map(|e| self.settled_expr(e, at, out)).collect();
        let length = match &program.input.fields[*source].lengths[..] {
            [Length::Is(Expr::Ref(r))] if self.only_tells(r, *source) => {
                StreamLength::Stored(r.field)
            }
            [Length::Is(e)] => {
                let e = self.settled_expr(e, at, out);
                self.given_length(&e, *target, *source, primitive, stmt, out);
                StreamLength::Is(e)
            }
            _ => StreamLength::Free,
        };
        let encode = Encode {
            target: *source,
            source: *target,
            primitive: primitive.clone(),
            args,
            length: length.clone(),
        };
        out.push(Inst { kind: InstKind::Encode(encode), span: at });
        if let StreamLength::Stored(field) = length {
            self.mark_determined(&conditional::scalar(field, at), at, out);
        }
    }

    /// Returns true if the scalar `r` is only the length of the array `source`.
    fn only_tells(&self, r: &Ref, source: FieldId) -> bool {
        let open = r.side == Side::Input && self.state.is_undetermined(r, &self.nest);
        let fields = self.program.input.indexed();
        let lengths = fields.filter(|(k, _)| *k != source).flat_map(|(_, f)| &f.lengths);
        let mut used = mentions(&self.program.body, r.field);
        for length in lengths {
            if let Length::Is(e) = length {
                used |= e.mentions(|o| o.side == Side::Input && o.field == r.field);
            }
        }
        open && !used
    }

    /// The stream has a length that is settled before it is made.
    fn given_length(
        &mut self,
        length: &Expr,
        target: FieldId,
        source: FieldId,
        primitive: &Callee,
        stmt: &Stmt,
        out: &mut Vec<Inst>,
    ) {
        let result = self.program.output.fields[target].lengths.first();
        if let (true, Some(Length::Is(data))) = (primitive.keeps_length, result) {
            // A length below 0 counts as 0.
            let counted = |e: &Expr| match range::of(self.program, e).0 {
                0.. => e.clone(),
                _ => Expr::bin(Op::Max, e.clone(), Expr::Int(0)),
            };
            let same = Pred::cmp(Cmp::Eq, counted(length), counted(data));
            if simplify::pred(self.program, &same) != Pred::Const(true) {
                let why = Why::Length(self.program.input_name(source));
                out.push(Inst { kind: InstKind::Assume(same, why), span: stmt.span });
            }
            return;
        }
        let name = self.program.input_name(source);
        let message = format!("whether {name} can be as long as it is declared is only seen then");
        self.losses.push(Diagnostic::new(message, stmt.span, "encoded here").help(
            "leave its length free, or declare a scalar that has no other use as its length",
        ));
    }
}

/// Returns true if a statement mentions the scalar input `field`.
fn mentions(body: &[Stmt], field: FieldId) -> bool {
    let mut found = false;
    statements(body, &mut |stmt| {
        stmt.exprs(&mut |e| found |= e.mentions(|r| r.side == Side::Input && r.field == field));
    });
    found
}

impl Encode {
    /// The expressions in the call.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let length = match &self.length {
            StreamLength::Is(e) => Some(e),
            StreamLength::Free | StreamLength::Stored(_) => None,
        };
        self.args.iter().chain(length)
    }

    /// Calls `visit` on every reference in the call.
    pub fn refs<'e>(&'e self, visit: &mut dyn FnMut(&'e Ref)) {
        self.exprs().for_each(|e| e.refs(visit));
    }
}

/// Returns true if the array `field` is encoded on every path through `body`.
pub(super) fn encoded(body: &[Inst], field: FieldId) -> bool {
    body.iter().any(|inst| match &inst.kind {
        InstKind::Encode(e) => e.target == field,
        InstKind::If { then, els, .. } => encoded(then, field) && encoded(els, field),
        _ => false,
    })
}

impl Inverse {
    /// The calls of encoders, in the order in which they stand.
    pub fn encodes(&self) -> Vec<&Encode> {
        fn collect<'i>(body: &'i [Inst], out: &mut Vec<&'i Encode>) {
            for inst in body {
                match &inst.kind {
                    InstKind::Encode(e) => out.push(e),
                    InstKind::If { then, els, .. } => {
                        collect(then, out);
                        collect(els, out);
                    }
                    _ => {}
                }
            }
        }
        let mut out = Vec::new();
        collect(&self.body, &mut out);
        out
    }
}

/// `x.stream := packbits*(y.data)`
pub(super) fn print(f: &mut Formatter<'_>, p: &Program, e: &Encode, pad: &str) -> fmt::Result {
    let target = p.input_name(e.target);
    let source = format!("{}.{}", p.output.binder, p.output.fields[e.source].name);
    write!(f, "{pad}{target} := {}*({source}", e.primitive.name)?;
    for arg in &e.args {
        write!(f, ", {}", Show(p, arg))?;
    }
    writeln!(f, ")")?;
    if let StreamLength::Stored(field) = e.length {
        writeln!(f, "{pad}{} := length of {target}", p.input_name(field))?;
    }
    Ok(())
}
