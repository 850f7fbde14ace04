//! A program with walks, with everything about a run that follows from its statements alone: the outputs that a block
//! assigns, the conditions under which a loop may end, and loops that copy.

use std::collections::BTreeSet;

use crate::program::codes::Summed;
use crate::program::fold::statements;
use crate::program::poly::{Atom, Poly};
use crate::program::walk::{Read, Walk};
use crate::program::{
    Cmp, Expr, Field, FieldId, Pred, Program, Ref, Side, Span, Stmt, StmtKind, VarId,
};

/// A program with walks, prepared to be run on an unknown input.
#[derive(Debug)]
pub struct Plan {
    /// The statements.
    pub body: Block,
    /// The dimensions of the numbers that are read, by site.
    pub sites: Vec<String>,
    /// The dimensions of rounds, by walk.
    pub walks: Vec<String>,
    /// The sites of input bytes that are read without a name, by field.
    bytes: Vec<Option<usize>>,
}

/// Statements, with facts about runs through them.
#[derive(Debug, Default)]
pub struct Block {
    /// The statements.
    pub nodes: Vec<Node>,
    /// True if a run through it may assign no output.
    pub skippable: bool,
    /// The number of ways through the block, so that draws among them are even.
    pub ways: u32,
    /// The scalar outputs that every run through it assigns.
    pub scalars: Vec<FieldId>,
    /// The outputs that a run through it may assign.
    pub outputs: BTreeSet<FieldId>,
    /// The variables that it changes.
    pub sets: BTreeSet<VarId>,
}

/// A statement with its place.
#[derive(Debug)]
pub struct Node {
    /// The statement.
    pub kind: Kind,
    /// The place of the statement in the spec.
    pub span: Span,
}

/// The statements.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Assign { target: Ref, value: Expr },
    Assume(Pred),
    If { cond: Pred, then: Block, els: Block },
    Loop(Box<Loop>),
    Set { var: VarId, value: Expr },
    Read { read: Read, site: usize },
    Sum { number: Expr, of: Summed },
}

/// The head of a loop.
#[derive(Debug)]
pub enum Head {
    /// `while p`, with the position of its dimension among those of rounds.
    While(Pred, usize),
    /// `for var in 0..count`
    For(VarId, Expr),
}

/// A loop.
#[derive(Debug)]
pub struct Loop {
    /// Its head.
    pub head: Head,
    /// Its body.
    pub body: Block,
    /// Set if it copies elements, one in each round.
    pub copy: Option<Copy>,
    /// The outputs that only this loop assigns once it has begun; it does not end before they are complete.
    pub whole: Vec<FieldId>,
    /// Rows of outputs that the loop also has to complete, by the index of the row.
    pub rows: Vec<(FieldId, Expr)>,
    /// Equations after the loop that the loop has to satisfy.
    pub goals: Vec<Goal>,
}

/// `y.target[.., a + i] = x.source[b + i];` for each `i` of a loop.
#[derive(Debug)]
pub struct Copy {
    /// The output element of the first round.
    pub target: Ref,
    /// The input array.
    pub source: FieldId,
    /// The index of the first byte.
    pub at: Expr,
}

/// An equation after a loop.
#[derive(Debug)]
pub struct Goal {
    /// Its sides.
    pub sides: Sides,
    /// True if the loop only increases, or only decreases, the difference of the sides.
    pub steady: bool,
}

/// The sides of an equation.
#[derive(Debug)]
pub enum Sides {
    /// An output equals an expression.
    Output(Ref, Expr),
    /// Two expressions are equal.
    Equal(Expr, Expr),
}

