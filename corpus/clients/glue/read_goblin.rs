//! The crate goblin: the sections of an ELF file.

use std::error::Error;

use goblin::elf::Elf;

mod lines;
mod serve;

fn read(file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let elf = Elf::parse(file)?;
    let mut found = Vec::new();
    for section in &elf.section_headers {
        let name = elf.shdr_strtab.get_at(section.sh_name).ok_or("no name")?.to_owned();
        let contents = match section.file_range() {
            Some(range) => file.get(range).ok_or("contents are outside of the file")?.to_vec(),
            None => Vec::new(),
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
    let h = &elf.header;
    let numbers =
        [h.e_ident[7].into(), h.e_ident[8].into(), h.e_machine.into(), h.e_flags.into()];
    Ok(lines::encode(numbers, found, h.e_shstrndx.into()))
}

fn main() -> Result<(), Box<dyn Error>> {
    serve::serve(read)
}
