//! The data model of canonical programs.
//!
//! The model consists of tables with typed indices. A [`Program`] owns files, tokens, composite types, variables,
//! strings and functions, and everything else refers to them by index. Expressions have no side effects; all effects
//! are on edges.

mod diagnostic;
mod expr;
mod graph;
mod id;
mod order;
mod program;
mod source;
mod types;

pub use diagnostic::{Diagnostic, Effect};
pub use expr::{Binary, Expr, ExprKind, Lvalue, LvalueBase, Projection, Unary};
pub use graph::{Action, Call, Callee, Edge, Graph, Node};
pub use id::{CompositeId, EdgeId, FileId, FunctionId, NodeId, StringId, TokenId, VariableId};
pub use order::{Operand, Unsequenced};
pub use program::{Function, Initial, Program, Storage, Variable};
pub use source::{Place, Token};
pub use types::{
    Bits, Composite, CompositeKind, Field, FloatType, FunctionType, IntRank, IntType, Type,
};
