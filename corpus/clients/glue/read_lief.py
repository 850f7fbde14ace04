"""The sections of an ELF file, as LIEF reads them."""

import pam
import sections

with pam.needed():
    import lief


def read(file):
    elf = lief.ELF.parse(file)
    if elf is None:
        raise ValueError("no ELF file")
    header = elf.header
    found = []
    for s in elf.sections:
        kind = s.type.value & 0xFFFFFFFF
        data = b"" if kind == 8 else bytes(s.content)
        found.append((
            s.name, kind, s.flags, s.virtual_address, s.link, s.information, s.alignment, s.entry_size, s.size, data,
        ))
    numbers = [header.identity_os_abi.value, header.identity_abi_version, header.machine_type.value & 0xFFFF,
               header.processor_flag]
    return sections.encode(numbers, found, header.section_name_table_idx)


pam.serve(read)
