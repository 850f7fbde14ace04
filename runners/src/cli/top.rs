//! `repfuzz top`: a view of a fleet.

use std::io::Write;

use clap::Args;

use super::{SUCCESS, fail, say};
use fleet::link::NatsArgs;
use fleet::top::top;

/// Show the queue, the nights and the workers of a fleet
#[derive(Debug, Clone, Args)]
pub struct TopArgs {
    /// The way to NATS.
    #[command(flatten)]
    pub nats: NatsArgs,
    /// Print once and end
    #[arg(long)]
    pub once: bool,
}

/// Runs the command; returns the exit code.
pub fn run(args: &TopArgs) -> u8 {
    let shown = top(&args.nats, |text| {
        if args.once {
            say(text.trim_end());
            return false;
        }
        // Each view replaces the previous one. The loop ends when nobody reads the output any more.
        let mut out = std::io::stdout().lock();
        out.write_all(b"\x1b[H\x1b[J").and_then(|()| out.write_all(text.as_bytes())).is_ok()
            && out.flush().is_ok()
    });
    match shown {
        Ok(()) => SUCCESS,
        Err(error) => fail(error),
    }
}
