//! A packet that is valid if it is marked so, and either short or acknowledged.
//@ complete
//@ values 3
//@ y {"payload": 4, "urgent": 1}
//@ y {"payload": 4, "urgent": 0}

pub struct Packet {
    valid: u8,
    length: u8,
    acknowledged: u8,
    priority: u8,
    payload: u8,
}

pub struct Message {
    payload: u8,
    urgent: u8,
}

pub fn normalize(x: &Packet, y: &mut Message) {
    let marked = x.valid == 1;
    let short = x.length < 4;
    let settled = short || !(x.acknowledged == 0);
    assume(marked && settled);
    y.payload = x.payload;
    if x.priority > 3 && !short {
        y.urgent = 1;
    } else {
        y.urgent = 0;
    }
}
