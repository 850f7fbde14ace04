//! Constraints: what ensures demand of unknowns, once everything determined is substituted.

pub mod by_cell;
pub mod closed_form;
pub mod constraint;
pub mod equated;
pub mod projected;
pub mod residual;
mod tightest;
pub mod uniform;
