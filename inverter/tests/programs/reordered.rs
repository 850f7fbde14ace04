//! The sum comes first: one input is bound to the other until that is known.
//@ complete
//@ y {"y1": 1, "y2": -1}

pub struct X {
    x1: i32,
    x2: i32,
}

pub struct Y {
    y1: i32,
    y2: i64,
}

pub fn normalize(x: &X, y: &mut Y) {
    y.y2 = x.x1 + x.x2;
    y.y1 = x.x1;
}
