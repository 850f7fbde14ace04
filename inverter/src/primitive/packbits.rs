//! PackBits (TIFF 6.0, section 9): runs of bytes, literal or replicated.
//!
//! A first byte `n` of up to 127 is followed by `n + 1` literal bytes; one of 129 or more is followed by a byte that is
//! repeated `257 - n` times; 128 means nothing.

use std::ops::Range;

use rand::RngExt;

use super::contract::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, wrong_length};
use crate::solve::{Choice, Choices, Fill, policy, random_word};

/// The maximum number of bytes that one packet represents.
const LONGEST: usize = 128;
/// The first byte of a no-op packet.
const NO_OP: u8 = 128;

/// `packbits(x.a)`.
///
/// | dimension | value | meaning |
/// |---|---|---|
/// | `runs` | `greedy` | replicated wherever that is shorter |
/// | | `literals` | nothing is replicated |
/// | | `singles` | every byte is a separate literal run |
/// | | `pairs` | bytes are replicated two at a time |
/// | | `random:N` | runs end and are replicated at random |
/// | `no-ops` | `none`, `front`, `back` | one byte that means nothing, there |
/// | | `random:N` | between packets at random |
///
/// If the stream must be longer, no-op bytes are added at its end.
pub struct PackBits;

/// The bytes that one packet represents.
enum Packet {
    Literal(Range<usize>),
    Replicate { at: usize, count: usize },
}

/// The value of `runs`: how data is divided into packets.
#[derive(Clone, Copy)]
enum Runs {
    Greedy,
    Literals,
    Singles,
    Pairs,
    Random(u64),
}

/// The value of `no-ops`.
#[derive(Clone, Copy)]
enum NoOps {
    None,
    Front,
    Back,
    Random(u64),
}

impl Runs {
    const WORDS: [(&str, Runs); 4] = [
        ("greedy", Runs::Greedy),
        ("literals", Runs::Literals),
        ("singles", Runs::Singles),
        ("pairs", Runs::Pairs),
    ];

    fn parse(value: &Choice) -> Result<Runs, String> {
        policy(value, &Self::WORDS, Runs::Random)
    }

    /// The packets that `data` is divided into.
    fn packets(self, data: &[u8]) -> Vec<Packet> {
        let mut rng = match self {
            Runs::Random(seed) => Some(Fill::rng(seed)),
            _ => None,
        };
        let mut out = Vec::new();
        // The maximum number of equal bytes to count.
        let reach = match self {
            Runs::Literals | Runs::Singles => 1,
            Runs::Pairs => 2,
            Runs::Greedy | Runs::Random(_) => LONGEST,
        };
        // The bytes from here to `at` will be literal.
        let mut literal = 0;
        let mut at = 0;
        while at < data.len() {
            let same = data[at..].iter().take(reach).take_while(|b| **b == data[at]).count();
            let longest = if matches!(self, Runs::Singles) { 1 } else { LONGEST };
            let (mut replicate, mut end) = match self {
                Runs::Literals | Runs::Singles => (0, false),
                // Two equal bytes between literals take less space as literals.
                Runs::Greedy => (if same >= 3 || literal == at { same } else { 0 }, false),
                Runs::Pairs | Runs::Random(_) => (same, false),
            };
            if let Some(rng) = &mut rng {
                match rng.random_range(0..8) {
                    0 => replicate = 0,
                    1 | 2 if same > 2 => replicate = rng.random_range(2..=same),
                    _ => {}
                }
                end = rng.random_range(0..8) == 0;
            }
            if replicate >= 2 {
                flush(&mut out, literal..at);
                out.push(Packet::Replicate { at, count: replicate });
                at += replicate;
                literal = at;
                continue;
            }
            at += 1;
            if end || at - literal >= longest {
                flush(&mut out, literal..at);
                literal = at;
            }
        }
        flush(&mut out, literal..at);
        out
    }
}

fn flush(out: &mut Vec<Packet>, literal: Range<usize>) {
    if !literal.is_empty() {
        out.push(Packet::Literal(literal));
    }
}

/// The number of bytes that the packets take.
fn size(packets: &[Packet]) -> usize {
    let size = |p: &Packet| match p {
        Packet::Literal(range) => 1 + range.len(),
        Packet::Replicate { .. } => 2,
    };
    packets.iter().map(size).sum()
}

