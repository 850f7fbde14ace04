//! Clients that are no program of this project: one in Python, and some that break the protocol.

use crate::over;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::over::{Nats, constants, read, session};
use analyses::nats::{self, Session};
use analyses::protocol::server::Settings;
use analyses::protocol::{End, Verdict};
use analyses::run::{Analysis, Kind, Known, Options, analyse, client};
use serde_json::{Value, json};

/// Analyses a program with intervals and one client that joins.
fn with_box(server: &Nats, session: &str, text: &str, run: Settings) -> Analysis {
    let (url, name) = (server.url.clone(), session.to_owned());
    thread::spawn(move || {
        nats::serve(&url, &name, "box", Box::new(|u, s, alone| client(Kind::Box, u, s, alone)))
    });
    let (url, name) = (server.url.clone(), Some(session.to_owned()));
    let nats = Some(Session { url, name, command: Vec::new(), join: 1 });
    let options = Options { clients: vec![Kind::Box], run, nats, ..Options::default() };
    analyse(read(text), &options).unwrap()
}

#[test]
fn a_client_in_python_proves_assertions_and_helps_another() {
    let Some(server) = Nats::start() else { return };
    let session = session();
    let Some(mut python) = constants(&server, &session) else { return };
    // That `y` is 0 is beyond intervals; they ask where the paths meet.
    let text = "int main(void) { int x = __VERIFIER_nondet_int(), y = x ^ x, k;\n\
        if (__VERIFIER_nondet_int()) k = 1; else k = 2;\n\
        __VERIFIER_assert(y + k <= 2);\n__VERIFIER_assert(k < 2);\nif (y != 0) reach_error(); return 0; }";
    let analysis = with_box(&server, &session, text, Settings::default());
    assert!(python.wait().unwrap().success());
    let ends: Vec<_> = analysis.ends().collect();
    assert_eq!(ends, [("box", End::Success), ("constants", End::Success)]);
    let known: Vec<_> = analysis.assertions.iter().map(|checked| &checked.known).collect();
    assert_eq!(*known[0], Known::Proved { by: vec!["box"] }, "by what the other one says");
    assert_eq!(*known[1], Known::Unknown);
    assert_eq!(*known[2], Known::Proved { by: vec!["box", "constants"] });
    let answers = analysis.outcome.log.iter().flat_map(|event| &event.answers);
    assert!(answers.clone().any(|(who, text)| *who == "constants" && text.starts_with("(= (i32 ")));
    let (_, report) = &analysis.outcome.reports[1];
    assert!(report.invariants.iter().any(|i| i.to_string().starts_with("(= (i32 ")));
    // Alone, intervals do not know it.
    let alone = over::Over::Process.run(&read(text), &[Kind::Box], &[], Settings::default());
    let known: Vec<_> = alone.assertions.iter().map(|checked| &checked.known).collect();
    assert_eq!(known, [&Known::Unknown; 3]);
}

/// A connection to NATS, as in the client in Python.
struct Raw {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Raw {
    fn new(server: &Nats) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        let mut raw = Self { stream, lines };
        raw.send("CONNECT {\"verbose\":false,\"headers\":true,\"no_responders\":true}\r\n");
        raw
    }

    fn send(&mut self, text: &str) {
        // The server may have left this client out.
        let _ = self.stream.write_all(text.as_bytes());
    }

    fn publish(&mut self, subject: &str, reply: &str, payload: &str) {
        self.send(&format!("PUB {subject} {reply} {}\r\n{payload}\r\n", payload.len()));
    }

    /// The next message; none if there is no more.
    fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first() {
                Some(&"PING") => self.send("PONG\r\n"),
                Some(&"MSG") => {
                    let length: usize = words.last()?.parse().ok()?;
                    let mut payload = vec![0; length + 2];
                    self.lines.read_exact(&mut payload).ok()?;
                    if length > 0 {
                        return serde_json::from_slice(&payload[..length]).ok();
                    }
                }
                Some(&"HMSG") => {
                    let length: usize = words.last()?.parse().ok()?;
                    self.lines.read_exact(&mut vec![0; length + 2]).ok()?;
                    return Some(json!({"message": "nobody listens"}));
                }
                _ => {}
            }
        }
    }
}

