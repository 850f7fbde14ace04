//! The visible width is the lesser of two limits.
//@ complete
//@ values 3
//@ y {"width": 3}
//@ y {"width": 0}

pub struct Limits {
    window: u8,
    screen: u8,
}

pub struct Visible {
    width: u8,
}

pub fn normalize(x: &Limits, y: &mut Visible) {
    y.width = min(x.window, x.screen);
}
