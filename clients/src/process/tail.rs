//! A bounded record of a client's output.

use std::collections::VecDeque;

/// The number of bytes that are kept of the start, and of the end.
const KEPT: usize = 16 * 1024;

/// The start and the end of a stream; the bytes between are only counted.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Tail {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (KEPT - self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(room);
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(KEPT)..];
        let over = (self.tail.len() + rest.len()).saturating_sub(KEPT);
        self.tail.drain(..over);
        self.tail.extend(rest);
    }

    /// The length of the whole stream.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The start.
    pub(crate) fn head(&self) -> String {
        String::from_utf8_lossy(&self.head).into_owned()
    }

    /// The start and the end, or all of a short stream.
    pub(crate) fn text(&self) -> String {
        let mut bytes = self.head.clone();
        if self.total > (self.head.len() + self.tail.len()) as u64 {
            bytes.push(b'\n');
        }
        bytes.extend(&self.tail);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ends_are_kept() {
        let mut tail = Tail::default();
        for n in 0..100_000 {
            tail.push(format!("line {n}\n").as_bytes());
        }
        tail.push(&vec![b'x'; 10 * KEPT]);
        tail.push(b"\nthe end");
        assert!(tail.text().len() <= 2 * KEPT + 1);
        assert!(tail.text().starts_with("line 0\n"));
        assert!(tail.text().ends_with("x\nthe end"));
        assert_eq!(tail.total(), 1_088_890 + 10 * KEPT as u64 + 8);
    }

    #[test]
    fn short_streams_are_whole() {
        let mut tail = Tail::default();
        tail.push(b"ab");
        tail.push(b"c");
        assert_eq!(tail.text(), "abc");
    }
}
