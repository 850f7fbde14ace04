//! A file with a section that may be missing, and is then taken to be empty.
//@ complete
//@ y {"size": 2, "name": [65, 66]}
//@ y {"size": 0, "name": []}
//@ x {"has_name": 0, "name_size": 3, "name_offset": 9, "file": [0, 0, 0]}
//@ x {"has_name": 1, "name_size": 2, "name_offset": 3, "file": [0, 0, 0, 65, 66]}

pub struct File {
    has_name: u8,
    name_size: u8,
    name_offset: u8,
    file: [u8],
}

pub struct Named {
    size: u8,
    name: [u8; size],
}

pub fn normalize(x: &File, y: &mut Named) {
    assume(x.has_name <= 1);
    reserve(x.file[0..3]);
    if x.has_name == 1 {
        y.size = x.name_size;
        for k in 0..x.name_size {
            y.name[k] = x.file[x.name_offset + k];
        }
    } else {
        y.size = 0;
    }
}
