//! The subcommands, in one file each. Each returns an exit code: 0 for success, 1 for a finding, 2 for a failure, and 3
//! if the command continued after an internal error or without a client that cannot be used.

pub mod accept;
mod acceptances;
pub mod analyze;
pub mod apply;
mod bounded;
mod bucket_files;
mod c_program;
pub mod cache;
#[cfg(feature = "z3")]
pub mod check;
pub mod client_selection;
pub mod clients;
pub mod completions;
pub mod conform;
mod console;
mod contracts;
mod coverage;
mod days;
pub mod demo;
pub mod dimensions;
pub mod equal;
pub mod export;
mod format;
pub mod formats;
pub mod fuzz;
pub mod fuzz_calls;
mod install;
pub mod interface;
pub mod invert;
mod jobs;
pub mod language;
pub mod man;
pub mod merge;
pub mod new;
pub mod nightly;
pub mod normalize;
mod picture_file;
pub mod program;
pub mod project;
pub mod reduce;
pub mod replay;
pub mod report;
mod restriction_args;
pub mod sample;
mod seed_run;
#[cfg(feature = "fleet")]
pub mod serve;
mod shown;
mod spec;
#[cfg(feature = "fleet")]
pub mod top;
mod variant_set;
pub mod variants;
#[cfg(feature = "fleet")]
pub mod work;

pub use console::{FAILURE, FOUND, INCOMPLETE, SUCCESS, fail};
pub(crate) use console::{note, say, say_json, warn, write_json};
pub use format::{Format, FormatArgs, ProfileName, SizeArgs};
pub(crate) use jobs::{displays, jobs, processors};
pub use reports::report::wrapped;
pub use restriction_args::RestrictionArgs;
