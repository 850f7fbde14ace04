//! A date as the FAT file system packs it.
//@ complete
//@ y {"year": 2001, "month": 2, "day": 3}

pub struct Entry {
    date: u16,
}

pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

pub fn normalize(x: &Entry, y: &mut Date) {
    y.year = 1980 + x.date / 512;
    y.month = x.date / 32 % 16;
    y.day = x.date % 32;
}
