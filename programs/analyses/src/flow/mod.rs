//! Clients of abstract domains.

pub mod assume;
pub mod client;
pub mod evaluate;
pub mod exchange;
pub mod state;
pub mod transfer;
