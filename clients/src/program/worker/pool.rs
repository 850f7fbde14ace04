//! The pool of a client's idle workers.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::super::context::ProgramContext;
use super::protocol::{Answered, Worker};
use crate::{Observed, Reply, Spent};

/// The number of files after which a worker is replaced.
const MOST_FILES: u32 = 2000;
/// Time after which an idle worker is ended.
const PATIENCE: Duration = Duration::from_secs(10);

/// The idle workers of a client, the most recently used last, each with the time of its last use.
#[derive(Default)]
pub(crate) struct Pool {
    idle: Mutex<Vec<(Box<Worker>, Instant)>>,
}

impl Pool {
    /// Decodes `file` with a worker; `None` if the worker died, which may be due to earlier files.
    /// A hang needs no confirmation.
    pub(crate) fn decode(
        &self,
        context: &Arc<ProgramContext>,
        file: &[u8],
    ) -> io::Result<Option<Observed>> {
        let worker = match self.silent() {
            Some(worker) => worker,
            None => match Worker::start(context)? {
                Ok(worker) => Box::new(worker),
                Err(reply) => return Ok(Some(reply.into())),
            },
        };
        let begun = Instant::now();
        let (answered, edges) = worker.decode(file, false)?;
        Ok(match answered {
            Answered::Alive(worker, reply) => {
                let (cpu, peak) = (begun.elapsed(), Some(worker.resident()));
                let spent = Some(Spent { cpu, peak, alone: false });
                self.put_back(worker);
                Some(Observed { spent, edges, ..reply.into() })
            }
            Answered::Dead(Reply::Hang) => Some(Observed { edges, ..Reply::Hang.into() }),
            Answered::Dead(_) => None,
        })
    }

    /// Takes an idle worker. A worker that has printed more since its last answer is ended, because this output does
    /// not answer the next request.
    fn silent(&self) -> Option<Box<Worker>> {
        loop {
            let (mut worker, _) = self.lock().pop()?;
            if worker.is_silent() && worker.sees_nothing_hidden() {
                return Some(worker);
            }
        }
    }

    fn put_back(&self, worker: Box<Worker>) {
        let now = Instant::now();
        let mut idle = self.lock();
        if worker.served < MOST_FILES {
            idle.push((worker, now));
        }
        let stale = idle.partition_point(|(_, since)| now.duration_since(*since) > PATIENCE);
        let gone: Vec<_> = idle.drain(..stale).collect();
        // Ending workers takes a moment, so the lock is released first.
        drop(idle);
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Box<Worker>, Instant)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Decodes `file` with a new worker.
pub(crate) fn decode_once(context: &Arc<ProgramContext>, file: &[u8]) -> io::Result<Observed> {
    Ok(match Worker::start(context)? {
        Err(reply) => reply.into(),
        Ok(worker) => match worker.decode(file, true)? {
            (Answered::Alive(worker, reply), edges) => {
                Observed { spent: Some(worker.spent()?), edges, ..reply.into() }
            }
            (Answered::Dead(reply), edges) => Observed { edges, ..reply.into() },
        },
    })
}
