//! Views: numbers that are read from the bytes of an array, `let offset = u32le(x.file, 10);`.
//!
//! Each is a hidden scalar of the input record. An assumption at the end of the program equates it
//! with its bytes. Inversion thus chooses the number like any scalar, and writes it into the array
//! as its digits.

use serde::{Deserialize, Serialize};

use super::bit_fields::{BitField, sum};
use super::diagnostic::Diagnostic;
use super::fold::statements;
use super::source::Span;
use super::syntax::{
    Cmp, Expr, Field, IntType, Op, Pred, Program, RecordType, Ref, Side, Stmt, StmtKind, VarId,
};
use crate::program::FieldId;

/// The encoding of a number in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// The number of bytes: 1 to 8.
    pub bytes: usize,
    /// True if the most significant byte comes first.
    pub big: bool,
    /// True if it is two's complement.
    pub signed: bool,
}

/// The names of the functions that read bytes, for help.
pub const FORMS: &str = "u8, i8, u16le, u16be, i16le, i16be, and the same with 24, 32 and 64 bits";

impl Form {
    /// Returns the form that a function's name denotes: `u32le`.
    pub fn of(name: &str) -> Option<Form> {
        let signed = name.starts_with('i');
        let rest = name.strip_prefix(['u', 'i'])?;
        let (bits, big) = match (rest.strip_suffix("le"), rest.strip_suffix("be")) {
            (Some(bits), _) => (bits, false),
            (_, Some(bits)) => (bits, true),
            _ if rest == "8" => (rest, false),
            _ => return None,
        };
        let bytes = match bits {
            "8" if rest == "8" => 1,
            "16" => 2,
            "24" => 3,
            "32" => 4,
            "64" => 8,
            _ => return None,
        };
        Some(Form { bytes, big, signed })
    }

    /// The least and the greatest number, both included.
    pub fn range(self) -> (i128, i128) {
        let size = 1i128 << (8 * self.bytes);
        if self.signed { (-size / 2, size / 2 - 1) } else { (0, size - 1) }
    }

    /// Decodes `bytes`, which has as many bytes as the form.
    pub fn read(self, bytes: &[u8]) -> i128 {
        let add = |n: i128, b: &u8| n << 8 | i128::from(*b);
        let n = match self.big {
            true => bytes.iter().fold(0, add),
            false => bytes.iter().rev().fold(0, add),
        };
        let size = 1i128 << (8 * self.bytes);
        if self.signed && n >= size / 2 { n - size } else { n }
    }

    /// Encodes a number in the form's range into `bytes`, which has as many bytes as the form.
    pub fn write(self, n: i128, bytes: &mut [u8]) {
        let all = n.to_le_bytes();
        for (k, byte) in bytes.iter_mut().enumerate() {
            let at = if self.big { self.bytes - 1 - k } else { k };
            *byte = all.get(at).copied().unwrap_or(0);
        }
    }
}

/// Bytes of an array that represent a number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Bytes {
    /// The input array of bytes, of one dimension.
    pub array: FieldId,
    /// The index of the first byte.
    pub at: Expr,
    /// The encoding.
    pub form: Form,
    /// The place in the text.
    pub span: Span,
}

impl Bytes {
    /// Returns the weighted sum of its digits: the number, read as unsigned.
    pub fn digits(&self) -> Expr {
        let digit = |k: usize| {
            let weight = if self.form.big { self.form.bytes - 1 - k } else { k };
            let index = match (&self.at, k) {
                (at, 0) => at.clone(),
                (Expr::Int(at), k) => Expr::Int(at + k as i128),
                (at, k) => Expr::bin(Op::Add, at.clone(), Expr::Int(k as i128)),
            };
            let byte = Expr::Ref(Ref {
                side: Side::Input,
                field: self.array,
                index: vec![index],
                span: self.span,
            });
            match weight {
                0 => byte,
                weight => Expr::bin(Op::Mul, Expr::Int(1 << (8 * weight)), byte),
            }
        };
        (1..self.form.bytes).fold(digit(0), |sum, k| Expr::bin(Op::Add, sum, digit(k)))
    }
}

/// The last occurrence of a text in an array.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Last {
    /// The input array of bytes, of one dimension.
    pub array: FieldId,
    /// The hidden scalar that is its length.
    pub length: FieldId,
    /// The text, which is not empty.
    pub text: Vec<u8>,
}

/// The maximum distance of a text's last occurrence from the end.
pub const FARTHEST: i128 = 1 << 17;

impl Last {
    /// Returns the distances at which it may begin from the end.
    pub fn distances(&self) -> (i128, i128) {
        (self.text.len() as i128, FARTHEST)
    }

