use inverter::primitive::test::encodings;
use inverter::solve::ChoiceSource;

use super::model::Entry;
use super::*;

fn entries() -> Vec<u8> {
    let file = |name: &'static str, content: &'static [u8]| Entry {
        name: name.as_bytes(),
        date: 0x285d_8000,
        host: 3,
        internal: 1,
        external: 0o100_644 << 16,
        content,
    };
    written(&[file("a.txt", b"one one one one"), file("b/empty", b""), file("c", &[7; 300])])
}

fn written(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    entries.iter().for_each(|entry| entry.write(&mut out).unwrap());
    out
}

/// The archive of these choices.
fn archive(choices: &[(&str, &str)]) -> Vec<u8> {
    let mut all = Choices::new();
    choices.iter().for_each(|(dimension, word)| all.set(*dimension, *word));
    let mut source = ChoiceSource::replaying(all);
    ZipEntries.encode(&entries(), Encoding::any_length(&[], &mut source)).unwrap()
}

#[test]
fn archives_are_written_in_many_ways() {
    let data = entries();
    assert!(encodings(&ZipEntries, &[], &data, 300).unwrap().len() > 290);
    let plain = archive(&[]);
    assert!(ZipEntries.own_choices(&plain, &data, &[]).is_some());
    assert!(plain.starts_with(b"PK\x03\x04\x14\0\0\0\x08\0\0\x80\x5d\x28"), "{plain:?}");
}

#[test]
fn words_are_obeyed() {
    let has = |file: &[u8], what: &[u8]| file.windows(what.len()).any(|part| part == what);
    let stored = archive(&[("methods", "stored")]);
    assert!(has(&stored, b"a.txtone one one one"));
    // The empty file has no data, and is not compressed.
    assert!(has(&archive(&[]), b"b/emptyPK"));
    assert!(has(&archive(&[("descriptors", "signed")]), b"PK\x07\x08"));
    assert!(!has(&archive(&[("descriptors", "unsigned")]), b"PK\x07\x08"));
    let wide = archive(&[("zip64", "local")]);
    assert!(has(
        &wide,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\x05\0\x14\0a.txt\x01\0\x10\0\x0f\0\0\0\0\0\0\0"
    ));
    let marked = archive(&[("zip64 end", "marked")]);
    assert!(has(&marked, b"PK\x06\x06") && has(&marked, b"PK\x06\x07"));
    assert!(
        marked.ends_with(b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0")
    );
}

#[test]
fn other_archives_are_refused() {
    let plain = archive(&[("methods", "stored")]);
    let refused = |file: &[u8]| ZipEntries.decode(file, &[], usize::MAX).unwrap_err().to_string();
    let with = |at: usize, value: u8| {
        let mut file = plain.clone();
        file[at] = value;
        refused(&file)
    };
    let central = plain.windows(4).position(|p| p == b"PK\x01\x02").unwrap();
    for (at, value, why) in [
        (0, b'x', "no local header"),
        (6, 1, "differ"),
        (35, b'x', "checksum"),
        (central + 8, 1, "the flags"),
        (central + 10, 12, "the method"),
        (central + 46, b'x', "differ"),
        (plain.len() - 1, 1, "no end record"),
        (plain.len() - 6, 0, "not before"),
    ] {
        let found = with(at, value);
        assert!(found.contains(why), "{at}: {why}: {found}");
    }
    assert!(refused(b"PK").contains("no end record"));
    for name in ["/a", "a//b", "../a", "a\\b", "d/", "é", ""] {
        let entry = Entry { name: name.as_bytes(), ..Entry::default() };
        let data = written(&[entry]);
        assert!(ZipEntries.accepts(&data, &[]).is_err(), "{name}");
    }
}

#[test]
fn what_does_not_fit_is_refused_before_it_is_decoded() {
    let (data, plain) = (entries(), archive(&[]));
    assert_eq!(ZipEntries.decode(&plain, &[], data.len()).unwrap(), data);
    assert!(ZipEntries.decode(&plain, &[], data.len() - 1).unwrap_err().is_of_size());
    // The directory claims more than its data. This is found without decoding anything.
    let central = plain.windows(4).position(|p| p == b"PK\x01\x02").unwrap();
    let mut lying = plain;
    lying[central + 24..central + 28].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    assert!(ZipEntries.decode(&lying, &[], 1 << 20).unwrap_err().is_of_size());
    assert!(ZipEntries.decode(&lying, &[], usize::MAX).unwrap_err().to_string().contains("differ"));
}
