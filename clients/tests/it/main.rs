//! Clients: processes within limits, sandboxes, workers, viewers, and the programs that are installed on this machine.

mod escapes;
mod fake_viewer;
mod formats;
mod installed;
mod lured;
mod programs;
mod sandbox;
mod viewer;
mod worker;