/// A part of the program that a run has not reached yet.
#[derive(Debug, Clone, Copy)]
pub enum Rest<'a> {
    /// Statements.
    Nodes(&'a [Node]),
    /// More rounds of a loop.
    Loop(&'a Loop),
}

impl Plan {
    /// Prepares a program.
    pub fn of(program: &Program) -> Self {
        let mut maker = Maker { program, sites: Vec::new(), walks: Vec::new() };
        let mut body = maker.block(&program.body);
        // A loop that is not nested owns the outputs that nothing after it assigns.
        for k in 0..body.nodes.len() {
            let (before, behind) = body.nodes.split_at_mut(k + 1);
            own(before.last_mut(), behind);
        }
        let Maker { mut sites, walks, .. } = maker;
        let mut site = |f: &Field| {
            sites.push(format!("{} bytes", f.dimension()));
            sites.len() - 1
        };
        let fields = program.input.fields.iter();
        let bytes = fields.map(|f| (!f.is_scalar()).then(|| site(f))).collect();
        Self { body, sites, walks, bytes }
    }

    /// Returns the site of the bytes of an input array that are read without a name.
    pub fn bytes_site(&self, array: usize) -> usize {
        self.bytes.get(array).copied().flatten().unwrap_or_default()
    }

    /// Returns the names of its dimensions for numbers and for rounds.
    pub fn dimensions(&self) -> impl Iterator<Item = &String> {
        self.sites.iter().chain(&self.walks)
    }
}

/// Sets the outputs that a top-level loop has to complete.
fn own(node: Option<&mut Node>, behind: &[Node]) {
    let Some(Node { kind: Kind::Loop(l), .. }) = node else { return };
    let mut later = BTreeSet::new();
    behind.iter().for_each(|node| node.kind.outputs(&mut later));
    l.whole = l.body.outputs.difference(&later).copied().collect();
}

impl Kind {
    /// Adds the outputs that a run of the statement may assign.
    fn outputs(&self, out: &mut BTreeSet<FieldId>) {
        match self {
            Kind::Assign { target, .. } => drop(out.insert(target.field)),
            Kind::If { then, els, .. } => out.extend(then.outputs.iter().chain(&els.outputs)),
            Kind::Loop(l) => out.extend(&l.body.outputs),
            Kind::Assume(_) | Kind::Set { .. } | Kind::Read { .. } | Kind::Sum { .. } => {}
        }
    }

    /// Adds the variables that a run of the statement may change.
    pub fn sets(&self, out: &mut BTreeSet<VarId>) {
        match self {
            Kind::Set { var, .. } => drop(out.insert(*var)),
            Kind::Read { read, .. } => {
                out.insert(read.number);
                out.extend(read.width);
            }
            Kind::If { then, els, .. } => out.extend(then.sets.iter().chain(&els.sets)),
            Kind::Loop(l) => l.sets(out),
            Kind::Assign { .. } | Kind::Assume(_) | Kind::Sum { .. } => {}
        }
    }
}

impl Loop {
    /// Adds the variables that the loop's rounds change, including its loop variable.
    pub fn sets(&self, out: &mut BTreeSet<VarId>) {
        out.extend(&self.body.sets);
        if let Head::For(var, _) = self.head {
            out.insert(var);
        }
    }
}

struct Maker<'p> {
    program: &'p Program,
    sites: Vec<String>,
    walks: Vec<String>,
}

impl Maker<'_> {
    fn block(&mut self, body: &[Stmt]) -> Block {
        let mut block = Block { skippable: true, ways: 1, ..Block::default() };
        for stmt in body {
            let kind = self.node(stmt);
            kind.outputs(&mut block.outputs);
            kind.sets(&mut block.sets);
            match &kind {
                Kind::Assign { target, .. } => {
                    block.skippable = false;
                    if target.index.is_empty() {
                        block.scalars.push(target.field);
                    }
                }
                Kind::If { then, els, .. } => {
                    block.skippable &= then.skippable || els.skippable;
                    block.ways = block.ways.saturating_mul(then.ways.saturating_add(els.ways));
                }
                Kind::Loop(_)
                | Kind::Set { .. }
                | Kind::Read { .. }
                | Kind::Assume(_)
                | Kind::Sum { .. } => {}
            }
            block.nodes.push(Node { kind, span: stmt.span });
        }
        for k in 0..block.nodes.len() {
            let (before, behind) = block.nodes.split_at_mut(k + 1);
            if let Some(Node { kind: Kind::Loop(l), .. }) = before.last_mut() {
                l.goals = goals(&l.body, behind);
            }
        }
        block
    }

    fn node(&mut self, stmt: &Stmt) -> Kind {
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                Kind::Assign { target: target.clone(), value: value.clone() }
            }
            StmtKind::Assume(p) => Kind::Assume(p.clone()),
            StmtKind::If { cond, then, els } => {
                Kind::If { cond: cond.clone(), then: self.block(then), els: self.block(els) }
            }
            StmtKind::For { var, count, body } => {
                let copy = copy(*var, body);
                self.a_loop(Head::For(*var, count.clone()), body, copy)
            }
            StmtKind::Walk(Walk::While { cond, body, rounds }) => {
                self.walks.push(rounds.clone());
                let head = Head::While(cond.clone(), self.walks.len() - 1);
                self.a_loop(head, body, None)
            }
            StmtKind::Walk(Walk::Set { var, value }) => {
                Kind::Set { var: *var, value: value.clone() }
            }
            StmtKind::Walk(Walk::Read(read)) => {
                // The branches of one conditional number have one dimension.
                let known = self.sites.iter().position(|site| *site == read.dimension);
                let site = known.unwrap_or_else(|| {
                    self.sites.push(read.dimension.clone());
                    self.sites.len() - 1
                });
                Kind::Read { read: read.clone(), site }
            }
            StmtKind::Walk(Walk::Sum { number, of }) => {
                Kind::Sum { number: number.clone(), of: of.clone() }
            }
            // A program with walks has neither.
            StmtKind::Reserve { .. } | StmtKind::Decode { .. } => Kind::Assume(Pred::Const(true)),
        }
    }

    fn a_loop(&mut self, head: Head, body: &[Stmt], copy: Option<Copy>) -> Kind {
        let rows = rows(self.program, &head, body);
        let body = self.block(body);
        let rows = rows
            .into_iter()
            .filter(|(_, row)| !mentions(row, &body.sets) && reads_no_bytes(row))
            .collect();
        let (whole, goals) = (Vec::new(), Vec::new());
        Kind::Loop(Box::new(Loop { head, body, copy, whole, rows, goals }))
    }
}

