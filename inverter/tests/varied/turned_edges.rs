//! Edges, the smaller end first, as pairs in either order.
//@ y {"n": SIZE, "low": "0..1000", "high": "1000..2000"}
//@ varies a 2
//@ varies b 2

pub struct In { n: u16, a: [u16; n], b: [u16; n] }
pub struct Out { n: u16, low: [u16; n], high: [u16; n] }

fn edges(x: &In, y: &mut Out) {
    y.n = x.n;
    for k in 0..x.n {
        y.low[k] = min(x.a[k], x.b[k]);
        y.high[k] = max(x.a[k], x.b[k]);
    }
}
