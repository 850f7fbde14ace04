//! Nights on many machines, which communicate by NATS with JetStream.
//!
//! ```text
//! serve (one)                               NATS                          work (any number)
//!
//! Nightly ─▶ campaigns ─▶ RemoteClient
//!                │ ask        ▲ reply
//!                ▼            │
//!             Dispatch ─▶ Ledger ─▶ stream of jobs ──▶ consumer of a group ──▶ lane: make the files
//!                ▲            │          (a work queue, explicit acknowledgement)       │ run the client
//!                └── Ledger ◀─┴── stream of results ◀─── by the worker's subject ◀──────┘
//!                                 object stores: seeds, large files, pictures, reports
//! ```
//!
//! The server plans and judges a night with the same code as on one machine. A worker's reply is treated like any
//! reply: it is committed to the store before it is used. All queues, leases and elections are those of JetStream.
//! `docs/fleet.md` explains how to run a fleet.
//!
//! A module uses only those before it in this list: [`token`], [`names`], [`wire`], [`link`], [`ledger`], [`watch`], [`dispatch`],
//! [`remote`], [`metrics`], [`serve`], [`work`], [`top`].

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod dispatch;
pub mod ledger;
pub mod link;
pub mod metrics;
pub mod names;
pub mod remote;
pub mod serve;
pub mod token;
pub mod top;
pub mod watch;
pub mod wire;
pub mod work;

/// Writes the log to standard error, as lines of text or of JSON. The environment variable `REPFUZZ_LOG` selects what
/// is logged: `debug`, or `warn,fleet=debug`. A second call has no effect.
pub fn log(json: bool) {
    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::prelude::*;
    let wanted = std::env::var("REPFUZZ_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let default = || Targets::new().with_default(tracing::Level::INFO);
    let filter = wanted.unwrap_or_else(default).with_target("async_nats", tracing::Level::ERROR);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry();
    let _ = match json {
        true => registry.with(lines.json().with_filter(filter)).try_init(),
        false => registry.with(lines.with_ansi(false).with_filter(filter)).try_init(),
    };
}