    /// Returns the distance of its start from the end of `bytes`; `None` if it does not occur, or is too far away.
    pub fn find(&self, bytes: &[u8]) -> Option<i128> {
        let from_end = bytes.windows(self.text.len()).rev().position(|w| w == self.text)?;
        let distance = (from_end + self.text.len()) as i128;
        (distance <= FARTHEST).then_some(distance)
    }
}

/// The source of a view's number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Source {
    /// Bytes.
    Bytes(Bytes),
    /// An expression.
    Is(Expr),
    /// The number of elements of an array.
    Length(FieldId),
    /// The distance of a text's last occurrence from the end of an array.
    Last(Last),
    /// The first source if the condition holds, else the second.
    If(Pred, Box<Source>, Box<Source>),
}

/// A loop that encloses the reading of a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Around {
    /// The loop variable.
    pub var: VarId,
    /// The number of iterations; zero if negative.
    pub count: Expr,
}

/// A number that is read from bytes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct View {
    /// Its hidden field in the input record: a scalar, or an array if it is read in loops.
    pub field: FieldId,
    /// The loops that read it, outermost first. The array has a dimension for each loop, and the loops' bounds, which
    /// scalars decide, are its lengths.
    pub loops: Vec<Around>,
    /// The conditions under which it is read, outermost first; it is 0 if one fails.
    pub guards: Vec<Pred>,
    /// Its source.
    pub source: Source,
    /// If it is a word of bit fields, the fields of which it is the weighted sum, each a separate view.
    pub fields: Vec<BitField>,
    /// The place of its `let`.
    pub span: Span,
}

impl View {
    /// Returns true if it is the sum of elements that loops read: a place at a distance from another place.
    fn is_place(&self) -> bool {
        matches!(&self.source, Source::Is(e) if e.mentions(|r| !r.index.is_empty()))
    }

    /// Returns its source with its conditions.
    pub fn whole(&self) -> Source {
        self.guards.iter().rev().fold(self.source.clone(), |inner, guard| {
            Source::If(guard.clone(), Box::new(inner), Box::new(Source::Is(Expr::Int(0))))
        })
    }
}

/// Bytes that contain the length of their own array: `assume(u32le(x.file, 2) == len(x.file));`. They are written last.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredLength {
    /// The bytes.
    pub bytes: Bytes,
    /// The number added to the length.
    pub plus: i128,
    /// The conditions under which they contain the length, outermost first.
    pub guards: Vec<Pred>,
}

/// Returns the type of the hidden scalar for a source: the first that holds all its numbers, or
/// `None` if none does. `of` returns the bounds of an expression.
pub fn type_of(source: &Source, of: &dyn Fn(&Expr) -> (i128, i128)) -> Option<IntType> {
    fn span(source: &Source, of: &dyn Fn(&Expr) -> (i128, i128)) -> (i128, i128) {
        match source {
            Source::Bytes(b) => b.form.range(),
            Source::Is(e) => of(e),
            Source::Length(_) => IntType::U32.range(),
            Source::Last(last) => (0, last.distances().1),
            Source::If(_, a, b) => {
                let (a, b) = (span(a, of), span(b, of));
                (a.0.min(b.0), a.1.max(b.1))
            }
        }
    }
    // A view that is not read is 0, which every type holds.
    let (least, most) = span(source, of);
    IntType::ALL.into_iter().find(|t| t.range().0 <= least && most <= t.range().1)
}

/// Returns the equations of views as statements. Views under the same condition share one conditional, so that mutually
/// exclusive views remain exclusive in the inverse. Places come first, because they determine the distances between
/// them, whose digits are then written.
pub fn equations(input: &RecordType, views: &[View]) -> Vec<Stmt> {
    let mut out = Vec::new();
    let of_words: Vec<FieldId> =
        views.iter().flat_map(|view| &view.fields).map(|part| part.field).collect();
    let own = views.iter().filter(|view| !of_words.contains(&view.field));
    let (places, others): (Vec<&View>, Vec<&View>) = own.partition(|view| view.is_place());
    for view in places.into_iter().chain(others) {
        let index: Vec<Expr> = view.loops.iter().map(|l| Expr::Var(l.var)).collect();
        let word = (!view.fields.is_empty()).then(|| sum(&view.fields, &index, view.span));
        let number = Ref { side: Side::Input, field: view.field, index, span: view.span };
        let range = input.fields[view.field].int.range();
        if let Some((sum, bounds)) = word {
            let word = View { source: Source::Is(sum), ..view.clone() };
            let equation = Equation { number: number.clone(), range, bounds };
            equation.insert(&mut out, &view.loops, &word.whole());
        }
        let equation = Equation { number, range, bounds: Pred::Const(true) };
        equation.insert(&mut out, &view.loops, &view.whole());
    }
    out
}

