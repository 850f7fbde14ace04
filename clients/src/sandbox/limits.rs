//! Tests limits with small programs that exceed them in the ways in which limits are evaded.

use std::ffi::OsString;
use std::io;
use std::thread;
use std::time::Duration;

use super::guarantee::{self, Guarantee, Hold};
use super::method::Sandbox;
use super::self_test::run;
use crate::description::{Limits, Memory};
use crate::process::{self, Scratch, Stop};

/// The time limit of a trial. Its programs end by themselves after twenty seconds, because machines may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that exceeds a limit.
struct Trial {
    subject: &'static str,
    /// The limit that it should reach.
    stop: Stop,
    /// A shell script.
    script: &'static str,
    /// A description of its evasion, for a sentence that begins with "a client can".
    evasion: &'static str,
}

static TRIALS: [Trial; 3] = [
    Trial {
        subject: "memory",
        stop: Stop::Memory,
        // Each `tail` holds 24 MB as long as `sleep` does not read its output.
        script: "f() { head -c 24000000 /dev/zero | tail -c 24000000 | sleep 20; }; f & f & wait",
        evasion: "use more by several processes",
    },
    Trial {
        subject: "process count",
        stop: Stop::Processes,
        // The parents of these processes end before them.
        script: "for i in 1 2 3 4 5; do for j in 1 2 3 4 5 6 7 8; do (sleep 20 &); done; done; sleep 20",
        evasion: "start more by processes that end",
    },
    Trial {
        subject: "disk",
        stop: Stop::Disk,
        script: "exec 3>a 4>b; rm a b; head -c 3000000 /dev/zero >&3; head -c 3000000 /dev/zero >&4; sleep 20",
        evasion: "fill it with files that it deletes",
    },
];

/// The limits of all trials.
fn limits() -> Limits {
    Limits {
        memory_mb: 32,
        memory: Memory::Resident,
        disk_mb: 4,
        processes: 24,
        ..Limits::default()
    }
}

impl Sandbox {
    /// Lists which limits it enforces, and which it does not. The limits are tested, which takes a moment.
    pub fn guarantees(&self) -> Vec<Guarantee> {
        let mut all = match self {
            Self::Bubblewrap(_) => guarantee::of_bubblewrap(),
            Self::Kernel(kernel) => guarantee::of_kernel(kernel.has_namespaces()),
            Self::Off => guarantee::of_limits(),
        };
        all.extend(tried(self));
        all
    }
}

/// Tries all limits, at the same time.
fn tried(sandbox: &Sandbox) -> Vec<Guarantee> {
    thread::scope(|scope| {
        let running = TRIALS.each_ref().map(|trial| {
            let held = scope.spawn(move || holds(sandbox, trial));
            (trial.subject, trial.evasion, held)
        });
        let tried = running.map(|(subject, evasion, held)| {
            let held = held.join().unwrap_or_else(|_| Err("it failed".to_owned()));
            let kernel = match subject {
                "disk" if sandbox.is_in_memory() => Ok(None),
                "disk" => Err("scratch folders need namespaces of their own for one"),
                _ => process::kernel_limits(),
            };
            described(subject, evasion, held, kernel)
        });
        tried.to_vec()
    })
}

/// Runs a trial.
///
/// # Errors
///
/// The reason why the limit does not hold.
fn holds(sandbox: &Sandbox, trial: &Trial) -> Result<(), String> {
    let tried = || -> io::Result<Option<Stop>> {
        let limits = limits();
        let scratch = Scratch::sized(sandbox.is_in_memory(), &limits)?;
        let argv: [OsString; 3] = ["sh".into(), "-c".into(), trial.script.into()];
        Ok(run(&argv, &scratch, &limits, sandbox, PATIENCE)?.stopped)
    };
    match tried() {
        Ok(Some(stop)) if stop == trial.stop => Ok(()),
        Ok(_) => Err("in a trial nothing stopped it".to_owned()),
        Err(error) => Err(format!("a trial failed: {error}")),
    }
}

/// The guarantee for a limit that held, or did not hold, in its trial; `kernel` says whether the kernel has a limit for
/// all processes together.
fn described(
    subject: &'static str,
    evasion: &'static str,
    held: Result<(), String>,
    kernel: Result<Option<u64>, &str>,
) -> Guarantee {
    const UNSEEN: &str = "those of a thread with descriptors of its own or, unless repfuzz is root, of a process \
                          that cannot be traced";
    const MEANWHILE: &str = "sampled up to every 250 ms, and not limited until then";
    let (hold, detail) = match (held, kernel) {
        (Err(why), _) => {
            let remedy =
                "run clients that you do not trust in a virtual machine or a container with limits";
            (Hold::Open, format!("a client can {evasion}; {why}: {remedy}"))
        }
        (Ok(()), Ok(_)) if subject == "disk" => {
            let held = "the scratch folder is a file system in memory of `disk_mb` and 64 MB, for all files, deleted ones too";
            (Hold::Held, held.to_owned())
        }
        (Ok(()), Err(why)) if subject == "disk" => {
            let held =
                "files of the scratch folder, deleted ones too while they are open or mapped";
            let not = format!(
                "deleted ones that only a message in a socket holds are not counted, nor {UNSEEN}"
            );
            (
                Hold::Sampled,
                format!("{held}: {MEANWHILE}; {not}; the kernel has no limit, as {why}"),
            )
        }
        (Ok(()), Ok(own)) => {
            let of = "by the kernel, for all processes of a client together, in a control group";
            let own =
                own.filter(|own| subject == "memory" && *own < Limits::default().memory_mb << 20);
            let own = own.map(|own| format!("; all clients together have {} MB", own >> 20));
            (Hold::Held, format!("{of}{}", own.unwrap_or_default()))
        }
        (Ok(()), Err(why)) => {
            let buffers = match subject {
                "memory" => format!(
                    "; buffers of pipes and sockets and files in messages are not counted, nor {UNSEEN}"
                ),
                _ => String::new(),
            };
            let of = "all processes of a client together";
            (
                Hold::Sampled,
                format!("{of}: {MEANWHILE}{buffers}; the kernel has no limit, as {why}"),
            )
        }
    };
    Guarantee::new(subject, hold, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_described_as_it_was_found() {
        let of = |subject, held: Result<(), &str>, kernel| {
            let Guarantee { hold, detail, .. } =
                described(subject, "evade", held.map_err(str::to_owned), kernel);
            (hold, detail.into_owned())
        };
        let (hold, detail) = of("memory", Ok(()), Ok(None));
        assert!(hold == Hold::Held && !detail.contains("MB"), "{detail}");
        let (hold, detail) = of("memory", Ok(()), Ok(Some(1 << 30)));
        assert!(hold == Hold::Held && detail.contains("1024 MB"), "{detail}");
        let (hold, detail) = of("memory", Ok(()), Err("there is none"));
        assert!(hold == Hold::Sampled && detail.ends_with("as there is none"), "{detail}");
        assert_eq!(of("disk", Ok(()), Ok(None)).0, Hold::Held);
        assert_eq!(of("disk", Ok(()), Err("there is none")).0, Hold::Sampled);
        let (hold, detail) = of("disk", Err("why"), Ok(None));
        assert!(hold == Hold::Open && detail.contains("can evade; why: run"), "{detail}");
    }
}
