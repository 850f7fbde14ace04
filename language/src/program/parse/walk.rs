//! Reads the statements of programs with walks: mutable variables, `while`, numbers of variable length, and checksums.

use std::collections::HashSet;

use syn::visit::Visit;

use super::view::{called, plain};
use super::{Declared, Meaning, Reader};
use crate::program::codes::{Code, Sum, Summed};
use crate::program::diagnostic::Diagnostic;
use crate::program::fold::statements;
use crate::program::source::Span;
use crate::program::syntax::{Expr, Op, Pred, Stmt, StmtKind, VarId};
use crate::program::views::Source;
use crate::program::walk::{Encoding, Read, Walk};

const LET: &str =
    "write `let name = e;`, `let mut name = e;` or `let (n, width) = leb128(x.file, at);`";
const SUM: &str = "write `assume(sum == crc32(x.file, start, end));`";

/// Finds mutable variables, and the functions that are called.
#[derive(Default)]
struct Changes {
    found: bool,
    calls: Vec<String>,
}

impl<'ast> Visit<'ast> for Changes {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.found |= p.mutability.is_some();
    }

    fn visit_pat_tuple(&mut self, _: &'ast syn::PatTuple) {
        self.found = true;
    }

    fn visit_expr_while(&mut self, _: &'ast syn::ExprWhile) {
        self.found = true;
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func
            && let Some(name) = path.path.get_ident()
        {
            let name = name.to_string();
            self.found |= Sum::named(&name).is_some() || Code::text(&name, 1).is_some();
            self.calls.push(name);
        }
        syn::visit::visit_expr_call(self, call);
    }
}

impl<'a> Reader<'a> {
    /// Returns true if a function, or one that it calls, has mutable variables.
    pub(super) fn walks(
        &self,
        function: Declared<'a, syn::ItemFn>,
        seen: &mut HashSet<String>,
    ) -> bool {
        let mut changes = Changes::default();
        changes.visit_block(&function.item.block);
        let called = |name: &String| {
            let callee = self.scopes[function.file].functions.get(name).copied();
            callee.filter(|_| seen.insert(name.clone())).is_some_and(|f| self.walks(f, seen))
        };
        changes.found || changes.calls.iter().any(called)
    }

    fn variable(&mut self, name: &str) -> VarId {
        self.vars.push(name.to_owned());
        VarId(self.vars.len() - 1)
    }

    /// Reads a `let` of a program with walks: each is an assignment, since what it stands for may change.
    pub(super) fn walk_local(&mut self, local: &syn::Local) -> Option<Vec<Stmt>> {
        let at = self.span_of(local);
        let init = local.init.as_ref().filter(|init| init.diverge.is_none());
        let Some(init) = init else {
            let d = Diagnostic::new("this `let` is not allowed", at, "here");
            return self.refuse(d.help(LET));
        };
        let name = match &local.pat {
            syn::Pat::Ident(p) if p.by_ref.is_none() => {
                (p.ident.to_string(), p.mutability.is_some())
            }
            syn::Pat::Tuple(tuple) => return self.coded(tuple, &init.expr, at),
            _ => {
                let d = Diagnostic::new("this `let` is not allowed", at, "here");
                return self.refuse(d.help(LET));
            }
        };
        let (name, mutable) = name;
        if let Some(text) = self.text_number(&name, &init.expr, at) {
            return text;
        }
        // The name is bound even if its value is invalid, so that uses of the name cause no further findings.
        let truth = self.is_predicate(&init.expr);
        let value = if truth {
            self.pred(&init.expr).map(|p| {
                let number = |n| Box::new(Source::Is(Expr::Int(n)));
                Source::If(p, number(1), number(0))
            })
        } else if called(&init.expr).is_some_and(|(name, _)| name == "last") {
            let message = "a walk looks for no text from the end";
            let d = Diagnostic::new(message, self.span_of(&*init.expr), "here");
            self.refuse(d.help("`last` stands in programs without walks"))
        } else {
            self.source_of(&init.expr)
        };
        let var = self.variable(&name);
        let number = Expr::Var(var);
        let meaning = match truth {
            true => Meaning::Truth(Pred::cmp(crate::program::Cmp::Eq, number, Expr::Int(1))),
            false => Meaning::Number(number),
        };
        self.names.insert(name.clone(), meaning);
        if mutable && !truth {
            self.mutable.insert(var);
        }
        let value = value?;
        let dimension = self.dimension_of(&name, &value);
        Some(assigned(var, &dimension, value, at))
    }

    /// Returns the dimension of the numbers that a source reads; an empty name if it reads none.
    fn dimension_of(&mut self, name: &str, source: &Source) -> String {
        match source.reads() {
            true => self.walk_dimension(name),
            false => String::new(),
        }
    }

    /// Returns an unused name for the dimension of a number.
    fn walk_dimension(&mut self, name: &str) -> String {
        let fields = self.input.iter().flat_map(|input| &input.fields);
        let taken: HashSet<&str> = fields.map(crate::program::Field::dimension).collect();
        let free =
            |name: &String| !taken.contains(name.as_str()) && !self.walk_dimensions.contains(name);
        let numbered = (2..).map(|k| format!("{name}_{k}"));
        let name = std::iter::once(name.to_owned()).chain(numbered).find(free).unwrap_or_default();
        self.walk_dimensions.insert(name.clone());
        name
    }

