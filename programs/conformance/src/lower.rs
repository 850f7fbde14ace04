//! From canonical programs to those of conformance: calls that write or read become events.

use std::collections::BTreeMap;
use std::path::Path;

use canonical::{Action as Step, Call, Callee, Expr, ExprKind, LvalueBase, VariableId};

use crate::error::Error;
use crate::format;
use crate::granularity::take_apart;
use crate::program::{Action, Edge, Function, FunctionId, Part, Place, Program, Site};
use crate::settings::{Role, Settings};
use crate::sites::{Listed, Note, notes};
use crate::unfold::{self, Unfolded, unfold};

/// Elements of one call whose count is a constant, at most; more are any number.
const COUNT: i128 = 1_000;

/// A program with the list of its call sites that write or read.
#[derive(Debug, Clone, Default)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The call sites, in the order of their places.
    pub sites: Vec<Listed>,
    /// Number of functions that have a body.
    pub functions: usize,
}

/// Turns the calls that write (of a producer) or read (of a consumer) into events. With a list of
/// sites, exactly the calls on it do; otherwise `settings` and comments in the source decide.
///
/// # Errors
///
/// If the function that runs has no body, or a type cannot be taken apart.
pub fn lower(
    source: &canonical::Program,
    role: Role,
    settings: &Settings,
    list: Option<&[Listed]>,
) -> Result<Lowered, Error> {
    let main = settings.program(role).main.as_deref().unwrap_or("main");
    let bodies: BTreeMap<canonical::FunctionId, FunctionId> =
        source.defined().enumerate().map(|(k, (id, _, _))| (id, k)).collect();
    let running = source.function_named(main).and_then(|id| bodies.get(&id));
    let Some(running) = running else {
        let why = format!("the {} has no function `{main}`", role.name());
        return Err(Error::Program(why));
    };
    let texts = source.files.iter().map(|path| comments(path)).collect();
    let mut lowering =
        Lowering { source, role, settings, list, bodies: &bodies, texts, found: vec![] };
    let mut program = Program { main: *running, ..Program::default() };
    for (_, function, graph) in source.defined() {
        let lowered = lowering.function(&mut program, &function.name, graph);
        program.functions.push(lowered);
    }
    let mut sites = lowering.found;
    sites.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    take_apart(&mut program, &settings.types)?;
    Ok(Lowered { functions: program.functions.len(), program, sites })
}

/// The comments about calls of a file; none if it cannot be read.
fn comments(path: &Path) -> Vec<Note> {
    std::fs::read(path).map(|text| notes(&String::from_utf8_lossy(&text))).unwrap_or_default()
}

struct Lowering<'a> {
    source: &'a canonical::Program,
    role: Role,
    settings: &'a Settings,
    list: Option<&'a [Listed]>,
    bodies: &'a BTreeMap<canonical::FunctionId, FunctionId>,
    texts: Vec<Vec<Note>>,
    found: Vec<Listed>,
}

