//! Section tables of relocatable ELF files of 64 bits, least significant byte first.
//!
//! Source: System V Application Binary Interface, chapter 4 ("Object Files"), sections "ELF Header",
//! "Sections" and "String Table". The section header table and the contents of sections are anywhere, at
//! places that are multiples of what they are aligned to; the names of sections are in a string table. A file has
//! up to 0xfeff sections, in the usual form, of up to 1,024 bytes each. Not covered: program headers, other
//! classes and byte orders, symbol names in the same string table.

// seed: ../../../corpus/elf/as.o

use super::file::File;

/// The header, and the sections, whose names are still places in a string table.
struct Stored {
    abi: u8,
    abi_version: u8,
    machine: u16,
    flags: u32,
    sections: u16,
    /// The section of the string table. Its size and contents are those of `names`.
    strings: u16,
    kinds: [u32; sections],
    attributes: [u64; sections],
    addresses: [u64; sections],
    sizes: [u64; sections],
    links: [u32; sections],
    infos: [u32; sections],
    alignments: [u64; sections],
    entry_sizes: [u64; sections],
    /// Zeros behind the end.
    contents: [[u8; LONGEST]; sections],
    count: u32,
    /// The place of each section's name, four bytes each, then the string table.
    names: [u8; count],
}

/// The header, and the sections with their names.
struct Object {
    abi: u8,
    abi_version: u8,
    machine: u16,
    flags: u32,
    sections: u16,
    strings: u16,
    kinds: [u32; sections],
    attributes: [u64; sections],
    addresses: [u64; sections],
    sizes: [u64; sections],
    links: [u32; sections],
    infos: [u32; sections],
    alignments: [u64; sections],
    entry_sizes: [u64; sections],
    contents: [[u8; LONGEST]; sections],
    length: u32,
    /// Each with a NUL behind it.
    names: [u8; length],
}

/// A section's greatest size: what a rectangle of contents has room for.
const LONGEST: u32 = 1024;
/// SHT_NOBITS: the section occupies no bytes of the file.
const NOBITS: u32 = 8;

fn sections(x: &File, y: &mut Stored) {
    // ELF Header.
    let abi = u8(x.file, 7);
    let abi_version = u8(x.file, 8);
    let kind = u16le(x.file, 16);
    assume(kind == 1);
    let machine = u16le(x.file, 18);
    let version = u32le(x.file, 20);
    assume(version == 1);
    let entry = u64le(x.file, 24);
    assume(entry == 0);
    let programs = u64le(x.file, 32);
    assume(programs == 0);
    let table = u64le(x.file, 40);
    let flags = u32le(x.file, 48);
    let header_size = u16le(x.file, 52);
    assume(header_size == 64);
    let program_size = u16le(x.file, 54);
    assume(program_size == 0 || program_size == 56);
    let program_count = u16le(x.file, 56);
    assume(program_count == 0);
    let section_size = u16le(x.file, 58);
    assume(section_size == 64);
    let sections = u16le(x.file, 60);
    assume(sections >= 2 && sections <= 0xfeff);
    let strings = u16le(x.file, 62);
    assume(strings >= 1 && strings < sections);
    y.abi = abi;
    y.abi_version = abi_version;
    y.machine = machine;
    y.flags = flags;
    y.sections = sections;
    y.strings = strings;

    // String Table.
    let strings_place = u64le(x.file, table + 64 * strings + 24);
    let strings_size = u64le(x.file, table + 64 * strings + 32);
    y.count = 4 * sections + strings_size;

    // ELF Identification: 64 bits, least significant byte first, version 1.
    assume(table % 8 == 0);
    assume(bytes(x.file, 0) == b"\x7fELF\x02\x01\x01");
    for k in 0..7 {
        assume(x.file[9 + k] == 0);
    }
    for b in 0..strings_size {
        y.names[4 * sections + b] = x.file[strings_place + b];
    }

    // Sections: headers and contents. Header 0 is all zeros.
    for s in 0..sections {
        for b in 0..4 {
            y.names[4 * s + b] = x.file[table + 64 * s + b];
        }
        let section = u32le(x.file, table + 64 * s + 4);
        let attribute = u64le(x.file, table + 64 * s + 8);
        let address = u64le(x.file, table + 64 * s + 16);
        let place = if s == strings { 0 } else { u64le(x.file, table + 64 * s + 24) };
        let size = if s == strings { 0 } else { u64le(x.file, table + 64 * s + 32) };
        let link = u32le(x.file, table + 64 * s + 40);
        let info = u32le(x.file, table + 64 * s + 44);
        let alignment = u64le(x.file, table + 64 * s + 48);
        let entry_size = u64le(x.file, table + 64 * s + 56);
        y.kinds[s] = section;
        y.attributes[s] = attribute;
        y.addresses[s] = address;
        y.sizes[s] = size;
        y.links[s] = link;
        y.infos[s] = info;
        y.alignments[s] = alignment;
        y.entry_sizes[s] = entry_size;
        assume(s > 0 || place == 0 && size == 0);
        assume(place % max(alignment, 1) == 0);
        assume(size > 0 && section != NOBITS || place <= table);
        if section == NOBITS {
            for b in 0..LONGEST {
                y.contents[s][b] = 0;
            }
        } else {
            assume(size <= LONGEST);
            for b in 0..size {
                y.contents[s][b] = x.file[place + b];
            }
            for b in 0..LONGEST - size {
                y.contents[s][size + b] = 0;
            }
        }
    }
}

/// The names of sections are in a string table: see the primitive `string_table`.
fn names(x: &Stored, y: &mut Object) {
    y.abi = x.abi;
    y.abi_version = x.abi_version;
    y.machine = x.machine;
    y.flags = x.flags;
    y.sections = x.sections;
    y.strings = x.strings;
    assume(x.sections >= 2 && x.sections <= 0xfeff);
    assume(x.strings >= 1 && x.strings < x.sections);
    for s in 0..x.sections {
        y.kinds[s] = x.kinds[s];
        y.attributes[s] = x.attributes[s];
        y.addresses[s] = x.addresses[s];
        y.sizes[s] = x.sizes[s];
        y.links[s] = x.links[s];
        y.infos[s] = x.infos[s];
        y.alignments[s] = x.alignments[s];
        y.entry_sizes[s] = x.entry_sizes[s];
        for b in 0..LONGEST {
            y.contents[s][b] = x.contents[s][b];
        }
    }
    y.names = string_table(x.names, x.sections);
}
