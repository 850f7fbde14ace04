"""Section tables of ELF as the Python clients give them: a line for the header, then two for each section."""


def encode(header, sections, strings):
    """Numbers of the header (ABI, its version, machine, flags), and for each section its name, type, flags, address,
    link, info, alignment, size of entries, size, and contents. Size and contents of the section `strings`, which has the
    names, are left out."""
    lines = ["header " + " ".join(map(str, [*header, strings]))]
    for index, (name, *numbers, size, contents) in enumerate(sections):
        if index == strings:
            size, contents = 0, b""
        lines.append(" ".join(map(str, [index, name, *numbers, size])))
        lines.append(contents.hex())
    return "".join(line + "\n" for line in lines).encode()
