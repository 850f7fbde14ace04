//! Programs: tables of files, tokens, types, variables and functions.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    Composite, CompositeId, Diagnostic, Expr, FunctionId, FunctionType, Graph, Lvalue, Place,
    StringId, Token, TokenId, Type, Unsequenced, VariableId,
};

/// A program: one or several translation units, linked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The files to which places refer.
    pub files: Vec<PathBuf>,
    /// Structs and unions.
    pub composites: Vec<Composite>,
    /// Variables of all functions and of the program.
    pub variables: Vec<Variable>,
    /// The functions, defined or only declared.
    pub functions: Vec<Function>,
    /// The values of string literals, with the terminating zero. Wide literals have four bytes per character.
    #[serde(serialize_with = "strings", deserialize_with = "literals")]
    pub strings: Vec<Vec<u8>>,
    /// The lexical tokens in the order of the text, file after file.
    pub tokens: Vec<Token>,
    /// Everything that was not understood.
    pub diagnostics: Vec<Diagnostic>,
    /// Expressions whose order of evaluation C leaves open.
    #[serde(skip)]
    pub unsequenced: Vec<Unsequenced>,
}

/// The storage of a variable, and who can see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// A variable of the program, visible to all files.
    Global,
    /// A variable of a file, or a static one of a function.
    Static,
    /// A parameter.
    Parameter,
    /// A local variable of one activation of its function. Without an initializer its value is undetermined.
    Local,
    /// A local variable that the front end created for the value of an inner expression. It is assigned before it is
    /// read, and its address is not taken.
    Temporary,
}

/// The initial value of a variable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Initial {
    /// The value is undetermined, because this is a local variable, whose initializer consists of edges of its
    /// function.
    None,
    /// The variable is declared, but no file that was read defines it, so it may have any value.
    Unknown,
    /// The variable has static storage: it is zero, then these constants and addresses are assigned in order.
    Values(Vec<(Lvalue, Expr)>),
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// The name, as in the source. The names of temporaries begin with `%`.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The storage in which it lives.
    pub storage: Storage,
    /// The function to which it belongs; `None` for variables of the program or of a file.
    pub function: Option<FunctionId>,
    /// The value before execution.
    pub initial: Initial,
    /// True if its address or that of a part is taken, so it may change through a pointer.
    pub address_taken: bool,
    /// The token of its name in its declaration, which determines the numbers of segments of canonical memory
    /// (arXiv:1511.02415, 2.5).
    pub token: Option<TokenId>,
    /// The place of its declaration.
    pub place: Option<Place>,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub ty: FunctionType,
    /// The parameters; empty if the function is only declared.
    pub parameters: Vec<VariableId>,
    /// Its other variables, including temporaries and static ones.
    pub locals: Vec<VariableId>,
    /// The graph; `None` if the function is only declared or its text was not understood.
    pub body: Option<Graph>,
    /// True if other files cannot call it by its name.
    pub internal: bool,
    /// True if it never returns to its caller.
    pub no_return: bool,
    /// True if an attribute lets it run before or after `main`.
    #[serde(skip)]
    pub runs_outside: bool,
    /// True if its address is null if no file defines it.
    #[serde(skip)]
    pub weak: bool,
    /// The place of its definition, or otherwise of its first declaration or use.
    pub place: Option<Place>,
}

impl Function {
    /// A function without a graph, which other files may call and which returns.
    pub fn declared(name: &str, ty: FunctionType) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            parameters: Vec::new(),
            locals: Vec::new(),
            body: None,
            internal: false,
            no_return: false,
            runs_outside: false,
            weak: false,
            place: None,
        }
    }
}

impl Program {
    /// A composite type.
    pub fn composite(&self, id: CompositeId) -> &Composite {
        &self.composites[id.index()]
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The bytes of a string, with the zero at their end.
    pub fn string(&self, id: StringId) -> &[u8] {
        &self.strings[id.index()]
    }

    /// A token.
    pub fn token(&self, id: TokenId) -> &Token {
        &self.tokens[id.index()]
    }

    /// Returns the function with a name; if there are several, one that is visible to other files.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let all = || self.functions.iter().enumerate().filter(|(_, f)| f.name == name);
        let found = all().find(|(_, f)| !f.internal).or_else(|| all().next());
        found.map(|(k, _)| FunctionId::new(k))
    }

    /// The functions that have a graph.
    pub fn defined(&self) -> impl Iterator<Item = (FunctionId, &Function, &Graph)> {
        self.functions.iter().enumerate().filter_map(|(k, function)| {
            function.body.as_ref().map(|graph| (FunctionId::new(k), function, graph))
        })
    }

    /// A place as `file:line:column`.
    pub fn at(&self, place: Place) -> String {
        let file = self.files[place.file.index()].display();
        format!("{file}:{}:{}", place.line, place.column)
    }

    /// Returns the size of a type in bytes; `None` for functions, `void`, and incomplete types.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Void | Type::Function(_) => None,
            Type::Array(element, count) => self.size(element)?.checked_mul((*count)?),
            Type::Composite(id) => {
                let composite = self.composite(*id);
                composite.complete.then_some(composite.size)
            }
            scalar => Some(scalar.scalar_size()),
        }
    }

    /// Returns the alignment of a type in bytes; 1 for functions, `void`, and incomplete types.
    pub fn align(&self, ty: &Type) -> u64 {
        match ty {
            Type::Void | Type::Function(_) => 1,
            Type::Array(element, _) => self.align(element),
            Type::Composite(id) => self.composite(*id).align.max(1),
            scalar => scalar.scalar_size(),
        }
    }
}

impl Type {
    /// The size of an integer, a floating type or a pointer.
    fn scalar_size(&self) -> u64 {
        match self {
            Type::Int(int) => u64::from(int.bits() / 8),
            Type::Float(super::FloatType::Float) => 4,
            Type::Float(super::FloatType::LongDouble) => 16,
            _ => 8,
        }
    }
}

/// The bytes of a string in JSON: text without the terminating zero, or all bytes if they are not text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Literal {
    Text(String),
    Bytes(Vec<u8>),
}

fn strings<S: Serializer>(strings: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(strings.iter().map(|bytes| {
        let text = bytes.split_last().filter(|(last, _)| **last == 0);
        match text.and_then(|(_, text)| std::str::from_utf8(text).ok()) {
            Some(text) => Literal::Text(text.to_owned()),
            None => Literal::Bytes(bytes.clone()),
        }
    }))
}

fn literals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
    let all: Vec<Literal> = Vec::deserialize(deserializer)?;
    let bytes = |literal| match literal {
        Literal::Text(text) => [text.as_bytes(), &[0]].concat(),
        Literal::Bytes(bytes) => bytes,
    };
    Ok(all.into_iter().map(bytes).collect())
}
