//! Constraints: what ensures demand of unknowns, once everything determined is substituted.

pub mod by_cell;
pub mod closed_form;
pub mod constraint;
mod ends;
pub mod equated;
pub mod residual;
mod tightest;
pub mod uniform;
