//! Reads views, `u32le(x.file, 10)`, with a name or in an expression, and assumptions about bytes.

use super::Reader;
use crate::program::FieldId;
use crate::program::diagnostic::Diagnostic;
use crate::program::range;
use crate::program::source::Span;
use crate::program::syntax::{Cmp, Expr, Field, IntType, Pred, Ref, Side, Stmt, StmtKind};
use crate::program::views::{Around, Bytes, Form, Source, StoredLength, View, type_of};

const READS: &str = "write `let name = u16le(x.file, place);` with an input array of u8 of one \
                     dimension";
const MAGIC: &str = "write `assume(bytes(x.file, place) == b\"..\");`";
const LENGTH: &str = "write `assume(u32le(x.file, place) == len(x.file));`, with a numeral added \
                      to the length or taken away if need be";

/// Returns the name of a called function and its arguments; `None` if `e` is not a call.
pub(super) fn called(e: &syn::Expr) -> Option<(String, Vec<&syn::Expr>)> {
    let syn::Expr::Call(call) = plain(e) else { return None };
    let syn::Expr::Path(path) = &*call.func else { return None };
    Some((path.path.get_ident()?.to_string(), call.args.iter().collect()))
}

/// Removes outer parentheses.
pub(super) fn plain(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => plain(&p.expr),
        e => e,
    }
}

/// Returns the bytes of `b"BM"` or `"BM"`.
pub(super) fn literal(e: &syn::Expr) -> Option<Vec<u8>> {
    match plain(e) {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(s), .. }) => Some(s.value()),
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }) => Some(s.value().into_bytes()),
        _ => None,
    }
}

/// Returns the expression that forms the whole block, if there is one.
fn only(block: &syn::Block) -> Option<&syn::Expr> {
    match &block.stmts[..] {
        [syn::Stmt::Expr(e, None)] => Some(e),
        _ => None,
    }
}

