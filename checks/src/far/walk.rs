//! The walk of the searches over statements, and the findings of a search.

use std::time::Instant;

use inverter::check::outside::RefusedInput;
use inverter::program::views::Around;
use inverter::program::{Cmp, Expr, Pred, Span, Stmt, StmtKind};

/// A place in a spec.
#[derive(Debug, Default)]
pub struct Place {
    /// The guards and assumptions that hold there. A later assumption may also exclude an input.
    pub known: Vec<Pred>,
    /// The loops around it, outermost first.
    pub loops: Vec<Around>,
}

impl Place {
    /// Calls `visit` with each statement of a body that stands here, and of those inside them, and its place.
    pub fn walk(&mut self, body: &[Stmt], visit: &mut dyn FnMut(&Place, &Stmt)) {
        let outer = self.known.len();
        self.known.extend(body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Assume(p) => Some(p.clone()),
            _ => None,
        }));
        for stmt in body {
            visit(self, stmt);
            match &stmt.kind {
                StmtKind::If { cond, then, els } => {
                    self.guarded(cond.clone(), then, visit);
                    self.guarded(cond.negated(), els, visit);
                }
                StmtKind::For { var, count, body } => {
                    self.loops.push(Around { var: *var, count: count.clone() });
                    let runs = Pred::cmp(Cmp::Lt, Expr::Var(*var), count.clone());
                    self.guarded(runs, body, visit);
                    self.loops.pop();
                }
                _ => {}
            }
        }
        self.known.truncate(outer);
    }

    fn guarded(&mut self, guard: Pred, body: &[Stmt], visit: &mut dyn FnMut(&Place, &Stmt)) {
        self.known.push(guard);
        self.walk(body, visit);
        self.known.pop();
    }
}

/// The findings of a search: at most one for each place in the spec.
pub struct Findings {
    out: Vec<RefusedInput>,
    /// The queries that are left.
    queries: usize,
    until: Instant,
}

impl Findings {
    /// Creates the findings of a search with at most this many queries.
    pub fn new(queries: usize, until: Instant) -> Self {
        Self { out: Vec::new(), queries, until }
    }

    /// Returns the findings.
    pub fn all(self) -> Vec<RefusedInput> {
        self.out
    }

    /// Returns true if something at this place is found.
    pub fn knows(&self, span: Span) -> bool {
        self.out.iter().any(|found| found.span.overlaps(span))
    }

    /// Uses up a query; returns false if no query, or no time, is left.
    pub fn take_query(&mut self) -> bool {
        if self.queries == 0 || Instant::now() >= self.until {
            return false;
        }
        self.queries -= 1;
        true
    }

    /// Adds a finding at a place that has none; returns true if there was one.
    pub fn add(&mut self, found: Option<RefusedInput>) -> bool {
        let new = found.filter(|found| !self.knows(found.span));
        let any = new.is_some();
        self.out.extend(new);
        any
    }
}
