//! Memory in pages, with the page table's entries as offsets: two loops over page and place.
//@ incomplete: pages of equal content never share their place
//@ y {"pages": 2, "memory": [[1, 2, 3], [4, 5, 6]]}

const PAGE: u32 = 3;

pub struct Paged {
    pages: u8,
    #[element("page")]
    table: [u16; pages],
    frames: [u8],
}

pub struct Memory {
    pages: u8,
    memory: [[u8; PAGE]; pages],
}

pub fn normalize(x: &Paged, y: &mut Memory) {
    y.pages = x.pages;
    for p in 0..x.pages {
        assume(x.table[p] % 2 == 0);
        for a in 0..PAGE {
            y.memory[p][a] = x.frames[x.table[p] + a];
        }
    }
}
