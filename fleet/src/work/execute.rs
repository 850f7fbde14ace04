//! Runs a client on the files of a job, and packs its replies.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tiff_harness::Picture;

use super::prepare::Made;
use crate::link::Link;
use crate::wire::{Item, ItemReply, Job, WireReply, micros};
use campaign::{Stop, guarded, pack};
use clients::{Client, GlueFailure, Reply};

/// For this time after a request to stop, the worker still starts the runs of a job. A job takes about a second unless
/// its client hangs.
const FINISHING: Duration = Duration::from_secs(5);

/// The maximum number of pictures that are remembered as stored on the server.
const KNOWN: usize = 4096;

/// A reply and its duration in microseconds, or the reason why the file cannot be made.
pub type Ran = Result<(io::Result<Reply>, u64), String>;

/// Runs a client on files, one after another. Skips the rest some time after a request to stop.
pub fn run(client: Option<&dyn Client>, job: &Job, files: &[Made], stop: &Stop) -> Vec<Ran> {
    let mut stopped: Option<Instant> = None;
    let mut goes_on = || {
        let since = (stop.requests() > 0).then(|| *stopped.get_or_insert_with(Instant::now));
        since.is_none_or(|since| since.elapsed() < FINISHING)
    };
    let one = |(item, file): (&Item, &Made)| -> Ran {
        let file = file.as_deref().map_err(Clone::clone)?;
        let begun = Instant::now();
        let reply = match client {
            None => Err(io::Error::other(format!("there is no client {}", job.client))),
            Some(client) => guarded(|| match item.fresh {
                true => client.run_fresh(file),
                false => client.run(file),
            })
            .unwrap_or_else(|panic| Err(io::Error::other(panic))),
        };
        Ok((reply, micros(begun.elapsed())))
    };
    job.items.iter().zip(files).take_while(|_| goes_on()).map(one).collect()
}

/// Returns true for a failure on this machine.
pub fn is_failure(item: &ItemReply) -> bool {
    matches!(item.reply, WireReply::Failed { glue: false, .. })
}

/// The pictures that are stored, so that the night's server has them.
pub struct Sent(Mutex<(HashSet<String>, VecDeque<String>)>);

impl Sent {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self(Mutex::default())
    }

    fn has(&self, night: &str, digest: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.0.contains(&format!("{night} {digest}"))
    }

    /// Records that a picture is stored.
    fn note(&self, night: &str, digest: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = format!("{night} {digest}");
        if known.0.insert(name.clone()) {
            known.1.push_back(name);
        }
        while known.1.len() > KNOWN {
            let oldest = known.1.pop_front().unwrap_or_default();
            known.0.remove(&oldest);
        }
    }
}

/// Packs the replies. Pictures that the server does not have go into the object store.
pub async fn packed(link: &Link, sent: &Sent, job: &Job, ran: Vec<Ran>) -> Vec<ItemReply> {
    let mut items: Vec<ItemReply> = Vec::new();
    for (ran, item) in ran.into_iter().zip(&job.items) {
        let (reply, us) = match ran {
            Err(why) => (WireReply::Unmade(why), 0),
            Ok((Err(error), us)) => (failed(&error), us),
            Ok((Ok(Reply::Picture(picture)), us)) => {
                let stored = store(link, sent, job, &picture, item.full).await;
                (stored.unwrap_or_else(|why| WireReply::Failed { why, glue: false }), us)
            }
            Ok((Ok(Reply::Refused { message }), us)) => (WireReply::Refused(message), us),
            Ok((Ok(Reply::Empty { message }), us)) => (WireReply::Empty(message), us),
            Ok((Ok(Reply::Crash { message }), us)) => (WireReply::Crash(message), us),
            Ok((Ok(Reply::Hang), us)) => (WireReply::Hang, us),
            Ok((Ok(Reply::Resource { message }), us)) => (WireReply::Resource(message), us),
        };
        items.push(ItemReply { us, reply });
    }
    items
}

/// Stores a picture unless the server is known to have it. `again` is true if the server requests it.
async fn store(
    link: &Link,
    sent: &Sent,
    job: &Job,
    picture: &Picture,
    again: bool,
) -> Result<WireReply, String> {
    let (digest, size) = (picture.digest(), (picture.width(), picture.height()));
    if again || !sent.has(&job.night, &digest) {
        let (bucket, samples) = (link.names.pictures(), pack::pack_samples(picture));
        let stored = match again {
            true => link.put_again(&bucket, &digest, &samples).await,
            false => link.put(&bucket, &digest, &samples).await,
        };
        stored.map_err(|error| format!("cannot send the picture: {error}"))?;
        sent.note(&job.night, &digest);
    }
    Ok(WireReply::Picture { digest, size })
}

fn failed(error: &io::Error) -> WireReply {
    match GlueFailure::in_error(error) {
        Some(failure) => WireReply::Failed { why: failure.why().to_owned(), glue: true },
        None => WireReply::Failed { why: error.to_string(), glue: false },
    }
}
