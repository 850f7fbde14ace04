//! Messages as JSON, for clients in other processes and other languages.
//!
//! `docs/analyze-protocol.md` describes them; a test compares its examples with this.

use canonical::{EdgeId, Expr, FunctionId, NodeId, Program, VariableId};
use serde::{Deserialize, Serialize};

use super::{Dereference, End, Filter, Progress, Spot, Verdict, parse};
use crate::unfold::{Limits, Unfolding};

/// A message, and the question to which it belongs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// The number of a question. Its answer has the same number, and so have all messages of a step. Messages that do
    /// not need an answer have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The message.
    #[serde(flatten)]
    pub message: Message,
}

/// Messages in both directions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "snake_case")]
pub enum Message {
    /// The server admits the client.
    Welcome {
        /// The subject for everything that the client sends.
        to: String,
        /// Seconds in which it must answer.
        patience: u64,
    },
    /// The server does not admit the client.
    Refused {
        /// The reason.
        why: String,
    },
    /// A part of the [`Task`].
    Task {
        /// The next part of the task's text.
        text: String,
        /// True if the text is now complete.
        last: bool,
    },
    /// The client has read the task.
    Ready,
    /// The client must do a step.
    Step,
    /// The step is done.
    Stepped {
        /// The outcome.
        progress: Progress,
    },
    /// A question for values at a place: from the server to a client or, in a step, from the client to all others.
    GetValues {
        /// The place.
        at: At,
        /// The values.
        wanted: Vec<String>,
    },
    /// The answer.
    Values {
        /// A formula.
        formula: String,
    },
    /// Knowledge at a place changed: that of another client or, in a step, that of the client.
    OnLocationOutdated {
        /// The place.
        at: At,
    },
    /// A question in both directions, like the one for values.
    IsMemoryOverApproximated,
    /// A question, as that for values.
    CanImproveMemoryOverApproximation,
    /// The answer to the last two questions.
    Answer {
        /// Yes or no.
        yes: bool,
    },
    /// Communication ends.
    Conclude,
    /// The server asks for the result.
    Report,
    /// Invariants, in any number of messages before the result.
    Invariants {
        /// Invariants by place.
        hold: Vec<Invariant>,
    },
    /// The result.
    Reported {
        /// The end.
        end: End,
        /// Verdicts in the order of the task's assertions.
        verdicts: Vec<WireVerdict>,
    },
    /// The run is over.
    End,
}

/// A client that wants to join.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Join {
    /// Its name, which no other client of the session has.
    pub name: String,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// The function.
    pub function: FunctionId,
    /// The node.
    pub node: NodeId,
    /// The kinds of edges that the place lists.
    pub filter: Vec<Counts>,
    /// The edges: function and edge.
    pub edges: Vec<(FunctionId, EdgeId)>,
}

/// A kind of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// Edges of nodes that have others.
    Branching,
    /// Calls that have not returned yet.
    Call,
}

/// An invariant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    /// The place.
    pub at: At,
    /// The formula.
    pub formula: String,
}

/// A verdict on an assertion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireVerdict {
    /// No run fails it.
    Proved,
    /// It may fail.
    Unknown,
    /// It fails with these inputs, as decimal text: they may have more bits than numbers of JSON.
    Refuted(Vec<String>),
}

/// The program, and everything that a client needs to know about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Task {
    /// The canonical program, as `repfuzz program --json` prints it.
    pub program: Program,
    /// The name of the function in which execution begins.
    pub entry: String,
    /// False if clients do not ask each other.
    pub communicate: bool,
    /// Bounds of graphs.
    pub limits: Limits,
    /// The variable of each segment, from 1.
    pub segments: Vec<VariableId>,
    /// The assertions.
    pub assertions: Vec<Assertion>,
}

/// An assertion.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Assertion {
    /// The place before it.
    pub at: At,
    /// An expression that must not be zero; `None` if the place must not be reached.
    pub condition: Option<Expr>,
}

impl From<&Spot> for At {
    fn from(spot: &Spot) -> Self {
        let kinds = [(spot.filter.branching, Counts::Branching), (spot.filter.call, Counts::Call)];
        Self {
            function: spot.function,
            node: spot.node,
            filter: kinds.into_iter().filter(|(counts, _)| *counts).map(|(_, kind)| kind).collect(),
            edges: spot.edges.clone(),
        }
    }
}

impl From<At> for Spot {
    fn from(at: At) -> Self {
        let has = |kind| at.filter.contains(&kind);
        let filter = Filter { branching: has(Counts::Branching), call: has(Counts::Call) };
        Self { function: at.function, node: at.node, filter, edges: at.edges }
    }
}

impl From<&Verdict> for WireVerdict {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Proved => Self::Proved,
            Verdict::Unknown => Self::Unknown,
            Verdict::Refuted(inputs) => Self::Refuted(inputs.iter().map(i128::to_string).collect()),
        }
    }
}

impl WireVerdict {
    /// Converts it to a verdict.
    ///
    /// # Errors
    /// Returns an error if an input is not a number.
    pub fn read(self) -> Result<Verdict, String> {
        Ok(match self {
            Self::Proved => Verdict::Proved,
            Self::Unknown => Verdict::Unknown,
            Self::Refuted(inputs) => {
                let number =
                    |text: &String| text.parse().map_err(|_| format!("`{text}` is no input"));
                Verdict::Refuted(inputs.iter().map(number).collect::<Result<_, _>>()?)
            }
        })
    }
}

/// Returns the question for values at a place.
pub fn question(spot: &Spot, wanted: &[Dereference]) -> Message {
    Message::GetValues {
        at: At::from(spot),
        wanted: wanted.iter().map(Dereference::to_string).collect(),
    }
}

/// Returns the values that a question requests.
///
/// # Errors
/// Returns an error if one of them is not a dereference.
pub fn wanted(texts: &[String]) -> Result<Vec<Dereference>, String> {
    texts.iter().map(|text| parse::dereference(text)).collect()
}

impl Task {
    /// The task of a program.
    pub fn new(
        unfolding: &Unfolding,
        segments: &super::place::Segments,
        communicate: bool,
    ) -> Self {
        let assertion = |of: &crate::unfold::Assertion| Assertion {
            at: At::from(&super::place::spot(unfolding, of.point)),
            condition: of.condition.clone(),
        };
        let program = Program::clone(&unfolding.program);
        Self {
            entry: program.function(unfolding.contexts[0].function).name.clone(),
            program,
            communicate,
            limits: unfolding.limits,
            segments: segments.variables().to_vec(),
            assertions: unfolding.assertions.iter().map(assertion).collect(),
        }
    }

    /// Reads a task. Programs nest deeply, so the stack must be large.
    ///
    /// # Errors
    /// Returns an error if the text is not a formula.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.disable_recursion_limit();
        Self::deserialize(&mut reader).map_err(|why| format!("the task is not readable: {why}"))
    }
}
