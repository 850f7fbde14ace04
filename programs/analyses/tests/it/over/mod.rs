//! Runs of clients in this process, and over a server of NATS that a test starts.

#![allow(dead_code)] // Each test needs a part.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use analyses::nats::{self, Session};
use analyses::protocol::Client;
use analyses::protocol::place::Segments;
use analyses::protocol::server::Settings;
use analyses::run::{Analysis, Kind, Options, analyse, analyse_with, client, prepare};
use analyses::unfold::Unfolding;
use canonical::Program;
use canonical::c::{Options as COptions, read_text};

const HEADER: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned int __VERIFIER_nondet_uint(void);\n\
    extern char __VERIFIER_nondet_char(void); extern void __VERIFIER_assume(int);\n\
    extern void abort(void); void reach_error(void) { abort(); }\n\
    void __VERIFIER_assert(int c) { if (!c) { reach_error(); } }\n";

/// Reads a program in C.
pub fn read(text: &str) -> Arc<Program> {
    let program = read_text("t.c", &format!("{HEADER}{text}"), &COptions::default());
    assert_eq!(program.diagnostics, [], "{text}");
    Arc::new(program)
}

/// Makes a client.
pub type Make = Arc<dyn Fn(&Arc<Unfolding>, &Arc<Segments>, bool) -> Box<dyn Client> + Send + Sync>;

/// A server of NATS. It ends with this value.
pub struct Nats {
    child: Child,
    pub port: u16,
    pub url: String,
}

impl Nats {
    /// Starts a server; none, with a note, where it is not installed.
    pub fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let path = std::env::var("PATH").unwrap_or_default();
        let child = Command::new("nats-server")
            .args(["-a", "127.0.0.1", "-p", &port.to_string()])
            .env("PATH", format!("{path}:/usr/sbin:/usr/local/sbin"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(child) = child else {
            test_support::skipped("no nats-server");
            return None;
        };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "nats-server does not start");
            thread::sleep(Duration::from_millis(10));
        }
        Some(Self { child, port, url: format!("nats://127.0.0.1:{port}") })
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the client in Python; none, with a note, where there is no Python.
pub fn constants(server: &Nats, session: &str) -> Option<Child> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/constants.py");
    let python = Command::new("python3")
        .args([script, "127.0.0.1", &server.port.to_string(), session])
        .stdin(Stdio::null())
        .spawn();
    if python.is_err() {
        test_support::skipped("no python3");
    }
    python.ok()
}

/// A place where clients run.
pub enum Over {
    Process,
    Nats(Nats),
}

impl Over {
    /// All places.
    pub fn all() -> Vec<Self> {
        std::iter::once(Self::Process).chain(Nats::start().map(Self::Nats)).collect()
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Process => "in the process",
            Self::Nats(_) => "over NATS",
        }
    }

    /// Analyses a program with the clients that there are, and others.
    pub fn run(
        &self,
        program: &Arc<Program>,
        kinds: &[Kind],
        others: &[(&'static str, Make)],
        run: Settings,
    ) -> Analysis {
        let mut makes: Vec<(&'static str, Make)> = Vec::new();
        for kind in kinds.iter().copied() {
            makes.push((kind.name(), Arc::new(move |u, s, alone| client(kind, u, s, alone))));
        }
        makes.extend(others.iter().cloned());
        let mut options = Options { run, clients: kinds.to_vec(), ..Options::default() };
        let Self::Nats(server) = self else {
            let (unfolding, segments) = prepare(program.clone(), &options).unwrap();
            let alone = !run.communicate;
            let clients = makes.iter().map(|(_, make)| make(&unfolding, &segments, alone));
            let clients = clients.collect();
            return analyse_with(unfolding, segments, clients, run);
        };
        let session = session();
        for (name, make) in makes {
            let (url, session) = (server.url.clone(), session.clone());
            // A client that is meant to die reports an error.
            thread::spawn(move || {
                let make = Box::new(move |u: &_, s: &_, alone| make(u, s, alone));
                let _ = nats::serve(&url, &session, name, make);
            });
        }
        let url = server.url.clone();
        let join = others.len();
        options.nats = Some(Session { url, name: Some(session), command: Vec::new(), join });
        analyse(program.clone(), &options).unwrap()
    }
}

/// A name that no other test uses.
pub fn session() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}