/// Joins a session, and answers as `replies` says, which gets the message.
fn misbehave(server: &Nats, session: &str, replies: fn(&Value) -> Vec<String>) {
    let mut raw = Raw::new(server);
    let session = session.to_owned();
    let inbox = format!("_INBOX.{session}");
    raw.send(&format!("SUB {inbox} 1\r\n"));
    thread::spawn(move || {
        let mut to = String::new();
        let subject = format!("repfuzz.analyze.{session}");
        raw.publish(&subject, &inbox, r#"{"name":"raw"}"#);
        while let Some(message) = raw.next() {
            match message["message"].as_str().unwrap() {
                "welcome" => message["to"].as_str().unwrap().clone_into(&mut to),
                "task" if message["last"] == true => {
                    raw.publish(&to, "", r#"{"message":"ready"}"#);
                }
                "nobody listens" => {
                    // The session may begin a moment later.
                    thread::sleep(Duration::from_millis(50));
                    raw.publish(&subject, &inbox, r#"{"name":"raw"}"#);
                }
                "end" => return,
                _ => replies(&message).iter().for_each(|reply| raw.publish(&to, "", reply)),
            }
        }
    });
}

/// The replies of a client that knows nothing and does not say that it covers all runs.
fn plain(message: &Value) -> Vec<String> {
    let reply = match message["message"].as_str().unwrap() {
        "step" => json!({"message": "stepped", "progress": "waits"}),
        "get_values" => json!({"message": "values", "formula": "true"}),
        "report" => json!({"message": "reported", "end": "failure", "verdicts": ["unknown"]}),
        "is_memory_over_approximated" | "can_improve_memory_over_approximation" => {
            json!({"message": "answer", "yes": false})
        }
        _ => return Vec::new(),
    };
    let mut reply = reply;
    reply["id"] = message["id"].clone();
    vec![reply.to_string()]
}

/// That no run comes here.
fn excludes(id: u64) -> String {
    json!({"id": id, "message": "values", "formula": "false"}).to_string()
}

/// The assertion can fail, and intervals ask at the head of the loop.
const FAILS: &str = "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); while (i < n) { i = i + 1; }\n\
    __VERIFIER_assert(i < 5); return 0; }";

#[test]
fn messages_that_break_the_protocol_make_no_other_unsound() {
    let Some(server) = Nats::start() else { return };
    type Replies = fn(&Value) -> Vec<String>;
    // How it ends for this client.
    let cases: [(&str, Replies, End); 7] = [
        ("plain", plain, End::Failure),
        (
            "no JSON",
            |message| match message["message"].as_str() {
                Some("get_values") => vec!["{".to_owned()],
                _ => plain(message),
            },
            End::Crash,
        ),
        (
            "an answer of another kind",
            |message| match message["message"].as_str() {
                Some("get_values") => {
                    let id = &message["id"];
                    vec![json!({"id": id, "message": "answer", "yes": true}).to_string()]
                }
                _ => plain(message),
            },
            End::Crash,
        ),
        (
            // The one to a question that was not asked, and that is given twice, must not count for the next one.
            "answers to other questions",
            |message| {
                let mut all = plain(message);
                if let Some(id) = message["id"].as_u64() {
                    all.insert(0, excludes(id + 1));
                    all.insert(0, excludes(id - 1));
                    all.push(excludes(id));
                }
                all
            },
            End::Failure,
        ),
        (
            "too few verdicts",
            |message| match message["message"].as_str() {
                Some("report") => {
                    let id = &message["id"];
                    let reply =
                        json!({"id": id, "message": "reported", "end": "success", "verdicts": []});
                    vec![reply.to_string()]
                }
                _ => plain(message),
            },
            End::Crash,
        ),
        (
            "invariants that are no formulas",
            |message| match message["message"].as_str() {
                Some("report") => {
                    let at = json!({"function": 0, "node": 0, "filter": [], "edges": []});
                    let hold = json!([{"at": at, "formula": "(= x 1)"}]);
                    let first = json!({"id": message["id"], "message": "invariants", "hold": hold});
                    let mut all = vec![first.to_string()];
                    all.extend(plain(message));
                    all
                }
                _ => plain(message),
            },
            End::Crash,
        ),
        ("never an answer", |_| Vec::new(), End::Crash),
    ];
    for (name, replies, end) in cases {
        let session = session();
        misbehave(&server, &session, replies);
        let patience = Duration::from_millis(if name == "never an answer" { 300 } else { 20_000 });
        let run = Settings { patience, ..Settings::default() };
        let analysis = with_box(&server, &session, FAILS, run);
        assert_eq!(analysis.assertions[0].known, Known::Unknown, "{name}");
        let ends: Vec<_> = analysis.ends().collect();
        assert_eq!(ends, [("box", End::Success), ("raw", end)], "{name}");
        let alone = over::Over::Process.run(&read(FAILS), &[Kind::Box], &[], run);
        let of_box = |analysis: &Analysis| {
            let report = &analysis.outcome.reports[0].1;
            (report.verdicts.clone(), format!("{:?}", report.invariants))
        };
        assert_eq!(of_box(&analysis), of_box(&alone), "{name}");
        assert_eq!(of_box(&alone).0, [Verdict::Unknown]);
    }
}
