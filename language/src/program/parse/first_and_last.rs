//! Numbers that are read outside loops from the bytes of the first element of an array, or of the element after those
//! that a loop counts: `let total = u32le(x.file, offsets + 4 * n);` where the loop reads the rows' starts at
//! `offsets + 4 * k`.
//!
//! Bytes must have only one name, because otherwise two independently chosen numbers would be written to them. The
//! number is therefore the element itself, and the array has room for it even if the loop has no iteration.

use super::Reader;
use crate::program::FieldId;
use crate::program::poly::{Atom, Poly};
use crate::program::syntax::{Cmp, Expr, Field, Length, Op, Pred, Ref, Side, Stmt, StmtKind};
use crate::program::views::{Bytes, Source, View};

/// The number of elements that a loop reads of an array.
enum Reads {
    /// One for each iteration.
    Own,
    /// One more, if there is any iteration, because each iteration also reads the next element.
    AndNext,
}

/// An array with an element for each iteration of one loop.
struct Rows {
    field: FieldId,
    /// The bytes of the element that the loop variable counts.
    bytes: Bytes,
    var: Atom,
    /// The number of iterations.
    count: Expr,
    reads: Reads,
}

impl Rows {
    /// Returns the array of a view, if it is one of this kind.
    fn of(view: &View, fields: &[Field]) -> Option<Rows> {
        let View { field, loops, guards, source: Source::Bytes(bytes), .. } = view else {
            return None;
        };
        let [level] = &loops[..] else { return None };
        let [Length::Is(length)] = &fields.get(field.0)?.lengths[..] else { return None };
        if !guards.is_empty() || *length != level.count {
            return None;
        }
        let (count, reads) = match &level.count {
            Expr::Bin(Op::Add, count, more) if **more == one_if_any(count) => {
                ((**count).clone(), Reads::AndNext)
            }
            count => (count.clone(), Reads::Own),
        };
        let (field, bytes, var) = (*field, bytes.clone(), Atom::Var(level.var));
        Some(Rows { field, bytes, var, count, reads })
    }

    /// Returns the place of the element with this index.
    fn at(&self, index: &Expr) -> Poly {
        Poly::of(&self.bytes.at).replace(&self.var, &Poly::of(index))
    }

    /// Returns the index of the element whose place is `at`: the first one, or the one after the iterations.
    fn index(&self, at: &Expr) -> Option<Expr> {
        let at = Poly::of(at);
        self.ends().into_iter().find(|index| self.at(index) == at)
    }

    /// Returns the indices of the first element, and of the one after the iterations.
    fn ends(&self) -> [Expr; 2] {
        [Expr::Int(0), self.count.clone()]
    }

    /// Returns the length of an array that contains the element with this index.
    fn with(&self, index: &Expr) -> Expr {
        match (index, &self.reads) {
            (Expr::Int(0), Reads::Own) => Expr::bin(Op::Max, self.count.clone(), Expr::Int(1)),
            _ => Expr::bin(Op::Add, self.count.clone(), Expr::Int(1)),
        }
    }

    /// Returns true if its bytes, or its number of elements, depend on a field.
    fn depends_on(&self, field: FieldId) -> bool {
        let own = |r: &Ref| r.side == Side::Input && r.field == field;
        self.bytes.at.mentions(own) || self.count.mentions(own)
    }
}

/// Returns 1 for a positive count, and the count otherwise.
pub(super) fn one_if_any(count: &Expr) -> Expr {
    Expr::bin(Op::Min, count.clone(), Expr::Int(1))
}

