//! The workers of a client that are ready.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::super::setting::Setting;
use super::dialogue::{Answer, Worker};
use crate::client::Reply;

/// After so many files a worker is replaced.
const MOST_FILES: u32 = 2000;
/// How long a worker that is not needed is kept.
const PATIENCE: Duration = Duration::from_secs(10);

/// The workers of a client that have nothing to do, the last used last, and since when.
#[derive(Default)]
pub(in super::super) struct Pool {
    idle: Mutex<Vec<(Box<Worker>, Instant)>>,
}

impl Pool {
    /// What a worker makes of `file`; `None` if the worker is dead now, which may be for what
    /// it has read before. A hang is its own proof.
    pub(in super::super) fn decode(
        &self,
        setting: &Arc<Setting>,
        file: &[u8],
    ) -> io::Result<Option<Reply>> {
        let idle = self.lock().pop();
        let worker = match idle {
            Some((worker, _)) => worker,
            None => match Worker::start(setting)? {
                Ok(worker) => Box::new(worker),
                Err(reply) => return Ok(Some(reply)),
            },
        };
        Ok(match worker.decode(file)? {
            Answer::Alive(worker, reply) => {
                self.put_back(worker);
                Some(reply)
            }
            Answer::Dead(Reply::Hang) => Some(Reply::Hang),
            Answer::Dead(_) => None,
        })
    }

    fn put_back(&self, worker: Box<Worker>) {
        let now = Instant::now();
        let mut idle = self.lock();
        if worker.served < MOST_FILES {
            idle.push((worker, now));
        }
        let stale = idle.partition_point(|(_, since)| now.duration_since(*since) > PATIENCE);
        let gone: Vec<_> = idle.drain(..stale).collect();
        // Ending them takes a moment.
        drop(idle);
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Box<Worker>, Instant)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a worker of its own makes of `file`.
pub(in super::super) fn decode_once(setting: &Arc<Setting>, file: &[u8]) -> io::Result<Reply> {
    Ok(match Worker::start(setting)? {
        Err(reply) => reply,
        Ok(worker) => match worker.decode(file)? {
            Answer::Alive(_, reply) | Answer::Dead(reply) => reply,
        },
    })
}
