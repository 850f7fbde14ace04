//! Sequences of calls on libraries, replayed on equivalent files (`repfuzz fuzz --calls`).
//!
//! A [`Model`] describes the interface of a library; its graph yields sequences that cover every pair of edges. A
//! [`Driver`] runs them on the library, for the seed and for each variant, because the result of a call must not depend
//! on earlier calls. [`run`] does this, reduces differences to the fewest dimensions and the shortest sequence, and
//! merges those that are the same fault. [`across`] merges them over seeds. [`page()`] and [`table()`] show the result.

mod driver;
mod evidence;
mod finding;
mod model;
mod outcome;
mod page;
mod probe;
mod program;
mod reduce;
mod replay;
mod result;
mod table;

pub use driver::{Driver, Kind};
pub use model::{Model, SHIPPED, Suite};
pub use page::{example, page};
pub use program::{Programs, programs};
pub use replay::{Settings, across, run};
pub use result::{CallsRun, Cause, DriverResult, Evidence, Sure, Unreduced};
pub use table::{causes, table};
