//! Sequences of calls that drivers replay on a library. Defines requests and answers as text, and finds shorter
//! sequences that show the same difference.
//!
//! A driver receives a request: the line `repfuzz calls 1`, a line for each sequence, an empty line, and the bytes of
//! the file that the library reads. It answers with the line `plain DIGEST`, which stands for the picture in the plain
//! order, and a line for each sequence: a character for each call up to the first one whose result differs from the
//! plain order ([`Step`]), and after a space the reason.

mod program;
mod shorter;
mod values;

pub use program::{Shown, c_program};
pub use shorter::{shorter, simpler};
pub use values::with_each_value;

use crate::graph::{Call, Graph};
use crate::suite::Sequence;

/// The first line of a request.
const HEAD: &str = "repfuzz calls 1\n";

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// The call had the same result as in the plain order, or reads nothing: `.`.
    Same,
    /// The call read something other than in the plain order: `!`.
    Differs,
    /// The call failed, although it succeeds in the plain order: `E`.
    Refused,
    /// The file has nothing for the call, or the call also fails in the plain order: `-`.
    NotHere,
}

/// The answer to one sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The result of each call up to the first one that differs from the plain order.
    pub steps: Vec<Step>,
    /// The reason why the last call differs; empty if the driver does not state it.
    pub why: String,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// A digest of the picture in the plain order; `None` if the library has no picture for this file.
    pub plain: Option<String>,
    /// The answers to the sequences, in order.
    pub sequences: Vec<Answer>,
}

/// A sequence as text: `open(0) read(1)`.
pub fn text(graph: &Graph, calls: &[Call]) -> String {
    calls.iter().map(|c| graph.call_text(c)).collect::<Vec<_>>().join(" ")
}

/// A request to replay `sequences` on `file`.
pub fn request(graph: &Graph, sequences: &[&[Call]], file: &[u8]) -> Vec<u8> {
    let mut out = HEAD.to_owned();
    for calls in sequences {
        out.push_str(&text(graph, calls));
        out.push('\n');
    }
    out.push('\n');
    let mut out = out.into_bytes();
    out.extend_from_slice(file);
    out
}

/// A call of a request, as a driver reads it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Requested {
    /// Name of the function.
    pub name: String,
    /// Values of its parameters.
    pub arguments: Vec<i64>,
}

/// Returns the sequences of a request, and the file; `None` if the text is not a request.
pub fn read_request(request: &[u8]) -> Option<(Vec<Vec<Requested>>, &[u8])> {
    let mut rest = request.strip_prefix(HEAD.as_bytes())?;
    let mut sequences = Vec::new();
    loop {
        let end = rest.iter().position(|b| *b == b'\n')?;
        let (line, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        if line.is_empty() {
            return Some((sequences, rest));
        }
        sequences.push(calls_of(std::str::from_utf8(line).ok()?)?);
    }
}

/// Parses a sequence; `None` if the text is not a sequence.
fn calls_of(line: &str) -> Option<Vec<Requested>> {
    let mut calls = Vec::new();
    for call in line.split_inclusive(')').map(str::trim).filter(|c| !c.is_empty()) {
        let (name, arguments) = call.strip_suffix(')')?.split_once('(')?;
        let arguments = arguments.split(',').map(str::trim).filter(|a| !a.is_empty());
        let arguments = arguments.map(|a| a.parse().ok()).collect::<Option<_>>()?;
        calls.push(Requested { name: name.to_owned(), arguments });
    }
    Some(calls)
}

/// Answers as text.
pub fn write_answers(answers: &Answers) -> String {
    let mut out = format!("plain {}\n", answers.plain.as_deref().unwrap_or("none"));
    for Answer { steps, why } in &answers.sequences {
        out.extend(steps.iter().map(|s| s.letter()));
        let why: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if !why.is_empty() {
            out.push(' ');
            out.push_str(&why);
        }
        out.push('\n');
    }
    out
}

/// Reads the answers to `count` sequences.
///
/// # Errors
///
/// Returns a one-line message with the place where the text is not an answer of a driver.
pub fn read_answers(text: &str, count: usize) -> Result<Answers, String> {
    let mut lines = text.lines();
    let plain = lines.next().and_then(|line| line.strip_prefix("plain "));
    let plain = plain.ok_or("the first line of the answer is not `plain DIGEST`")?;
    let mut sequences = Vec::with_capacity(count);
    for (number, line) in lines.by_ref().take(count).enumerate() {
        let (steps, why) = line.split_once(' ').unwrap_or((line, ""));
        let steps: Result<Vec<Step>, char> = steps.chars().map(Step::of).collect();
        let steps = steps.map_err(|c| match c {
            '?' => format!("line {} of the answer: the driver has no such call", number + 2),
            other => format!("line {} of the answer: {other:?} is no result of a call", number + 2),
        })?;
        sequences.push(Answer { steps, why: why.trim().to_owned() });
    }
    if sequences.len() != count {
        return Err(format!("{} answers to {count} sequences", sequences.len()));
    }
    let plain = (plain.trim() != "none").then(|| plain.trim().to_owned());
    Ok(Answers { plain, sequences })
}

impl Step {
    /// The letter of an answer.
    fn letter(self) -> char {
        match self {
            Self::Same => '.',
            Self::Differs => '!',
            Self::Refused => 'E',
            Self::NotHere => '-',
        }
    }

    fn of(letter: char) -> Result<Self, char> {
        Ok(match letter {
            '.' => Self::Same,
            '!' => Self::Differs,
            'E' => Self::Refused,
            '-' => Self::NotHere,
            other => return Err(other),
        })
    }
}

/// A call whose result is not as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The position of the call in its sequence.
    pub call: usize,
    /// [`Step::Differs`] or [`Step::Refused`].
    pub step: Step,
    /// The reason, in the words of the library.
    pub why: String,
}

