//! A resolution as a fraction in lowest terms or not: dots per inch, or per centimeter.
//@ complete
//@ y {"dots_per_100_inches": 7200}
//@ y {"dots_per_100_inches": 254}

pub struct Stored {
    metric: u8,
    dots: u16,
}

pub struct Resolution {
    dots_per_100_inches: u32,
}

pub fn normalize(x: &Stored, y: &mut Resolution) {
    assume(x.metric <= 1);
    if x.metric == 1 {
        y.dots_per_100_inches = 254 * x.dots;
    } else {
        y.dots_per_100_inches = 100 * x.dots;
    }
}
