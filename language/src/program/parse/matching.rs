//! Reads `match e { 0 => { .. } 1 | 2 => { .. } _ => { .. } }`, which stands for a chain of `if`s.

use super::Reader;
use crate::program::diagnostic::Diagnostic;
use crate::program::source::Span;
use crate::program::syntax::{Cmp, Expr, Pred, Stmt, StmtKind};
use crate::program::views::Source;

const ARMS: &str = "an arm is `3 => { .. }`, `3 | 4 => { .. }`, `3..=5 => { .. }` or the name of a \
                    constant, and the last one is `_ => { .. }`";
/// The maximum number of operands of all patterns together.
const MAX_SIZE: usize = 20_000;
/// The maximum number of arms; each nests in the previous one.
const MAX_ARMS: usize = 256;

/// The arms of a `match`.
struct Arms<'m> {
    /// The place of its head.
    head: Span,
    /// The arms but the last.
    arms: &'m [syn::Arm],
    /// Their conditions.
    conditions: Vec<Pred>,
    /// The arm for all other numbers.
    last: &'m syn::Arm,
}

impl Reader<'_> {
    /// Reads a `match` as a statement.
    pub(super) fn matching(&mut self, m: &syn::ExprMatch) -> Option<Stmt> {
        let Arms { head, arms, conditions, last } = self.arms(m)?;
        let (depth, found) = (self.guards.len(), self.found.len());
        let mut bodies = Vec::new();
        for (arm, condition) in arms.iter().zip(&conditions) {
            self.guards.push(condition.clone());
            bodies.push((self.arm(arm), self.span_of(&arm.pat)));
            self.guards.pop();
            self.guards.push(condition.negated());
        }
        let rest = self.arm(last);
        self.guards.truncate(depth);
        if self.found.len() > found {
            return None;
        }
        let mut els = rest?;
        for (k, (condition, (body, at))) in conditions.into_iter().zip(bodies).enumerate().rev() {
            let span = if k == 0 { head } else { at };
            els = vec![Stmt { kind: StmtKind::If { cond: condition, then: body?, els }, span }];
        }
        match els.len() {
            1 => els.pop(),
            // A `match` with no arm but the last one.
            _ => Some(Stmt {
                kind: StmtKind::If { cond: Pred::Const(true), then: els, els: Vec::new() },
                span: head,
            }),
        }
    }

    /// Reads a `match` whose arms are numbers.
    pub(super) fn matched(&mut self, m: &syn::ExprMatch) -> Option<Source> {
        let Arms { arms, conditions, last, .. } = self.arms(m)?;
        let mut number = self.source_of(&last.body)?;
        for (arm, condition) in arms.iter().zip(conditions).rev() {
            let own = self.source_of(&arm.body)?;
            number = Source::If(condition, Box::new(own), Box::new(number));
        }
        Some(number)
    }

    /// Reads the patterns of a `match`.
    fn arms<'m>(&mut self, m: &'m syn::ExprMatch) -> Option<Arms<'m>> {
        let head =
            Span { start: self.span_of(&m.match_token).start, end: self.span_of(&*m.expr).end };
        let number = self.expr(&m.expr)?;
        let (last, arms) = match m.arms.split_last() {
            Some((last, arms)) if is_rest(last) => (last, arms),
            _ => {
                let d = Diagnostic::new("this `match` does not end with `_`", head, "here");
                return self.refuse(d.help(ARMS));
            }
        };
        if arms.len() > MAX_ARMS {
            return self.too_large(head);
        }
        let mut conditions = Vec::new();
        let mut size = 0;
        for arm in arms {
            let condition = self.pattern(&arm.pat, &number)?;
            size += condition.size();
            if size > MAX_SIZE {
                return self.too_large(head);
            }
            conditions.push(condition);
        }
        Some(Arms { head, arms, conditions, last })
    }

    /// Reads the block of an arm.
    fn arm(&mut self, arm: &syn::Arm) -> Option<Vec<Stmt>> {
        match &*arm.body {
            syn::Expr::Block(b) if b.label.is_none() => self.block(&b.block),
            e => {
                let block = syn::Block {
                    brace_token: syn::token::Brace::default(),
                    stmts: vec![syn::Stmt::Expr(e.clone(), None)],
                };
                self.block(&block)
            }
        }
    }

    /// Returns the condition under which `number` matches a pattern.
    fn pattern(&mut self, pattern: &syn::Pat, number: &Expr) -> Option<Pred> {
        let is = |cmp, value| Pred::cmp(cmp, number.clone(), value);
        match pattern {
            syn::Pat::Lit(lit) => Some(is(Cmp::Eq, self.expr(&syn::Expr::Lit(lit.clone()))?)),
            syn::Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                let path = syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: name.ident.clone().into(),
                });
                match self.expr(&path)? {
                    value @ Expr::Int(_) => Some(is(Cmp::Eq, value)),
                    _ => self.no_pattern(pattern),
                }
            }
            syn::Pat::Or(or) if or.cases.len() * number.size() > MAX_SIZE => {
                let at = self.span_of(pattern);
                self.too_large(at)
            }
            syn::Pat::Or(or) => {
                let all: Option<Vec<Pred>> =
                    or.cases.iter().map(|case| self.pattern(case, number)).collect();
                Some(Pred::or(all?))
            }
            syn::Pat::Paren(p) => self.pattern(&p.pat, number),
            syn::Pat::Range(range) => {
                let mut bounds = Vec::new();
                if let Some(start) = &range.start {
                    bounds.push(is(Cmp::Ge, self.expr(start)?));
                }
                if let Some(end) = &range.end {
                    let cmp = match range.limits {
                        syn::RangeLimits::HalfOpen(_) => Cmp::Lt,
                        syn::RangeLimits::Closed(_) => Cmp::Le,
                    };
                    bounds.push(is(cmp, self.expr(end)?));
                }
                Some(Pred::and(bounds))
            }
            _ => self.no_pattern(pattern),
        }
    }

    fn too_large<T>(&mut self, at: Span) -> Option<T> {
        let d = Diagnostic::new("this `match` is too large", at, "here");
        self.refuse(d.help(format!("it has at most {MAX_ARMS} arms")))
    }

    fn no_pattern<T>(&mut self, pattern: &syn::Pat) -> Option<T> {
        let at = self.span_of(pattern);
        self.refuse(Diagnostic::new("this pattern is outside the language", at, "here").help(ARMS))
    }
}

/// Returns true if an arm is `_ => ..`.
fn is_rest(arm: &syn::Arm) -> bool {
    matches!(arm.pat, syn::Pat::Wild(_))
}
