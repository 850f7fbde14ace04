//! Symbols, tags and scopes: the meaning of names.

use std::collections::HashMap;

use crate::model::{CompositeId, FunctionId, FunctionType, IntType, Type, VariableId};

/// The meaning of an ordinary name.
#[derive(Debug, Clone)]
pub enum Symbol {
    Typedef(Type),
    Variable(VariableId),
    Function(FunctionId),
    /// An enumeration constant.
    Constant(i128),
}

/// The meaning of a tag.
#[derive(Debug, Clone, Copy)]
pub enum Tag {
    Composite(CompositeId),
    Enum(IntType),
}

/// The names of a block, or of the file.
#[derive(Debug, Default)]
pub struct Scope {
    pub names: HashMap<String, Symbol>,
    pub tags: HashMap<String, Tag>,
}

/// Returns the type of a function of which only the name is known.
pub fn unknown_function() -> FunctionType {
    FunctionType { result: Type::INT, parameters: Vec::new(), variadic: true }
}
