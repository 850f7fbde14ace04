//! Canonical programs: control-flow graphs about which several analyses can communicate.
//!
//! A [`Program`] has functions, each a [`Graph`] with one entry and one exit. Each edge is an assignment, a guard, a
//! call, a return or nothing. Each node is labelled with the lexical tokens of its out-edges, so that analyses with
//! other graphs can name the same places. The model is that of *Anonymous On-line Communication Between Program
//! Analyses* (arXiv:1511.02415), section 2.2; it knows nothing of analyses, of specs, or of file formats.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod address;
pub mod c;
pub mod directives;
pub mod dot;
pub mod fold;
pub mod interpret;
mod library_name;
pub mod links;
pub mod model;
pub mod order;
pub mod points_to;
pub mod print;
pub mod walk;

pub use library_name::library_name;
pub use model::{
    Action, Binary, Call, Callee, Composite, CompositeId, CompositeKind, Diagnostic, Edge, EdgeId,
    Effect, Expr, ExprKind, Field, FileId, FloatType, Function, FunctionId, FunctionType, Graph,
    Initial, IntRank, IntType, Lvalue, LvalueBase, Node, NodeId, Operand, Place, Program,
    Projection, Storage, StringId, Token, TokenId, Type, Unary, Unsequenced, Variable, VariableId,
};
