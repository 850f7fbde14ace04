//! A text that a zero ends.
//@ refused: leaving a loop; give the length, and assume that the byte behind it is 0

pub struct Stored {
    bytes: [u8; 16],
}

pub struct Text {
    text: [u8; 16],
}

pub fn normalize(x: &Stored, y: &mut Text) {
    for k in 0..16 {
        if x.bytes[k] == 0 {
            break;
        }
        y.text[k] = x.bytes[k];
    }
}
