//! The outcome of a call, which distinguishes differences.

use std::sync::LazyLock;

use regex::Regex;

use super::driver::Kind;
use clients::message::shape;

/// The difference between the result of the last call of a sequence and the result of this call in the plain order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub kind: Kind,
    /// For a crash, the sanitizer's kind (if there is none, the signal or the panic) and the innermost named function.
    /// Empty for all other outcomes, because messages name codecs and places, which depend on the file.
    pub mark: String,
}

impl Outcome {
    /// Returns the outcome of a kind, from the words of the client.
    pub fn of(kind: Kind, why: &str) -> Self {
        let mark = if kind == Kind::Crash { mark(why) } else { String::new() };
        Self { kind, mark }
    }

    /// Returns true if the mark names the place. Two crashes with the same mark are then almost certainly the same
    /// fault.
    pub fn says_where(&self) -> bool {
        self.mark.contains(" in ") || self.mark.starts_with("panic: ")
    }
}

fn mark(why: &str) -> String {
    static SANITIZER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b\w+Sanitizer: [\w-]+").expect("constant"));
    static SIGNAL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^SIG[A-Z0-9]+").expect("constant"));
    let (words, stack) = why.rsplit_once("; in ").unwrap_or((why, ""));
    let what = SANITIZER.find(words).or_else(|| SIGNAL.find(words));
    let what = what.map_or_else(|| shape(words), |found| found.as_str().to_owned());
    match stack.split(" < ").next() {
        Some(function) if !function.is_empty() => format!("{what} in {function}"),
        _ => what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crashes_are_told_apart_by_their_place() {
        let of = |why: &str| Outcome::of(Kind::Crash, why);
        let freed = of("SIGABRT: AddressSanitizer: heap-use-after-free; in LZWDecode < main");
        assert_eq!(freed.mark, "AddressSanitizer: heap-use-after-free in LZWDecode");
        assert!(freed.says_where());
        assert_eq!(of("SIGSEGV; in f < g").mark, "SIGSEGV in f");
        let signal = of("SIGSEGV: strip 3 is wrong");
        assert_eq!((signal.mark.as_str(), signal.says_where()), ("SIGSEGV", false));
        assert_eq!(of("panic: index 3 of 2"), of("panic: index 4 of 3"));
        assert_ne!(of("panic: index 3 of 2"), of("panic: no index 3"));
        let refused = Outcome::of(Kind::Refused, "LZWDecode: no row 3");
        assert_eq!(refused, Outcome::of(Kind::Refused, "no row"));
    }
}
