//! A word in the byte order that a mark tells, by `match`.
//@ refused: `match`; write `if` and `else if`

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
