//! Workers: processes that decode many files.
//!
//! # The protocol
//!
//! A worker reads requests from standard input and answers on standard output. All other output
//! must go to standard error. Everything is bytes; a line ends with a line feed.
//!
//! ```text
//! worker    ready\n                        once, when it can take requests
//! repfuzz   decode PATH\n                  PATH is the file, to the end of the line
//! worker    picture LENGTH\n BYTES         a picture file of LENGTH bytes, or
//!           refused LENGTH\n BYTES         its error message in UTF-8
//! repfuzz   decode PATH\n                  and so on
//! ```
//!
//! Extra reads ([`crate::ExtraRead`]) are requests of the same form, for those that `[output.extra]` has as `true`:
//! `region X Y WIDTH HEIGHT PATH`, and `pages`, `threads`, `rewrite` or `metadata` with the path. The answer is a
//! `picture`, too: several of them in one PNM file, one after the other; the file that was written; lines of text.
//!
//! The picture file has the format given in `[output]`. At the end of its input the worker
//! exits. If the library that it drives is missing, it prints `not installed: NAME` to standard
//! error and exits before it is ready. A `refused` message that starts with `glue: ` means that
//! the library read the file, but the worker cannot express the result: the file is not judged. A worker as a shell script, for a program that reads
//! standard input:
//!
//! ```sh
//! echo ready
//! while read -r _ path; do
//!     tifftopnm < "$path" > picture 2> message && kind=picture || kind=refused
//!     [ $kind = picture ] && file=picture || file=message
//!     printf '%s %s\n' $kind $(wc -c < $file); cat $file
//! done
//! ```
//!
//! If the description of a worker says `edges = true`, `REPFUZZ_EDGES` has the name of a file, in which the worker
//! publishes the edges of its code that a file reached, before it answers ([`crate::Edges`]).
//!
//! # Life cycle
//!
//! A client has as many workers as threads use it at the same time. A worker is ended after it
//! has been idle for a while, or has read many files (libraries leak memory). Limits on time and
//! disk hold per file, the memory limit per process. A worker that dies, hangs or violates the
//! protocol is replaced; a fresh process decides whether the current file was the reason.

mod edge_map;
mod places;
mod pool;
mod protocol;

pub(super) use places::places;
pub(super) use pool::{Pool, decode_once, extra_once};
