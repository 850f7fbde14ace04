//! Constraints: the requirements of ensures on unknowns, after all determined values are substituted.

pub mod by_cell;
pub mod closed_form;
pub mod constraint;
pub mod equated;
pub mod projected;
pub mod residual;
mod tightest;
pub mod uniform;
