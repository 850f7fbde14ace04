//! A word in the byte order that a mark tells, by `match`.
//@ complete
//@ y {"word": 258}
//@ x {"mark": 77, "first": 1, "second": 2}
//@ x {"mark": 0, "first": 2, "second": 1}

pub struct Stored {
    mark: u8,
    first: u8,
    second: u8,
}

pub struct Word {
    word: u16,
}

pub fn normalize(x: &Stored, y: &mut Word) {
    match x.mark {
        b'M' => y.word = 256 * x.first + x.second,
        _ => y.word = x.first + 256 * x.second,
    }
}
