//! Ensures of scalars: residual constraints in connected components, each solved in closed form,
//! as a network, or by Z3.

mod aliasing;
mod components;
mod conflict;
mod connected;
mod ensure;
pub mod plan;
mod planning;
mod smt;
mod solve;
mod undo;

pub use ensure::ensure_scalars;
