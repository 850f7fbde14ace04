//! The data of a campaign: what is logged, stored and reported.

mod baseline;
mod boundary;
mod cause;
mod journal;
mod judgment;
mod log;
pub(crate) mod pack;
mod record;
mod row;
mod run;
mod small;
pub mod words;

pub use baseline::{Anew, Baseline, State};
pub use boundary::Edge;
pub(crate) use cause::rank;
pub use cause::{Cause, Depth};
pub use journal::{Earlier, FileKey, Journal, Kept};
pub use judgment::{Judged, Trial};
pub use log::Log;
pub use record::{FORMAT, Purpose, Record};
pub use row::{Executed, Info, Left, Row};
pub(crate) use run::tested;
pub use run::{Run, Tested};
pub use small::Small;
