//! Messages between the server and a client, and the client's end of the channel.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::formula::{Dereference, Formula};
use super::{Client, Progress, Report, Server, Spot};

/// A message to a client.
#[derive(Debug)]
pub enum ToClient {
    /// The client must do a step.
    Step,
    /// A question for everything that the client knows at a place.
    GetValues(Spot, Vec<Dereference>),
    /// Knowledge of another client changed.
    Outdated(Spot),
    /// Asks whether the client over-approximates memory.
    IsOver,
    /// Asks whether the client may still over-approximate memory.
    CanImprove,
    /// Communication ends.
    Conclude,
    /// The client must report its result.
    Report,
    /// The answers of all others, in a step.
    Formula(Formula),
    /// The answer of all others, in a step.
    Bool(bool),
}

/// A message from a client.
#[derive(Debug)]
pub enum FromClient {
    /// A step is done.
    Stepped(Progress),
    /// A formula.
    Values(String),
    /// An answer.
    Bool(bool),
    /// The result.
    Report(Box<Report>),
    /// In a step, asks what others know.
    AskValues(Spot, Vec<Dereference>),
    /// In a step, asks whether all others over-approximate.
    AskOver,
    /// In a step, asks whether another client can improve.
    AskImprove,
    /// In a step, says that the client's knowledge of a place changed.
    Outdated(Spot),
}

/// The server as a client sees it.
struct Link<'a> {
    from: &'a Receiver<ToClient>,
    to: &'a Sender<FromClient>,
    /// Notifications that arrived while the client waited for an answer.
    pending: Vec<Spot>,
}

impl Link<'_> {
    fn ask(&mut self, query: FromClient) -> Option<ToClient> {
        self.to.send(query).ok()?;
        loop {
            match self.from.recv().ok()? {
                ToClient::Outdated(spot) => self.pending.push(spot),
                reply => return Some(reply),
            }
        }
    }
}

impl Server for Link<'_> {
    fn get_values(&mut self, spot: &Spot, wanted: &[Dereference]) -> Formula {
        match self.ask(FromClient::AskValues(spot.clone(), wanted.to_vec())) {
            Some(ToClient::Formula(formula)) => formula,
            _ => Formula::True,
        }
    }

    fn on_location_outdated(&mut self, spot: &Spot) {
        // There is no receiver if the server is gone.
        let _ = self.to.send(FromClient::Outdated(spot.clone()));
    }

    fn is_memory_over_approximated(&mut self) -> bool {
        matches!(self.ask(FromClient::AskOver), Some(ToClient::Bool(true)))
    }

    fn can_improve_memory_over_approximation(&mut self) -> bool {
        matches!(self.ask(FromClient::AskImprove), Some(ToClient::Bool(true)))
    }
}

/// Answers for a client until the server is gone.
pub fn serve(mut client: Box<dyn Client>, from: &Receiver<ToClient>, to: &Sender<FromClient>) {
    while let Ok(message) = from.recv() {
        let reply = match message {
            ToClient::Step => {
                let mut link = Link { from, to, pending: Vec::new() };
                let progress = client.step(&mut link);
                link.pending.iter().for_each(|spot| client.on_location_outdated(spot));
                FromClient::Stepped(progress)
            }
            ToClient::GetValues(spot, wanted) => {
                FromClient::Values(client.get_values(&spot, &wanted))
            }
            ToClient::IsOver => FromClient::Bool(client.is_memory_over_approximated()),
            ToClient::CanImprove => {
                FromClient::Bool(client.can_improve_memory_over_approximation())
            }
            ToClient::Report => FromClient::Report(Box::new(client.report())),
            ToClient::Outdated(spot) => {
                client.on_location_outdated(&spot);
                continue;
            }
            ToClient::Conclude => {
                client.conclude();
                continue;
            }
            ToClient::Formula(_) | ToClient::Bool(_) => continue,
        };
        if to.send(reply).is_err() {
            return;
        }
    }
}

/// The stack size of a client, which is large because formulas and terms are recursive.
pub const STACK: usize = 256 << 20;

/// The server's end of the channel of a client, wherever the client runs.
#[derive(Debug)]
pub struct Seat {
    /// The name of the client.
    pub name: &'static str,
    /// The channel for messages to the client.
    pub to: Sender<ToClient>,
    /// The channel for messages from the client. It is closed when the client is gone.
    pub from: Receiver<FromClient>,
}

impl Seat {
    /// Runs a client in a thread of this process; returns `None` if there is no memory for the thread.
    pub fn local(client: Box<dyn Client>) -> Option<Self> {
        let name = client.name();
        let (to, inbox) = channel();
        let (outbox, from) = channel();
        let work = move || serve(client, &inbox, &outbox);
        thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work).ok()?;
        Some(Self { name, to, from })
    }
}
