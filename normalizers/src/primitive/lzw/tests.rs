use inverter::primitive::test::round_trips;

use super::*;

fn encoded(data: &[u8], clear: &str, matches: &str) -> Vec<u8> {
    let mut given = Choices::new();
    given.set("clear", clear);
    given.set("matches", matches);
    Lzw.encode(data, Encoding::any_length(&[], &mut ChoiceSource::replaying(given))).unwrap()
}

/// The codes of a stream whose codes all have 9 bits.
fn nine_bits(stored: &[u8]) -> Vec<u16> {
    let bit = |k: usize| u16::from(stored[k / 8] >> (7 - k % 8) & 1);
    let count = stored.len() * 8 / 9;
    (0..count).map(|c| (0..9).fold(0, |code, k| code << 1 | bit(9 * c + k))).collect()
}

#[test]
fn it_round_trips() {
    round_trips(&Lzw, &[&[]], 1000).unwrap();
}

#[test]
fn the_example_of_the_standard() {
    let data = [7, 7, 7, 8, 8, 7, 7, 6, 6];
    let stored = encoded(&data, "full", "longest");
    assert_eq!(nine_bits(&stored), [256, 7, 258, 8, 8, 258, 6, 6, 257]);
    assert_eq!(Lzw.decode(&stored, &[], 9).unwrap(), data);
    let own = Lzw.own_choices(&stored, &data, &[]).unwrap();
    assert_eq!(own.get("matches"), Some(&Choice::from("longest")));
}

#[test]
fn each_policy() {
    let data = [1, 1, 1, 1];
    assert_eq!(nine_bits(&encoded(&data, "full", "literals")), [256, 1, 1, 1, 1, 257]);
    assert_eq!(nine_bits(&encoded(&data, "full", "longest")), [256, 1, 258, 1, 257]);
    let every = encoded(&data, "every:1", "longest");
    assert_eq!(nine_bits(&every), [256, 1, 256, 1, 256, 1, 256, 1, 256, 257]);
    assert_eq!(nine_bits(&encoded(&[], "full", "longest")), [256, 257]);
}

#[test]
fn spare_bits_and_what_follows_are_free() {
    let write = |spare, end| {
        let policies = Policies { clear: Clear::Every(FULL), matches: Policy::Word(0), spare, end };
        policies.write(&[])
    };
    assert_eq!(write(Padding::Zeros, Policy::Word(0)), [0b1000_0000, 0b0100_0000, 0b0100_0000]);
    assert_eq!(write(Padding::Ones, Policy::Word(0)), [0b1000_0000, 0b0100_0000, 0b0111_1111]);
    assert!((4..=7).contains(&write(Padding::Zeros, Policy::Random(3)).len()));
}

/// Codes get wider where the standard says: a stream of literals has a known length.
#[test]
fn widths_switch_one_code_early() {
    let bits = |codes: usize| -> usize {
        // Clear; each of the codes; EOI.
        let width = |k: usize| match k {
            0..254 => 9,
            254..766 => 10,
            766..1790 => 11,
            _ => 12,
        };
        9 + (0..=codes).map(width).sum::<usize>()
    };
    for codes in [1, 253, 254, 255, 766, 767, 1790, 1791, FULL - 1] {
        let data: Vec<u8> = (0..codes).map(|k| k as u8).collect();
        let stored = encoded(&data, "full", "literals");
        assert_eq!(stored.len(), bits(codes).div_ceil(8), "{codes} codes");
        assert_eq!(Lzw.decode(&stored, &[], codes).unwrap(), data);
    }
}

#[test]
fn a_table_is_full_at_entry_4094() {
    let data = vec![9; 2 * FULL];
    let stored = encoded(&data, "full", "literals");
    // Clear has 12 bits, and the codes after it 9 again.
    let period = 9 * 254 + 10 * 512 + 11 * 1024 + 12 * (FULL - 1790) + 12;
    assert_eq!(stored.len(), (9 + 2 * period + 9).div_ceil(8));
    assert_eq!(Lzw.decode(&stored, &[], data.len()).unwrap(), data);
    assert_eq!(encoded(&data, "every:3837", "literals"), stored);
    let mut given = Choices::new();
    given.set("clear", "every:3838");
    let mut source = ChoiceSource::replaying(given);
    assert!(Lzw.encode(&data, Encoding::any_length(&[], &mut source)).is_err());
}

#[test]
fn what_readers_take_is_taken() {
    let data = [7, 7, 7, 8, 8, 7, 7, 6, 6];
    let stored = encoded(&data, "full", "longest");
    // Streams without EOI, with trailing bytes, and with only a part of the data.
    assert_eq!(Lzw.decode(&stored[..9], &[], 9).unwrap(), data);
    let more = [&stored[..9], &[0xFF; 20]].concat();
    assert_eq!(Lzw.decode(&more, &[], 9).unwrap(), data);
    assert_eq!(Lzw.decode(&stored, &[], 4).unwrap(), data[..4]);
    assert_eq!(Lzw.decode(&stored, &[], usize::MAX).unwrap(), data);
    let why = Lzw.decode(&[0x80, 0x7F, 0xFF, 0xFF], &[], 9).unwrap_err().to_string();
    assert_eq!(why, "a code at about byte 4 has no entry in the table; 0 bytes before it");
}

#[test]
fn a_longer_stream_is_filled() {
    let lengths = 40..=50;
    let stored = Lzw
        .encode(
            &[1, 2],
            Encoding { args: &[], lengths: &lengths, source: &mut ChoiceSource::seeded(0, 0) },
        )
        .unwrap();
    assert_eq!(stored.len(), 40);
    let why = Lzw.encode(
        &[1, 2],
        Encoding { args: &[], lengths: &(0..=3), source: &mut ChoiceSource::seeded(0, 0) },
    );
    assert!(why.is_err());
}
