//@ y {"id": 4660, "a": 7, "b": 3, "first": [101, 120, 97, 109, 112, 108, 101], "second": [111, 114, 103], "ttl": [300, 60], "address": [[192, 0, 2, 1], [192, 0, 2, 2]]}
//@ y {"id": 1, "a": 1, "b": 1, "first": [97], "second": [97], "ttl": [0, 0], "address": [[0, 0, 0, 0], [0, 0, 0, 0]]}
//@ y {"id": 65535, "a": 63, "b": 63, "first": "97..123", "second": "97..123", "ttl": [4294967295, 1]}
struct Message {
    file: [u8],
}

struct Addresses {
    id: u16,
    a: u8,
    b: u8,
    first: [u8; a],
    second: [u8; b],
    ttl: [u32; 2],
    address: [[u8; 4]; 2],
}

/// Answers of a name server (RFC 1035, section 4.1): two addresses of a name of two labels. The names of answers are
/// in full, or end in a pointer to a name, or the end of one, before them.
fn normalize(x: &Message, y: &mut Addresses) {
    let id = u16be(x.file, 0);
    y.id = id;
    // A response without errors, of one question and two answers.
    assume(bytes(x.file, 2) == b"\x81\x80\0\x01\0\x02\0\0\0\0");
    let a = u8(x.file, 12);
    let b = u8(x.file, 13 + a);
    assume(a >= 1 && a <= 63 && b >= 1 && b <= 63);
    y.a = a;
    y.b = b;
    for k in 0..a {
        y.first[k] = x.file[13 + k];
    }
    for k in 0..b {
        y.second[k] = x.file[14 + a + k];
    }
    assume(x.file[14 + a + b] == 0);
    let question = 15 + a + b;
    assume(bytes(x.file, question) == b"\0\x01\0\x01");

    let one_at = question + 4;
    let one = u8(x.file, one_at);
    let one_next = if one != 192 { u8(x.file, one_at + 1 + a) } else { 0 };
    let one_low = if one == 192 {
        u8(x.file, one_at + 1)
    } else if one_next == 192 {
        u8(x.file, one_at + 2 + a)
    } else {
        0
    };
    assume(one == 192 || one == a);
    assume(one == 192 || one_next == 192 || one_next == b);
    assume(one != 192 || one_low == 12);
    assume(one_next != 192 || one_low == 13 + a);
    let one_size = if one == 192 {
        2
    } else if one_next == 192 {
        a + 3
    } else {
        a + b + 3
    };
    if one != 192 {
        for k in 0..a {
            assume(x.file[one_at + 1 + k] == x.file[13 + k]);
        }
        if one_next != 192 {
            for k in 0..b {
                assume(x.file[one_at + 2 + a + k] == x.file[14 + a + k]);
            }
            assume(x.file[one_at + 2 + a + b] == 0);
        }
    }
    let one_data = one_at + one_size;
    assume(bytes(x.file, one_data) == b"\0\x01\0\x01");
    let one_ttl = u32be(x.file, one_data + 4);
    assume(u16be(x.file, one_data + 8) == 4);
    y.ttl[0] = one_ttl;
    for k in 0..4 {
        y.address[0][k] = x.file[one_data + 10 + k];
    }

    let two_at = one_data + 14;
    let two = u8(x.file, two_at);
    let two_next = if two != 192 { u8(x.file, two_at + 1 + a) } else { 0 };
    let two_low = if two == 192 {
        u8(x.file, two_at + 1)
    } else if two_next == 192 {
        u8(x.file, two_at + 2 + a)
    } else {
        0
    };
    assume(two == 192 || two == a);
    assume(two == 192 || two_next == 192 || two_next == b);
    assume(two != 192 || two_low == 12 || one != 192 && two_low == one_at);
    assume(
        two_next != 192
            || two_low == 13 + a
            || one != 192 && one_next != 192 && two_low == one_at + 1 + a,
    );
    let two_size = if two == 192 {
        2
    } else if two_next == 192 {
        a + 3
    } else {
        a + b + 3
    };
    if two != 192 {
        for k in 0..a {
            assume(x.file[two_at + 1 + k] == x.file[13 + k]);
        }
        if two_next != 192 {
            for k in 0..b {
                assume(x.file[two_at + 2 + a + k] == x.file[14 + a + k]);
            }
            assume(x.file[two_at + 2 + a + b] == 0);
        }
    }
    let two_data = two_at + two_size;
    assume(bytes(x.file, two_data) == b"\0\x01\0\x01");
    let two_ttl = u32be(x.file, two_data + 4);
    assume(u16be(x.file, two_data + 8) == 4);
    y.ttl[1] = two_ttl;
    for k in 0..4 {
        y.address[1][k] = x.file[two_data + 10 + k];
    }
    assume(len(x.file) == two_data + 14);
}
