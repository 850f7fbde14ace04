//! Variants of three formats, read by small readers that know nothing of the specs: message catalogues, pictures
//! of DICOM, answers of name servers. Their specs are in `file_layouts`.

use crate::support;

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::ChoiceSource;
use support::subject::Subject;

const VARIANTS: u64 = 500;

/// Draws variants of a file and returns the different ones.
fn variants(spec: &str, seed: &[u8]) -> BTreeSet<Vec<u8>> {
    let subject = Subject::of("spec.rs", spec).unwrap();
    let y = subject.value_of(seed);
    let draw = |index| subject.draw(&y, ChoiceSource::seeded(9, index));
    (0..VARIANTS).map(|index| draw(index).unwrap_or_else(|e| panic!("{index}: {e}"))).collect()
}

/// The strings of a message catalogue by those that they translate.
fn catalogue(file: &[u8]) -> Option<BTreeMap<Vec<u8>, Vec<u8>>> {
    let big = file.get(..4)? == 0x9504_12de_u32.to_be_bytes();
    let word = |at: usize| {
        let bytes: [u8; 4] = file.get(at..at + 4)?.try_into().ok()?;
        Some(if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) } as usize)
    };
    if word(0)? != 0x9504_12de || word(4)? != 0 {
        return None;
    }
    let text = |at: usize| {
        let (size, place) = (word(at)?, word(at + 4)?);
        let text = file.get(place..place + size + 1)?;
        (text[size] == 0).then(|| text[..size].to_vec())
    };
    let (count, ids, texts) = (word(8)?, word(12)?, word(16)?);
    let ids: Vec<Vec<u8>> = (0..count).map(|k| text(ids + 8 * k)).collect::<Option<_>>()?;
    // Readers search among them.
    let sorted = ids.is_sorted();
    let pairs = ids.into_iter().enumerate().map(|(k, id)| Some((id, text(texts + 8 * k)?)));
    pairs.collect::<Option<_>>().filter(|_| sorted)
}

#[test]
fn catalogues_have_the_same_messages() {
    let messages: [(&[u8], &[u8]); 4] = [
        (b"", b"Content-Type: text/plain; charset=UTF-8\n"),
        (b"%d byte\0%d bytes", b"%d Byte\0%d Bytes"),
        (b"file", b"Datei"),
        (b"open", b""),
    ];
    let mut seed = Vec::new();
    let header = [0x9504_12de, 0, 4, 28, 60, 0, 92];
    header.iter().for_each(|word: &u32| seed.extend(word.to_le_bytes()));
    let (mut tables, mut strings) = (Vec::new(), Vec::new());
    let all = messages.iter().map(|m| m.0).chain(messages.iter().map(|m| m.1));
    for text in all {
        tables.extend((text.len() as u32).to_le_bytes());
        tables.extend((92 + strings.len() as u32).to_le_bytes());
        strings.extend(text);
        strings.push(0);
    }
    seed.extend(tables);
    seed.extend(strings);
    let wanted = messages.iter().map(|(id, text)| (id.to_vec(), text.to_vec())).collect();
    assert_eq!(catalogue(&seed).as_ref(), Some(&wanted));
    let variants = variants(include_str!("../file_layouts/message_catalogue.rs"), &seed);
    assert!(variants.len() > 450, "{}", variants.len());
    for file in &variants {
        assert_eq!(catalogue(file).as_ref(), Some(&wanted), "{file:?}");
    }
    let orders: BTreeSet<&[u8]> = variants.iter().map(|f| &f[..4]).collect();
    assert_eq!(orders.len(), 2, "in both byte orders");
}

/// The levels of a picture of DICOM, in rows. Elements are read one after the other, to the end.
fn picture(file: &[u8]) -> Option<Vec<Vec<u8>>> {
    let half = |at: usize| Some(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?));
    if file.get(128..132)? != b"DICM" {
        return None;
    }
    let (mut at, mut before) = (132, (0, 0));
    let mut values: BTreeMap<(u16, u16), &[u8]> = BTreeMap::new();
    while at < file.len() {
        let tag = (half(at)?, half(at + 2)?);
        let long = matches!(file.get(at + 4..at + 6)?, b"OB" | b"OW" | b"UN");
        let (start, size) = match long {
            true => (at + 12, word(at + 8)? as usize),
            false => (at + 8, half(at + 6)?.into()),
        };
        if tag <= before || size % 2 != 0 {
            return None;
        }
        values.insert(tag, file.get(start..start + size)?);
        (at, before) = (start + size, tag);
    }
    let number = |element| {
        let value = values.get(&(0x28, element))?;
        Some(usize::from(u16::from_le_bytes((*value).try_into().ok()?)))
    };
    let (rows, columns, bits) = (number(0x10)?, number(0x11)?, number(0x100)?);
    if (number(2)?, number(0x101)?, number(0x102)?, number(0x103)?) != (1, 8, 7, 0) {
        return None;
    }
    let inverted = match *values.get(&(0x28, 4))? {
        b"MONOCHROME1 " => true,
        b"MONOCHROME2 " => false,
        _ => return None,
    };
    let data = values.get(&(0x7fe0, 0x10))?;
    let level = |r: usize, c: usize| {
        let n = r * columns + c;
        let level = match bits {
            8 => *data.get(n)?,
            16 if data.get(2 * n + 1) == Some(&0) => data[2 * n],
            _ => return None,
        };
        Some(if inverted { 255 - level } else { level })
    };
    (0..rows).map(|r| (0..columns).map(|c| level(r, c)).collect()).collect()
}

