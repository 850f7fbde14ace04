//! The pool of a client's idle workers.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::super::context::ProgramContext;
use super::protocol::{Answered, Worker};
use crate::extra::{Answer, Request};
use crate::{ExtraRead, Observed, Reply, Spent};

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
        let worker = match self.ready(context)? {
            Ok(worker) => worker,
            Err(reply) => return Ok(Some(reply.into())),
        };
        let begun = Instant::now();
        let (answered, edges) = worker.ask(DECODE, file, false)?;
        Ok(match answered {
            Answered::Alive(worker, answer) => {
                let (cpu, peak) = (begun.elapsed(), Some(worker.resident()));
                let spent = Some(Spent { cpu, peak, alone: false });
                self.put_back(worker);
                Some(Observed { spent, edges, ..picture(context, answer).into() })
            }
            Answered::Dead(Reply::Hang) => Some(Observed { edges, ..Reply::Hang.into() }),
            Answered::Dead(_) => None,
        })
    }

    /// Has a worker do an extra read; `None` if the worker died, which may be due to earlier files.
    pub(crate) fn extra(
        &self,
        context: &Arc<ProgramContext>,
        file: &[u8],
        request: Request,
    ) -> io::Result<Option<Answer>> {
        let worker = match self.ready(context)? {
            Ok(worker) => worker,
            Err(reply) => return Ok(Some(Answer::Failed(reply))),
        };
        Ok(match worker.ask(&words(request), file, false)?.0 {
            Answered::Alive(worker, answer) => {
                self.put_back(worker);
                Some(extra_answer(context, request, answer))
            }
            Answered::Dead(Reply::Hang) => Some(Answer::Failed(Reply::Hang)),
            Answered::Dead(_) => None,
        })
    }

    /// Returns an idle worker, or a new one, or its failure.
    fn ready(&self, context: &Arc<ProgramContext>) -> io::Result<Result<Box<Worker>, Reply>> {
        match self.silent() {
            Some(worker) => Ok(Ok(worker)),
            None => Ok(Worker::start(context)?.map(Box::new)),
        }
    }

    /// Takes an idle worker. One that has said more since its last answer is ended: what it says is no
    /// answer to the next request.
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
        Ok(worker) => match worker.ask(DECODE, file, true)? {
            (Answered::Alive(worker, answer), edges) => {
                let reply = picture(context, answer);
                Observed { spent: Some(worker.spent()?), edges, ..reply.into() }
            }
            (Answered::Dead(reply), edges) => Observed { edges, ..reply.into() },
        },
    })
}

/// Has a new worker do an extra read.
pub(crate) fn extra_once(
    context: &Arc<ProgramContext>,
    file: &[u8],
    request: Request,
) -> io::Result<Answer> {
    Ok(match Worker::start(context)? {
        Err(reply) => Answer::Failed(reply),
        Ok(worker) => match worker.ask(&words(request), file, true)?.0 {
            Answered::Alive(_, answer) => extra_answer(context, request, answer),
            Answered::Dead(reply) => Answer::Failed(reply),
        },
    })
}

/// The request for a picture.
const DECODE: &str = "decode";

/// The request for an extra read.
fn words(Request { read, region }: Request) -> String {
    let word = read.words().word;
    match read {
        ExtraRead::Region => {
            format!("{word} {} {} {} {}", region.x, region.y, region.width, region.height)
        }
        _ => word.to_owned(),
    }
}

fn picture(context: &ProgramContext, answer: Result<Vec<u8>, Reply>) -> Reply {
    answer.map_or_else(|failed| failed, |bytes| context.picture(&bytes, None))
}

fn extra_answer(
    context: &ProgramContext,
    request: Request,
    answer: Result<Vec<u8>, Reply>,
) -> Answer {
    let format = context.description.output.format;
    answer.map_or_else(Answer::Failed, |bytes| Answer::of(request.read, format, vec![bytes]))
}