impl NoOps {
    const WORDS: [(&str, NoOps); 3] =
        [("none", NoOps::None), ("front", NoOps::Front), ("back", NoOps::Back)];

    fn parse(value: &Choice) -> Result<NoOps, String> {
        policy(value, &Self::WORDS, NoOps::Random)
    }

    /// The stream of `packets`, with at most `room` no-op bytes.
    fn write(self, data: &[u8], packets: &[Packet], mut room: usize) -> Vec<u8> {
        let mut rng = match self {
            NoOps::Random(seed) => Some(Fill::rng(seed)),
            _ => None,
        };
        let mut out = Vec::with_capacity(size(packets) + 1);
        let mut put = |out: &mut Vec<u8>, count: usize| {
            let count = count.min(room);
            room -= count;
            out.resize(out.len() + count, NO_OP);
        };
        let mut drawn = || match &mut rng {
            Some(rng) => rng.random_range(-9..=3i32).max(0) as usize,
            None => 0,
        };
        put(&mut out, usize::from(matches!(self, NoOps::Front)));
        for packet in packets {
            put(&mut out, drawn());
            match packet {
                Packet::Literal(range) => {
                    // From 1 to 128 bytes.
                    out.push((range.len() - 1) as u8);
                    out.extend_from_slice(&data[range.clone()]);
                }
                Packet::Replicate { at, count } => out.extend([(257 - count) as u8, data[*at]]),
            }
        }
        put(&mut out, drawn());
        put(&mut out, usize::from(matches!(self, NoOps::Back)));
        out
    }
}

