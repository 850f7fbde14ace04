//! Classifies the end of a program as a reply.

use std::os::unix::process::ExitStatusExt;
use std::sync::LazyLock;

use regex::Regex;

use crate::Reply;
use crate::description::{Description, Limits, Memory, OutputSource, Pattern};
use crate::glue;
use crate::message::{Scrubber, sanitizer, stack};
use crate::process::{Ended, Scratch, Stop};

/// Messages of programs about a failed allocation. They are evidence only near the limit, because many programs print
/// them about a number in the file that they consider too large.
static NO_MEMORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix) (cannot|can't|could\ not)\ allocate | memory\ exhausted | std::bad_alloc | \bMemoryError\b | OutOfMemoryError
        | \bout\ of\ memory\b | memory\ allocation\ (of\ \d+\ bytes\ )?failed
        | (failed|unable)\ to\ allocate | not\ enough\ memory | insufficient\ memory",
    )
    .expect("constant")
});
/// Messages of programs about a file that may not grow.
static NO_ROOM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)file too large|no space left on device|disk quota exceeded").expect("constant")
});

/// Messages of programs about a full disk. Our limit on the size of a file causes different messages.
static NO_SPACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)no space left on device|disk quota exceeded").expect("constant")
});

/// Returns true if a program reports a full disk.
pub(super) fn no_space_left(ended: &Ended) -> bool {
    says_no_space(&ended.stderr.text()) || says_no_space(&ended.stdout.text())
}

/// Returns true if this output of a program reports a full disk.
pub(super) fn says_no_space(words: &str) -> bool {
    NO_SPACE.is_match(words)
}

/// Classifies a program's end; `None` if it apparently succeeded.
pub(super) fn failure(
    ended: &Ended,
    description: &Description,
    scratch: &Scratch,
    scrub: &Scrubber,
) -> Option<Reply> {
    let limits = &description.limits;
    let resource = |message: String| Some(Reply::Resource { message });
    if let Some(stop) = ended.stopped {
        return Some(stopped(stop, description));
    }
    let disk = limits.disk_mb << 20;
    let signal = ended.status.signal().or_else(|| passed_on(ended.status.code()));
    let failed = signal.is_some() || !ended.status.success();
    if signal == Some(XFSZ) {
        return resource(format!("disk limit of {} MB", limits.disk_mb));
    }
    let text = ended.stderr.text();
    let printed = if description.output.from == OutputSource::Stdout {
        String::new()
    } else {
        ended.stdout.text()
    };
    if failed {
        let full = || {
            let used = scratch.used();
            used.longest.max(ended.printed) >= disk || used.bytes + ended.printed >= disk
        };
        let no_room = NO_ROOM.is_match(&text) || NO_ROOM.is_match(&printed);
        if no_room || full() {
            return resource(format!("disk limit of {} MB", limits.disk_mb));
        }
        let no_memory = NO_MEMORY.is_match(&text) || NO_MEMORY.is_match(&printed);
        // A signal near the memory limit is probably an unchecked allocation failure.
        if (no_memory || signal.is_some()) && near_limit(ended.peak_address_space, limits) {
            let words = words(ended, scrub).map(|w| format!(": {w}")).unwrap_or_default();
            return resource(format!("memory limit of {} MB{words}", limits.memory_mb));
        }
    }
    match signal {
        Some(KILL) => {
            return resource(
                "killed from outside (SIGKILL): most likely out of memory".to_string(),
            );
        }
        Some(signal) => {
            // The last lines of a sanitizer are a legend.
            let words = sanitizer(&text).map(str::to_owned).or_else(|| words(ended, scrub));
            let words = words.map(|w| format!(": {w}")).unwrap_or_default();
            let stack = stack(&text).map(|s| format!("; in {s}")).unwrap_or_default();
            return Some(Reply::Crash {
                message: format!("{}{words}{stack}", signal_name(signal)),
            });
        }
        None => {}
    }
    if let Some(line) = found(&description.run.crashed, &printed, &text) {
        return Some(Reply::Crash { message: scrub.line(&line) });
    }
    if !ended.status.success() {
        if let Some(line) = glue::failure_in(&text) {
            return Some(Reply::Refused { message: scrub.line(line) });
        }
        let message = words(ended, scrub)
            .unwrap_or_else(|| format!("exit status {}", ended.status.code().unwrap_or_default()));
        return Some(Reply::Refused { message });
    }
    let line = found(&description.run.refused, &printed, &text)?;
    Some(Reply::Refused { message: scrub.line(&line) })
}

