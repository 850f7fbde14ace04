use proptest::prelude::*;

use super::*;
use crate::jpeg::{JpegFile, marker};

/// A marker segment.
fn segment(marker: u8, parameters: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    assert!(marker::put(&mut out, marker, parameters));
    out
}

/// Parameters that define quantization table `number`, all elements of which are `element`.
fn quantization(number: u8, element: u8) -> Vec<u8> {
    [vec![number], vec![element; 64]].concat()
}

/// Parameters that define a Huffman table of one code, for `symbol`.
fn huffman(class: u8, number: u8, symbol: u8) -> Vec<u8> {
    let mut out = vec![class << 4 | number, 1];
    out.extend([0; 15]);
    out.push(symbol);
    out
}

/// The parts of a stream of one component.
#[derive(Clone)]
struct Parts(Vec<Vec<u8>>);

const FRAME: [u8; 9] = [8, 0, 8, 0, 8, 1, 1, 0x11, 0];
const SCAN: [u8; 6] = [1, 1, 0x00, 0, 63, 0];
const DATA: [u8; 7] = [1, 2, 0xFF, 0, 0xFF, 0xD0, 3];

/// The index of the frame header in [`Parts::new`], and of the scan header.
const AT_FRAME: usize = 3;
const AT_SCAN: usize = 4;

impl Parts {
    fn new() -> Self {
        Self(vec![
            segment(DQT, &quantization(0, 9)),
            segment(DHT, &huffman(0, 0, 1)),
            segment(DHT, &huffman(1, 0, 0)),
            segment(SOF0, &FRAME),
            segment(SOS, &SCAN),
            DATA.to_vec(),
        ])
    }

    fn with(mut self, at: usize, part: Vec<u8>) -> Self {
        self.0.insert(at, part);
        self
    }

    fn replaced(mut self, at: usize, part: Vec<u8>) -> Self {
        self.0[at] = part;
        self
    }

    fn bytes(&self) -> Vec<u8> {
        [vec![0xFF, marker::SOI], self.0.concat(), vec![0xFF, EOI]].concat()
    }

    fn meaning(&self) -> Option<Vec<u8>> {
        parse(&self.bytes(), &[]).map(|stream| stream.meaning())
    }
}

#[test]
fn forms_mean_the_same() {
    let own = Parts::new().meaning().unwrap();
    let same = [
        Parts::new().with(0, vec![0xFF; 5]),
        Parts::new().with(0, segment(marker::COM, b"\xFF\xD9 words")),
        Parts::new().with(0, segment(0xE9, b"data")),
        Parts::new().with(0, segment(DQT, &quantization(0, 7))),
        Parts::new().with(0, segment(DQT, &quantization(3, 7))),
        Parts::new().with(AT_SCAN, segment(DRI, &[0, 0])),
        Parts::new().replaced(0, Vec::new()).with(AT_SCAN, segment(DQT, &quantization(0, 9))),
        Parts::new().replaced(AT_FRAME, segment(SOF0 + 1, &FRAME)),
        Parts::new()
            .replaced(2, segment(DHT, &huffman(1, 1, 0)))
            .replaced(AT_SCAN, segment(SOS, &[1, 1, 0x01, 0, 63, 0])),
        Parts::new()
            .replaced(1, Vec::new())
            .replaced(2, segment(DHT, &[huffman(1, 0, 0), huffman(0, 0, 1)].concat())),
    ];
    for (k, parts) in same.iter().enumerate() {
        assert_eq!(parts.meaning().as_ref(), Some(&own), "{k}");
    }
}

