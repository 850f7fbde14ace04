//! The report of one seed, as the index of several seeds shows it.

use std::collections::BTreeSet;

use maud::Markup;

use super::glance::glance;
use super::sentence::{summary, title};
use super::site::{Names, Site};
use campaign::oracle::Outcome;
use campaign::root_cause::RootKey;
use campaign::{Cause, ClientId, ClientSummary, Run, Verdict};
use equivalents::subject::Class;

/// The report of one seed.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its folder, relative to the index.
    pub folder: String,
    /// The seed file.
    pub seed: String,
    /// The summary of its run.
    pub summary: String,
    /// The number of causes that people accepted.
    pub(super) accepted: usize,
    /// The worst outcome.
    pub worst: Outcome,
    /// Its causes.
    pub(super) causes: Vec<ListedCause>,
    /// Its clients.
    pub(super) clients: Vec<ListedClient>,
}

impl Entry {
    /// Creates the entry of `run`, whose report is in `folder`.
    pub fn of(folder: &str, run: &Run) -> Self {
        let faults = (0..run.causes.len()).filter(|place| run.is_fault(*place));
        Self {
            folder: folder.to_owned(),
            seed: run.about.seed_file.clone(),
            summary: summary(run),
            accepted: run.accepted.len(),
            worst: faults.map(|place| run.causes[place].outcome).min().unwrap_or(Outcome::Same),
            causes: causes_of(run),
            clients: clients_of(run),
        }
    }
}

/// A cause as the joint list shows it.
#[derive(Debug, Clone)]
pub struct ListedCause {
    /// The root cause to which it belongs.
    pub key: RootKey,
    /// The name of its client.
    pub client: String,
    /// Its dimensions and values.
    pub title: String,
    /// The number of files, in a thousand real ones, with the rarest of its values: [`Cause::common`].
    pub common: Option<usize>,
    /// The class of its file.
    pub class: Class,
    /// The file that is to blame.
    pub verdict: Option<Verdict>,
    /// Its page, relative to the folder of its report.
    pub page: String,
    /// Its evidence at a glance.
    pub glance: Markup,
    /// True if it is a form of another cause, which is listed in its place.
    pub folded: bool,
    /// The name of the format of its files; empty for TIFF.
    format: String,
    cause: Cause,
}

impl ListedCause {
    /// Returns, for each of `all`, the one of which it is a form, on whichever seed: itself if it stands for itself.
    pub fn heads(all: &[&ListedCause]) -> Vec<usize> {
        let mut readers: Vec<(&str, &str)> = Vec::new();
        let of_one_run = all.iter().map(|listed| {
            let reader = (listed.client.as_str(), listed.format.as_str());
            let place = readers.iter().position(|known| *known == reader).unwrap_or_else(|| {
                readers.push(reader);
                readers.len() - 1
            });
            Cause { client: ClientId::new(place), ..listed.cause.clone() }
        });
        let causes: Vec<Cause> = of_one_run.collect();
        campaign::heads(&causes)
    }
}

/// A client as the joint table shows it.
#[derive(Debug, Clone)]
pub struct ListedClient {
    /// Its name.
    pub name: String,
    /// Its page, relative to the folder of its report.
    pub page: String,
    /// The reason why it was not tested on this seed.
    pub objection: Option<String>,
}

/// Returns the causes of `run`.
fn causes_of(run: &Run) -> Vec<ListedCause> {
    let site = Site::of(run);
    let forms: BTreeSet<usize> = run.folded().into_iter().flat_map(|(_, forms)| forms).collect();
    let listed = |(place, (cause, names)): (usize, (&Cause, &Names))| ListedCause {
        folded: forms.contains(&place),
        format: run.about.format.clone(),
        cause: cause.clone(),
        key: RootKey::of(run, cause),
        client: run.clients[cause.client].name.clone(),
        title: title(cause),
        common: cause.common,
        class: cause.class,
        verdict: cause.verdict,
        page: names.page.clone(),
        glance: glance(run, cause),
    };
    let causes = run.causes.iter().zip(&site.causes).enumerate();
    causes.filter(|(place, _)| !run.is_accepted(*place)).map(listed).collect()
}

/// Returns the clients of `run`.
fn clients_of(run: &Run) -> Vec<ListedClient> {
    let site = Site::of(run);
    let listed = |(client, page): (&ClientSummary, &String)| ListedClient {
        name: client.name.clone(),
        page: page.clone(),
        objection: client.state.objection().map(str::to_owned),
    };
    run.clients.iter().zip(&site.clients).map(listed).collect()
}
