//! The server's side: accepts clients, and carries messages between their seats and NATS.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use async_nats::{Client, Subject, Subscriber};
use futures_util::StreamExt;
use tokio::runtime::{Handle, Runtime};
use tokio::time::{Instant, timeout_at};

use super::{
    BEAT, Error, Session, checked, connect, encode, encode_or_true, nobody, runtime, subject,
};
use crate::protocol::channel::{FromClient, Seat, ToClient};
use crate::protocol::place::{self, Segments};
use crate::protocol::server::Settings;
use crate::protocol::wire::{At, Envelope, Invariant, Join, Message, Task, question, wanted};
use crate::protocol::{Formula, Report, Spot, parse};
use crate::unfold::{PointId, Unfolding};

/// The size in bytes of a part of a task. In JSON, a part may be six times as large.
const PART: usize = 128 << 10;

/// Seats of clients that run elsewhere, for one run.
#[derive(Debug)]
pub struct Remote {
    /// The seats: those of processes in their order, then others by name.
    pub seats: Vec<Seat>,
    /// Must be kept until the run is over.
    pub guard: Guard,
}

/// The connection and the processes of a run. They end with this value.
#[derive(Debug)]
pub struct Guard {
    children: Vec<Child>,
    carriers: Vec<thread::JoinHandle<()>>,
    client: Client,
    runtime: Option<Runtime>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        // The seats are gone, so each carrier has told its client that the run is over.
        for carrier in self.carriers.drain(..) {
            let _ = carrier.join();
        }
        if let Some(runtime) = self.runtime.take() {
            let flush = async { tokio::time::timeout(BEAT, self.client.flush()).await };
            // Clients that do not receive the end notice the silence.
            let _ = runtime.block_on(flush);
            runtime.shutdown_background();
        }
        for child in &mut self.children {
            // A process that has already ended must be reaped as well.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A client that joined.
struct Guest {
    name: &'static str,
    /// Its inbox.
    inbox: Subject,
    /// The subject of its messages, and the messages that arrive there.
    to: String,
    packets: Subscriber,
}

/// Starts the processes of the named clients, and waits for them and for clients that join from elsewhere.
///
/// # Errors
/// Returns an error if NATS cannot be reached, or if clients are missing.
pub fn seats(
    session: &Session,
    names: &[&'static str],
    unfolding: &Arc<Unfolding>,
    segments: &Segments,
    settings: Settings,
) -> Result<Remote, Error> {
    let runtime = runtime()?;
    let client = runtime.block_on(connect(&session.url))?;
    let name = match &session.name {
        Some(name) => checked(name)?.to_owned(),
        // A unique name, which nobody guesses.
        None => client.new_inbox().rsplit('.').next().unwrap_or_default().to_owned(),
    };
    let joins = async {
        let joins = client.subscribe(subject(&name)).await.map_err(Error::other)?;
        client.flush().await.map_err(Error::other)?;
        Ok::<_, Error>(joins)
    };
    let joins = runtime.block_on(joins)?;
    let handle = runtime.handle().clone();
    // From now on, an error ends the processes.
    let mut guard =
        Guard { children: Vec::new(), carriers: Vec::new(), client, runtime: Some(runtime) };
    for kind in names.iter().filter(|_| !session.command.is_empty()) {
        guard.children.push(start(session, kind, &name)?);
    }
    let task = Task::new(unfolding, segments, settings.communicate);
    let text = serde_json::to_string(&task).map_err(Error::other)?;
    let door = Door { client: &guard.client, session: &name, text: &text, settings };
    let all = names.len() + session.join;
    let mut guests = handle.block_on(door.gather(joins, all))?;
    let rank = |name: &str| names.iter().position(|known| *known == name).unwrap_or(names.len());
    guests.sort_by_key(|guest| (rank(guest.name), guest.name));
    let spots = Arc::new(Spots::new(unfolding));
    let mut seats = Vec::new();
    for guest in guests {
        let (seat, carrier) = seat(guest, &guard.client, &handle, &spots)?;
        seats.push(seat);
        guard.carriers.push(carrier);
    }
    Ok(Remote { seats, guard })
}

fn start(session: &Session, name: &'static str, of: &str) -> Result<Child, Error> {
    let fails = |why: String| Error::Start { name, why };
    let (program, first) =
        session.command.split_first().ok_or_else(|| fails("no command".to_owned()))?;
    let mut command = Command::new(program);
    command.args(first).args([name, "--nats", &session.url, "--session", of]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.spawn().map_err(|why| fails(why.to_string()))
}

/// The names of clients live as long as the process; there are few.
fn lasting(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = name.to_owned().leak();
    names.insert(name);
    name
}

/// Admits clients that ask to join.
struct Door<'a> {
    client: &'a Client,
    session: &'a str,
    text: &'a str,
    settings: Settings,
}

impl Door<'_> {
    /// Waits for all clients, and until each has read the task.
    async fn gather(&self, mut joins: Subscriber, all: usize) -> Result<Vec<Guest>, Error> {
        let until = Instant::now() + self.settings.time;
        let mut guests: Vec<Guest> = Vec::new();
        let missing = |here| Error::Missing {
            session: self.session.to_owned(),
            here,
            all,
            seconds: self.settings.time.as_secs(),
        };
        while guests.len() < all {
            let Ok(Some(packet)) = timeout_at(until, joins.next()).await else {
                return Err(missing(guests.len()));
            };
            let Some(inbox) = packet.reply.clone() else { continue };
            let taken = |name: &str| guests.iter().any(|guest| guest.name == name);
            let name = serde_json::from_slice::<Join>(&packet.payload)
                .map_err(|why| format!("it is no request to join: {why}"))
                .and_then(|join| {
                    checked(&join.name).map_err(|why| why.to_string())?;
                    Ok(join.name)
                });
            match name {
                Ok(name) if taken(&name) => {
                    self.refuse(inbox, format!("there is a client `{name}` already")).await?;
                }
                Ok(name) => guests.push(self.welcome(lasting(&name), inbox).await?),
                Err(why) => self.refuse(inbox, why).await?,
            }
        }
        for (k, guest) in guests.iter_mut().enumerate() {
            loop {
                let Ok(Some(packet)) = timeout_at(until, guest.packets.next()).await else {
                    return Err(missing(k));
                };
                let message = serde_json::from_slice::<Envelope>(&packet.payload);
                if matches!(message, Ok(Envelope { message: Message::Ready, .. })) {
                    break;
                }
            }
        }
        Ok(guests)
    }

    async fn refuse(&self, inbox: Subject, why: String) -> Result<(), Error> {
        self.send(&inbox, Message::Refused { why }).await
    }

    async fn welcome(&self, name: &'static str, inbox: Subject) -> Result<Guest, Error> {
        let to = self.client.new_inbox();
        let packets = self.client.subscribe(to.clone()).await.map_err(Error::other)?;
        let patience = self.settings.patience.min(self.settings.time / 4).as_secs().max(1);
        self.send(&inbox, Message::Welcome { to: to.clone(), patience }).await?;
        let mut rest = self.text;
        loop {
            let boundary = (0..=PART.min(rest.len())).rev().find(|k| rest.is_char_boundary(*k));
            let (part, after) = rest.split_at(boundary.unwrap_or(0));
            let (text, last) = (part.to_owned(), after.is_empty());
            self.send(&inbox, Message::Task { text, last }).await?;
            rest = after;
            if last {
                return Ok(Guest { name, inbox, to, packets });
            }
        }
    }

    async fn send(&self, inbox: &Subject, message: Message) -> Result<(), Error> {
        let envelope = Envelope { id: None, message };
        let bytes = encode(self.client, &envelope)
            .ok_or_else(|| Error::other("a message is longer than max_payload"))?;
        self.client.publish(inbox.clone(), bytes.into()).await.map_err(Error::other)
    }
}

/// The seat of a client, and the thread that carries messages to it.
fn seat(
    guest: Guest,
    client: &Client,
    handle: &Handle,
    spots: &Arc<Spots>,
) -> Result<(Seat, thread::JoinHandle<()>), Error> {
    let (to, outbox) = channel();
    let (inbox, from) = channel();
    let asked = Arc::new(AtomicU64::new(0));
    let Guest { name, inbox: address, to: own, packets } = guest;
    let listener = Listener { asked: asked.clone(), to: inbox, spots: spots.clone() };
    handle.spawn(listener.listen(packets));
    let carrier = Carrier { client: client.clone(), address, own, asked, handle: handle.clone() };
    let thread = thread::Builder::new().name(format!("to {name}"));
    let thread = thread.spawn(move || carrier.carry(&outbox)).map_err(Error::other)?;
    Ok((Seat { name, to, from }, thread))
}

/// Carries messages to a client.
struct Carrier {
    client: Client,
    address: Subject,
    /// The subject of its messages.
    own: String,
    /// The number of the question that is not answered yet.
    asked: Arc<AtomicU64>,
    handle: Handle,
}

impl Carrier {
    fn carry(&self, from: &Receiver<ToClient>) {
        let mut questions = 0;
        let mut last = std::time::Instant::now();
        loop {
            // If nobody listens any more, NATS returns the heartbeat and says so.
            if last.elapsed() >= BEAT {
                let beat = self.client.publish_with_reply(
                    self.address.clone(),
                    self.own.clone(),
                    Vec::new().into(),
                );
                let _ = self.handle.block_on(beat);
                last = std::time::Instant::now();
            }
            let (question, message) = match from.recv_timeout(BEAT.saturating_sub(last.elapsed())) {
                Ok(message) => message_to(message),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => (false, Message::End),
            };
            let ends = message == Message::End;
            let id = match (question, &message) {
                (true, _) => {
                    questions += 1;
                    self.asked.store(questions, Ordering::SeqCst);
                    Some(questions)
                }
                (_, Message::Values { .. } | Message::Answer { .. }) => Some(questions),
                _ => None,
            };
            let bytes = encode_or_true(&self.client, id, message);
            // Without NATS, the client does not answer, which is noticed.
            let _ = self.handle.block_on(self.client.publish(self.address.clone(), bytes.into()));
            if ends {
                return;
            }
        }
    }
}

/// Returns true for a question, and the message.
fn message_to(message: ToClient) -> (bool, Message) {
    match message {
        ToClient::Step => (true, Message::Step),
        ToClient::GetValues(spot, wanted) => (true, question(&spot, &wanted)),
        ToClient::IsOver => (true, Message::IsMemoryOverApproximated),
        ToClient::CanImprove => (true, Message::CanImproveMemoryOverApproximation),
        ToClient::Report => (true, Message::Report),
        ToClient::Outdated(spot) => (false, Message::OnLocationOutdated { at: At::from(&spot) }),
        ToClient::Conclude => (false, Message::Conclude),
        ToClient::Formula(formula) => (false, Message::Values { formula: formula.to_string() }),
        ToClient::Bool(yes) => (false, Message::Answer { yes }),
    }
}

/// Carries messages of a client to its seat until the client sends something invalid or is gone.
struct Listener {
    asked: Arc<AtomicU64>,
    to: Sender<FromClient>,
    spots: Arc<Spots>,
}

impl Listener {
    async fn listen(self, mut packets: Subscriber) {
        let mut invariants: Vec<Invariant> = Vec::new();
        while let Some(packet) = packets.next().await {
            if nobody(&packet) {
                return;
            }
            let Ok(Envelope { id, message }) = serde_json::from_slice(&packet.payload) else {
                return;
            };
            // Answers to other questions are late, or are sent twice.
            if id != Some(self.asked.load(Ordering::SeqCst)) {
                continue;
            }
            let message = match message {
                Message::Invariants { hold } => {
                    invariants.extend(hold);
                    continue;
                }
                message => message,
            };
            let Ok(message) = self.read(message, &mut invariants) else { return };
            let asks = matches!(
                message,
                FromClient::AskValues(..)
                    | FromClient::AskOver
                    | FromClient::AskImprove
                    | FromClient::Outdated(_)
            );
            if !asks {
                self.asked.store(0, Ordering::SeqCst);
            }
            if self.to.send(message).is_err() {
                return;
            }
        }
    }

    fn read(
        &self,
        message: Message,
        invariants: &mut Vec<Invariant>,
    ) -> Result<FromClient, String> {
        Ok(match message {
            Message::Stepped { progress } => FromClient::Stepped(progress),
            Message::Values { formula } => FromClient::Values(formula),
            Message::Answer { yes } => FromClient::Bool(yes),
            Message::Reported { end, verdicts } => FromClient::Report(Box::new(Report {
                end,
                verdicts: verdicts.into_iter().map(|v| v.read()).collect::<Result<_, _>>()?,
                invariants: self.spots.invariants(std::mem::take(invariants))?,
            })),
            Message::GetValues { at, wanted: texts } => {
                FromClient::AskValues(at.into(), wanted(&texts)?)
            }
            Message::IsMemoryOverApproximated => FromClient::AskOver,
            Message::CanImproveMemoryOverApproximation => FromClient::AskImprove,
            Message::OnLocationOutdated { at } => FromClient::Outdated(at.into()),
            _ => return Err("no message of a client".to_owned()),
        })
    }
}

/// The points of each place.
#[derive(Debug)]
struct Spots {
    unfolding: Arc<Unfolding>,
    exact: BTreeMap<Spot, Vec<PointId>>,
}

impl Spots {
    fn new(unfolding: &Arc<Unfolding>) -> Self {
        let mut exact: BTreeMap<Spot, Vec<PointId>> = BTreeMap::new();
        for k in 0..unfolding.points.len() {
            let point = PointId(u32::try_from(k).unwrap_or(u32::MAX));
            exact.entry(place::spot(unfolding, point)).or_default().push(point);
        }
        Self { unfolding: unfolding.clone(), exact }
    }

    /// Returns an invariant for each point, from those of places; empty if the client has none.
    fn invariants(&self, all: Vec<Invariant>) -> Result<Vec<Formula>, String> {
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let mut parts: Vec<Vec<Formula>> = vec![Vec::new(); self.unfolding.points.len()];
        for Invariant { at, formula } in all {
            let (spot, formula) = (Spot::from(at), parse::formula(&formula)?);
            // A place with branching edges has only some of the paths of a point.
            if spot.filter.branching {
                continue;
            }
            let points = match self.exact.get(&spot) {
                Some(points) => points.clone(),
                // Calls without a separate context are some of the paths of another context.
                None if spot.filter.call => continue,
                None => place::points(&self.unfolding, &spot),
            };
            for point in points {
                parts[point.0 as usize].push(formula.clone());
            }
        }
        Ok(parts.into_iter().map(Formula::and).collect())
    }
}
