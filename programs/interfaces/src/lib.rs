//! Interface graphs of libraries, which show the orders in which the functions of a library may be called.
//!
//! An *interface graph* has a node for each set of states that a client need not distinguish, and an edge for each
//! call. It is *safe* if no sequence that it allows fails, and *permissive* if it allows all sequences that do not
//! fail. The algorithms come from *Interface Building for Software by Modular Three-Valued Abstraction Refinement*
//! (Roy) and from the work with which that paper compares itself. In addition, [`Stable`](synthesis::Stable) is safe
//! and permissive for every library, which the paper's algorithm is not. A library is given as [guarded
//! updates](library) or in C.
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
