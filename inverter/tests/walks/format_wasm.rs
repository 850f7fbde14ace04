//@ file 0061736d01000000010a0260027f7f017f60000003030200010707010361646400000a0e020700200020016a0b040001010b0008046e616d65000100
//@ varies id, name, size width, body width, at rounds
struct File { file: [u8] }
struct Module {
    sections: u8,
    functions: u32,
    bytes: u32,
    code_bytes: u32,
    id: [u8; sections],
    size: [u32; sections],
    contents: [u8; bytes],
    body: [u32; functions],
    code: [u8; code_bytes],
}

/// WebAssembly: sections in their order, custom ones anywhere, and the bodies of the code section one by one.
fn wasm(x: &File, y: &mut Module) {
    assume(bytes(x.file, 0) == b"\0asm\x01\0\0\0");
    let mut at = 8;
    let mut rank = 0;
    let mut i = 0;
    let mut n = 0;
    let mut f = 0;
    let mut c = 0;
    while at < len(x.file) {
        let id = u8(x.file, at);
        let (size, width) = leb128(x.file, at + 1);
        assume(width <= 5);
        let start = at + 1 + width;
        if id == 0 {
            // A custom section: a name, of letters here, and anything.
            let (name, wide) = leb128(x.file, start);
            assume(wide <= 5 && wide + name <= size && name <= 8);
            for k in 0..name { assume(u8(x.file, start + wide + k) >= 97 && u8(x.file, start + wide + k) <= 122); }
        } else {
            // The count of data segments stands before the code.
            let order = if id == 12 { 95 } else { id * 10 };
            assume(id <= 12 && order > rank);
            rank = order;
            y.id[i] = id;
            if id == 10 {
                let (functions, wide) = leb128(x.file, start);
                assume(wide <= 5);
                let mut p = start + wide;
                for k in 0..functions {
                    let (body, w) = leb128(x.file, p);
                    assume(w <= 5);
                    y.body[f + k] = body;
                    for j in 0..body { y.code[c + j] = x.file[p + w + j]; }
                    c += body;
                    p += w + body;
                }
                f += functions;
                assume(p == start + size);
                y.size[i] = functions;
            } else {
                y.size[i] = size;
                for j in 0..size { y.contents[n + j] = x.file[start + j]; }
                n += size;
            }
            i += 1;
        }
        at = start + size;
    }
    assume(at == len(x.file));
    y.sections = i;
    y.functions = f;
    y.bytes = n;
    y.code_bytes = c;
}
