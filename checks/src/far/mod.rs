//! Finds mistakes that only inputs of a certain size reveal: Z3 proposes sizes, and the program itself confirms each.
//! The searches among small inputs ([`outside`](inverter::check::outside), and that for
//! [coverage](inverter::check::coverage)) cannot find them.

mod numbers;
mod proposal;
mod reads;
mod walk;
mod writes;

pub use numbers::far_numbers;
pub use reads::far_reads;
pub use writes::far_writes;
