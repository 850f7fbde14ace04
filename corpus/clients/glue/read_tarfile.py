"""What is in a tar archive, as Python's tarfile reads it: a line for each entry, then its content."""

import tarfile

import pam


def read(file):
    out = b""
    with tarfile.open(file, "r:") as archive:
        for entry in archive:
            numbers = f"{entry.mode:o} {entry.uid} {entry.gid} {int(entry.mtime)} {entry.size}"
            out += f"{entry.name} {numbers}\n".encode("utf-8", "surrogateescape")
            content = archive.extractfile(entry)
            out += content.read() if content else b""
    return out


pam.serve(read)