impl Lowering<'_> {
    fn function(
        &mut self,
        program: &mut Program,
        name: &str,
        graph: &canonical::Graph,
    ) -> Function {
        let unfolded = unfold(self.source, graph, &self.reads(graph));
        let Unfolded { nodes, entry, exit, .. } = unfolded;
        let mut function =
            Function { name: name.to_owned(), nodes, entry, exit, edges: Vec::new() };
        let mut sites: BTreeMap<(usize, canonical::FunctionId), usize> = BTreeMap::new();
        for copy in unfolded.edges {
            let (from, to) = (copy.from, copy.to);
            let edge = &graph.edges[copy.edge];
            let Step::Call(call) = &edge.action else {
                let action = Action::Nothing;
                function.edges.push(Edge { from, to, action, site: None });
                continue;
            };
            let mut callees = Vec::new();
            let mut other = call.callee.targets().is_empty();
            for target in call.callee.targets() {
                let callee = &self.source.function(*target).name;
                if let Some(mut parts) = self.parts(callee, call, edge.place, graph) {
                    let site = *sites
                        .entry((copy.edge, *target))
                        .or_insert_with(|| self.site(program, name, callee, edge.place, &parts));
                    if let (Some(value), [only]) = (copy.value, &mut parts[..]) {
                        if !only.values.is_empty() && !only.values.contains(&value) {
                            continue;
                        }
                        only.values = vec![value];
                    }
                    function.add_sequence(from, to, &parts, Some(site));
                } else if let Some(body) = self.bodies.get(target) {
                    callees.push(*body);
                } else {
                    other = true;
                }
            }
            other |= matches!(&call.callee, Callee::Pointer { complete: false, .. });
            if other {
                function.edges.push(Edge { from, to, action: Action::Nothing, site: None });
            }
            if !callees.is_empty() {
                function.edges.push(Edge { from, to, action: Action::Call(callees), site: None });
            }
        }
        function
    }

    /// The variables that calls fill with what they read, by the positions of the edges.
    fn reads(&self, graph: &canonical::Graph) -> BTreeMap<usize, VariableId> {
        let mut found = BTreeMap::new();
        for (k, edge) in graph.edges.iter().enumerate() {
            let Step::Call(call) = &edge.action else { continue };
            let [target] = call.callee.targets() else { continue };
            let known = self.settings.functions.get(&self.source.function(*target).name);
            let Some(known) = known.filter(|known| self.role.takes(known.direction)) else {
                continue;
            };
            let variable = match known.into {
                None => None,
                Some(0) => call.result.as_ref().and_then(canonical::Lvalue::whole_variable),
                Some(k) => call.arguments.get(k - 1).and_then(unfold::variable),
            };
            found.extend(variable.map(|variable| (k, variable)));
        }
        found
    }

    /// Adds a site to the program and to the list.
    fn site(
        &mut self,
        program: &mut Program,
        caller: &str,
        callee: &str,
        place: Option<canonical::Place>,
        parts: &[Part],
    ) -> usize {
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        let file = place.map(|place| self.file(place)).unwrap_or_default();
        self.found.push(Listed {
            role: self.role,
            file: file.clone(),
            line,
            column: Some(column),
            callee: callee.to_owned(),
            parts: parts.to_vec(),
        });
        let place = Place { file, line, column };
        program.sites.push(Site { place, callee: callee.to_owned(), caller: caller.to_owned() });
        program.sites.len() - 1
    }

    fn file(&self, place: canonical::Place) -> String {
        self.source.files[place.file.index()].display().to_string()
    }

    /// The elements that a call writes or reads; none if it does neither.
    fn parts(
        &self,
        callee: &str,
        call: &Call,
        place: Option<canonical::Place>,
        graph: &canonical::Graph,
    ) -> Option<Vec<Part>> {
        if let Some(list) = self.list {
            let place = place?;
            let file = self.file(place);
            let listed = list.iter().find(|site| {
                site.role == self.role
                    && (site.line, &site.file, site.callee.as_str()) == (place.line, &file, callee)
                    && site.column.is_none_or(|column| column == place.column)
            });
            return listed.map(|site| site.parts.clone());
        }
        let note = place.and_then(|place| {
            self.texts[place.file.index()].iter().find(|note| {
                note.line == place.line && note.callee.as_deref().is_none_or(|name| name == callee)
            })
        });
        let known = self.settings.functions.get(callee);
        if let Some(note) = note {
            // A comment that names no function is about those that are known, or all.
            let direction = note.direction.filter(|direction| self.role.takes(*direction))?;
            if !note.parts.is_empty() {
                return Some(note.parts.clone());
            }
            let _ = direction;
        }
        let known = match known {
            Some(known) if note.is_some() || self.role.takes(known.direction) => known,
            Some(_) => return None,
            None => return note.map(|_| vec![Part::one(callee)]),
        };
        if let Some(format) = known.format {
            let text = call.arguments.get(format.checked_sub(1)?).and_then(|a| self.text(a));
            return Some(text.map_or_else(
                || vec![Part { many: true, ..Part::one("any") }],
                |text| format::types(&text, self.role.formats()),
            ));
        }
        let mut parts = Part::sequence(known.kind.as_deref().unwrap_or(callee));
        let argument = |k: Option<usize>| call.arguments.get(k?.checked_sub(1)?);
        let size = argument(known.size).map(inner).and_then(Expr::constant);
        if let (Some(size), [only]) = (size, &mut parts[..]) {
            only.kind = format!("{}:{size}", only.kind);
        }
        if let (Some(argument), [only]) = (argument(known.value), &mut parts[..]) {
            only.values = self.constants(argument, graph);
        }
        if let Some(argument) = argument(known.count) {
            parts = repeated(&parts, argument.constant());
        }
        Some(parts)
    }

    /// The text of a string literal.
    fn text(&self, argument: &Expr) -> Option<String> {
        match &argument.kind {
            ExprKind::String(id) => {
                let bytes = self.source.string(*id);
                Some(
                    String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(bytes)).into_owned(),
                )
            }
            ExprKind::Cast(inner) => self.text(inner),
            _ => None,
        }
    }

    /// The constants that an expression may be: its own, or all that a function assigns to the variable
    /// that it is. None if it may be anything else.
    fn constants(&self, argument: &Expr, graph: &canonical::Graph) -> Vec<i128> {
        let argument = inner(argument);
        if let Some(value) = argument.constant() {
            return vec![value];
        }
        let ExprKind::Load(lvalue) = &argument.kind else { return Vec::new() };
        if let Some(character) = self.character(lvalue) {
            return vec![character];
        }
        let Some(variable) = lvalue.whole_variable() else { return Vec::new() };
        let mut values = Vec::new();
        for edge in &graph.edges {
            match &edge.action {
                Step::Assign { target, value } if is(target, variable) => {
                    let Some(value) = inner(value).constant() else { return Vec::new() };
                    values.push(value);
                }
                Step::Call(Call { result: Some(target), .. }) if is(target, variable) => {
                    return Vec::new();
                }
                _ => {}
            }
        }
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The character of a string literal at a constant position, as a byte without a sign.
    fn character(&self, lvalue: &canonical::Lvalue) -> Option<i128> {
        let LvalueBase::Deref(pointer) = &lvalue.base else { return None };
        let (string, index) = match &pointer.kind {
            ExprKind::Binary(canonical::Binary::Add, string, index) => {
                (&**string, inner(index).constant()?)
            }
            _ => (&**pointer, 0),
        };
        let ExprKind::String(id) = &string.kind else { return None };
        let index = usize::try_from(index).ok()?;
        self.source.string(*id).get(index).map(|byte| i128::from(*byte))
    }
}

/// A sequence as many times as a constant says, or any number of times.
fn repeated(parts: &[Part], count: Option<i128>) -> Vec<Part> {
    match count.and_then(|count| usize::try_from(count.clamp(0, COUNT + 1)).ok()) {
        Some(count) if count as i128 <= COUNT => {
            parts.iter().cycle().take(parts.len() * count).cloned().collect()
        }
        _ => parts.iter().map(|part| Part { many: true, ..part.clone() }).collect(),
    }
}

/// The expression below casts.
fn inner(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(within) => inner(within),
        _ => expr,
    }
}

fn is(target: &canonical::Lvalue, variable: VariableId) -> bool {
    matches!(target.base, LvalueBase::Variable(own) if own == variable)
}