impl Reader<'_> {
    /// Gives the first and last elements of arrays a single name in the views and in the assumptions of a body.
    pub(super) fn first_and_last(&mut self, body: &mut [Stmt]) {
        let arrays: Vec<FieldId> = self.views.iter().map(|view| view.field).collect();
        for array in arrays {
            let Some(rows) = self.rows(array) else { continue };
            let mut indices = self.scalars_of(&rows);
            let assumed = assumptions(body, &rows);
            indices.extend(assumed.iter().map(|(_, index)| index.clone()));
            // Starting with the last: each moves to the end, after the loops that assign the other elements.
            for (stmt, index) in assumed.into_iter().rev() {
                let Some(moved) = body.get_mut(stmt..) else { continue };
                if let Some(Stmt { kind: StmtKind::Assume(Pred::Cmp(_, digits, _)), span }) =
                    moved.first_mut()
                {
                    let (side, field, index) = (Side::Input, rows.field, vec![index]);
                    *digits = Expr::Ref(Ref { side, field, index, span: *span });
                }
                moved.rotate_left(1);
            }
            // The longer of the two lengths, one of which is the count and the other one more.
            let lengths = indices.iter().map(|index| rows.with(index));
            let longest = lengths.max_by_key(|length| matches!(length, Expr::Bin(Op::Add, ..)));
            if let Some(length) = longest {
                self.lengthen(&rows, length);
            }
        }
    }

    fn place_of(&self, field: FieldId) -> Option<usize> {
        self.views.iter().position(|view| view.field == field)
    }

    fn rows(&self, array: FieldId) -> Option<Rows> {
        let view = self.views.get(self.place_of(array)?)?;
        Rows::of(view, &self.input.as_ref()?.fields)
    }

    /// Replaces hidden scalars by elements that are read from bytes of such an array; returns the elements' indices.
    fn scalars_of(&mut self, rows: &Rows) -> Vec<Expr> {
        let read = |view: &View| {
            let Source::Bytes(bytes) = &view.source else { return None };
            let alike = (bytes.array, bytes.form) == (rows.bytes.array, rows.bytes.form);
            let plain = view.loops.is_empty() && view.guards.is_empty();
            let index = rows.index(&bytes.at).filter(|_| plain && alike)?;
            Some((view.field, index)).filter(|_| !rows.depends_on(view.field))
        };
        let scalars: Vec<(FieldId, Expr)> = self.views.iter().filter_map(read).collect();
        let mut found = Vec::new();
        for (scalar, index) in scalars {
            if !self.behind(scalar, rows.field) {
                continue;
            }
            if let Some(view) = self.views.iter_mut().find(|view| view.field == scalar) {
                let (side, field, span) = (Side::Input, rows.field, view.span);
                let element = Ref { side, field, index: vec![index.clone()], span };
                view.source = Source::Is(Expr::Ref(element));
                found.push(index);
            }
        }
        found
    }

    /// Orders two views so that the scalar comes after the array, because views are read in order. Returns false if a
    /// view between them needs one of them and the other needs that view.
    fn behind(&mut self, scalar: FieldId, array: FieldId) -> bool {
        let (Some(first), Some(last)) = (self.place_of(scalar), self.place_of(array)) else {
            return false;
        };
        if last < first {
            return true;
        }
        let Some(between) = self.views.get(first + 1..last) else { return false };
        if !between.iter().any(|view| view.needs(scalar)) {
            self.views[first..=last].rotate_left(1);
            return true;
        }
        let free = !between.iter().any(|view| self.views[last].needs(view.field));
        if free {
            self.views[first..=last].rotate_right(1);
        }
        free
    }

    fn lengthen(&mut self, rows: &Rows, length: Expr) {
        let view = self.views.iter_mut().find(|view| view.field == rows.field);
        let level = view.and_then(|view| view.loops.first_mut());
        let Some(input) = &mut self.input else { return };
        let lengths = input.fields.get_mut(rows.field.0).and_then(|f| f.lengths.first_mut());
        if let (Some(own), Some(level)) = (lengths, level) {
            *own = Length::Is(length.clone());
            level.count = length;
        }
    }
}

impl View {
    /// Returns true if its number depends on another one.
    fn needs(&self, field: FieldId) -> bool {
        let own = |r: &Ref| r.side == Side::Input && r.field == field;
        let mut needs = self.loops.iter().any(|level| level.count.mentions(own));
        let whole = self.whole();
        whole.refs(&mut |r| needs |= own(r));
        needs
    }
}

/// Returns the assumptions outside loops and conditions that compare an element's digits with a numeral, by position,
/// with the elements' indices.
fn assumptions(body: &[Stmt], rows: &Rows) -> Vec<(usize, Expr)> {
    if rows.bytes.form.signed {
        return Vec::new();
    }
    let digits = |index: &Expr| {
        let at = rows.at(index).to_expr();
        Poly::of(&Bytes { at, ..rows.bytes.clone() }.digits())
    };
    let ends = rows.ends().map(|index| (digits(&index), index));
    let found = body.iter().enumerate().filter_map(|(k, stmt)| {
        let StmtKind::Assume(Pred::Cmp(Cmp::Eq, a, Expr::Int(_))) = &stmt.kind else { return None };
        let a = Poly::of(a);
        let (_, index) = ends.iter().find(|(digits, _)| *digits == a)?;
        Some((k, index.clone()))
    });
    found.collect()
}
