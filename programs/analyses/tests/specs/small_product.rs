//! The same where they are small.
//@ proved
struct In { a: u64, b: u64 }
struct Out { z: u64 }

fn normalize(x: &In, y: &mut Out) {
    assume(x.a <= 1000 && x.b <= 1000);
    y.z = x.a * x.b;
}
