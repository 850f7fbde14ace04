//! What a campaign runs on.

use indicatif::ProgressBar;

use crate::campaign::client_session::Bench;
use crate::campaign::records::Log;
use crate::campaign::runtime::Budget;
use crate::campaign::settings::Settings;
use crate::client::Client;
use crate::subject::Subject;

/// What a campaign runs on.
pub struct Context<'a> {
    /// The seed file.
    pub subject: &'a dyn Subject,
    /// All clients.
    pub clients: &'a [Box<dyn Client + 'a>],
    /// The clients at work; `None` for one that is not run.
    pub benches: &'a [Option<Bench<'a>>],
    /// The places of the clients in the order in which they get a file: slow ones first.
    pub order: &'a [usize],
    /// How much, with which seed, on how many threads.
    pub settings: &'a Settings,
    /// Where results go.
    pub log: &'a Log,
    /// When to end early.
    pub budget: &'a Budget,
    /// How many steps were begun before, if the run was interrupted.
    pub reached: u64,
    /// The progress bar.
    pub progress: &'a ProgressBar,
}