/// Returns true if an expression reads no bytes.
fn reads_no_bytes(e: &Expr) -> bool {
    !e.mentions(|r| r.side == Side::Input && !r.index.is_empty())
}

/// Returns true if one of these variables occurs in an expression.
pub fn mentions(e: &Expr, vars: &BTreeSet<VarId>) -> bool {
    let mut found = false;
    e.vars(&mut |v| found |= vars.contains(&v));
    found
}

/// Returns the rows of outputs of several dimensions that a loop assigns, by index.
fn rows(program: &Program, head: &Head, body: &[Stmt]) -> Vec<(FieldId, Expr)> {
    let mut out: Vec<(FieldId, Expr)> = Vec::new();
    statements(body, &mut |stmt| {
        if let StmtKind::Assign { target, .. } = &stmt.kind
            && program.output.fields[target.field].lengths.len() > 1
            && !matches!(head, Head::For(var, _) if target.index[0].mentions_var(*var))
        {
            let row = (target.field, target.index[0].clone());
            if !out.contains(&row) {
                out.push(row);
            }
        }
    });
    out
}

/// Returns the equations after a loop that depend on variables changed by the loop.
fn goals(body: &Block, behind: &[Node]) -> Vec<Goal> {
    let (sets, mut jumps) = (&body.sets, BTreeSet::new());
    changes(body, &mut jumps);
    let mut out = Vec::new();
    let mut changed: BTreeSet<VarId> = BTreeSet::new();
    let of_loop = |e: &Expr, changed: &BTreeSet<VarId>| {
        mentions(e, sets) && !mentions(e, changed) && reads_no_bytes(e)
    };
    for node in behind {
        match &node.kind {
            Kind::Assign { target, value } => {
                let fixed = |i: &Expr| !mentions(i, sets) && !mentions(i, &changed);
                if of_loop(value, &changed) && target.index.iter().all(fixed) {
                    let steady = !mentions(value, &jumps);
                    let sides = Sides::Output(target.clone(), value.clone());
                    out.push(Goal { sides, steady });
                }
            }
            Kind::Assume(Pred::Cmp(Cmp::Eq, a, b)) => {
                let either = of_loop(a, &changed) || of_loop(b, &changed);
                if either && [a, b].iter().all(|e| !mentions(e, &changed)) {
                    let steady = ![a, b].iter().any(|e| mentions(e, &jumps));
                    out.push(Goal { sides: Sides::Equal(a.clone(), b.clone()), steady });
                }
            }
            _ => node.kind.sets(&mut changed),
        }
    }
    out
}

/// Collects the variables that a block changes other than by adding to them.
fn changes(block: &Block, out: &mut BTreeSet<VarId>) {
    for node in &block.nodes {
        match &node.kind {
            Kind::Set { var, value } => {
                let added = Poly::of(value).linear_in(&Atom::Var(*var));
                if added.is_none_or(|(own, _)| own.as_int() != Some(1)) {
                    out.insert(*var);
                }
            }
            Kind::Read { read, .. } => {
                out.insert(read.number);
                out.extend(read.width);
            }
            Kind::If { then, els, .. } => {
                changes(then, out);
                changes(els, out);
            }
            Kind::Loop(l) => changes(&l.body, out),
            Kind::Assign { .. } | Kind::Assume(_) | Kind::Sum { .. } => {}
        }
    }
}

/// Returns the loop as a copy, if it is one.
fn copy(var: VarId, body: &[Stmt]) -> Option<Copy> {
    let [Stmt { kind: StmtKind::Assign { target, value: Expr::Ref(read) }, .. }] = body else {
        return None;
    };
    let first = |e: &Expr| {
        let (step, rest) = Poly::of(e).linear_in(&Atom::Var(var))?;
        let rest = (step.as_int() == Some(1)).then(|| rest.to_expr())?;
        (!rest.mentions_var(var)).then_some(rest)
    };
    let (last, outer) = target.index.split_last()?;
    let [at] = &read.index[..] else { return None };
    if read.side != Side::Input || outer.iter().any(|e| e.mentions_var(var)) {
        return None;
    }
    let index = outer.iter().cloned().chain([first(last)?]).collect();
    let target = Ref { index, ..target.clone() };
    Some(Copy { target, source: read.field, at: first(at)? })
}