/// The equation of a number with its source.
struct Equation {
    number: Ref,
    /// The range of the number's type.
    range: (i128, i128),
    /// If the number is a word of bit fields, the condition that bounds the fields.
    bounds: Pred,
}

impl Equation {
    /// Appends the statements of the equation, for each iteration of `loops`. Conditions that do not depend on the
    /// loops are placed outside them.
    fn insert(&self, out: &mut Vec<Stmt>, loops: &[Around], source: &Source) {
        let span = self.number.span;
        let number = Expr::Ref(self.number.clone());
        let assume = |p: Pred| Stmt { kind: StmtKind::Assume(p), span };
        match source {
            Source::If(p, a, b) if !loops.iter().any(|l| p.mentions_var(l.var)) => {
                let not = p.negated();
                for stmt in out.iter_mut() {
                    let StmtKind::If { cond, then, els } = &mut stmt.kind else { continue };
                    if *cond != *p && *cond != not {
                        continue;
                    }
                    let (then, els) = if *cond == *p { (then, els) } else { (els, then) };
                    self.insert(then, loops, a);
                    self.insert(els, loops, b);
                    return;
                }
                let (mut then, mut els) = (Vec::new(), Vec::new());
                self.insert(&mut then, loops, a);
                self.insert(&mut els, loops, b);
                out.push(Stmt { kind: StmtKind::If { cond: p.clone(), then, els }, span });
            }
            source if !loops.is_empty() => {
                let mut body = Vec::new();
                self.insert(&mut body, &loops[1..], source);
                let Around { var, count } = loops[0].clone();
                out.push(Stmt { kind: StmtKind::For { var, count, body }, span });
            }
            Source::Is(e) => {
                if self.bounds != Pred::Const(true) {
                    out.push(assume(self.bounds.clone()));
                }
                out.push(assume(Pred::cmp(Cmp::Eq, number, e.clone())));
            }
            Source::Bytes(b) => {
                let (least, most) = b.form.range();
                let (lo, hi) = self.range;
                if lo < least {
                    out.push(assume(Pred::cmp(Cmp::Ge, number.clone(), Expr::Int(least))));
                }
                if most < hi {
                    out.push(assume(Pred::cmp(Cmp::Le, number.clone(), Expr::Int(most))));
                }
                let size = Expr::Int(1 << (8 * b.form.bytes));
                let plain = if b.form.signed { Expr::bin(Op::Rem, number, size) } else { number };
                out.push(assume(Pred::cmp(Cmp::Eq, plain, b.digits())));
            }
            Source::Last(last) => self.occurs(last, out),
            // The array is declared to be that long. A condition occurs here only with loops, which an arm above
            // handles.
            Source::Length(_) | Source::If(..) => {}
        }
    }
}

impl Equation {
    /// Appends that the text occurs at this distance. The condition that it does not occur later is not an equation.
    fn occurs(&self, last: &Last, out: &mut Vec<Stmt>) {
        let (span, distance) = (self.number.span, Expr::Ref(self.number.clone()));
        let (least, most) = last.distances();
        let of = |field, index| Expr::Ref(Ref { side: Side::Input, field, index, span });
        let start = Expr::bin(Op::Sub, of(last.length, Vec::new()), distance.clone());
        let byte = |(k, byte): (usize, &u8)| {
            let at = Expr::bin(Op::Add, start.clone(), Expr::Int(k as i128));
            Pred::cmp(Cmp::Eq, of(last.array, vec![at]), Expr::Int((*byte).into()))
        };
        let within = [
            Pred::cmp(Cmp::Ge, distance.clone(), Expr::Int(least)),
            Pred::cmp(Cmp::Le, distance.clone(), Expr::Int(most)),
        ];
        let all = within.into_iter().chain(last.text.iter().enumerate().map(byte));
        out.extend(all.map(|p| Stmt { kind: StmtKind::Assume(p), span }));
    }
}

/// Appends the errors in the views of a program.
pub fn check(program: &Program, found: &mut Vec<Diagnostic>) {
    overlaps(program, found);
    unused(program, found);
}

