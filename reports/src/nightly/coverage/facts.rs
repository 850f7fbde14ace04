//! Facts of a finished run about the clients that took part.

use campaign::oracle::Outcome;
use campaign::{ClientState, ClientSummary, Run};

/// The part of one client in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientFacts {
    /// Its name.
    pub name: String,
    /// Its version; empty if it is unknown.
    pub version: String,
    /// The reason why the version is unknown although there is a command for it.
    pub version_unknown: Option<String>,
    /// The library with which it reads; empty if unknown, or if the client has its own code.
    pub library: String,
    /// The sandbox in which it ran, if one was planned.
    pub confinement: Option<String>,
    /// The number of variants on which it was run.
    pub runs: usize,
    /// The reason why it did not read the seed; `None` if it did.
    pub unread: Option<String>,
    /// True if the reason is a failure of the client: a crash, hang or refusal.
    pub fails: bool,
    /// The failure on our side after which it was no longer used.
    pub dropped: Option<String>,
}

/// The run of one seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedFacts {
    /// The seed.
    pub seed: String,
    /// The SHA-256 of its file, in hexadecimal.
    pub digest: String,
    /// The number of variants that were made.
    pub made: usize,
    /// The clients.
    pub clients: Vec<ClientFacts>,
}

impl SeedFacts {
    /// Extracts the facts of `run`; its seed is called `seed`.
    pub fn of(seed: &str, run: &Run) -> Self {
        let clients = run.clients.iter().map(ClientFacts::of).collect();
        let digest = clients::digest::hex(&run.seed);
        Self { seed: seed.to_owned(), digest, made: run.variants, clients }
    }
}

impl ClientFacts {
    fn of(client: &ClientSummary) -> Self {
        let unread = match &client.state {
            // A wrong picture counts as read. Any other failure on the plainest file is a failure to read.
            ClientState::Ready(baseline) => {
                let finding = baseline.finding.as_ref().filter(|_| baseline.base_fails);
                let failed = finding.filter(|finding| finding.outcome != Outcome::Wrong);
                failed.map(|finding| worded(finding.outcome.word(), &finding.message))
            }
            ClientState::CannotRead { outcome, message } => Some(worded(outcome.word(), message)),
            ClientState::CannotRun(why) => Some(worded("cannot be run", why)),
            ClientState::Unsteady => client.state.objection().map(str::to_owned),
            ClientState::FailedOnce { outcome, message } => {
                let failed = worded(outcome.word(), message);
                Some(format!("one of two runs on the seed failed: {failed}"))
            }
        };
        let steady =
            matches!(&client.state, ClientState::Ready(_) | ClientState::CannotRead { .. });
        Self {
            fails: steady && unread.is_some(),
            name: client.name.clone(),
            version: client.version.clone(),
            version_unknown: client.version_unknown.clone(),
            library: client.facts.library.clone(),
            confinement: client.confinement.clone(),
            runs: client.outcomes.iter().sum::<usize>() + usize::from(client.on_seed.is_some()),
            unread,
            dropped: match &client.state {
                ClientState::CannotRun(why) => Some(why.clone()),
                _ => client.dropped.clone(),
            },
        }
    }
}

fn worded(what: &str, message: &str) -> String {
    if message.is_empty() { what.to_owned() } else { format!("{what}: {message}") }
}
