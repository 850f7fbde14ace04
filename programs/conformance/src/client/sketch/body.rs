//! Bodies of functions as control-flow graphs.

use std::collections::BTreeMap;

use canonical::{Action, Call, Callee, Expr, Graph, Lvalue, NodeId, Place, VariableId};

use super::tables::Lowering;
use super::tree::{KEYWORDS, Tree, expression};
use super::words::{Word, behind};

/// The maximum nesting depth of statements.
const DEPTH: usize = 100;

/// The graph of a body while it is built.
pub struct Body<'a, 'p> {
    pub words: &'a [Word<'a>],
    pub file: canonical::FileId,
    pub lowering: &'a mut Lowering<'p>,
    pub names: BTreeMap<String, VariableId>,
    pub graph: Graph,
    pub now: NodeId,
    labels: BTreeMap<String, NodeId>,
    breaks: Vec<NodeId>,
    continues: Vec<NodeId>,
    switches: Vec<Switch>,
    depth: usize,
}

/// A `switch` whose statement is being lowered.
struct Switch {
    /// The variable with the value.
    value: Expr,
    /// The node from which further cases are tried.
    next: NodeId,
    /// The statements after `default`.
    default: Option<NodeId>,
}

impl<'a, 'p> Body<'a, 'p> {
    /// The graph of the statements from `start` to `end`.
    pub fn graph(
        words: &'a [Word<'a>],
        range: std::ops::Range<usize>,
        file: canonical::FileId,
        lowering: &'a mut Lowering<'p>,
        names: BTreeMap<String, VariableId>,
    ) -> Graph {
        let graph = Graph::new();
        let now = graph.entry;
        let mut body = Self {
            words,
            file,
            lowering,
            names,
            graph,
            now,
            labels: BTreeMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            depth: 0,
        };
        body.block(range.start, range.end);
        let exit = body.graph.exit;
        body.add(exit, Action::Return(None), None);
        body.graph
    }

    /// Adds an edge to a new node, which becomes the current one.
    pub fn step(&mut self, action: Action, place: Option<Place>) {
        let next = self.graph.add_node();
        self.add(next, action, place);
        self.now = next;
    }

    /// Adds an edge from the current node.
    pub fn add(&mut self, to: NodeId, action: Action, place: Option<Place>) {
        self.graph.add_edge(self.now, to, action, place, []);
    }

    pub fn node(&mut self) -> NodeId {
        self.graph.add_node()
    }

    /// The place of a token.
    pub fn place(&self, at: usize) -> Option<Place> {
        let word = self.words.get(at)?;
        Some(Place { file: self.file, line: word.line, column: word.column })
    }

    fn text(&self, at: usize) -> &'a str {
        self.words.get(at).map_or("", |word| word.text)
    }

    fn block(&mut self, mut at: usize, end: usize) {
        while at < end {
            at = self.statement(at, end).max(at + 1);
        }
    }

    /// Lowers a statement; returns the position after it.
    fn statement(&mut self, at: usize, end: usize) -> usize {
        if at >= end {
            return end;
        }
        self.depth += 1;
        let next = if self.depth > DEPTH { end } else { self.any(at, end) };
        self.depth -= 1;
        next
    }

    fn any(&mut self, at: usize, end: usize) -> usize {
        match self.text(at) {
            "{" => {
                let close = behind(self.words, at).min(end);
                self.block(at + 1, close.saturating_sub(1));
                close
            }
            "if" => self.branch(at, end),
            "while" => self.repeat(at, end),
            "for" => self.counted(at, end),
            "do" => self.once_more(at, end),
            "switch" => self.switch(at, end),
            "case" | "default" => self.case(at, end),
            "break" | "continue" => {
                let stack = if self.text(at) == "break" { &self.breaks } else { &self.continues };
                let to = stack.last().copied().unwrap_or(self.graph.exit);
                self.leave(to, Action::Nothing);
                self.behind_semicolon(at, end)
            }
            "return" | "throw" => {
                let stop = self.semicolon(at, end);
                let value = (stop > at + 1).then(|| self.value(at + 1, stop));
                self.leave(self.graph.exit, Action::Return(value));
                stop + 1
            }
            "goto" => {
                let to = self.label(at + 1);
                self.leave(to, Action::Nothing);
                self.behind_semicolon(at, end)
            }
            "else" | "try" | ";" | "public" | "private" | "protected" => at + 1,
            // The preceding block need not have been run.
            "catch" => {
                let open = behind(self.words, at + 1).min(end);
                let (before, after) = (self.now, self.node());
                self.add(after, Action::Nothing, None);
                self.now = before;
                self.step(Action::Nothing, None);
                let next = self.statement(open, end);
                self.add(after, Action::Nothing, None);
                self.now = after;
                next
            }
            _ if self.text(at + 1) == ":" && self.words[at].is_name() => {
                let label = self.label(at);
                self.add(label, Action::Nothing, None);
                self.now = label;
                at + 2
            }
            _ => self.simple(at, end),
        }
    }

    /// Jumps to a node. Code after the jump is reached only through labels.
    fn leave(&mut self, to: NodeId, action: Action) {
        self.add(to, action, None);
        self.now = self.node();
    }

    fn label(&mut self, at: usize) -> NodeId {
        let name = self.text(at).to_owned();
        if let Some(node) = self.labels.get(&name) {
            return *node;
        }
        let node = self.node();
        self.labels.insert(name, node);
        node
    }

    /// Returns the position of the semicolon that ends the statement, or of the closing bracket around it.
    fn semicolon(&self, mut at: usize, end: usize) -> usize {
        while at < end {
            match self.text(at) {
                ";" | "}" => return at,
                "(" | "[" | "{" => at = behind(self.words, at),
                _ => at += 1,
            }
        }
        end
    }

    fn behind_semicolon(&self, at: usize, end: usize) -> usize {
        (self.semicolon(at, end) + 1).min(end)
    }

    fn value(&mut self, start: usize, end: usize) -> Expr {
        let tree = expression(self.words, start, end.min(self.words.len()));
        self.lower(&tree)
    }

    /// Branches on the condition in the bracket at `open`; returns the node for each outcome: if it holds, and if not.
    fn condition(&mut self, start: usize, end: usize) -> (NodeId, NodeId) {
        let (yes, no) = (self.node(), self.node());
        if start >= end {
            self.add(yes, Action::Nothing, None);
        } else {
            let tree = expression(self.words, start, end);
            self.test(&tree, yes, no, self.place(start));
        }
        (yes, no)
    }

    fn branch(&mut self, at: usize, end: usize) -> usize {
        let open = at + 1 + usize::from(self.text(at + 1) == "constexpr");
        let close = behind(self.words, open).min(end);
        let (yes, no) = self.condition(open + 1, close.saturating_sub(1));
        self.now = yes;
        let next = self.statement(close, end);
        let mut after = self.now;
        self.now = no;
        if self.text(next) != "else" || next >= end {
            self.add(after, Action::Nothing, None);
            self.now = after;
            return next;
        }
        let next = self.statement(next + 1, end);
        std::mem::swap(&mut after, &mut self.now);
        let to = after;
        self.add(to, Action::Nothing, None);
        self.now = to;
        next
    }

    /// Lowers the statement of a loop.
    fn inside(&mut self, at: usize, end: usize, again: NodeId, after: NodeId) -> usize {
        self.breaks.push(after);
        self.continues.push(again);
        let next = self.statement(at, end);
        self.breaks.pop();
        self.continues.pop();
        next
    }

    fn repeat(&mut self, at: usize, end: usize) -> usize {
        let head = self.node();
        self.add(head, Action::Nothing, None);
        self.now = head;
        let close = behind(self.words, at + 1).min(end);
        let (yes, no) = self.condition(at + 2, close.saturating_sub(1));
        self.now = yes;
        let next = self.inside(close, end, head, no);
        self.add(head, Action::Nothing, None);
        self.now = no;
        next
    }

    fn once_more(&mut self, at: usize, end: usize) -> usize {
        let (head, test, after) = (self.node(), self.node(), self.node());
        self.add(head, Action::Nothing, None);
        self.now = head;
        let next = self.inside(at + 1, end, test, after);
        self.add(test, Action::Nothing, None);
        self.now = test;
        // `while (...)`.
        let close = behind(self.words, next + 1).min(end);
        let (yes, no) = self.condition(next + 2, close.saturating_sub(1));
        self.now = yes;
        self.add(head, Action::Nothing, None);
        self.now = no;
        self.add(after, Action::Nothing, None);
        self.now = after;
        close
    }

    fn counted(&mut self, at: usize, end: usize) -> usize {
        let close = behind(self.words, at + 1).min(end);
        let inner = close.saturating_sub(1);
        let first = self.semicolon(at + 2, inner);
        let second = self.semicolon(first + 1, inner);
        self.simple(at + 2, first.max(at + 2));
        let (head, again) = (self.node(), self.node());
        self.add(head, Action::Nothing, None);
        self.now = head;
        let (yes, no) = if first >= inner {
            // A loop over a container.
            let (yes, no) = (self.node(), self.node());
            self.add(yes, Action::Nothing, None);
            self.add(no, Action::Nothing, None);
            (yes, no)
        } else {
            self.condition(first + 1, second)
        };
        self.now = yes;
        let next = self.inside(close, end, again, no);
        self.add(again, Action::Nothing, None);
        self.now = again;
        if second + 1 < inner {
            self.value(second + 1, inner);
        }
        self.add(head, Action::Nothing, None);
        self.now = no;
        next
    }

    fn switch(&mut self, at: usize, end: usize) -> usize {
        let close = behind(self.words, at + 1).min(end);
        let value = self.value(at + 2, close.saturating_sub(1));
        let value = self.kept(value);
        let after = self.node();
        self.switches.push(Switch { value, next: self.now, default: None });
        self.breaks.push(after);
        // Statements before the first case are never reached.
        self.now = self.node();
        let next = self.statement(close, end);
        self.breaks.pop();
        self.add(after, Action::Nothing, None);
        if let Some(switch) = self.switches.pop() {
            self.now = switch.next;
            self.add(switch.default.unwrap_or(after), Action::Nothing, None);
        }
        self.now = after;
        next
    }

    fn case(&mut self, at: usize, end: usize) -> usize {
        let mut colon = at + 1;
        while colon < end && self.text(colon) != ":" {
            colon += 1;
        }
        let here = self.node();
        self.add(here, Action::Nothing, None);
        let place = self.place(at);
        if self.switches.is_empty() || self.text(at) == "default" {
            if let Some(switch) = self.switches.last_mut() {
                switch.default = Some(here);
            }
        } else {
            let other = self.node();
            let constant = self.value(at + 1, colon);
            if let Some(switch) = self.switches.last_mut() {
                let from = std::mem::replace(&mut switch.next, other);
                let condition = Lowering::equal(switch.value.clone(), constant);
                for (to, holds) in [(here, true), (other, false)] {
                    let action = Action::Guard { condition: condition.clone(), holds };
                    self.graph.add_edge(from, to, action, place, []);
                }
            }
        }
        self.now = here;
        colon + 1
    }

    /// A declaration or an expression.
    fn simple(&mut self, at: usize, end: usize) -> usize {
        let stop = self.semicolon(at, end);
        match self.declared(at, stop) {
            Some(name) => self.declaration(name, stop),
            None => {
                self.value(at, stop);
            }
        }
        (stop + 1).min(end.max(at + 1))
    }

    /// Returns the position of the first name that a declaration declares; `None` for an expression.
    fn declared(&self, at: usize, stop: usize) -> Option<usize> {
        let mut k = at;
        let mut names = 0;
        let mut keyword = false;
        while k < stop {
            let word = &self.words[k];
            match word.text {
                "*" | "&" if names > 0 => {}
                "::" => names -= usize::from(names > 0),
                "<" if names > 0 => {
                    let close = (k..stop.min(k + 16)).find(|k| self.text(*k) == ">")?;
                    k = close;
                }
                "=" | "," | "[" | ";" | "(" | "{" => break,
                text if word.is_name() => {
                    keyword |= KEYWORDS.contains(&text);
                    names += 1;
                }
                _ => return None,
            }
            k += 1;
        }
        let last = k.checked_sub(1).filter(|last| *last > at)?;
        let name = self.words[last].is_name() && !KEYWORDS.contains(&self.words[last].text);
        let between = self.words[at..last].iter().all(|w| w.text != "=");
        (name && between && (names > 1 || keyword)).then_some(last)
    }

    fn declaration(&mut self, first: usize, stop: usize) {
        let mut at = first;
        while at < stop {
            let name = self.text(at).to_owned();
            let variable = self.lowering.local(&name);
            self.names.insert(name, variable);
            let mut comma = at + 1;
            let mut value = None;
            while comma < stop && self.text(comma) != "," {
                if self.text(comma) == "=" {
                    value.get_or_insert(comma + 1);
                }
                comma = if ["(", "[", "{"].contains(&self.text(comma)) {
                    behind(self.words, comma)
                } else {
                    comma + 1
                };
            }
            if let Some(start) = value {
                let value = self.value(start, comma.min(stop));
                let target = Lowering::whole(variable);
                let place = self.place(at);
                self.step(Action::Assign { target, value }, place);
            }
            at = comma + 1;
            while at < stop && !self.words[at].is_name() {
                at += 1;
            }
        }
    }

    /// A temporary variable with a value.
    pub fn kept(&mut self, value: Expr) -> Expr {
        let target = Lowering::whole(self.lowering.temporary());
        self.step(Action::Assign { target: target.clone(), value }, None);
        Expr::load(target)
    }

    /// The result of a call.
    pub fn call(&mut self, callee: Callee, arguments: Vec<Expr>, at: usize) -> Expr {
        let target: Lvalue = Lowering::whole(self.lowering.temporary());
        let call = Call { callee, arguments, result: Some(target.clone()) };
        let place = self.place(at);
        self.step(Action::Call(call), place);
        Expr::load(target)
    }

    /// Lowers a tree that is used only for its effects.
    pub fn effects(&mut self, trees: &[Tree]) {
        for tree in trees {
            self.lower(tree);
        }
    }
}