impl Primitive for PackBits {
    fn signature(&self) -> Signature<'_> {
        Signature::new("packbits").dimensions(&["runs", "no-ops"])
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(&first) = stored.get(at) {
            let count = match first {
                0..NO_OP => usize::from(first) + 1,
                NO_OP => 0,
                _ => 257 - usize::from(first),
            };
            if out.len() + count > most {
                return Err(format!("byte {at} starts a run past the end of the data").into());
            }
            let cut = || format!("the stream ends inside the run that byte {at} starts");
            let rest = &stored[at + 1..];
            at += 1 + match first {
                0..NO_OP => {
                    out.extend_from_slice(rest.get(..count).ok_or_else(cut)?);
                    count
                }
                NO_OP => 0,
                _ => {
                    out.resize(out.len() + count, *rest.first().ok_or_else(cut)?);
                    1
                }
            };
        }
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let most = *lengths.end();
        // The longest stream has each byte in a separate packet.
        let roomy = most / 2 >= data.len();
        let fit = |value: &Choice| {
            let runs = Runs::parse(value)?;
            if roomy {
                return Ok(runs);
            }
            match size(&runs.packets(data)) {
                size if size <= most => Ok(runs),
                size => Err(wrong_length(size, lengths).to_string()),
            }
        };
        let greedy = || Choice::from("greedy");
        // Without data there is nothing to choose.
        let packets = if data.is_empty() {
            Vec::new()
        } else {
            if let (Err(why), false) = (fit(&greedy()), source.is_given("runs")) {
                return Err(EncodeError::Impossible(why.into()));
            }
            source
                .choose("runs", fit, greedy, |rng| {
                    let drawn = match rng.random_range(0..8) {
                        k @ 0..4 => Choice::from(Runs::WORDS[k].0),
                        _ => random_word(rng),
                    };
                    if fit(&drawn).is_ok() { drawn } else { greedy() }
                })?
                .packets(data)
        };
        let room = most - size(&packets);
        let fit = |value: &Choice| match NoOps::parse(value)? {
            NoOps::Front | NoOps::Back if room == 0 => Err("there is no room for one".to_owned()),
            no_ops => Ok(no_ops),
        };
        let none = || Choice::from("none");
        let no_ops = if room == 0 && !source.is_given("no-ops") {
            NoOps::None
        } else {
            source.choose("no-ops", fit, none, |rng| match rng.random_range(0..6) {
                k @ 1..3 => Choice::from(NoOps::WORDS[k].0),
                3 => random_word(rng),
                _ => none(),
            })?
        };
        let mut out = no_ops.write(data, &packets, room);
        out.resize(out.len().max(*lengths.start()), NO_OP);
        Ok(out)
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], _: &[i128]) -> Option<Choices> {
        for (runs, how) in Runs::WORDS {
            let packets = how.packets(data);
            for (no_ops, what) in NoOps::WORDS {
                let extra = usize::from(!matches!(what, NoOps::None));
                if size(&packets) + extra == stored.len()
                    && what.write(data, &packets, extra) == stored
                {
                    let mut own = Choices::new();
                    if !data.is_empty() {
                        own.set("runs", runs);
                    }
                    own.set("no-ops", no_ops);
                    return Some(own);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::ChoiceSource;

    fn encoded(data: &[u8], runs: &str, no_ops: &str) -> Vec<u8> {
        let mut given = Choices::new();
        given.set("runs", runs);
        given.set("no-ops", no_ops);
        let mut source = ChoiceSource::replaying(given);
        PackBits.encode(data, Encoding::any_length(&[], &mut source)).unwrap()
    }

    #[test]
    fn the_example_of_the_standard() {
        let packed = [
            0xFE, 0xAA, 0x02, 0x80, 0x00, 0x2A, 0xFD, 0xAA, 0x03, 0x80, 0x00, 0x2A, 0x22, 0xF7,
            0xAA,
        ];
        let data = PackBits.decode(&packed, &[], 24).unwrap();
        assert_eq!(data.len(), 24);
        assert_eq!(encoded(&data, "greedy", "none"), packed);
        let own = PackBits.own_choices(&packed, &data, &[]).unwrap();
        assert_eq!(own.get("runs"), Some(&Choice::from("greedy")));
    }

    #[test]
    fn each_habit() {
        let data = [5, 5, 5, 7, 7, 9];
        assert_eq!(encoded(&data, "greedy", "none"), [254, 5, 255, 7, 0, 9]);
        assert_eq!(encoded(&data, "literals", "none"), [5, 5, 5, 5, 7, 7, 9]);
        assert_eq!(encoded(&data, "singles", "none"), [0, 5, 0, 5, 0, 5, 0, 7, 0, 7, 0, 9]);
        assert_eq!(encoded(&data, "pairs", "none"), [255, 5, 0, 5, 255, 7, 0, 9]);
        assert_eq!(encoded(&data, "greedy", "front")[..2], [128, 254]);
        assert_eq!(encoded(&data, "greedy", "back")[5..], [9, 128]);
        assert_eq!(encoded(&[3; 129], "greedy", "none"), [129, 3, 0, 3]);
        assert_eq!(encoded(&[3; 129], "literals", "none").len(), 131);
    }

    #[test]
    fn broken_streams_are_told_where() {
        let why = |stored: &[u8]| PackBits.decode(stored, &[], 4).unwrap_err().to_string();
        assert_eq!(why(&[0, 1, 2, 1, 1]), "the stream ends inside the run that byte 2 starts");
        assert_eq!(why(&[128, 255]), "the stream ends inside the run that byte 1 starts");
        assert_eq!(why(&[0, 1, 253, 1]), "byte 2 starts a run past the end of the data");
    }

    #[test]
    fn a_length_that_is_asked_for_is_met_or_said_not_to_be_possible() {
        let data = [1, 2, 3, 4];
        let encode = |lengths| {
            let mut source = ChoiceSource::seeded(1, 1);
            let encoding = Encoding { args: &[], lengths: &lengths, source: &mut source };
            PackBits.encode(&data, encoding)
        };
        for length in 5..20 {
            assert_eq!(encode(length..=length).unwrap().len(), length);
        }
        let why = encode(4..=4).unwrap_err().to_string();
        assert_eq!(why, "the stream would have 5 bytes; it must have 4");
    }

    #[test]
    fn a_choice_stays_small() {
        let data = vec![0; 1 << 20];
        for index in 0..20 {
            let mut source = ChoiceSource::seeded(2, index);
            PackBits.encode(&data, Encoding::any_length(&[], &mut source)).unwrap();
            assert!(serde_json::to_string(source.recorded()).unwrap().len() < 100);
        }
    }
}
