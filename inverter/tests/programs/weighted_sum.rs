//! An amount in coins: the value is all that counts.
//@ complete
//@ values 3
//@ y {"amount": 0}
//@ y {"amount": 17}

pub struct Coins {
    ones: u8,
    fives: u8,
    tens: u8,
}

pub struct Amount {
    amount: u16,
}

pub fn normalize(x: &Coins, y: &mut Amount) {
    y.amount = x.ones + 5 * x.fives + 10 * x.tens;
}
