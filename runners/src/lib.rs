//! Clients and how they are driven, the oracle, reduction, the report and the command
//! line of `repfuzz`.

pub mod client;
pub mod subject;
