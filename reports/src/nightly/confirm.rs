//! Confirms hangs, because a client that exceeds its limit while everything else runs may not have hung.

use std::collections::BTreeSet;

use crate::store::{Bucket, BucketKey};
use campaign::oracle::Outcome;
use clients::{Client, Reply};

/// The time in which a client can disprove a hang, in multiples of its time limit.
pub const PATIENCE: u32 = 4;

/// Runs the examples of the hangs in `found` that are not `known`, one after another with nothing else running, with
/// [`PATIENCE`] times the time limit. Returns those in which the client ended, so it did not hang. `client` returns the
/// client of a finding. Clients that do not run here confirm nothing.
pub fn disproved_hangs<'c>(
    found: &[Bucket],
    known: &BTreeSet<BucketKey>,
    client: impl Fn(&Bucket) -> Option<&'c dyn Client>,
) -> BTreeSet<BucketKey> {
    let hangs = found.iter().filter(|bucket| bucket.key.outcome == Outcome::Hang);
    let ended = |bucket: &&Bucket| {
        let file = &bucket.example.file;
        let reply =
            client(bucket).filter(|_| !file.is_empty()).map(|c| c.run_patiently(file, PATIENCE));
        matches!(reply, Some(Ok(reply)) if reply != Reply::Hang)
    };
    hangs.filter(|hang| !known.contains(&hang.key)).filter(ended).map(|b| b.key.clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::super::verdict::tests::bucket;
    use super::*;

    /// A client that hangs unless it is given time.
    struct Slow {
        needs: u32,
    }

    impl Client for Slow {
        fn name(&self) -> &str {
            "slow"
        }

        fn version(&self) -> &str {
            ""
        }

        fn run(&self, _: &[u8]) -> io::Result<Reply> {
            Ok(Reply::Hang)
        }

        fn run_patiently(&self, _: &[u8], times: u32) -> io::Result<Reply> {
            let ended = Reply::Refused { message: "no".to_owned() };
            Ok(if times < self.needs { Reply::Hang } else { ended })
        }
    }

    #[test]
    fn a_client_that_ends_at_last_did_not_hang() {
        let found = ["x", "y"].map(|x| bucket("slow", Outcome::Hang, &[x]));
        let crash = bucket("slow", Outcome::Crash, &["x"]);
        let elsewhere = bucket("elsewhere", Outcome::Hang, &["x"]);
        let known: BTreeSet<BucketKey> = [found[1].key.clone()].into();
        let all = [found[0].clone(), found[1].clone(), crash, elsewhere];
        let disproved = |needs| {
            let slow = Slow { needs };
            let here = |bucket: &Bucket| bucket.key.client == slow.name();
            disproved_hangs(&all, &known, |bucket| here(bucket).then_some(&slow as &dyn Client))
        };
        assert_eq!(disproved(2), [found[0].key.clone()].into());
        assert_eq!(disproved(PATIENCE + 1), BTreeSet::new());
    }
}
