//! Finds mistakes that only inputs of a certain size have: Z3 proposes sizes, and the program itself confirms
//! each. The searches among small inputs ([`outside`](inverter::check::outside), and that for [coverage](inverter::check::coverage)) see none of them.

mod numbers;
mod proposal;
mod reads;
mod walk;
mod writes;

pub use numbers::far_numbers;
pub use reads::far_reads;
pub use writes::far_writes;
