//! Tests whether a sandbox works and actually confines programs.

use std::ffi::OsString;
use std::io;
use std::time::{Duration, Instant};

use super::method::Sandbox;
use crate::description::Limits;
use crate::process::{self, Ended, Found, Job, Scratch, Stdout};

/// The limits of consecutive trials in seconds.
const LIMITS: [u64; 3] = [20, 60, 180];

/// Tries a sandbox until it passes once, with more and more time.
///
/// # Errors
///
/// The reason why the last trial failed, in a few words.
pub(super) fn passes_in_time(sandbox: &Sandbox) -> Result<(), String> {
    let mut tried = Err(String::new());
    for limit in LIMITS {
        tried = passes(sandbox, Duration::from_secs(limit));
        if tried.is_ok() {
            break;
        }
    }
    tried
}

/// Runs a program in a sandbox, to test what the sandbox guarantees, for at most `time`.
///
/// # Errors
///
/// As [`process::run`].
pub(super) fn run(
    argv: &[OsString],
    scratch: &Scratch,
    limits: &Limits,
    sandbox: &Sandbox,
    time: Duration,
) -> io::Result<Ended> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let job = Job {
        argv,
        env: &[("PATH".into(), path)],
        scratch,
        own: &[],
        values: &[],
        sockets: false,
        display: None,
        stdout: Stdout::Ends,
        limits,
        sandbox,
    };
    process::run(&job, Instant::now() + time)
}

/// Tests whether a program can run in it, write to its folder and to no other, and cannot signal us.
fn passes(sandbox: &Sandbox, limit: Duration) -> Result<(), String> {
    let tried = || -> std::io::Result<Result<(), String>> {
        let limits = Limits::default();
        let scratch = Scratch::sized(sandbox.is_in_memory(), &limits)?;
        let outside = Scratch::new()?;
        let (within, without) = (scratch.path().join("within"), outside.path().join("without"));
        // Signal 0 tests whether a signal could be sent, to a process that nobody inside may signal.
        let script = r#"echo 1 > "$0" && ! echo 1 > "$1" && ! kill -0 "$2""#;
        let argv = [
            "sh".into(),
            "-c".into(),
            script.into(),
            within.clone().into(),
            without.clone().into(),
            std::process::id().to_string().into(),
        ];
        let ended = run(&argv, &scratch, &limits, sandbox, limit)?;
        let exists = |folder: &Scratch, name: &str| -> std::io::Result<bool> {
            Ok(folder.read(|other| other == name, 0)? != Found::Nothing)
        };
        Ok(match (exists(&scratch, "within")?, exists(&outside, "without")?) {
            (_, true) => Err("it does not confine".to_owned()),
            _ if ended.stopped.is_some() => Err("it did not finish in time".to_owned()),
            (true, false) if ended.status.success() => Ok(()),
            _ => Err(ended.status.to_string()),
        })
    };
    tried().unwrap_or_else(|error| Err(error.to_string()))
}
