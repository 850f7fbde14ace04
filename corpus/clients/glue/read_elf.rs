//! The crate elf: the sections of an ELF file.

use std::error::Error;

use elf::ElfBytes;
use elf::endian::AnyEndian;

mod lines;
mod serve;

fn read(file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let elf = ElfBytes::<AnyEndian>::minimal_parse(file)?;
    let (headers, strings) = elf.section_headers_with_strtab()?;
    let (headers, strings) = (headers.ok_or("no sections")?, strings.ok_or("no names")?);
    let mut found = Vec::new();
    for section in headers.iter() {
        let name = strings.get(section.sh_name as usize)?.to_owned();
        // It gives the bytes at the place of a section without bytes in the file.
        let contents = match section.sh_type {
            8 => Vec::new(),
            _ => elf.section_data(&section)?.0.to_vec(),
        };
        let numbers = [
            section.sh_type.into(),
            section.sh_flags,
            section.sh_addr,
            section.sh_link.into(),
            section.sh_info.into(),
            section.sh_addralign,
            section.sh_entsize,
        ];
        found.push((name, numbers, section.sh_size, contents));
    }
    let h = &elf.ehdr;
    let numbers =
        [h.osabi.into(), h.abiversion.into(), h.e_machine.into(), h.e_flags.into()];
    Ok(lines::encode(numbers, found, h.e_shstrndx.into()))
}

fn main() -> Result<(), Box<dyn Error>> {
    serve::serve(read)
}
