//! A product of numbers of 64 bits leaves 128 bits with a third one, unless they are small.
//@ not proved x.a*x.b*x.c fits 128 bits
struct In { a: u64, b: u64, c: u64 }
struct Out { z: u64 }

fn normalize(x: &In, y: &mut Out) {
    y.z = x.a * x.b * x.c;
}
