//! Reads statements.

use super::{MAX_STATEMENTS, Meaning, Reader};
use crate::program::diagnostic::Diagnostic;
use crate::program::source::Span;
use crate::program::syntax::{Expr, Op, Pred, Side, Stmt, StmtKind, VarId};
use crate::program::views::Around;

pub(super) const STATEMENTS: &str = "statements are `y.field = e;`, `assume(p);`, `reserve(x.array[a..b]);`, \
                          `let name = e;`, `if p { .. } else { .. }`, `match e { 0 => { .. } _ => { .. } }`, `for i in 0..n { .. }`, and in walks \
                          `let mut name = e;`, `name += e;` and `while p { .. }`";

/// The form of a call.
const CALLS: &str = "a function is called by its bare name, as `shown(x, y);`, and \
                                imported by `use picture::shown;`";

/// The maximum number of operands for which a name may stand.
pub(super) const MAX_SIZE: usize = 2000;

impl Reader<'_> {
    /// Reads a block, which ends the scope of the names bound in it.
    pub(super) fn block(&mut self, block: &syn::Block) -> Option<Vec<Stmt>> {
        let outer = self.names.clone();
        let mut stmts = Vec::new();
        let mut complete = true;
        for stmt in &block.stmts {
            self.statements += 1;
            if self.statements > MAX_STATEMENTS {
                // This is reported once, whichever block it is in.
                if self.statements == MAX_STATEMENTS + 1 {
                    let message = format!("more than {MAX_STATEMENTS} statements");
                    let at = self.span_of(stmt);
                    self.found.push(Diagnostic::new(message, at, "one too many"));
                }
                complete = false;
                break;
            }
            let read = match stmt {
                syn::Stmt::Local(local) if self.walking => self.walk_local(local),
                syn::Stmt::Local(local) => self.local(local).map(|()| Vec::new()),
                syn::Stmt::Expr(syn::Expr::If(c), _) => {
                    self.deeper(c, |r| r.conditional(c)).map(|stmt| vec![stmt])
                }
                syn::Stmt::Expr(syn::Expr::Match(m), _) => {
                    self.deeper(m, |r| r.matching(m)).map(|stmt| vec![stmt])
                }
                syn::Stmt::Expr(syn::Expr::ForLoop(l), _) => {
                    self.deeper(l, |r| r.for_loop(l)).map(|stmt| vec![stmt])
                }
                syn::Stmt::Expr(syn::Expr::While(l), _) => {
                    self.deeper(l, |r| r.while_loop(l)).map(|stmt| vec![stmt])
                }
                syn::Stmt::Expr(e, _) => self.simple(e, self.span_of(stmt)),
                _ => self.not_a_statement(self.span_of(stmt)),
            };
            match read {
                Some(several) => stmts.extend(several),
                None => complete = false,
            }
        }
        self.names = outer;
        complete.then_some(stmts)
    }

    /// Reads a statement that holds no others.
    fn simple(&mut self, e: &syn::Expr, at: Span) -> Option<Vec<Stmt>> {
        let special = self.sum(e, at).or_else(|| self.change(e, at));
        if let Some(several) = special.or_else(|| self.bytes_statement(e, at)) {
            return several;
        }
        match self.function_call(e) {
            Some(several) => several,
            None => self.stmt(e, at).map(|stmt| vec![stmt]),
        }
    }

    fn local(&mut self, local: &syn::Local) -> Option<()> {
        let name = match &local.pat {
            syn::Pat::Ident(p) if p.mutability.is_none() && p.by_ref.is_none() => {
                Some(p.ident.to_string())
            }
            _ => None,
        };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none());
        let (Some(name), Some(init)) = (name, init) else {
            let d = Diagnostic::new("this `let` is not allowed", self.span_of(local), "here")
                .help("write `let name = expression;`: a name for a value, never changed");
            return self.refuse(d);
        };
        let meaning = if let Some(view) = self.view(&name, &init.expr, self.span_of(local)) {
            view.map(Meaning::Number)
        } else if self.is_predicate(&init.expr) {
            self.pred(&init.expr).map(Meaning::Truth)
        } else {
            self.expr(&init.expr).map(Meaning::Number)
        };
        // The name is bound even if its meaning is invalid, so that uses of the name cause no further findings.
        self.names.insert(name.clone(), Meaning::Number(Expr::Int(0)));
        let meaning = meaning?;
        // A name is replaced by its meaning, so names of names grow exponentially.
        let size = match &meaning {
            Meaning::Number(e) => e.size(),
            Meaning::Truth(p) => p.size(),
        };
        if size > MAX_SIZE {
            let d =
                Diagnostic::new("this expression is too large", self.span_of(&*init.expr), "here")
                    .help(format!("written out it has more than {MAX_SIZE} operands"));
            return self.refuse(d);
        }
        self.names.insert(name, meaning);
        Some(())
    }

    fn stmt(&mut self, e: &syn::Expr, at: Span) -> Option<Stmt> {
        let kind = match e {
            syn::Expr::Assign(assign) => match self.primitive_call(assign) {
                Some(call) => call?,
                None => self.assign(assign)?,
            },
            syn::Expr::Call(call) => self.call(call)?,
            syn::Expr::Binary(b) => {
                let d = Diagnostic::new(
                    "this statement is outside the language",
                    self.span_of(b),
                    "here",
                )
                .help("every output location is assigned exactly once, with `=`");
                return self.refuse(d);
            }
            syn::Expr::Break(_) | syn::Expr::Continue(_) => {
                let d = Diagnostic::new("a loop ends by its condition alone", at, "here")
                    .help("state it in the head: `while at < end && u8(x.file, at) != 0 { .. }`");
                return self.refuse(d);
            }
            syn::Expr::Loop(_) => {
                let d = Diagnostic::new("this loop has no condition", at, "here")
                    .help("write `while p { .. }`, or `for i in 0..n { .. }`");
                return self.refuse(d);
            }
            _ => return self.not_a_statement(at),
        };
        Some(Stmt { kind, span: at })
    }

    fn not_a_statement<T>(&mut self, at: Span) -> Option<T> {
        let d = Diagnostic::new("this statement is outside the language", at, "here");
        self.refuse(d.help(STATEMENTS))
    }

    fn assign(&mut self, assign: &syn::ExprAssign) -> Option<StmtKind> {
        let (target, value) = (self.reference(&assign.left), self.expr(&assign.right));
        let (target, value) = (target?, value?);
        if target.side == Side::Input {
            let message = "an input is assigned; a normalization program only reads it";
            let d = Diagnostic::new(message, target.span, "an input")
                .help("assign the output: the inverse, which writes inputs, is derived");
            return self.refuse(d);
        }
        Some(StmtKind::Assign { target, value })
    }

    fn call(&mut self, call: &syn::ExprCall) -> Option<StmtKind> {
        let name = match &*call.func {
            syn::Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        let args: Vec<_> = call.args.iter().collect();
        match (name.as_deref(), &args[..]) {
            (Some("assume"), [p]) => Some(StmtKind::Assume(self.pred(p)?)),
            (Some("reserve"), [e]) => self.reserve(e),
            (Some(name @ ("assume" | "reserve")), _) => {
                let message = format!("`{name}` takes one argument");
                self.refuse(Diagnostic::new(message, self.span_of(call), "here").help(STATEMENTS))
            }
            (Some(name), _) => {
                let d = self.no_function(name, self.span_of(&*call.func));
                self.refuse(d)
            }
            (None, _) => {
                let at = self.span_of(call);
                let d = Diagnostic::new("this statement is outside the language", at, "here");
                self.refuse(d.help(CALLS))
            }
        }
    }

    fn reserve(&mut self, e: &syn::Expr) -> Option<StmtKind> {
        let bad = Diagnostic::new("this cannot be reserved", self.span_of(e), "here")
            .help("write `reserve(x.array[start..end]);` with an input array of one dimension");
        let syn::Expr::Index(index) = e else { return self.refuse(bad) };
        let syn::Expr::Range(range) = &*index.index else { return self.refuse(bad) };
        let (Some(start), Some(end), syn::RangeLimits::HalfOpen(_)) =
            (&range.start, &range.end, &range.limits)
        else {
            return self.refuse(bad);
        };
        let (side, field) = self.field_name(&index.expr)?;
        let one = |r: &crate::program::RecordType| r.fields[field].lengths.len() == 1;
        if side != Side::Input || !self.input.as_ref().is_some_and(one) {
            return self.refuse(bad);
        }
        let (start, end) = (self.expr(start), self.expr(end));
        Some(StmtKind::Reserve { field, start: start?, end: end? })
    }

    fn conditional(&mut self, c: &syn::ExprIf) -> Option<Stmt> {
        // The statement's place is its head, because the body has separate places.
        let head = Span { start: self.span_of(&c.if_token).start, end: self.span_of(&*c.cond).end };
        let cond: Option<Pred> = self.pred(&c.cond);
        let guard = cond.clone().unwrap_or(Pred::Const(true));
        self.guards.push(guard.clone());
        let then = self.block(&c.then_branch);
        self.guards.pop();
        self.guards.push(guard.negated());
        let els = match &c.else_branch {
            None => Some(Vec::new()),
            Some((_, e)) => match &**e {
                syn::Expr::Block(b) => self.block(&b.block),
                syn::Expr::If(inner) => {
                    self.deeper(inner, |r| r.conditional(inner)).map(|s| vec![s])
                }
                other => self.not_a_statement(self.span_of(other)),
            },
        };
        self.guards.pop();
        let kind = StmtKind::If { cond: cond?, then: then?, els: els? };
        Some(Stmt { kind, span: head })
    }

    fn for_loop(&mut self, l: &syn::ExprForLoop) -> Option<Stmt> {
        let head =
            Span { start: self.span_of(&l.for_token).start, end: self.span_of(&*l.expr).end };
        let help = "loops run from 0: write `for i in 0..n { .. }`, and `i + a` in the body for \
                    one that should start at a";
        let bad = Diagnostic::new("this loop is outside the language", head, "here").help(help);
        let (syn::Pat::Ident(name), syn::Expr::Range(range)) = (&*l.pat, &*l.expr) else {
            return self.refuse(bad);
        };
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return self.refuse(bad);
        };
        if self.expr(start)? != Expr::Int(0) {
            return self.refuse(bad);
        }
        let count = match range.limits {
            syn::RangeLimits::HalfOpen(_) => self.expr(end),
            syn::RangeLimits::Closed(_) => {
                let last = self.expr(end);
                last.and_then(|last| self.operation(Op::Add, last, Expr::Int(1), end))
            }
        };
        let var = VarId(self.vars.len());
        self.vars.push(name.ident.to_string());
        let outer = self.names.insert(name.ident.to_string(), Meaning::Number(Expr::Var(var)));
        self.around.push(Around { var, count: count.clone().unwrap_or(Expr::Int(0)) });
        let body = self.block(&l.body);
        self.around.pop();
        match outer {
            Some(meaning) => self.names.insert(name.ident.to_string(), meaning),
            None => self.names.remove(&name.ident.to_string()),
        };
        Some(Stmt { kind: StmtKind::For { var, count: count?, body: body? }, span: head })
    }
}
