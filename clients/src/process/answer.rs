//! The answer of a worker, kept within bounds.

use super::tail::Tail;

/// The first word of a refusal. A picture is kept completely, because all of it is needed.
const REFUSED: &[u8] = b"refused ";
/// The number of bytes at the start of a refusal that are kept.
const SHORT: usize = 64 * 1024;

/// The output of a worker since the last request: all of a picture; only the start and the end of a long refusal, which
/// is truncated anyway.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    start: Vec<u8>,
    rest: Tail,
}

impl Answer {
    /// Adds output.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let whole = !self.start.starts_with(REFUSED) && !bytes.starts_with(REFUSED);
        let room = if whole { bytes.len() } else { SHORT.saturating_sub(self.start.len()) };
        let (start, rest) = bytes.split_at(room.min(bytes.len()));
        self.start.extend_from_slice(start);
        self.rest.push(rest);
    }

    /// The start of the answer: everything, unless it is a long refusal.
    pub(crate) fn start(&self) -> &[u8] {
        &self.start
    }

    /// The length of the whole answer.
    pub(crate) fn total(&self) -> u64 {
        self.start.len() as u64 + self.rest.total()
    }

    /// The text that begins at this place in the start.
    pub(crate) fn text_from(&self, place: usize) -> String {
        let start = self.start.get(place..).unwrap_or_default();
        let mut text = String::from_utf8_lossy(start).into_owned();
        text.push_str(&self.rest.text());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_refusals_keep_their_ends_and_pictures_everything() {
        let chunk = vec![b'x'; 64 * 1024];
        for (head, kept) in [("refused 41943046\n", 100 << 10), ("picture 41943046\n", 41 << 20)] {
            let mut answer = Answer::default();
            answer.push(head.as_bytes());
            for _ in 0..640 {
                answer.push(&chunk);
            }
            answer.push(b"\nwhy?\n");
            assert_eq!(answer.total(), head.len() as u64 + (40 << 20) + 6);
            let text = answer.text_from(head.len());
            assert!(text.len() <= kept && text.starts_with('x') && text.ends_with("\nwhy?\n"));
        }
    }
}
