//! The paper's example of a conditional with an assumption (section 3.1).
//@ complete
//@ values 3
//@ y {"y1": 1, "y2": 2, "y3": 1}
//@ y {"y1": 1, "y2": 2, "y3": 3}

pub struct X {
    x1: i32,
    x2: i32,
    x3: i32,
    x4: i32,
}

pub struct Y {
    y1: i32,
    y2: i32,
    y3: i32,
}

pub fn normalize(x: &X, y: &mut Y) {
    if x.x1 > 0 {
        y.y1 = x.x2;
    } else {
        y.y1 = x.x3;
    }
    y.y2 = x.x3 + x.x4;
    y.y3 = x.x2;
}
