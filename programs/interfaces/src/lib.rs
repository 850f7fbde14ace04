//! Interface graphs of libraries: in which orders may the functions of a library be called?
//!
//! An *interface graph* has a node for each set of states that a client need not tell apart, and an
//! edge for each call. It is *safe* if no sequence that it allows fails, and *permissive* if it allows
//! all sequences that do not. The algorithms are those of *Interface Building for Software by Modular
//! Three-Valued Abstraction Refinement* (Roy) and of those that it compares itself with; on top of
//! them, [`Stable`](synthesis::Stable) is safe and permissive for every library, which the paper's is
//! not. A library is written as [guarded updates](library), or is C.
//!
//! ```
//! use interfaces::library::parse;
//! use interfaces::synthesis::{Mode, synthesize};
//!
//! let library = parse(
//!     "module Door:
//!        var open, err : [0..1];
//!        init open = 0 & err = 0;
//!        output pull { var s : [0..1];
//!          s = 0 & open = 1 ==> err' = 1;
//!          s = 0 & open = 0 ==> open' = 1 & s' = 1; }
//!        output push { var s : [0..1]; s = 0 ==> open' = 0 & s' = 1; }
//!      endmodule",
//! )?;
//! let graph = synthesize(library, Mode::Stable, None)?;
//! assert_eq!(graph.regions(), 2);
//! # Ok::<(), interfaces::library::Problem>(())
//! ```

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod attributes;
pub mod c;
pub mod client;
pub mod exhaustive;
pub mod explicit;
pub mod export;
pub mod graph;
pub mod library;
pub mod replay;
pub mod suite;
pub mod symbolic;
pub mod synthesis;
pub mod watch;
