//! Words of four letters, each by its number in a dictionary.
//@ kind dictionary
//@ y {"n": 3, "word": [[97, 98, 99, 100], [97, 98, 99, 101], [97, 98, 99, 100]]}
//@ y {"n": 1000, "word": {"cycle": [[97, 98, 99, 100], [97, 98, 99, 101], [0, 0, 0, 0]], "length": 1000}}

pub struct Coded {
    n: u16,
    words: u8,
    dictionary: [[u8; 4]; words],
    number: [u8; n],
}

pub struct Text {
    n: u16,
    word: [[u8; 4]; n],
}

pub fn normalize(x: &Coded, y: &mut Text) {
    y.n = x.n;
    for k in 0..x.n {
        for c in 0..4 {
            y.word[k][c] = x.dictionary[x.number[k]][c];
        }
    }
}
