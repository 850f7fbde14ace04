//! Lowers syntax trees to the tables and graphs of a program.
//!
//! One [`Lowerer`] lowers one translation unit. The files in this folder extend it for types, expressions, statements
//! and declarations.

mod assign;
mod call;
mod composites;
mod condition;
mod constant;
mod convert;
mod declare;
mod define;
mod expr;
mod init;
mod lvalue;
mod operator;
mod order;
mod remarks;
mod scope;
mod statement;
mod symbols;
mod types;

use std::collections::{HashMap, HashSet};

use lang_c::span::Span;

use super::chunk::Text;
use super::lex::{Lexed, Lexeme};
use crate::model::{
    Action, Composite, CompositeId, Diagnostic, EdgeId, Effect, Expr, ExprKind, FunctionId,
    FunctionType, Graph, Lvalue, NodeId, Place, Program, Storage, TokenId, Type, Variable,
    VariableId,
};

pub use symbols::{Scope, Symbol, unknown_function};

/// The reason why something cannot be lowered.
#[derive(Debug)]
pub struct Problem {
    pub message: String,
    pub place: Option<Place>,
}

/// The result of lowering.
pub type Lowered<T> = Result<T, Problem>;

/// Names and types that translation units share.
#[derive(Debug, Default)]
pub struct Linkage {
    pub functions: HashMap<String, FunctionId>,
    pub variables: HashMap<String, VariableId>,
    /// Composites by tag and place of their declaration. Units that include the same header share them.
    pub composites: HashMap<(Option<String>, Place), CompositeId>,
    pub tags: HashMap<String, CompositeId>,
    /// Functions that headers of the system define.
    pub system: HashSet<FunctionId>,
    /// Functions with an inline definition; and functions of which another declaration turns the inline definition into
    /// a definition for all files (C11, 6.7.4).
    pub inline: HashMap<FunctionId, Place>,
    pub external: HashSet<FunctionId>,
}

/// A switch whose body is being lowered.
#[derive(Debug)]
struct Switch {
    /// The node from which its cases branch.
    head: NodeId,
    /// The value that is compared.
    value: Expr,
    /// The minimum and maximum value, the target node, and the label.
    cases: Vec<(i128, i128, NodeId, Span)>,
    default: Option<(NodeId, Span)>,
}

/// The function whose body is being lowered.
#[derive(Debug)]
struct Body {
    graph: Graph,
    /// The node from which the next edge leads.
    current: NodeId,
    function: FunctionId,
    locals: Vec<VariableId>,
    result: Type,
    breaks: Vec<NodeId>,
    continues: Vec<NodeId>,
    switches: Vec<Switch>,
    labels: HashMap<String, NodeId>,
    /// Labels that were defined; and labels that a `goto` names, with the place of the `goto`.
    defined: Vec<String>,
    wanted: Vec<(String, Option<Place>)>,
    /// Labels whose address is taken, and the nodes of computed jumps.
    addressed: Vec<String>,
    computed: Vec<NodeId>,
    /// Sizes in bytes of arrays of variable length.
    sizes: HashMap<VariableId, Expr>,
}

/// Lowers one translation unit.
pub struct Lowerer<'a> {
    pub program: &'a mut Program,
    pub linkage: &'a mut Linkage,
    pub lexemes: &'a [Lexeme],
    /// The maximum alignments of fields, by token; see [`Lexed::packs`].
    packs: &'a [(usize, u64)],
    /// The token of each lexeme, if the program keeps it.
    pub tokens: Vec<Option<TokenId>>,
    /// The text to which spans refer.
    pub text: Text,
    /// True for the tokens of the text that an edge already represents.
    pub claimed: Vec<bool>,
    pub scopes: Vec<Scope>,
    /// The names of types of the file.
    pub typedefs: HashSet<String>,
    /// Names that a system header declares with constructs that are not understood, each with the message.
    dropped: HashMap<String, String>,
    /// True if `char` has a sign.
    pub char_signed: bool,
    body: Option<Body>,
    /// The number of elements of the variable-length array that was declared last.
    variable_length: Option<Expr>,
}

impl<'a> Lowerer<'a> {
    /// A lowerer of the unit that has these tokens.
    pub fn new(
        program: &'a mut Program,
        linkage: &'a mut Linkage,
        lexed: &'a Lexed,
        char_signed: bool,
    ) -> Self {
        let tokens = vec![None; lexed.lexemes.len()];
        Self {
            program,
            linkage,
            lexemes: &lexed.lexemes,
            packs: &lexed.packs,
            tokens,
            dropped: HashMap::new(),
            text: Text::default(),
            claimed: Vec::new(),
            scopes: vec![Scope::default()],
            typedefs: HashSet::new(),
            char_signed,
            body: None,
            variable_length: None,
        }
    }

    /// Forgets a declaration that could not be lowered.
    pub fn reset(&mut self) {
        self.body = None;
        self.scopes.truncate(1);
        self.text = Text::default();
        self.claimed.clear();
    }

    /// Declares a function with a known name and nothing else.
    pub fn declare_unknown(&mut self, name: &str, ty: FunctionType, place: Place) -> FunctionId {
        let id = self.declare_function(name, ty, false, Span::span(0, 0));
        self.program.functions[id.index()].place = Some(place);
        self.bind(name.to_owned(), Symbol::Function(id));
        id
    }

    /// The place of the first token of a span.
    fn place(&self, span: Span) -> Option<Place> {
        self.text.position(span.start).map(|position| self.lexemes[position].place)
    }