/// Collects the bytes that are read, with the conditions under which they are read.
fn settled<'v>(source: &'v Source, guards: &mut Vec<Pred>, out: &mut Vec<(Vec<Pred>, &'v Bytes)>) {
    match source {
        Source::Bytes(b) => out.push((guards.clone(), b)),
        Source::Is(_) | Source::Length(_) | Source::Last(_) => {}
        Source::If(p, a, b) => {
            for (p, inner) in [(p.clone(), a), (p.negated(), b)] {
                guards.push(p);
                settled(inner, guards, out);
                guards.pop();
            }
        }
    }
}

fn overlaps(program: &Program, found: &mut Vec<Diagnostic>) {
    let whole: Vec<(Option<FieldId>, Source)> = program
        .views
        .iter()
        .map(|v| (Some(v.field), v.whole()))
        .chain(program.stored_lengths.iter().map(|t| (None, Source::Bytes(t.bytes.clone()))))
        .collect();
    let mut all = Vec::new();
    for (field, source) in &whole {
        let mut bytes = Vec::new();
        settled(source, &mut Vec::new(), &mut bytes);
        all.extend(bytes.into_iter().map(|(guards, b)| (*field, guards, b)));
    }
    let name = |field: Option<FieldId>| match field {
        Some(field) => format!("`{}`", program.input.fields[field].name),
        None => "the length".to_owned(),
    };
    for (k, (field, guards, b)) in all.iter().enumerate() {
        let Expr::Int(at) = b.at else { continue };
        for (other, apart, o) in &all[..k] {
            let Expr::Int(from) = o.at else { continue };
            let excluded = guards.iter().any(|g| apart.contains(&g.negated()));
            let shared = from.max(at)..(from + o.form.bytes as i128).min(at + b.form.bytes as i128);
            if o.array != b.array || excluded || shared.is_empty() {
                continue;
            }
            let array = &program.input.fields[b.array].name;
            let message = format!(
                "{} and {} overlap: both are read from {array}[{}]",
                name(*other),
                name(*field),
                shared.start
            );
            let last = from + o.form.bytes as i128;
            found.push(Diagnostic::new(message, b.span, "the second").help(format!(
                "the first ends before {array}[{last}]; give each its own bytes, or read them once"
            )));
            break;
        }
    }
}

fn unused(program: &Program, found: &mut Vec<Diagnostic>) {
    let mut used = vec![false; program.input.fields.len()];
    {
        let mut note = |r: &Ref| {
            if r.side == Side::Input {
                used[r.field] = true;
            }
        };
        let body = &program.body[..program.body.len() - program.equations];
        statements(body, &mut |stmt| stmt.exprs(&mut |e| e.refs(&mut note)));
        for view in &program.views {
            view.guards.iter().for_each(|g| g.refs(&mut note));
            places(&view.source, &mut note);
        }
    }
    for view in &program.views {
        let field: &Field = &program.input.fields[view.field];
        if !used[view.field] && !field.name.starts_with('_') {
            let message = format!("`{}` is read, and nothing depends on it", field.name);
            found.push(Diagnostic::new(message, view.span, "read here").help(format!(
                "say what it must be, as in `assume({0} == 0);`; if any number may stand there, \
                 call it `_{0}`",
                field.name
            )));
        }
    }
}

fn places<'v>(source: &'v Source, note: &mut dyn FnMut(&'v Ref)) {
    match source {
        Source::Bytes(b) => b.at.refs(note),
        Source::Is(e) => e.refs(note),
        Source::Length(_) | Source::Last(_) => {}
        Source::If(p, a, b) => {
            p.refs(note);
            places(a, note);
            places(b, note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn forms_are_named_by_their_width() {
        for (name, bytes, big, signed) in [
            ("u8", 1, false, false),
            ("i8", 1, false, true),
            ("u16be", 2, true, false),
            ("i24le", 3, false, true),
            ("u64le", 8, false, false),
        ] {
            assert_eq!(Form::of(name), Some(Form { bytes, big, signed }), "{name}");
        }
        for name in ["u16", "u8le", "u12le", "f32le", "le", "min"] {
            assert_eq!(Form::of(name), None, "{name}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for name in ["u8", "i8", "u16le", "i16be", "u24be", "i32le", "u32be", "i64be", "u64le"] {
            let form = Form::of(name).unwrap();
            let (least, most) = form.range();
            for n in [least, least + 1, least / 3, 0, 1, most / 3, most - 1, most] {
                let mut bytes = vec![0; form.bytes];
                form.write(n, &mut bytes);
                assert_eq!(form.read(&bytes), n, "{name}");
            }
        }
        let mut bytes = [0; 4];
        Form::of("u32be").unwrap().write(0x0102_0304, &mut bytes);
        assert_eq!(bytes, [1, 2, 3, 4]);
    }
}
