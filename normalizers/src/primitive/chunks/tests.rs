use inverter::primitive::test::{encoded, encodings, round_trips};
use inverter::primitive::{EncodeError, Primitive};
use inverter::solve::Choice;

use super::Chunks;

/// The number that a byte string is as an argument.
fn item(text: &[u8]) -> i128 {
    text.iter().fold(0, |n, b| n << 8 | i128::from(*b))
}

fn args(start: i128, items: &[&[u8]]) -> Vec<i128> {
    std::iter::once(start).chain(items.iter().map(|text| item(text))).collect()
}

const WAVE: &[&[u8]] = &[b"*", b"fmt ", b"*", b"data", b"*"];
const PNG: &[&[u8]] = &[b"IHDR", b"*", b"PLTE?", b"*", b"IDAT+", b"*", b"IEND"];
const AIFF: &[&[u8]] = &[b"shuffled", b"COMM", b"SSND", b"MARK?", b"*"];
const MP4: &[&[u8]] = &[b"ftyp", b"shuffled", b"*", b"moov", b"mdat", b"end"];

#[test]
fn contents_come_in_the_order_of_the_list() {
    let wave = b"WAVEodd!\x01\0\0\0?\0fmt \x03\0\0\0abc\x09data\x02\0\0\0xyLIST\0\0\0\0";
    let read = |file: &[u8]| Chunks::RIFF.decode(file, &args(4, WAVE), 99);
    assert_eq!(read(wave).unwrap(), b"WAVE\x03\0\0\0abcxy");
    let aiff = b"SSND\0\0\0\x02xyANNO\0\0\0\0COMM\0\0\0\x01c\0";
    let read = |file: &[u8]| Chunks::IFF.decode(file, &args(0, AIFF), 99);
    assert_eq!(read(aiff).unwrap(), b"\0\0\0\x01\0\0\0\x02cxy");
    let boxes = b"\0\0\0\x08ftyp\0\0\0\x01mdat\0\0\0\0\0\0\0\x12xy\0\0\0\0moovabc";
    let read = |items: &[&[u8]]| Chunks::BOXES.decode(boxes, &args(0, items), 99);
    assert_eq!(read(MP4).unwrap(), b"\0\0\0\0\0\0\0\x03abcxy");
    let why = read(&MP4[..MP4.len() - 1]).unwrap_err().to_string();
    assert_eq!(why, "a box states no length");
}

#[test]
fn chunks_in_the_wrong_place_are_refused() {
    for (items, file, why) in [
        (WAVE, &b"data\0\0\0\0fmt \0\0\0\0"[..], "data stands where fmt  must"),
        (WAVE, b"fmt \0\0\0\0", "data is missing"),
        (
            WAVE,
            b"fmt \0\0\0\0data\0\0\0\0data\0\0\0\0",
            "data is in the wrong place, or occurs twice",
        ),
        (&WAVE[1..4], b"fmt \0\0\0\0data\0\0\0\0more\0\0\0\0", "more is not listed"),
        (WAVE, b"fmt \x01\0\0\0a", "cut off"),
        (AIFF, b"COMM\0\0\0\0SSND\0\0\0\0MARK\0\0\0\0", "MARK is empty, which counts as absent"),
    ] {
        let found = Chunks::RIFF.decode(file, &args(0, items), 99).unwrap_err().to_string();
        assert!(found.contains(why), "{found}");
    }
    let mut png = Vec::new();
    super::Form::Png.write(&mut png, b"IHDR", b"");
    super::Form::Png.write(&mut png, b"NEWS", b"");
    let found = Chunks::CRC.decode(&png, &args(0, PNG), 99).unwrap_err().to_string();
    assert!(found.contains("NEWS stands where IDAT must"), "{found}");
}

#[test]
fn patterns_that_mean_nothing_are_refused() {
    for (form, start, items, why) in [
        (Chunks::IFF, 0, &[&b"ABC"[..]][..], "`ABC` is no name of four bytes"),
        (Chunks::IFF, 0, &[b"ABCDEF"], "`ABCDEF` is no name"),
        (Chunks::IFF, 0, &[b"ABCD", b"ABCD?"], "`ABCD?` is listed twice"),
        (Chunks::IFF, 0, &[b"*"], "no chunk is listed"),
        (Chunks::IFF, 0, &[b"ABCD", b"ordered"], "`ordered` is no name"),
        (Chunks::IFF, 0, &[b"ABCD", b"end"], "`end` is no name"),
        (Chunks::IFF, -1, &[b"ABCD"], "cannot start at -1"),
        (Chunks::IFF, 9, &[b"ABCD"], "chunks start at 9"),
    ] {
        let found = form.decode(b"", &args(start, items), 99).unwrap_err().to_string();
        assert!(found.contains(why), "{found}");
    }
}