#[test]
fn what_counts_makes_a_difference() {
    let own = Parts::new().meaning().unwrap();
    let others = [
        Parts::new().replaced(0, segment(DQT, &quantization(0, 8))),
        Parts::new().replaced(1, segment(DHT, &huffman(0, 0, 2))),
        Parts::new().replaced(2, segment(DHT, &huffman(1, 0, 2))),
        Parts::new().replaced(AT_FRAME, segment(SOF0, &[8, 0, 7, 0, 8, 1, 1, 0x11, 0])),
        Parts::new().replaced(AT_FRAME, segment(SOF0, &[8, 0, 8, 0, 8, 1, 1, 0x22, 0])),
        Parts::new().with(AT_SCAN, segment(DRI, &[0, 1])),
        Parts::new().replaced(5, vec![1, 2, 0xFF, 0, 0xFF, 0xD0, 4]),
        // A header of JFIF or Adobe tells how components become colors.
        Parts::new().with(0, segment(0xE0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0")),
        Parts::new().with(0, segment(0xEE, b"Adobe\0\x64\0\0\0\0\0")),
    ];
    for (k, parts) in others.iter().enumerate() {
        let meaning = parts.meaning().unwrap_or_else(|| panic!("{k} is not understood"));
        assert_ne!(meaning, own, "{k}");
    }
}

#[test]
fn streams_that_are_not_understood() {
    let frame = |parameters: &[u8]| Parts::new().replaced(AT_FRAME, segment(SOF0, parameters));
    let none = [
        ("no quantization table", Parts::new().replaced(0, Vec::new())),
        ("no Huffman table", Parts::new().replaced(1, Vec::new())),
        ("no frame", Parts::new().replaced(AT_FRAME, Vec::new())),
        ("no scan", Parts(Parts::new().0[..AT_SCAN].to_vec())),
        ("two frames", Parts::new().with(AT_SCAN, segment(SOF0, &FRAME))),
        ("arithmetic coding", Parts::new().replaced(AT_FRAME, segment(0xC9, &FRAME))),
        ("a number of lines that follows", frame(&[8, 0, 0, 0, 8, 1, 1, 0x11, 0])),
        ("a frame header that is cut", frame(&FRAME[..8])),
        ("another component", Parts::new().replaced(AT_SCAN, segment(SOS, &[1, 2, 0, 0, 63, 0]))),
        ("a table that is cut", Parts::new().with(0, segment(DQT, &quantization(0, 9)[..40]))),
        ("table number 4", Parts::new().with(0, segment(DQT, &quantization(4, 9)))),
        ("too many codes", Parts::new().with(0, segment(DHT, &[vec![0, 3], vec![0; 18]].concat()))),
        ("fill bytes in the data", Parts::new().replaced(5, vec![1, 0xFF, 0xFF, 0, 2])),
        ("an unknown marker", Parts::new().with(0, segment(0xF0, &[]))),
        ("other elements for a later scan", {
            let scan = [segment(SOS, &SCAN), DATA.to_vec()].concat();
            let parts = Parts::new().with(6, segment(DQT, &quantization(0, 1)));
            parts.with(7, scan)
        }),
    ];
    for (what, parts) in none {
        assert_eq!(parts.meaning(), None, "{what}");
    }
    let whole = Parts::new().bytes();
    for len in 0..whole.len() {
        assert!(parse(&whole[..len], &[]).is_none(), "{len}");
    }
    assert!(parse(&[whole, b"more".to_vec()].concat(), &[]).is_some());
}

#[test]
fn tables_apart_are_those_of_the_streams() {
    let common = [segment(DQT, &quantization(0, 9)), segment(DHT, &huffman(0, 0, 1))].concat();
    let apart = [vec![0xFF, marker::SOI], common, vec![0xFF, EOI]].concat();
    let abbreviated = Parts::new().replaced(0, Vec::new()).replaced(1, Vec::new());
    let whole = JpegFile::read(None, &[Parts::new().bytes()]).unwrap();
    let read = JpegFile::read(Some(&apart), &[abbreviated.bytes()]).unwrap();
    assert_eq!(read.meanings(), whole.meanings());
    assert!(JpegFile::read(None, &[abbreviated.bytes()]).is_none());
    assert!(parse_tables(&apart[..apart.len() - 1]).is_none());
    let with_jfif = [&apart[..2], &segment(0xE0, b"JFIF\0"), &apart[2..]].concat();
    assert!(parse_tables(&with_jfif).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse(&bytes, &[]);
        let _ = parse_tables(&bytes);
    }

    /// Damage at a few places reaches behind the checks that random bytes do not pass.
    #[test]
    fn damaged_streams_are_read_without_a_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = Parts::new().with(0, segment(DRI, &[0, 1])).bytes();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let stream = parse(&bytes, &[]);
        let _ = stream.map(|stream| stream.meaning());
        let _ = parse(&bytes[..cut.index(bytes.len())], &[]);
    }
}
