//! Ensures of scalars: residual constraints in connected components, each solved in closed form,
//! from a list of few solutions, by backtracking, as a network, or by Z3.

mod aliasing;
mod backtrack;
mod components;
mod conflict;
mod connected;
pub mod diagram;
mod ensure;
mod few;
pub mod plan;
mod planning;
mod smt;
mod solve;
mod undo;

pub use ensure::ensure_scalars;
