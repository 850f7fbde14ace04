//! Workers: processes that stay, and decode file after file.
//!
//! # The protocol
//!
//! A worker reads requests from standard input and answers on standard output. Whatever else it
//! prints must go to standard error. All of it is bytes; a line ends with a line feed.
//!
//! ```text
//! worker    ready\n                        once, when it can take requests
//! repfuzz   decode PATH\n                  PATH is the file, to the end of the line
//! worker    picture LENGTH\n BYTES         a picture file of LENGTH bytes, or
//!           refused LENGTH\n BYTES         its error message in UTF-8
//! repfuzz   decode PATH\n                  and so on
//! ```
//!
//! The picture file is in the format that `[output]` says. At the end of its input the worker
//! ends. If the library that it drives is missing, it prints `not installed: NAME` to standard
//! error and ends before it is ready. A worker in the shell, for a program that reads standard
//! input:
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
//! # What becomes of it
//!
//! There are as many workers of a client as threads ask for one at a time; one that has had
//! nothing to do for a while is ended, and so is one that has read many files, for libraries
//! leak. Limits on time and disk hold for each file, the limit on memory for the process. A
//! worker that dies, hangs, or says what is not in the protocol is replaced; whether the file
//! at hand was the reason is found out by a fresh process.

mod dialogue;
mod pool;

pub(super) use pool::{Pool, decode_once};