    /// Reads `let n = decimal(x.file, at, 10);`: `None` if it is not a field of digits, `Some(None)` after an error.
    fn text_number(&mut self, name: &str, e: &syn::Expr, span: Span) -> Option<Option<Vec<Stmt>>> {
        let (function, args) = called(e)?;
        Code::text(&function, 1)?;
        let form = match args[..] {
            [array, at, size] => self.expr(size).map(|size| (array, at, size)),
            _ => None,
        };
        let size = |e: &Expr| match e {
            Expr::Int(n) => u8::try_from(*n).ok().filter(|n| (1..=16).contains(n)),
            _ => None,
        };
        let code =
            form.and_then(|(array, at, n)| Some((array, at, Code::text(&function, size(&n)?)?)));
        let Some((array, at, code)) = code else {
            let d = Diagnostic::new("this is no field of digits", span, "here");
            let help = format!("write `let n = {function}(x.file, at, 8);`, with at most 16 bytes");
            return Some(self.refuse(d.help(help)));
        };
        let (array, at) = (self.byte_array(array), self.expr(at));
        let var = self.variable(name);
        self.names.insert(name.to_owned(), Meaning::Number(Expr::Var(var)));
        let read = || {
            let (encoding, dimension) = (Encoding::Coded(code), self.walk_dimension(name));
            let read =
                Read { number: var, width: None, array: array?, at: at?, encoding, dimension };
            Some(vec![Stmt { kind: StmtKind::Walk(Walk::Read(read)), span }])
        };
        Some(read())
    }

    /// Reads `let (n, width) = leb128(x.file, at);`.
    fn coded(&mut self, tuple: &syn::PatTuple, e: &syn::Expr, span: Span) -> Option<Vec<Stmt>> {
        let names: Option<Vec<String>> = tuple
            .elems
            .iter()
            .map(|p| match p {
                syn::Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() => {
                    Some(p.ident.to_string())
                }
                _ => None,
            })
            .collect();
        let call = called(e).and_then(|(name, args)| Some((Code::of(&name)?, args)));
        let (Some([number, width]), Some((code, args))) = (names.as_deref(), call) else {
            let known: Vec<&str> = Code::NAMES.iter().map(|(name, _)| *name).collect();
            let d = Diagnostic::new("this is no number of variable length", span, "here");
            return self.refuse(d.help(format!(
                "write `let (n, width) = leb128(x.file, at);`; there are {}",
                known.join(", ")
            )));
        };
        let [array, at] = args[..] else {
            let d = Diagnostic::new("this takes an array and a place", self.span_of(e), "here");
            return self.refuse(d.help(LET));
        };
        let (array, at) = (self.byte_array(array), self.expr(at));
        let vars = [number, width].map(|name| {
            let var = self.variable(name);
            self.names.insert(name.clone(), Meaning::Number(Expr::Var(var)));
            var
        });
        let read = Read {
            number: vars[0],
            width: Some(vars[1]),
            array: array?,
            at: at?,
            encoding: Encoding::Coded(code),
            dimension: self.walk_dimension(number),
        };
        Some(vec![Stmt { kind: StmtKind::Walk(Walk::Read(read)), span }])
    }

    /// Reads `name = e;`, `name += e;` and `name -= e;`: `None` if it does not change a variable, `Some(None)` after an
    /// error.
    pub(super) fn change(&mut self, e: &syn::Expr, at: Span) -> Option<Option<Vec<Stmt>>> {
        let (left, op, right) = match e {
            syn::Expr::Assign(assign) => (&assign.left, None, &assign.right),
            syn::Expr::Binary(b) => {
                let op = match b.op {
                    syn::BinOp::AddAssign(_) => Op::Add,
                    syn::BinOp::SubAssign(_) => Op::Sub,
                    syn::BinOp::MulAssign(_) => Op::Mul,
                    _ => return None,
                };
                (&b.left, Some(op), &b.right)
            }
            _ => return None,
        };
        let syn::Expr::Path(path) = plain(left) else { return None };
        let name = path.path.get_ident()?.to_string();
        let var = match self.names.get(&name) {
            Some(Meaning::Number(Expr::Var(var))) if self.mutable.contains(var) => *var,
            _ => {
                let d = Diagnostic::new(format!("`{name}` does not change"), at, "changed here");
                return Some(self.refuse(d.help(format!("declare it by `let mut {name} = ..;`"))));
            }
        };
        let source = self.source_of(right).and_then(|right| match op {
            None => Some(right),
            Some(op) => self.changed(op, var, right, e),
        });
        Some(source.map(|source| {
            let dimension = self.dimension_of(&name, &source);
            assigned(var, &dimension, source, at)
        }))
    }

