"""The sections of an ELF file, as pyelftools reads them."""

import pam
import sections

with pam.needed():
    from elftools.elf.elffile import ELFFile
    from elftools.elf.enums import ENUM_E_MACHINE, ENUM_EI_OSABI, ENUM_SH_TYPE_BASE


def number(value, names):
    return value if isinstance(value, int) else {**names}[value]


def read(file):
    with open(file, "rb") as stream:
        elf = ELFFile(stream)
        ident = elf.header.e_ident
        header = [
            number(ident.EI_OSABI, ENUM_EI_OSABI),
            ident.EI_ABIVERSION,
            number(elf.header.e_machine, ENUM_E_MACHINE),
            elf.header.e_flags,
        ]
        found = []
        for section in elf.iter_sections():
            h = section.header
            kind = number(h.sh_type, {"SHT_X86_64_UNWIND": 0x70000001, **ENUM_SH_TYPE_BASE})
            # data() makes zeros of sections without bytes in the file.
            data = b"" if kind == 8 else section.data()
            found.append((
                section.name, kind, h.sh_flags, h.sh_addr, h.sh_link, h.sh_info, h.sh_addralign, h.sh_entsize,
                h.sh_size, data,
            ))
        return sections.encode(header, found, elf.get_shstrndx())


pam.serve(read)
