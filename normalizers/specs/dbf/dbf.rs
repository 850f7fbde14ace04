//! Tables of dBASE III (DBF): names and types of fields, and the records that are not deleted, in order.
//!
//! Sources: the file structure of dBASE III PLUS tables (Ashton-Tate), and "Xbase File Format Description".
//! Widths of fields are sums over their descriptors and values are text, so a primitive reads the file: see
//! `dbf_table`. Not covered: memos, other types than `C`, `N`, `L` and `D`, indexes, other versions, and
//! characters outside of ASCII.

// seed: ../../../corpus/dbf/js.dbf

use super::file::File;

struct Table {
    count: u32,
    table: [u8; count],
}

fn records(x: &File, y: &mut Table) {
    y.table = dbf_table(x.file);
}
