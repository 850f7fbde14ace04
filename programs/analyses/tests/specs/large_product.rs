//! A product of two numbers of 64 bits may not fit 128 bits with a sign.
//@ not proved x.a*x.b fits 128 bits
struct In { a: u64, b: u64 }
struct Out { z: u64 }

fn normalize(x: &In, y: &mut Out) {
    y.z = x.a * x.b;
}
