//! Tests whether a sandbox works and actually confines.

use std::time::{Duration, Instant};

use super::method::Sandbox;
use crate::client::description::Limits;
use crate::client::process::{self, Job, Scratch, Stdout};

/// Returns true if a program can run in it, write to its folder and to no other, and cannot signal us.
pub(super) fn passes(sandbox: &Sandbox) -> bool {
    let tried = || -> std::io::Result<bool> {
        let (scratch, outside) = (Scratch::new()?, Scratch::new()?);
        let (within, without) = (scratch.path().join("within"), outside.path().join("without"));
        // Signal 0 tests whether one could be sent: to a process that nobody may signal from within.
        let script = r#"echo 1 > "$0" && ! echo 1 > "$1" && ! kill -0 "$2""#;
        let argv = [
            "sh".into(),
            "-c".into(),
            script.into(),
            within.clone().into(),
            without.clone().into(),
            std::process::id().to_string().into(),
        ];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let job = Job {
            argv: &argv,
            env: &[("PATH".into(), path)],
            scratch: &scratch,
            own: &[],
            sockets: false,
            display: None,
            stdout: Stdout::Ends,
            limits: &Limits::default(),
            sandbox,
        };
        let ended = process::run(&job, Instant::now() + Duration::from_secs(20))?;
        Ok(ended.status.success() && within.exists() && !without.exists())
    };
    tried().unwrap_or(false)
}
