//@ file d4c3b2a1020004000000000000000000ffff000001000000e8030000000000000a0000000a0000004420823cfde6f1c26b30e9030000010000000b00
//@ more 00000b000000f90ec7dd01e4887534a20fea030000020000000c0000000c0000000b0d04c36ed80e71e0fd77b0
//@ varies snaplen, file fill
struct File { file: [u8] }
struct Capture {
    network: u32,
    count: u32,
    bytes: u32,
    seconds: [u32; count],
    fraction: [u32; count],
    captured: [u32; count],
    original: [u32; count],
    data: [u8; bytes],
}

/// PCAP: a head in either byte order, and packets one after the other to the end of the file.
fn pcap(x: &File, y: &mut Capture) {
    let magic = u32be(x.file, 0);
    assume(magic == 0xa1b2c3d4 || magic == 0xd4c3b2a1);
    let little = magic == 0xd4c3b2a1;
    let major = if little { u16le(x.file, 4) } else { u16be(x.file, 4) };
    let minor = if little { u16le(x.file, 6) } else { u16be(x.file, 6) };
    assume(major == 2 && minor == 4);
    let snaplen = if little { u32le(x.file, 16) } else { u32be(x.file, 16) };
    let network = if little { u32le(x.file, 20) } else { u32be(x.file, 20) };
    y.network = network;
    let mut at = 24;
    let mut i = 0;
    let mut n = 0;
    while at < len(x.file) {
        let seconds = if little { u32le(x.file, at) } else { u32be(x.file, at) };
        let fraction = if little { u32le(x.file, at + 4) } else { u32be(x.file, at + 4) };
        let size = if little { u32le(x.file, at + 8) } else { u32be(x.file, at + 8) };
        let original = if little { u32le(x.file, at + 12) } else { u32be(x.file, at + 12) };
        assume(size <= snaplen && size <= original);
        y.seconds[i] = seconds;
        y.fraction[i] = fraction;
        y.captured[i] = size;
        y.original[i] = original;
        for j in 0..size {
            y.data[n + j] = x.file[at + 16 + j];
        }
        n += size;
        i += 1;
        at += 16 + size;
    }
    assume(at == len(x.file));
    y.count = i;
    y.bytes = n;
}