/// Returns the fault of a sequence, if there is one: a legal call that fails or reads something other than in the plain
/// order. If the last call of a sequence must fail, its result is not a fault here.
pub fn fault(sequence: &Sequence, answer: &Answer) -> Option<Fault> {
    let legal = sequence.calls.len() - usize::from(sequence.fails);
    let call = answer.steps.iter().position(|s| matches!(s, Step::Differs | Step::Refused))?;
    (call < legal).then(|| Fault { call, step: answer.steps[call], why: answer.why.clone() })
}

/// Returns true if the last call must fail but does not.
pub fn accepted(sequence: &Sequence, answer: &Answer) -> bool {
    sequence.fails
        && answer.steps.len() == sequence.calls.len()
        && answer.steps.last() == Some(&Step::Same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &[i64]) -> Requested {
        Requested { name: name.to_owned(), arguments: arguments.to_vec() }
    }

    #[test]
    fn requests_are_read_back() {
        let graph = Graph {
            library: "a".to_owned(),
            functions: vec!["open".to_owned(), "read".to_owned()],
            parameters: vec![vec![], vec!["n".to_owned(), "m".to_owned()]],
            nodes: Vec::new(),
            initial: Vec::new(),
            edges: Vec::new(),
        };
        let open = Call { function: 0, arguments: Vec::new() };
        let read = Call { function: 1, arguments: vec![-3, 4] };
        let bytes = request(&graph, &[&[open.clone(), read], &[open]], b"a\n\nb");
        let (sequences, file) = read_request(&bytes).unwrap();
        assert_eq!(file, b"a\n\nb");
        let first = vec![call("open", &[]), call("read", &[-3, 4])];
        assert_eq!(sequences, [first, vec![call("open", &[])]]);
        for wrong in [
            &b""[..],
            b"repfuzz calls 2\n\n",
            b"repfuzz calls 1\nopen()",
            b"repfuzz calls 1\nopen\n\n",
        ] {
            assert_eq!(read_request(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn answers_are_read_back() {
        let answers = Answers {
            plain: Some("12ab".to_owned()),
            sequences: vec![
                Answer { steps: vec![Step::Same, Step::NotHere], why: String::new() },
                Answer { steps: vec![Step::Same, Step::Refused], why: "no row\nthere".to_owned() },
            ],
        };
        let text = write_answers(&answers);
        assert_eq!(text, "plain 12ab\n.-\n.E no row there\n");
        let read = read_answers(&text, 2).unwrap();
        assert_eq!(read.sequences[1].why, "no row there");
        assert_eq!(read.sequences[0], answers.sequences[0]);
        for (text, error) in [
            ("", "the first line of the answer is not `plain DIGEST`"),
            ("plain none\n.", "1 answers to 2 sequences"),
            ("plain none\n.\n.?", "line 3 of the answer: the driver has no such call"),
            ("plain none\nx\n.", "line 2 of the answer: 'x' is no result of a call"),
        ] {
            assert_eq!(read_answers(text, 2).unwrap_err(), error);
        }
    }

    #[test]
    fn only_legal_calls_have_faults() {
        let calls = vec![Call { function: 0, arguments: Vec::new() }; 2];
        let of = |steps: &[Step]| Answer { steps: steps.to_vec(), why: String::new() };
        let (legal, failing) =
            (Sequence { calls: calls.clone(), fails: false }, Sequence { calls, fails: true });
        let refused = of(&[Step::Same, Step::Refused]);
        assert_eq!(fault(&legal, &refused).unwrap().call, 1);
        assert_eq!(fault(&failing, &refused), None);
        assert_eq!(fault(&failing, &of(&[Step::Differs])).unwrap().step, Step::Differs);
        let fine = of(&[Step::Same, Step::Same]);
        assert_eq!((fault(&legal, &fine), accepted(&failing, &fine)), (None, true));
        assert!(!accepted(&legal, &fine) && !accepted(&failing, &refused));
    }
}
