//! The crate object: the sections of an ELF file.

use std::error::Error;

use object::Endianness;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader, SectionHeader};

mod lines;
mod serve;

fn read(file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let header = FileHeader64::<Endianness>::parse(file)?;
    let e = header.endian()?;
    let table = header.sections(e, file)?;
    let mut found = Vec::new();
    for section in table.iter() {
        let name = String::from_utf8_lossy(table.section_name(e, section)?).into_owned();
        let numbers = [
            section.sh_type(e).0.into(),
            section.sh_flags(e).0,
            section.sh_addr(e),
            section.sh_link(e).into(),
            section.sh_info(e).into(),
            section.sh_addralign(e),
            section.sh_entsize(e),
        ];
        found.push((name, numbers, section.sh_size(e), section.data(e, file)?.to_vec()));
    }
    let ident = header.e_ident();
    let numbers = [
        ident.os_abi.0.into(),
        ident.abi_version.into(),
        header.e_machine(e).0.into(),
        header.e_flags(e).0.into(),
    ];
    Ok(lines::encode(numbers, found, header.shstrndx(e, file)? as usize))
}

fn main() -> Result<(), Box<dyn Error>> {
    serve::serve(read)
}
