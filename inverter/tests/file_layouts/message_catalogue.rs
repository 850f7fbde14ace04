//@ y {"count": 0}
//@ y {"count": 2, "id_size": [0, 4], "id": "1..256 up to id_size", "text_size": [20, 0], "text": "1..256 up to text_size"}
//@ y {"count": 40, "id_size": "1..49", "id": "1..256 up to id_size", "text_size": "0..49", "text": "1..256 up to text_size"}
struct File {
    file: [u8],
}

/// Strings of at most 48 bytes, filled up with zeros.
struct Catalogue {
    count: u16,
    id_size: [u8; count],
    id: [[u8; 48]; count],
    text_size: [u8; count],
    text: [[u8; 48]; count],
}

/// A message catalogue of GNU gettext (its manual, section 10.3): strings of a program, sorted, and their translations,
/// in either byte order. There is no hash table.
fn normalize(x: &File, y: &mut Catalogue) {
    let magic = u32le(x.file, 0);
    assume(magic == 0x950412de || magic == 0xde120495);
    let little = magic == 0x950412de;
    let revision = if little { u32le(x.file, 4) } else { u32be(x.file, 4) };
    let count = if little { u32le(x.file, 8) } else { u32be(x.file, 8) };
    let ids = if little { u32le(x.file, 12) } else { u32be(x.file, 12) };
    let texts = if little { u32le(x.file, 16) } else { u32be(x.file, 16) };
    let hash_size = if little { u32le(x.file, 20) } else { u32be(x.file, 20) };
    let _hash = if little { u32le(x.file, 24) } else { u32be(x.file, 24) };
    assume(revision == 0);
    assume(hash_size == 0);
    assume(count <= 1000);
    y.count = count;
    for k in 0..count {
        let size = if little { u32le(x.file, ids + 8 * k) } else { u32be(x.file, ids + 8 * k) };
        let place =
            if little { u32le(x.file, ids + 8 * k + 4) } else { u32be(x.file, ids + 8 * k + 4) };
        assume(size <= 48);
        assume(x.file[place + size] == 0);
        y.id_size[k] = size;
        for b in 0..48 {
            if b < size {
                y.id[k][b] = x.file[place + b];
            } else {
                y.id[k][b] = 0;
            }
        }
        let text_size =
            if little { u32le(x.file, texts + 8 * k) } else { u32be(x.file, texts + 8 * k) };
        let text_place = if little {
            u32le(x.file, texts + 8 * k + 4)
        } else {
            u32be(x.file, texts + 8 * k + 4)
        };
        assume(text_size <= 48);
        assume(x.file[text_place + text_size] == 0);
        y.text_size[k] = text_size;
        for b in 0..48 {
            if b < text_size {
                y.text[k][b] = x.file[text_place + b];
            } else {
                y.text[k][b] = 0;
            }
        }
    }
}