impl Reader<'_> {
    /// Returns true if `e` reads a number from bytes.
    pub(super) fn reads_bytes(&self, e: &syn::Expr) -> bool {
        called(e).is_some_and(|(name, _)| Form::of(&name).is_some())
    }

    fn has_view(&self, e: &syn::Expr) -> bool {
        match plain(e) {
            // A conditional is always a separate view.
            syn::Expr::If(_) | syn::Expr::Match(_) => true,
            e => self.reads_bytes(e),
        }
    }

    /// Reads `let name = u32le(x.file, 10);`, or a conditional whose branches are such reads, as a hidden scalar.
    /// `None` for anything else, `Some(None)` after an error.
    pub(super) fn view(&mut self, name: &str, e: &syn::Expr, span: Span) -> Option<Option<Expr>> {
        if called(e).is_some_and(|(name, _)| name == "last") {
            return Some(self.last(name, e, span));
        }
        if !self.has_view(e) {
            return None;
        }
        // In a loop it is a different number in each iteration.
        match self.around.is_empty() {
            true => Some(self.hidden(name, e, span)),
            false => Some(self.loop_read(name, e, span)),
        }
    }

    fn hidden(&mut self, name: &str, e: &syn::Expr, span: Span) -> Option<Expr> {
        let source = self.source_of(e)?;
        self.hidden_scalar(name, source, span)
    }

    /// Declares a hidden scalar with this source.
    pub(super) fn hidden_scalar(&mut self, name: &str, source: Source, span: Span) -> Option<Expr> {
        let input = self.input.as_ref()?;
        if input.field(name).is_some() {
            let message = format!("`{name}` is read twice");
            let help = "a view is a dimension of its own, so it needs a name of its own; read in \
                        two ways, it is `let name = if p { u16le(..) } else { u32le(..) };`";
            return self.refuse(Diagnostic::new(message, span, "again").help(help));
        }
        let int = self.view_type(&source, &[], span)?;
        let hidden = Field { name: name.to_owned(), int, lengths: Vec::new(), element: None, span };
        let field = self.add_view(hidden, Vec::new(), self.guards.clone(), source)?;
        Some(Expr::Ref(Ref { side: Side::Input, field, index: Vec::new(), span }))
    }

    /// Returns the type that holds all numbers that are read in this way in these loops.
    pub(super) fn view_type(
        &mut self,
        source: &Source,
        loops: &[Around],
        span: Span,
    ) -> Option<IntType> {
        let types: Vec<IntType> = self.input.as_ref()?.fields.iter().map(|f| f.int).collect();
        let of = |e: &Expr| range::in_loops(e, loops, &|r: &Ref| types[r.field].range());
        let Some(int) = type_of(source, &of) else {
            let message = "no type holds all that this can be";
            let d = Diagnostic::new(message, span, "here");
            return self.refuse(d.help("integers are at most 64 bits wide"));
        };
        Some(int)
    }

    /// Declares a hidden field, and how it is read.
    pub(super) fn add_view(
        &mut self,
        hidden: Field,
        loops: Vec<Around>,
        guards: Vec<Pred>,
        source: Source,
    ) -> Option<FieldId> {
        let fields = &mut self.input.as_mut()?.fields;
        let (field, span) = (FieldId(fields.len()), hidden.span);
        fields.push(hidden);
        self.views.push(View { field, loops, guards, source, fields: Vec::new(), span });
        Some(field)
    }

    pub(super) fn source_of(&mut self, e: &syn::Expr) -> Option<Source> {
        match plain(e) {
            syn::Expr::If(c) => {
                let (then, els) = (only(&c.then_branch), &c.else_branch);
                let (Some(then), Some((_, els))) = (then, els) else {
                    let message = "this conditional is no number in both of its branches";
                    let d = Diagnostic::new(message, self.span_of(e), "here");
                    return self.refuse(d.help("write `if p { u16le(..) } else { 0 }`"));
                };
                let cond = self.pred(&c.cond);
                let (a, b) = (self.source_of(then), self.source_of(els));
                Some(Source::If(cond?, Box::new(a?), Box::new(b?)))
            }
            syn::Expr::Match(m) => self.matched(m),
            syn::Expr::Block(b) => match only(&b.block) {
                Some(e) => self.source_of(e),
                None => self.expr(e).map(Source::Is),
            },
            e if self.reads_bytes(e) => self.bytes(e).map(Source::Bytes),
            e => self.expr(e).map(Source::Is),
        }
    }

    /// `u32le(x.file, 10)`
    pub(super) fn bytes(&mut self, e: &syn::Expr) -> Option<Bytes> {
        let (name, args) = called(e)?;
        let form = Form::of(&name)?;
        let [array, at] = args[..] else {
            let message =
                format!("`{name}` takes an array and a place, not {} arguments", args.len());
            return self.refuse(Diagnostic::new(message, self.span_of(e), "here").help(READS));
        };
        let (array, at) = (self.byte_array(array), self.expr(at));
        let (array, at) = (array?, at?);
        if let Expr::Int(n) = at
            && n < 0
        {
            let message = format!("there is no place {n} in an array");
            return self.refuse(Diagnostic::new(message, self.span_of(e), "here"));
        }
        Some(Bytes { array, at, form, span: self.span_of(e) })
    }

    /// An input array of bytes of one dimension.
    pub(super) fn byte_array(&mut self, e: &syn::Expr) -> Option<FieldId> {
        let at = self.span_of(e);
        if !matches!(plain(e), syn::Expr::Field(_)) {
            let d = Diagnostic::new("bytes are read from an array as a whole", at, "not one");
            return self.refuse(d.help(READS));
        }
        let (side, field) = self.field_name(plain(e))?;
        let record = match side {
            Side::Input => self.input.as_ref()?,
            Side::Output => self.output.as_ref()?,
        };
        let f = &record.fields[field];
        let name = format!("{}.{}", record.binder, f.name);
        let wrong = match f.lengths.len() {
            _ if side == Side::Output => Some(format!("`{name}` is an output: it is not read")),
            0 => Some(format!("`{name}` is a scalar: it has no bytes to read from")),
            1 if f.int == IntType::U8 => None,
            1 => Some(format!("the elements of `{name}` are {}, not bytes", f.int)),
            n => Some(format!("`{name}` has {n} dimensions, not one")),
        };
        match wrong {
            Some(message) => self.refuse(Diagnostic::new(message, at, "here").help(READS)),
            None => Some(field),
        }
    }

    /// Reads a number in an expression, as its digits.
    pub(super) fn digits(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let bytes = self.bytes(&syn::Expr::Call(call.clone()))?;
        if bytes.form.signed {
            let message = "a signed number is read in an expression";
            let help = "give it a name first: `let name = i16le(..);`";
            return self.refuse(Diagnostic::new(message, bytes.span, "here").help(help));
        }
        match self.unnamed_read(&bytes) {
            Some(placeholder) => Some(placeholder),
            None => Some(bytes.digits()),
        }
    }

    /// Reads `assume(bytes(x.file, 0) == b"BM");`, `magic(x.file, 0, b"BM");` and
    /// `assume(u32le(x.file, 2) == len(x.file));`: `None` for any other statement, `Some(None)`
    /// after an error.
    pub(super) fn bytes_statement(&mut self, e: &syn::Expr, at: Span) -> Option<Option<Vec<Stmt>>> {
        let (name, args) = called(e)?;
        match (name.as_str(), &args[..]) {
            ("magic", [array, place, text]) => Some(self.magic(array, place, text, at)),
            ("magic", _) => {
                let d = Diagnostic::new("`magic` takes an array, a place and a text", at, "here");
                Some(self.refuse(d.help(MAGIC)))
            }
            ("assume", [p]) => {
                let syn::Expr::Binary(b) = plain(p) else { return None };
                let is = |e: &syn::Expr, what: &str| called(e).is_some_and(|c| c.0 == what);
                let (l, r) = (plain(&b.left), plain(&b.right));
                if is(l, "bytes") || is(r, "bytes") {
                    let (call, text) = if is(l, "bytes") { (l, r) } else { (r, l) };
                    return Some(match (&b.op, called(call).map(|c| c.1).as_deref()) {
                        (syn::BinOp::Eq(_), Some([array, place])) => {
                            self.magic(array, place, text, at)
                        }
                        _ => {
                            let d = Diagnostic::new("this cannot be assumed of bytes", at, "here");
                            self.refuse(d.help(MAGIC))
                        }
                    });
                }
                let (stored, length) = match (has_len(l), has_len(r)) {
                    (false, true) => (l, r),
                    (true, false) => (r, l),
                    _ => return None,
                };
                // A walk decides the length of the file like any number.
                if self.walking {
                    return None;
                }
                let equal = matches!(b.op, syn::BinOp::Eq(_));
                let alone = equal && self.reads_bytes(stored) && self.is_plain_length(length);
                alone.then(|| self.stored_length(stored, length, at))
            }
            _ => None,
        }
    }

    fn magic(
        &mut self,
        array: &syn::Expr,
        place: &syn::Expr,
        text: &syn::Expr,
        at: Span,
    ) -> Option<Vec<Stmt>> {
        let Some(text) = literal(text) else {
            let d = Diagnostic::new("this is no text", self.span_of(text), "here").help(MAGIC);
            return self.refuse(d);
        };
        let (array, place) = (self.byte_array(array), self.expr(place));
        let (array, place) = (array?, place?);
        let one = Form { bytes: 1, big: false, signed: false };
        let is = |(k, byte): (usize, &u8)| {
            let shifted = match &place {
                Expr::Int(n) => Expr::Int(n + k as i128),
                e => Expr::bin(crate::program::Op::Add, e.clone(), Expr::Int(k as i128)),
            };
            let read = Bytes { array, at: shifted, form: one, span: at }.digits();
            let p = Pred::cmp(Cmp::Eq, read, Expr::Int((*byte).into()));
            Stmt { kind: StmtKind::Assume(p), span: at }
        };
        Some(text.iter().enumerate().map(is).collect())
    }

    /// Returns true if an expression compares bytes with a text.
    pub(super) fn compares_bytes(&self, b: &syn::ExprBinary) -> bool {
        [&b.left, &b.right].into_iter().any(|e| called(e).is_some_and(|c| c.0 == "bytes"))
    }

    /// Refuses a comparison of bytes inside a larger condition, because an ensure would have to assign all bytes of the
    /// array at once. A number is chosen like any other, and then written as its bytes.
    pub(super) fn bytes_in_condition<T>(&mut self, b: &syn::ExprBinary) -> Option<T> {
        let (l, r) = (plain(&b.left), plain(&b.right));
        let text = if called(l).is_some_and(|c| c.0 == "bytes") { r } else { l };
        let text = literal(text).unwrap_or_default();
        let form = match text.len() {
            1 => "u8",
            2 => "u16be",
            3 => "u24be",
            4 => "u32be",
            8 => "u64be",
            _ => "u32be",
        };
        let number: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
        let help = match text.len() {
            1..=4 | 8 => format!(
                "read them as a number, `let mark = {form}(x.file, 0);`, and compare it: \
                 `mark == 0x{number}`, here and in other conditions"
            ),
            _ => format!(
                "read them as numbers, `let mark = {form}(x.file, 0);`, and compare these; or {MAGIC} \
                 on its own"
            ),
        };
        let message = "bytes are compared in a part of a condition";
        self.refuse(Diagnostic::new(message, self.span_of(b), "here").help(help))
    }

    fn no_length<T>(&mut self, at: Span) -> Option<T> {
        let message = "a length must be stored in the same array";
        self.refuse(Diagnostic::new(message, at, "here").help(LENGTH))
    }

    /// `u32le(x.file, 2) == len(x.file) - 8`
    fn stored_length(
        &mut self,
        stored: &syn::Expr,
        length: &syn::Expr,
        at: Span,
    ) -> Option<Vec<Stmt>> {
        if !self.around.is_empty() {
            return self.no_length(at);
        }
        let bytes = self.bytes(stored)?;
        let (call, plus) = match length {
            syn::Expr::Binary(b) => {
                let sign = match b.op {
                    syn::BinOp::Add(_) => 1,
                    syn::BinOp::Sub(_) => -1,
                    _ => return self.no_length(at),
                };
                match self.expr(&b.right)? {
                    Expr::Int(n) => (plain(&b.left), sign * n),
                    _ => return self.no_length(at),
                }
            }
            call => (call, 0),
        };
        let array = match called(call) {
            Some((name, args)) if name == "len" && args.len() == 1 => self.byte_array(args[0])?,
            _ => return self.no_length(at),
        };
        if array != bytes.array || bytes.form.signed {
            return self.no_length(at);
        }
        let (start, size) = (bytes.at.clone(), Expr::Int(bytes.form.bytes as i128));
        let end = Expr::bin(crate::program::Op::Add, start.clone(), size);
        self.stored_lengths.push(StoredLength { bytes, plus, guards: self.guards.clone() });
        Some(vec![Stmt { kind: StmtKind::Reserve { field: array, start, end }, span: at }])
    }
}

/// Returns true if the length of an array occurs in `e`.
fn has_len(e: &syn::Expr) -> bool {
    match plain(e) {
        syn::Expr::Binary(b) => has_len(&b.left) || has_len(&b.right),
        e => called(e).is_some_and(|(name, _)| name == "len"),
    }
}
