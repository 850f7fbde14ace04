//! A font: a table says where the two words of each glyph are.
//@ incomplete: glyphs of equal content never share their place
//@ y {"glyphs": 2, "first": [7, 8], "second": [9, 10]}

pub struct Font {
    glyphs: u8,
    #[element("glyph")]
    place: [u8; glyphs],
    words: [u16],
}

pub struct Glyphs {
    glyphs: u8,
    first: [u16; glyphs],
    second: [u16; glyphs],
}

pub fn normalize(x: &Font, y: &mut Glyphs) {
    y.glyphs = x.glyphs;
    for g in 0..x.glyphs {
        y.first[g] = x.words[x.place[g]];
        y.second[g] = x.words[x.place[g] + 1];
    }
}