    /// The token with which a span begins.
    fn token(&self, span: Span) -> Option<TokenId> {
        self.text.position(span.start).and_then(|position| self.tokens[position])
    }

    /// An error at a span.
    fn problem<T>(&self, span: Span, message: impl Into<String>) -> Lowered<T> {
        Err(Problem { message: message.into(), place: self.place(span) })
    }

    /// Records something that was not understood.
    fn remark(&mut self, place: Option<Place>, message: impl Into<String>, effect: Effect) {
        let function = self.body.as_ref().map(|body| body.function);
        let diagnostic = Diagnostic { message: message.into(), place, function, effect };
        if !self.program.diagnostics.contains(&diagnostic) {
            self.program.diagnostics.push(diagnostic);
        }
    }

    /// Claims the tokens of a span that no edge represents yet.
    fn claim(&mut self, span: Span) -> Vec<TokenId> {
        let range = self.text.tokens(span);
        let mut tokens = Vec::new();
        for k in range {
            if !std::mem::replace(&mut self.claimed[k], true) {
                tokens.extend(self.tokens[self.text.starts[k].1]);
            }
        }
        tokens
    }

    fn body(&mut self, span: Span) -> Lowered<&mut Body> {
        let place = self.place(span);
        let why = || Problem { message: "not a constant".to_owned(), place };
        self.body.as_mut().ok_or_else(why)
    }

    /// Adds an edge from the current node to another one, which becomes the current one.
    fn edge_to(&mut self, to: NodeId, action: Action, span: Span) -> Lowered<EdgeId> {
        let tokens = if self.body.is_some() { self.claim(span) } else { Vec::new() };
        let place = self.place(span);
        let body = self.body(span)?;
        let edge = body.graph.add_edge(body.current, to, action, place, tokens);
        body.current = to;
        Ok(edge)
    }

    /// Adds an edge to a new node.
    fn edge(&mut self, action: Action, span: Span) -> Lowered<EdgeId> {
        let to = self.node(span)?;
        self.edge_to(to, action, span)
    }

    /// Adds an edge without effect and without tokens.
    fn jump(&mut self, to: NodeId, span: Span) -> Lowered<()> {
        let body = self.body(span)?;
        body.graph.add_edge(body.current, to, Action::Nothing, None, []);
        body.current = to;
        Ok(())
    }

    fn node(&mut self, span: Span) -> Lowered<NodeId> {
        Ok(self.body(span)?.graph.add_node())
    }

    /// Makes a node the current one.
    fn go_on(&mut self, node: NodeId, span: Span) -> Lowered<()> {
        self.body(span)?.current = node;
        Ok(())
    }

    fn assign(&mut self, target: Lvalue, value: Expr, span: Span) -> Lowered<()> {
        self.edge(Action::Assign { target, value }, span).map(|_| ())
    }

    /// A new local variable without a name in the source.
    fn temporary(&mut self, ty: Type, span: Span) -> Lowered<Lvalue> {
        let number = self.body(span)?.locals.len();
        let name = format!("%{number}");
        self.local(name, ty, Storage::Temporary, span)
    }

    /// A new variable of the function.
    fn local(&mut self, name: String, ty: Type, storage: Storage, span: Span) -> Lowered<Lvalue> {
        let (place, token) = (self.place(span), self.token(span));
        let id = VariableId::new(self.program.variables.len());
        let body = self.body(span)?;
        body.locals.push(id);
        let function = Some(body.function);
        self.program.variables.push(Variable {
            name,
            ty: ty.clone(),
            storage,
            function,
            initial: crate::model::Initial::None,
            address_taken: false,
            token: token.filter(|_| storage != Storage::Temporary),
            place,
        });
        Ok(Lvalue::variable(id, ty))
    }

    /// Stores a value in a temporary and returns its load.
    fn hold(&mut self, value: Expr, span: Span) -> Lowered<Expr> {
        // A temporary keeps its value as long as the expression needs it.
        let kept = match &value.kind {
            ExprKind::Load(lvalue) => lvalue
                .whole_variable()
                .is_some_and(|id| self.program.variable(id).storage == Storage::Temporary),
            _ => value.constant().is_some(),
        };
        if kept {
            return Ok(value);
        }
        let temporary = self.temporary(value.ty.clone(), span)?;
        self.assign(temporary.clone(), value, span)?;
        Ok(Expr::load(temporary))
    }

    fn composite(&self, id: CompositeId) -> &Composite {
        self.program.composite(id)
    }

    /// Lowers something only for its type: effects are dropped.
    fn without_effects<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let Some(body) = &mut self.body else { return lower(self) };
        let graph = std::mem::take(&mut body.graph);
        let current = std::mem::replace(&mut body.current, NodeId(0));
        let (locals, wanted) = (body.locals.len(), body.wanted.len());
        let variables = self.program.variables.len();
        let diagnostics = self.program.diagnostics.len();
        let unsequenced = self.program.unsequenced.len();
        let claimed = self.claimed.clone();
        let result = lower(self);
        self.claimed = claimed;
        self.program.diagnostics.truncate(diagnostics);
        self.program.unsequenced.truncate(unsequenced);
        if let Some(body) = &mut self.body {
            (body.graph, body.current) = (graph, current);
            body.wanted.truncate(wanted);
            // Static variables that a statement expression declares remain, because scopes may name them.
            if body.locals[locals..].len() == self.program.variables.len() - variables {
                body.locals.truncate(locals);
                self.program.variables.truncate(variables);
            }
        }
        result
    }
}
