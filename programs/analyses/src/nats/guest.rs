//! The client's side: joins a session, and carries messages between NATS and a client.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use async_nats::{Client as Connection, Subscriber};
use futures_util::StreamExt;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};

use super::{
    BEAT, Error, SEARCH, SILENCE, checked, connect, encode_or_true, nobody, runtime, subject,
};
use crate::protocol::channel::{FromClient, STACK, ToClient, serve as answer};
use crate::protocol::place::{self, Segments};
use crate::protocol::wire::{
    At, Envelope, Invariant, Join, Message, Task, WireVerdict, question, wanted,
};
use crate::protocol::{Client, Formula, Report, parse};
use crate::unfold::{PointId, Unfolding};

/// Creates a client for a program. The last argument is true if it does not ask others.
pub type Build = Box<dyn FnOnce(&Arc<Unfolding>, &Arc<Segments>, bool) -> Box<dyn Client> + Send>;

/// The maximum number of bytes of formulas in a message.
const BATCH: usize = 256 << 10;

/// Serves a session as a client, until the run is over.
///
/// # Errors
/// Returns an error if NATS cannot be reached, nobody serves the session, or the server is gone.
pub fn serve(url: &str, session: &str, name: &str, build: Build) -> Result<(), Error> {
    checked(session)?;
    checked(name)?;
    let runtime = runtime()?;
    let handle = runtime.handle().clone();
    let run = async {
        let connection = connect(url).await?;
        let inbox = connection.new_inbox();
        let mut packets = connection.subscribe(inbox.clone()).await.map_err(Error::other)?;
        let to = join(&connection, &mut packets, &inbox, session, name).await?;
        let text = task(&mut packets, session).await?;
        work(connection, packets, to, text, session, build, handle).await
    };
    let done = runtime.block_on(run);
    runtime.shutdown_background();
    done
}

/// Asks to join; returns the subject of the client's messages.
async fn join(
    connection: &Connection,
    packets: &mut Subscriber,
    inbox: &str,
    session: &str,
    name: &str,
) -> Result<String, Error> {
    let begun = Instant::now();
    let request = serde_json::to_vec(&Join { name: name.to_owned() }).map_err(Error::other)?;
    loop {
        let asked = connection.publish_with_reply(
            subject(session),
            inbox.to_owned(),
            request.clone().into(),
        );
        asked.await.map_err(Error::other)?;
        let left = SEARCH.saturating_sub(begun.elapsed());
        match timeout(left, packets.next()).await {
            // The server may begin a moment later.
            Ok(Some(packet)) if nobody(&packet) => sleep(BEAT / 10).await,
            Ok(Some(packet)) => match message(&packet.payload)?.message {
                Message::Welcome { to, .. } => return Ok(to),
                Message::Refused { why } => {
                    return Err(Error::Other(format!("session {session}: refused: {why}")));
                }
                _ => return Err(Error::other("a message that is no welcome")),
            },
            _ => return Err(Error::NoSession(session.to_owned())),
        }
        if begun.elapsed() >= SEARCH {
            return Err(Error::NoSession(session.to_owned()));
        }
    }
}

fn message(payload: &[u8]) -> Result<Envelope, Error> {
    serde_json::from_slice(payload).map_err(|why| Error::other(format!("no message: {why}")))
}

/// Returns the next message that is not a heartbeat.
async fn next(packets: &mut Subscriber, session: &str) -> Result<Envelope, Error> {
    loop {
        let Ok(Some(packet)) = timeout(SILENCE, packets.next()).await else {
            return Err(Error::Gone(session.to_owned()));
        };
        if !packet.payload.is_empty() {
            return message(&packet.payload);
        }
    }
}

/// The text of the task.
async fn task(packets: &mut Subscriber, session: &str) -> Result<String, Error> {
    let mut all = String::new();
    loop {
        let Message::Task { text, last } = next(packets, session).await?.message else {
            return Err(Error::other("a message that is no task"));
        };
        all.push_str(&text);
        if last {
            return Ok(all);
        }
    }
}

/// Runs the client in a thread, and carries its messages.
async fn work(
    connection: Connection,
    mut packets: Subscriber,
    to: String,
    text: String,
    session: &str,
    build: Build,
    handle: Handle,
) -> Result<(), Error> {
    let asked = Arc::new(AtomicU64::new(0));
    let (inbox, from) = channel();
    let (over, mut ended) = oneshot::channel();
    let carrier = Carrier { connection, to, asked: asked.clone(), handle };
    let client = move || {
        // The other end is closed only if the run is over.
        let _ = over.send(carrier.run(&text, build, from));
    };
    thread::Builder::new().stack_size(STACK).spawn(client).map_err(Error::other)?;
    loop {
        let envelope = tokio::select! {
            // A client that panics drops its end.
            failed = &mut ended => {
                let why = failed.unwrap_or_else(|_| Err("the client panicked".to_owned()));
                return Err(Error::Other(why.err().unwrap_or_else(|| "the client ended".to_owned())));
            }
            envelope = next(&mut packets, session) => envelope?,
        };
        if let Some(id) = envelope.id {
            asked.store(id, Ordering::SeqCst);
        }
        let message = match envelope.message {
            Message::End => return Ok(()),
            message => read(message).map_err(Error::other)?,
        };
        if inbox.send(message).is_err() {
            return Err(Error::Other("the client ended".to_owned()));
        }
    }
}

