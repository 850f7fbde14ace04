//! A text of up to 255 bytes in a field of fixed size, filled up with zeros. Its length is written as four bytes.
//! A length of more does not fit its byte: the file is refused.
//@ proved

pub struct File {
    length: [u32; 1],
    text: [u8],
}

pub struct Field {
    length: [u8; 1],
    text: [u8; 255],
}

pub fn normalize(x: &File, y: &mut Field) {
    y.length[0] = x.length[0];
    for i in 0..x.length[0] {
        y.text[i] = x.text[i];
    }
    for i in 0..255 - x.length[0] {
        y.text[x.length[0] + i] = 0;
    }
}
