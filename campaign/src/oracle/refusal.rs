//! The reason that a client gives when it refuses a file: a limit that it states, an internal fault, or none.
//!
//! A file that means the same as one that the client reads is refused for one of two reasons: the client does not
//! support how it is stored, or it fails. Only the client can say which, so its message decides. Words for a failure
//! inside the client have precedence (an assertion, an index out of range, a panic), because such messages often quote
//! others. Words for missing support come next, followed by claims that the file is damaged or that there was no
//! result; these are also faults, because the file is valid. Everything else gives no reason.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

/// The kind of reason that a refusal gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// The client says that it does not support the file: a limit.
    Unsupported,
    /// The client fails, or considers the valid file damaged.
    Fault,
    /// No message, or none that distinguishes the two.
    Unclear,
}

/// Messages of failures inside a program: exceptions that are never thrown on purpose, assertions, panics.
const FAILURES: &[&str] = &[
    r"\b(index|key|attribute|name|assertion|unboundlocal|zerodivision|recursion|reference|range|indexoutofbounds|overflow)error\b",
    r"\b(nullpointer|indexoutofbounds|classcast|negativearraysize|arithmetic|bufferunderflow|bufferoverflow|illegalstate|nosuchelement|concurrentmodification|headless|accessviolation|nullreference|invalidcast)(exception)?\b",
    r"\bstructerror\b|\bstruct\.error\b|\bstopiteration\b",
    r"\bassert(ion)?s?\b|must be 'true'|\binvariant\b",
    r"\bpanic(ked)?\b|\bunwrap\(\)|\bstack trace\b|\bbacktrace\b|\bruntime error\b|\brange check error\b",
    r"\binternal\b",
    r"\bindex\b.{0,40}\b(out of|outside)\b|\b(out of|outside) (the )?(range|bounds)\b|\b(subscript|offset|row|column|strip|tile) out of\b",
    r"\binvalid (horizontal |vertical )?pixel index\b",
    r"\bnull ?pointer\b|\bnullptr\b|\bsegmentation fault\b|\bsig(segv|abrt|bus|fpe|ill)\b|sanitizer\b",
    r"\bdouble free\b|\buse.after.free\b|\bheap.buffer.overflow\b|\bcorrupted (size|unsorted|double)\b",
    r"\bunsupported operand\b|\bnot supported between\b|\bnot supported for the input types\b|\bobject (is|does|has|cannot)\b",
    r"\bnonetype\b|\bis not a function\b|\bcannot read propert|\bcannot destructure\b|\bundefined\b|(^|[ :=(])nan\b",
    r"\bthis (is a bug|should (never|not) happen)\b|\bplease report\b|\bunreachable\b",
];

/// Words that state a limit.
const LIMITS: &[&str] = &[
    r"\b(not|never|without|no|isn't|aren't|lacks?|missing)\b.{0,30}\b(support(ed|s|ing)?|implement(ed|ation|s)?)\b",
    r"\b(un|non-?)support|\bunimplemented\b|\bunhandled\b|\bnot ?implemented|\bnotimplemented",
    r"\b(cannot|can not|can't|could not|couldn't|unable to|does not|doesn't|do not|don't|don't know how to|did not|didn't) (yet )?(be )?(support|implement|handle|understand|deal|preserve|recogni[sz]e|identify)",
    r"\bonly\b.{0,80}\b(support|implement|understand|handle|accept|allow|read|works?|possible|available)",
    r"\b(support|understand|handle|accept|read|allow)s? only\b",
    r"\bmust be (one of |either )?[(\[]?\d+(, ?\d+)*(,? or \d+|, ?\d+)",
    r"\bsupported (\w+ )?(formats?|types?|values?|modes?|compressions?) (are|is|include)\b",
    r"\bsorry\b|\bpatches welcome\b|\bpatchwelcome",
    r"\b(unknown|unrecogni[sz]ed|unexpected) (tiff |image |sample |pixel |raw |file )*(compression|photometric|colou?r ?(space|type|model|map)|mode|bit ?depth|bitdepth|bits|data ?type|format|sample ?format|type of image|image type|scheme|method|predictor|orientation|planar|layout|version|magic)",
    r"\bbad magic\b|\bnot a (valid )?tiff?( or mdi)? file\b|\bno (suitable |matching )?(decoder|codec|decode delegate|loader|plug-?in)\b",
    r"\bnot (configured|compiled in|built in|enabled|included)\b|\brequires? (the )?\S+ (package|library|codec|module|plug-?in)\b",
    r"\bmax(\.|imum)? .{0,20}(allowed|supported)\b|\btoo many (channels|samples|bands|components|bits)\b",
];