/// A message of the server.
fn read(message: Message) -> Result<ToClient, String> {
    Ok(match message {
        Message::Step => ToClient::Step,
        Message::GetValues { at, wanted: texts } => ToClient::GetValues(at.into(), wanted(&texts)?),
        Message::OnLocationOutdated { at } => ToClient::Outdated(at.into()),
        Message::IsMemoryOverApproximated => ToClient::IsOver,
        Message::CanImproveMemoryOverApproximation => ToClient::CanImprove,
        Message::Conclude => ToClient::Conclude,
        Message::Report => ToClient::Report,
        Message::Values { formula } => ToClient::Formula(parse::formula(&formula)?),
        Message::Answer { yes } => ToClient::Bool(yes),
        _ => return Err("no message of a server".to_owned()),
    })
}

/// Carries messages of a client to the server.
struct Carrier {
    connection: Connection,
    to: String,
    /// The number of the last question from the server.
    asked: Arc<AtomicU64>,
    handle: Handle,
}

impl Carrier {
    fn run(self, text: &str, build: Build, from: Receiver<ToClient>) -> Result<(), String> {
        let task = Task::read(text)?;
        let segments = Arc::new(Segments::new(&task.program));
        let unfolding = Unfolding::new(Arc::new(task.program), &task.entry, task.limits)?;
        let unfolding = Arc::new(unfolding);
        let client = build(&unfolding, &segments, !task.communicate);
        self.send(None, Message::Ready);
        let (outbox, messages): (Sender<FromClient>, _) = channel();
        let send = move || {
            while let Ok(message) = messages.recv() {
                self.carry(message, &unfolding);
            }
        };
        let carrier = thread::Builder::new().stack_size(STACK).spawn(send);
        let carrier = carrier.map_err(|why| why.to_string())?;
        answer(client, &from, &outbox);
        drop(outbox);
        carrier.join().map_err(|_| "the client's messages could not be sent".to_owned())
    }

    fn carry(&self, message: FromClient, unfolding: &Unfolding) {
        let id = Some(self.asked.load(Ordering::SeqCst));
        let message = match message {
            FromClient::Stepped(progress) => Message::Stepped { progress },
            FromClient::Values(formula) => Message::Values { formula },
            FromClient::Bool(yes) => Message::Answer { yes },
            FromClient::AskValues(spot, wanted) => question(&spot, &wanted),
            FromClient::AskOver => Message::IsMemoryOverApproximated,
            FromClient::AskImprove => Message::CanImproveMemoryOverApproximation,
            FromClient::Outdated(spot) => Message::OnLocationOutdated { at: At::from(&spot) },
            FromClient::Report(report) => {
                for hold in invariants(&report, unfolding) {
                    self.send(id, Message::Invariants { hold });
                }
                let verdicts = report.verdicts.iter().map(WireVerdict::from).collect();
                Message::Reported { end: report.end, verdicts }
            }
        };
        self.send(id, message);
    }

    fn send(&self, id: Option<u64>, message: Message) {
        let bytes = encode_or_true(&self.connection, id, message);
        let sent = self.connection.publish(self.to.clone(), bytes.into());
        // Without NATS, the server notices that no messages arrive.
        let _ = self.handle.block_on(sent);
    }
}

/// Invariants by place, in parts that are not too long.
fn invariants(report: &Report, unfolding: &Unfolding) -> Vec<Vec<Invariant>> {
    let (mut all, mut part, mut length) = (Vec::new(), Vec::new(), 0);
    let mut seen = BTreeSet::new();
    for k in 0..report.invariants.len() {
        let spot = place::spot(unfolding, PointId(u32::try_from(k).unwrap_or(u32::MAX)));
        // A place with several points has the states of all of them.
        let formula = if spot.filter.call {
            report.invariants[k].clone()
        } else if !seen.insert(spot.clone()) {
            continue;
        } else {
            let points = place::points(unfolding, &spot).into_iter();
            Formula::or(points.map(|p| report.invariants[p.0 as usize].clone()).collect())
        };
        let formula = formula.to_string();
        if formula.len() > BATCH {
            continue;
        }
        // The place also takes space.
        length += formula.len() + 100 + 24 * spot.edges.len();
        part.push(Invariant { at: At::from(&spot), formula });
        if length > BATCH {
            all.push(std::mem::take(&mut part));
            length = 0;
        }
    }
    all.push(part);
    all
}
