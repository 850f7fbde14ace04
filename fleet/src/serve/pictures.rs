//! The pictures of replies. Workers store each picture once; most replies repeat one of a few pictures.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tiff_harness::Picture;

use crate::dispatch::{Answer, Replied};
use crate::link::Link;
use crate::wire::{Done, ItemReply, WireReply};
use campaign::pack;
use clients::Reply;
use clients::output::MOST_PIXELS;

/// The capacity of the cache, in samples of 16 bits.
const SAMPLES: u64 = 32 << 20;

/// The maximum number of bytes that compression adds to incompressible samples: one per 128 KiB, and a header.
const FRAME: u64 = 64 << 10;

#[derive(Debug, Clone)]
struct BySamples;

impl Weighter<String, Picture> for BySamples {
    fn weight(&self, _: &String, picture: &Picture) -> u64 {
        64 + picture.rgba().len() as u64
    }
}

/// Pictures by their digests.
#[derive(Debug)]
pub struct Pictures(Cache<String, Picture, BySamples>);

impl Pictures {
    /// Creates an empty cache.
    pub fn new() -> Self {
        Self(Cache::with_weighter(4096, SAMPLES, BySamples))
    }

    /// Returns the answers in a worker's result.
    pub async fn answers(&self, link: &Link, done: &Done) -> Vec<Answer> {
        let (worker, mut answers) = (Arc::from(&*done.worker), Vec::new());
        for reply in &done.items {
            answers.push(self.answer(link, &worker, reply.clone()).await);
        }
        answers
    }

    /// Converts the reply of `worker` to an answer. Pictures come from the cache or the object store.
    async fn answer(&self, link: &Link, worker: &Arc<str>, reply: ItemReply) -> Answer {
        let took = Duration::from_micros(reply.us);
        let reply = match reply.reply {
            WireReply::Picture { digest, size } => match self.picture(link, &digest, size).await {
                Some(picture) => Reply::Picture(picture),
                None => return Answer::Again,
            },
            WireReply::Refused(message) => Reply::Refused { message },
            WireReply::Empty(message) => Reply::Empty { message },
            WireReply::Crash(message) => Reply::Crash { message },
            WireReply::Hang => Reply::Hang,
            WireReply::Resource(message) => Reply::Resource { message },
            WireReply::Failed { why, glue } => return Answer::Failed { why, glue },
            WireReply::Unmade(why) => {
                tracing::warn!("a worker cannot make a file from its choices: {why}");
                return Answer::Again;
            }
        };
        Answer::Reply(Replied { reply, took, worker: Arc::clone(worker) })
    }

    async fn picture(
        &self,
        link: &Link,
        digest: &str,
        (width, height): (u32, u32),
    ) -> Option<Picture> {
        if let Some(picture) = self.0.get(digest) {
            return Some(picture);
        }
        // A larger picture is not accepted from any client.
        let pixels = u64::from(width) * u64::from(height);
        if pixels > MOST_PIXELS {
            tracing::warn!(
                "picture {digest} has {width} x {height} pixels, more than clients may show"
            );
            return None;
        }
        let packed = link.get(&link.names.pictures(), digest, 8 * pixels + FRAME).await.ok()?;
        // This may take minutes elsewhere, and must not hold up others here.
        let unpacking = move || {
            let picture = pack::unpack_samples(width, height, &packed).ok()?;
            Some((picture.digest(), picture))
        };
        let (own, picture) = tokio::task::spawn_blocking(unpacking).await.ok().flatten()?;
        // Only the name vouches for the content.
        if own != digest {
            tracing::warn!("picture {digest} has another content");
            return None;
        }
        self.0.insert(digest.to_owned(), picture.clone());
        Some(picture)
    }
}
