//! A text in a field of 254 bytes, filled up with zeros. Its length is written as four bytes.
//! A length of 255 fits its byte, but not the field.
//@ open y.text has each element assigned once

pub struct File {
    length: [u32; 1],
    text: [u8],
}

pub struct Field {
    length: [u8; 1],
    text: [u8; 254],
}

pub fn normalize(x: &File, y: &mut Field) {
    y.length[0] = x.length[0];
    for i in 0..x.length[0] {
        y.text[i] = x.text[i];
    }
    for i in 0..254 - x.length[0] {
        y.text[x.length[0] + i] = 0;
    }
}
