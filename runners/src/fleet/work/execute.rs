//! Runs a client on the files of a job, and packs its replies.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::prepare::Made;
use crate::campaign::{guarded, pack};
use crate::client::{Client, GlueFailure, Reply};
use crate::fleet::link::Link;
use crate::fleet::wire::{Done, ItemReply, Job, WireReply, micros, to_text};

/// The size in bytes, compressed, from which pictures go through the object store.
const LARGE: usize = 24 << 10;

/// The most bytes of pictures in one result: messages of NATS have at most 1 MiB.
const MOST_INLINE: usize = 256 << 10;

/// The number of pictures of which it is known that the server has them.
const KNOWN: usize = 4096;

/// A reply and its duration in microseconds; or the reason why the file cannot be made.
pub type Ran = Result<(io::Result<Reply>, u64), String>;

/// Runs a client on files, one after the other.
pub fn run(client: Option<&dyn Client>, job: &Job, files: &[Made]) -> Vec<Ran> {
    let one = |(item, file): (&crate::fleet::wire::Item, &Made)| -> Ran {
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
    job.items.iter().zip(files).map(one).collect()
}

/// Returns true for a failure on this machine.
pub fn is_failure(item: &ItemReply) -> bool {
    matches!(item.reply, WireReply::Failed { glue: false, .. })
}

/// The pictures that a night's server has, because a result with them is stored.
pub struct Sent(Mutex<(HashSet<String>, VecDeque<String>)>);

impl Sent {
    /// It has none.
    pub fn new() -> Self {
        Self(Mutex::default())
    }

    fn has(&self, night: &str, digest: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.0.contains(&format!("{night} {digest}"))
    }

    /// Takes note of the pictures in a result that is stored.
    pub fn confirm(&self, night: &str, done: &Done) {
        for item in &done.items {
            if let WireReply::Picture { digest, samples: Some(_), .. } = &item.reply {
                self.note(night, digest);
            }
        }
    }

    /// Takes note of a picture that is stored.
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

/// Packs the replies. Pictures that the server does not have come with their samples, or go into the object
/// store if they are large.
pub async fn packed(link: &Link, sent: &Sent, job: &Job, ran: Vec<Ran>) -> Vec<ItemReply> {
    let mut items: Vec<ItemReply> = Vec::new();
    let mut inline = 0;
    for (ran, item) in ran.into_iter().zip(&job.items) {
        let (reply, us) = match ran {
            Err(why) => (WireReply::Unmade(why), 0),
            Ok((Err(error), us)) => (failed(&error), us),
            Ok((Ok(Reply::Picture(picture)), us)) => {
                let (digest, size) = (picture.digest(), (picture.width(), picture.height()));
                let here = |item: &ItemReply| {
                    matches!(&item.reply, WireReply::Picture { digest: known, samples: Some(_), .. }
                        if *known == digest)
                };
                let known = items.iter().any(here) || (!item.full && sent.has(&job.night, &digest));
                let mut reply = WireReply::Picture { digest: digest.clone(), size, samples: None };
                if !known {
                    let samples = pack::pack_samples(&picture);
                    if samples.len() < LARGE && inline + samples.len() < MOST_INLINE {
                        inline += samples.len();
                        let samples = Some(to_text(&samples));
                        reply = WireReply::Picture { digest, size, samples };
                    } else {
                        match link.put(&link.names.pictures(), &digest, &samples).await {
                            Ok(()) => sent.note(&job.night, &digest),
                            Err(error) => {
                                let why = format!("cannot send the picture: {error}");
                                reply = WireReply::Failed { why, glue: false };
                            }
                        }
                    }
                }
                (reply, us)
            }
            Ok((Ok(Reply::Refused { message }), us)) => (WireReply::Refused(message), us),
            Ok((Ok(Reply::Crash { message }), us)) => (WireReply::Crash(message), us),
            Ok((Ok(Reply::Hang), us)) => (WireReply::Hang, us),
            Ok((Ok(Reply::Resource { message }), us)) => (WireReply::Resource(message), us),
        };
        items.push(ItemReply { us, reply });
    }
    items
}

fn failed(error: &io::Error) -> WireReply {
    match GlueFailure::in_error(error) {
        Some(failure) => WireReply::Failed { why: failure.why().to_owned(), glue: true },
        None => WireReply::Failed { why: error.to_string(), glue: false },
    }
}