    /// Returns the new value of a variable that is changed by a number.
    fn changed(&mut self, op: Op, var: VarId, by: Source, at: &syn::Expr) -> Option<Source> {
        match by {
            Source::Is(by) => self.operation(op, Expr::Var(var), by, at).map(Source::Is),
            Source::Bytes(bytes) if !bytes.form.signed => {
                self.operation(op, Expr::Var(var), bytes.digits(), at).map(Source::Is)
            }
            Source::If(p, a, b) => {
                let (a, b) = (self.changed(op, var, *a, at), self.changed(op, var, *b, at));
                Some(Source::If(p, Box::new(a?), Box::new(b?)))
            }
            Source::Bytes(_) | Source::Length(_) | Source::Last(_) => {
                let d = Diagnostic::new("a variable is changed by this", self.span_of(at), "here");
                self.refuse(d.help("give the number a name first: `let step = i8(x.file, at);`"))
            }
        }
    }

    /// Reads `while p { .. }`.
    pub(super) fn while_loop(&mut self, l: &syn::ExprWhile) -> Option<Stmt> {
        let head =
            Span { start: self.span_of(&l.while_token).start, end: self.span_of(&*l.cond).end };
        let cond = self.pred(&l.cond);
        let mut first = None;
        if let Some(cond) = &cond {
            cond.exprs(&mut |e| e.vars(&mut |v| first = first.or(Some(v))));
        }
        let name = first.and_then(|v: VarId| self.vars.get(v.0).cloned());
        let rounds = self.walk_dimension(&format!("{} rounds", name.unwrap_or_default()));
        let body = self.block(&l.body);
        let (cond, body) = (cond?, body?);
        if !changes(&body, &cond) {
            let d =
                Diagnostic::new("this loop has no end", head, "nothing in its body changes this");
            return self
                .refuse(d.help("a walk goes on, as in `while at < len(x.file) { at += size; }`"));
        }
        Some(Stmt { kind: StmtKind::Walk(Walk::While { cond, body, rounds }), span: head })
    }

    /// Reads `assume(e == crc32(x.file, start, end));`: `None` for any other statement, `Some(None)` after an error.
    pub(super) fn sum(&mut self, e: &syn::Expr, at: Span) -> Option<Option<Vec<Stmt>>> {
        let (name, args) = called(e)?;
        let ("assume", [p]) = (name.as_str(), &args[..]) else { return None };
        let syn::Expr::Binary(b) = plain(p) else { return None };
        let sum = |e: &syn::Expr| called(e).and_then(|(name, _)| Sum::named(&name));
        let (number, call) = match (sum(&b.left), sum(&b.right)) {
            (None, None) => return None,
            (None, _) => (&b.left, &b.right),
            _ => (&b.right, &b.left),
        };
        let parts = called(call).zip(sum(call));
        let (Some(((_, args), sum)), syn::BinOp::Eq(_)) = (parts, &b.op) else {
            let d = Diagnostic::new("a sum equals a number", at, "here");
            return Some(self.refuse(d.help(SUM)));
        };
        let [array, start, end] = args[..] else {
            let d = Diagnostic::new("a sum takes an array, and two places", at, "here");
            return Some(self.refuse(d.help(SUM)));
        };
        let (array, start, end) = (self.byte_array(array), self.expr(start), self.expr(end));
        let number = self.expr(number);
        let read = || {
            let of = Summed { sum, array: array?, start: start?, end: end? };
            let kind = StmtKind::Walk(Walk::Sum { number: number?, of });
            Some(vec![Stmt { kind, span: at }])
        };
        Some(read())
    }
}

/// Returns true if statements change a variable of a condition.
fn changes(body: &[Stmt], cond: &Pred) -> bool {
    let mut found = false;
    statements(body, &mut |stmt| {
        found |= match &stmt.kind {
            StmtKind::Walk(Walk::Set { var, .. }) => cond.mentions_var(*var),
            StmtKind::Walk(Walk::Read(read)) => {
                cond.mentions_var(read.number) || read.width.is_some_and(|w| cond.mentions_var(w))
            }
            _ => false,
        };
    });
    found
}

/// The statements that assign a number to a variable.
fn assigned(var: VarId, dimension: &str, source: Source, span: Span) -> Vec<Stmt> {
    let kind = match source {
        Source::If(cond, a, b) => {
            let [then, els] = [a, b].map(|source| assigned(var, dimension, *source, span));
            StmtKind::If { cond, then, els }
        }
        Source::Bytes(b) => StmtKind::Walk(Walk::Read(Read {
            number: var,
            width: None,
            array: b.array,
            at: b.at,
            encoding: Encoding::Fixed(b.form),
            dimension: dimension.to_owned(),
        })),
        Source::Is(value) => StmtKind::Walk(Walk::Set { var, value }),
        // `len` is an expression, and `last` is refused.
        Source::Length(_) | Source::Last(_) => return Vec::new(),
    };
    vec![Stmt { kind, span }]
}

impl Source {
    /// Returns true if it reads bytes.
    fn reads(&self) -> bool {
        match self {
            Source::Bytes(_) => true,
            Source::If(_, a, b) => a.reads() || b.reads(),
            Source::Is(_) | Source::Length(_) | Source::Last(_) => false,
        }
    }
}