/// Encodes an empty content of all but the last chunk, and these bytes of that one.
fn data(start: usize, count: usize, last: &[u8]) -> Vec<u8> {
    [&vec![b'#'; start + 4 * (count - 1)][..start], &vec![0; 4 * (count - 1)], last].concat()
}

#[test]
fn streams_vary_and_decode() {
    for (form, start, items, contents, least) in [
        (Chunks::RIFF, 4, WAVE, &[&b"abc"[..], b"samples"][..], 60),
        (Chunks::IFF, 0, AIFF, &[b"common", b"sound", b""], 60),
        (Chunks::IFF, 0, AIFF, &[b"common", b"sound", b"mark!"], 60),
        (Chunks::CRC, 8, PNG, &[b"head", b"", b"pixels and more pixels", b""], 60),
        (Chunks::BOXES, 0, MP4, &[b"", b"moov", b"media data"], 60),
        // Nothing but one chunk: only its padding varies.
        (Chunks::RIFF, 0, &[b"RIFF"], &[b"odd"], 3),
    ] {
        let mut whole = vec![b'#'; start];
        let (_, but_last) = contents.split_last().unwrap();
        but_last.iter().for_each(|c| whole.extend(form.form.number(c.len() as u32)));
        whole.extend(contents.concat());
        let made = encodings(&form, &args(start as i128, items), &whole, 200).unwrap();
        assert!(made.len() >= least, "{} of {items:?}", made.len());
    }
}

#[test]
fn any_data_fits_a_single_chunk() {
    let one = args(0, &[b"*", b"abcd+", b"*"]);
    for form in [Chunks::IFF, Chunks::RIFF, Chunks::CRC, Chunks::BOXES] {
        round_trips(&form, &[&one, &args(3, &[b"shuffled", b"abcd", b"*", b"end"])[..4]], 200)
            .unwrap();
    }
    assert!(Chunks::IFF.accepts(&data(2, 2, b"xyz"), &args(2, WAVE)).is_ok());
    let why = Chunks::IFF.accepts(b"\0\0\0\x09xyz", &args(0, WAVE)).unwrap_err().why;
    assert_eq!(why.to_string(), "fmt  has a length of 9, and 3 bytes are left");
}

#[test]
fn each_choice_has_its_effect() {
    let made = |form: &Chunks, items: &[&[u8]], data: &[u8], dimension, value: &str| {
        encoded(form, &args(0, items), data, [(dimension, Choice::from(value))])
    };
    let two = b"\0\0\0\x01abc";
    let file = made(&Chunks::IFF, &AIFF[..3], two, "chunk order", "reversed").unwrap();
    assert_eq!(file, b"SSND\0\0\0\x02bcCOMM\0\0\0\x01a\0");
    let file = made(&Chunks::IFF, &AIFF[..3], two, "chunk padding", "ones").unwrap();
    assert_eq!(file, b"COMM\0\0\0\x01a\xffSSND\0\0\0\x02bc");
    let file = made(&Chunks::IFF, &[b"DATA+"], b"ab", "pieces", "bytes").unwrap();
    assert_eq!(file, b"DATA\0\0\0\x01a\0DATA\0\0\0\x01b\0");
    let file = made(&Chunks::BOXES, &[b"mdat", b"end"], b"ab", "box lengths", "open").unwrap();
    assert_eq!(file, b"\0\0\0\0mdatab");
    let file = made(&Chunks::BOXES, &[b"mdat"], b"ab", "box lengths", "long").unwrap();
    assert_eq!(file, b"\0\0\0\x01mdat\0\0\0\0\0\0\0\x12ab");
    let open = made(&Chunks::BOXES, &[b"mdat"], b"ab", "box lengths", "open");
    assert!(matches!(open, Err(EncodeError::Choice(_))), "the last box has to state its length");
}