/// Returns the first line that matches one of the patterns.
fn found(patterns: &[Pattern], printed: &str, complained: &str) -> Option<String> {
    let mut lines = printed.lines().chain(complained.lines());
    lines.find(|line| patterns.iter().any(|p| p.is_match(line))).map(str::to_string)
}

/// Returns true if a program's largest address space was so near to the limit that an allocation may have failed
/// because of it.
fn near_limit(peak: u64, limits: &Limits) -> bool {
    let limited = limits.memory == Memory::AddressSpace && limits.memory_mb > 0;
    limited && peak >= (limits.memory_mb << 20) / 4 * 3
}

/// Classifies a worker's refusal by its message. `peak` returns the worker's largest address
/// space so far.
pub(super) fn refusal(
    words: &str,
    description: &Description,
    scrub: &Scrubber,
    peak: impl FnOnce() -> u64,
) -> Reply {
    if let Some(line) = glue::failure_in(words) {
        return Reply::Refused { message: scrub.line(line) };
    }
    let message = scrub.last_words(words).unwrap_or_else(|| "no reason given".to_string());
    if NO_MEMORY.is_match(words) && near_limit(peak(), &description.limits) {
        let limit = description.limits.memory_mb;
        return Reply::Resource { message: format!("memory limit of {limit} MB: {message}") };
    }
    Reply::Refused { message }
}

/// Classifies a program that was killed for a limit.
pub(super) fn stopped(why: Stop, description: &Description) -> Reply {
    let limits = &description.limits;
    let message = match why {
        Stop::Time => return Reply::Hang,
        Stop::Disk => format!("disk limit of {} MB", limits.disk_mb),
        Stop::Files => "disk limit: too many files".to_string(),
        Stop::Memory => format!("memory limit of {} MB", limits.memory_mb),
        Stop::Messages => format!("printed more than {} MB of messages", limits.messages_mb),
        Stop::Processes => format!("more than {} processes and threads", limits.processes),
        Stop::Lock => "kept a lock on a file of repfuzz".to_string(),
    };
    Reply::Resource { message }
}

/// The client's last message, if it had any.
pub(super) fn words(ended: &Ended, scrub: &Scrubber) -> Option<String> {
    scrub.last_words(&ended.stderr.text()).or_else(|| scrub.last_words(&ended.stdout.text()))
}

const KILL: i32 = 9;
const XFSZ: i32 = 25;

/// Decodes the exit status 128 + signal with which a shell passes on a signal. Restricted to signals whose status no
/// program would choose itself.
fn passed_on(code: Option<i32>) -> Option<i32> {
    let signal = code? - 128;
    matches!(signal, 4..=8 | KILL | 11 | XFSZ | 31).then_some(signal)
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        other => return format!("signal {other}"),
    };
    name.to_string()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn words_about_memory_count_near_the_limit() {
        let text = "name = \"a\"\nsummary = \"s\"\ndecoder = \"own\"\n[run]\nworker = [\"a\"]\n";
        let limited = |limits: &str, words: &str, peak: u64| {
            let text = format!("{text}[limits]\nmemory_mb = 100\n{limits}");
            let description = Description::parse(&text, "a.toml", Path::new("/")).unwrap();
            let reply = refusal(words, &description, &Scrubber::new(), || peak << 20);
            matches!(reply, Reply::Resource { .. })
        };
        assert!(limited("", "MemoryError", 90));
        assert!(!limited("", "MemoryError", 60));
        assert!(!limited("", "bad tag", 90));
        // repfuzz itself kills a program that exceeds its limit on resident memory.
        assert!(!limited("memory = \"resident\"", "MemoryError", 90));
    }
}
