//! A sum in which every coefficient is more than one.
//@ complete
//@ values 3
//@ y {"amount": 8}
//@ y {"amount": 30}

pub struct Coins {
    threes: u8,
    fives: u8,
}

pub struct Amount {
    amount: u16,
}

pub fn normalize(x: &Coins, y: &mut Amount) {
    y.amount = 3 * x.threes + 5 * x.fives;
}
