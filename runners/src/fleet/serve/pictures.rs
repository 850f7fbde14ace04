//! The pictures of replies. Workers send each once; most replies repeat one of a few.

use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tiff_harness::Picture;

use crate::campaign::pack;
use crate::client::Reply;
use crate::fleet::dispatch::Answer;
use crate::fleet::ledger::{Ledger, PackedPicture};
use crate::fleet::link::Link;
use crate::fleet::wire::{ItemReply, WireReply, from_text};

/// The capacity in samples of 16 bits.
const SAMPLES: u64 = 32 << 20;

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
    /// Knows none yet.
    pub fn new() -> Self {
        Self(Cache::with_weighter(4096, SAMPLES, BySamples))
    }

    /// Returns the answer that a worker's reply is. Pictures come from the cache, the ledger or the object
    /// store.
    pub async fn answer(&self, link: &Link, ledger: &Ledger, reply: ItemReply) -> Answer {
        let took = Duration::from_micros(reply.us);
        let reply = match reply.reply {
            WireReply::Picture { digest, size, .. } => {
                match self.picture(link, ledger, &digest, size).await {
                    Some(picture) => Reply::Picture(picture),
                    None => return Answer::Again,
                }
            }
            WireReply::Refused(message) => Reply::Refused { message },
            WireReply::Crash(message) => Reply::Crash { message },
            WireReply::Hang => Reply::Hang,
            WireReply::Resource(message) => Reply::Resource { message },
            WireReply::Failed { why, glue } => return Answer::Failed { why, glue },
            WireReply::Unmade(why) => {
                tracing::warn!("a worker cannot make a file from its choices: {why}");
                return Answer::Again;
            }
        };
        Answer::Reply(reply, took)
    }

    async fn picture(
        &self,
        link: &Link,
        ledger: &Ledger,
        digest: &str,
        (width, height): (u32, u32),
    ) -> Option<Picture> {
        if let Some(picture) = self.0.get(digest) {
            return Some(picture);
        }
        let packed = match ledger.picture(digest).ok().flatten() {
            Some((_, _, packed)) => packed,
            None => link.get(&link.names.pictures(), digest).await.ok()?,
        };
        let picture = pack::unpack_samples(width, height, &packed).ok()?;
        // The name is all that vouches for the content.
        if picture.digest() != digest {
            tracing::warn!("picture {digest} has another content");
            return None;
        }
        self.0.insert(digest.to_owned(), picture.clone());
        Some(picture)
    }
}

/// Takes the samples out of the replies: they are kept once. Samples of another digest are left out, so that none
/// takes the place of an honest picture.
pub fn taken_out(items: &mut [ItemReply]) -> Vec<(String, PackedPicture)> {
    let mut pictures = Vec::new();
    for item in items {
        if let WireReply::Picture { digest, size: (width, height), samples } = &mut item.reply
            && let Some(text) = samples.take()
            && let Ok(packed) = from_text(&text)
            && pack::unpack_samples(*width, *height, &packed).is_ok_and(|p| p.digest() == *digest)
        {
            pictures.push((digest.clone(), (*width, *height, packed)));
        }
    }
    pictures
}
