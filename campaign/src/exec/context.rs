//! The inputs of the execution phase.

use indicatif::ProgressBar;

use crate::client_session::ClientSession;
use crate::records::{ClientId, Log, SeedEdges};
use crate::runtime::Budget;
use crate::settings::Settings;
use clients::Client;
use equivalents::subject::{Subject, Variant};

/// The inputs of the execution phase.
pub struct Context<'a> {
    /// The file from which variants derive.
    pub subject: &'a dyn Subject,
    /// The seed file itself, if variants derive from a plainer file of the same picture: a variant
    /// like any other, with the number 0.
    pub given: Option<&'a Variant>,
    /// All clients.
    pub clients: &'a [Box<dyn Client + 'a>],
    /// The session of each client; `None` for one that cannot be judged.
    pub sessions: &'a [Option<ClientSession<'a>>],
    /// The clients that publish edges, with those that the seed reaches.
    pub seed_edges: &'a [(ClientId, SeedEdges)],
    /// The clients that refuse the file from which variants derive, but read the seed file.
    pub refuse_base: &'a [ClientId],
    /// The order in which clients are given a file: the slowest first.
    pub order: &'a [ClientId],
    /// The number of variants, the run seed and the number of threads.
    pub settings: &'a Settings,
    /// The log of results.
    pub log: &'a Log,
    /// Decides when to end.
    pub budget: &'a Budget,
    /// The number of steps that earlier processes began, if the run was interrupted.
    pub reached: u64,
    /// The progress bar.
    pub progress: &'a ProgressBar,
}
