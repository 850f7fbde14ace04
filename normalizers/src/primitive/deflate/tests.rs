use inverter::primitive::test::round_trips;
use inverter::solve::Choices;

use super::*;

fn encoded(data: &[u8], given: &[(&str, &str)]) -> Vec<u8> {
    let given: Choices = given.iter().map(|(d, v)| ((*d).to_owned(), (*v).into())).collect();
    let mut source = ChoiceSource::replaying(given);
    let stored = Deflate.encode(data, Encoding::any_length(&[], &mut source)).unwrap();
    assert_eq!(source.unused(), [""; 0]);
    stored
}

#[test]
fn it_round_trips() {
    round_trips(&Deflate, &[&[]], 1000).unwrap();
}

#[test]
fn small_streams() {
    let stored = [("coding", "stored")];
    assert_eq!(
        encoded(b"ab", &stored),
        [0x78, 0x9C, 1, 2, 0, 0xFD, 0xFF, b'a', b'b', 1, 0x26, 0, 0xC4]
    );
    // The output of zlib at its default level.
    let fixed = [("coding", "fixed")];
    assert_eq!(encoded(b"", &fixed), [0x78, 0x9C, 3, 0, 0, 0, 0, 1]);
    assert_eq!(encoded(b"aaaaaaaaaa", &fixed)[..5], [0x78, 0x9C, 0x4B, 0x84, 0x03]);
}

#[test]
fn headers_are_those_of_rfc_1950() {
    for window in 8..=15i128 {
        for level in 0..=3i128 {
            let mut given = Choices::new();
            given.set("window", window);
            given.set("level", level);
            let mut source = ChoiceSource::replaying(given);
            let stored = Deflate
                .encode(b"x", Encoding { args: &[], lengths: &(0..=99), source: &mut source })
                .unwrap();
            assert_eq!(i128::from(stored[0]), (window - 8) * 16 + 8);
            assert_eq!(i128::from(stored[1] >> 6), level);
            assert_eq!(stored[1] & 0x20, 0);
            assert_eq!(u16::from_be_bytes([stored[0], stored[1]]) % 31, 0);
        }
    }
}

#[test]
fn much_data_is_stored_in_several_blocks() {
    for (length, blocks) in [(65535, 1), (65536, 2), (200_000, 4)] {
        let data = vec![7; length];
        let stored = encoded(&data, &[("coding", "stored")]);
        assert_eq!(stored.len(), 2 + blocks * 5 + length + 4);
        assert_eq!(Deflate.decode(&stored, &[], length).unwrap(), data);
    }
}

#[test]
fn all_policies_decode() {
    let data: Vec<u8> = (0..70_000u64).map(|k| ((k * k) >> 9) as u8 & 31).collect();
    let words = [
        ("matches", vec!["greedy", "none", "random:1", "random:2"]),
        ("blocks", vec!["random:1", "random:2", "random:3"]),
        ("coding", vec!["fixed", "stored", "random:1"]),
        ("tables", vec!["plain", "full", "random:1", "random:2"]),
        ("spare bits", vec!["ones", "random:1"]),
    ];
    for (dimension, values) in words {
        for value in values {
            let stored = encoded(&data, &[(dimension, value)]);
            let back = Deflate.decode(&stored, &[], data.len());
            assert!(back.is_ok_and(|back| back == data), "{dimension} {value}");
        }
    }
    assert!(encoded(&data, &[]).len() < data.len() / 2);
}

#[test]
fn what_is_wrong_is_told() {
    let stored = encoded(b"abcabcabc", &[]);
    let why = |stored: &[u8]| Deflate.decode(stored, &[], 9).unwrap_err().to_string();
    assert_eq!(why(&[0x78, 0x9D, 3, 0]), "the stream has no zlib header");
    assert_eq!(why(&stored[..4]), "the stream ends after 0 bytes of data");
    assert_eq!(why(&[0x78, 0x9C, 7, 0]), "the stream is damaged after 0 bytes of data");
    let mut wrong = stored.clone();
    *wrong.last_mut().unwrap() ^= 1;
    assert_eq!(why(&wrong), "the checksum is wrong");
}

#[test]
fn what_readers_take_is_taken() {
    let stored = encoded(b"abcabcabc", &[]);
    let decode = |stored: &[u8], most| Deflate.decode(stored, &[], most).unwrap();
    assert_eq!(decode(&[&stored[..], &[1, 2, 3]].concat(), 9), b"abcabcabc");
    assert_eq!(decode(&stored[..stored.len() - 4], 9), b"abcabcabc");
    assert_eq!(decode(&stored, 5), b"abcab");
    assert_eq!(decode(&stored, 0), b"");
    assert_eq!(decode(&stored, usize::MAX), b"abcabcabc");
}