#[test]
fn pictures_have_the_same_levels() {
    let rows = vec![vec![0, 50, 100], vec![150, 200, 255], vec![1, 2, 3]];
    let mut seed = vec![0; 128];
    seed.extend(b"DICM");
    let mut element = |group: u16, tag: u16, kind: &[u8; 2], value: &[u8]| {
        seed.extend(group.to_le_bytes());
        seed.extend(tag.to_le_bytes());
        seed.extend(kind);
        if kind[0] == b'O' {
            seed.extend([0, 0]);
            seed.extend((value.len() as u32).to_le_bytes());
        } else {
            seed.extend((value.len() as u16).to_le_bytes());
        }
        seed.extend(value);
    };
    element(2, 0, b"UL", &28_u32.to_le_bytes());
    element(2, 0x10, b"UI", b"1.2.840.10008.1.2.1\0");
    element(9, 0x10, b"LO", b"ACME");
    let numbers = [(0x10, 3), (0x11, 3), (0x100, 8), (0x101, 8), (0x102, 7), (0x103, 0)];
    element(0x28, 2, b"US", &[1, 0]);
    element(0x28, 4, b"CS", b"MONOCHROME2 ");
    numbers.iter().for_each(|(tag, n): &(u16, u16)| element(0x28, *tag, b"US", &n.to_le_bytes()));
    let levels: Vec<u8> = rows.iter().flatten().copied().chain([0]).collect();
    element(0x7fe0, 0x10, b"OB", &levels);
    assert_eq!(picture(&seed).as_ref(), Some(&rows));
    let variants = variants(include_str!("../file_layouts/explicit_elements.rs"), &seed);
    assert!(variants.len() > 400, "{}", variants.len());
    for file in &variants {
        assert_eq!(picture(file).as_ref(), Some(&rows), "{file:?}");
    }
    let sizes: BTreeSet<usize> = variants.iter().map(Vec::len).collect();
    assert!(sizes.len() > 20, "{sizes:?}");
}

/// The name at a place of a message, and the place behind it. Pointers lead to places before them.
fn name(message: &[u8], mut at: usize) -> Option<(Vec<u8>, usize)> {
    let (mut name, mut behind) = (Vec::new(), None);
    loop {
        let size = usize::from(*message.get(at)?);
        match size {
            0 => return Some((name, behind.unwrap_or(at + 1))),
            1..64 => {
                name.extend(message.get(at + 1..at + 1 + size)?);
                name.push(b'.');
                at += 1 + size;
            }
            192.. => {
                let to = 256 * (size - 192) + usize::from(*message.get(at + 1)?);
                behind.get_or_insert(at + 2);
                if to >= at {
                    return None;
                }
                at = to;
            }
            _ => return None,
        }
    }
}

/// An answer: its name, its time to live, its address.
type Answer = (Vec<u8>, u32, [u8; 4]);

/// The question's name and the answers of a message, which ends with them.
fn answers(message: &[u8]) -> Option<(Vec<u8>, Vec<Answer>)> {
    let (question, at) = name(message, 12)?;
    let mut at = at + 4;
    let mut answers = Vec::new();
    for _ in 0..u16::from_be_bytes(message.get(6..8)?.try_into().ok()?) {
        let (name, start) = name(message, at)?;
        let data = message.get(start..start + 14)?;
        if data[..4] != [0, 1, 0, 1] || data[8..10] != [0, 4] {
            return None;
        }
        let ttl = u32::from_be_bytes(data[4..8].try_into().ok()?);
        answers.push((name, ttl, data[10..].try_into().ok()?));
        at = start + 14;
    }
    (at == message.len()).then_some((question, answers))
}

#[test]
fn answers_are_the_same_whatever_is_compressed() {
    let question = b"\x07example\x03org\0";
    let mut seed = b"\x12\x34\x81\x80\0\x01\0\x02\0\0\0\0".to_vec();
    seed.extend(question);
    seed.extend([0, 1, 0, 1]);
    for (ttl, last) in [(300_u32, 1), (60, 2)] {
        seed.extend([192, 12, 0, 1, 0, 1]);
        seed.extend(ttl.to_be_bytes());
        seed.extend([0, 4, 192, 0, 2, last]);
    }
    let wanted = answers(&seed).unwrap();
    assert_eq!(wanted.0, b"example.org.");
    let variants = variants(include_str!("../file_layouts/dns_answer.rs"), &seed);
    // The first name in three forms; the second in as many, with pointers to either of what is there already.
    assert_eq!(variants.len(), 12);
    for message in &variants {
        assert_eq!(answers(message).as_ref(), Some(&wanted), "{message:?}");
    }
}
