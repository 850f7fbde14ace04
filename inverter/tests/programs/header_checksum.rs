//! A header whose bytes add up to 0 modulo 256, with a byte that makes it so.
//@ complete
//@ y {"kind": 1, "major": 2, "minor": 3}
//@ y {"kind": 255, "major": 255, "minor": 255}

pub struct Header {
    kind: u8,
    major: u8,
    minor: u8,
    check: u8,
}

pub struct Version {
    kind: u8,
    major: u8,
    minor: u8,
}

pub fn normalize(x: &Header, y: &mut Version) {
    y.kind = x.kind;
    y.major = x.major;
    y.minor = x.minor;
    assume((x.kind + x.major + x.minor + x.check) % 256 == 0);
}