/// Words with which a client blames the file, or says that it has no result. The files are valid.
const CLAIMS: &[&str] = &[
    r"\b(returned|returns|opens|opened|got|read|gave|shows?) (nothing|null|none|nil|no (image|picture|data|frame))\b|\bno (frame|image|picture)( data)?\b",
    r"\b(corrupt(ed)?|damaged|malformed|truncated|broken|garbled)\b",
    r"\b(invalid|bad|wrong|incorrect|illegal|inconsistent|unexpected) \S*( \S+){0,4}",
    r"\bwrong size\b|\bnot enough (data|bytes|input)\b|\btoo (short|small|large|big)\b|\bunexpected end\b|\bpremature\b|\beof(exception|error)?\b|\bend of (file|stream|data|input)\b",
    r"\bout of memory\b|\bmemory allocation\b|\bmemoryerror\b|\bcannot allocate\b|\bbad_alloc\b",
    r"\b(can't|cannot|couldn't|could not|unable to|failed to|problem|error|failure) (while )?(find|read|decod|decompress|inflat|load|pars|seek|reading|process)\w*\b.{0,20}\b(bit|sample|strip|row|tile|line|compress|tag|field|directory|scanline|block)",
    r"\b(inflate|deflate|decompress\w*|decod\w+|decoder|parsing|read|reading|tiff|lzw|zlib|seek) (finish |data )?(failed|failure|error)\b|\bfailed to (decode|decompress|inflate|parse)\b|\berror (decoding|decompressing|parsing)\b",
    r"\bmissing \w+|\bexpected\b|\bmust be\b|\bmust have\b|\bsize mismatch\b|\bmismatch\b|\bdoes not (match|fit)\b|<>",
    r"\b(typeerror|illegalargumentexception)\b|\bcannot be cast\b|\bexception thrown\b|\bunrecogni[sz]ed data stream\b|\bbroken data stream\b|(^|[ :])-\d+$",
];

impl Refusal {
    /// Returns the kind of reason in `message`.
    pub fn of(message: &str) -> Self {
        static SETS: LazyLock<[RegexSet; 3]> =
            LazyLock::new(|| [FAILURES, LIMITS, CLAIMS].map(patterns));
        let text = plain(message);
        let [failures, limits, claims] = &*SETS;
        if failures.is_match(&text) {
            Self::Fault
        } else if limits.is_match(&text) {
            Self::Unsupported
        } else if claims.is_match(&text) {
            Self::Fault
        } else {
            Self::Unclear
        }
    }
}

fn patterns(words: &[&str]) -> RegexSet {
    RegexSet::new(words.iter().map(|words| format!("(?i){words}"))).expect("constant")
}

/// Returns `message` with plain apostrophes, without paths, and without readers' warnings about tags, which do not
/// explain the refusal.
fn plain(message: &str) -> String {
    static NOISE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\bunknown field with tag \d+[^;]*|\bunrecognized tiftag[^;]*|\b\w+warning: [^;]*|\S*/\S+|\bjava\.\w+\.IOException: ",
        )
        .expect("constant")
    });
    let message = message.replace(['\u{2019}', '`'], "'");
    NOISE.replace_all(&message, " ").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages of real readers, one per line: the class, a tab, the message.
    const MESSAGES: &str = include_str!("refusal/messages.tsv");

    #[test]
    fn messages_of_readers_are_classified() {
        let mut wrong = Vec::new();
        let lines = MESSAGES.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for line in lines {
            let (class, message) = line.split_once('\t').expect("a class and a message");
            let expected = match class {
                "unsupported" => Refusal::Unsupported,
                "fault" => Refusal::Fault,
                "unclear" => Refusal::Unclear,
                other => panic!("{other}"),
            };
            if Refusal::of(message) != expected {
                wrong.push(format!("{:?} instead of {class}: {message}", Refusal::of(message)));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
