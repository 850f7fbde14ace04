//@ kind checksum
//@ y {"life": 64, "from": [10, 0, 0, 1], "to": [192, 168, 1, 255]}
//@ y {"life": 0, "from": [0, 0, 0, 0], "to": [255, 255, 255, 255]}
struct F { file: [u8] }
struct P { life: u8, from: [u8; 4], to: [u8; 4] }

/// A packet's header: the ones' complement sum of its ten words is 0.
fn normalize(x: &F, y: &mut P) {
    assume(x.file[0] == 69);
    y.life = x.file[8];
    for k in 0..4 {
        y.from[k] = x.file[12 + k];
        y.to[k] = x.file[16 + k];
    }
    let a = u16be(x.file, 0);
    let b = u16be(x.file, 2);
    let c = u16be(x.file, 4);
    let d = u16be(x.file, 6);
    let e = u16be(x.file, 8);
    let f = u16be(x.file, 10);
    let g = u16be(x.file, 12);
    let h = u16be(x.file, 14);
    let i = u16be(x.file, 16);
    let j = u16be(x.file, 18);
    assume((a + b + c + d + e + f + g + h + i + j) % 65535 == 0);
}
