//! Clients and how they are driven, the oracle, reduction, the report and the command
//! line of `repfuzz`.

pub mod campaign;
pub mod cli;
pub mod client;
pub mod oracle;
pub mod reduce;
pub mod report;
pub mod subject;
