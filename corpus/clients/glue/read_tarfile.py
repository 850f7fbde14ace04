"""What is in a tar archive, as Python's tarfile reads it: a line for each entry, then its content."""

import sys
import tarfile

out = b""
try:
    with tarfile.open(sys.argv[1], "r:") as archive:
        for entry in archive:
            numbers = f"{entry.mode:o} {entry.uid} {entry.gid} {int(entry.mtime)} {entry.size}"
            out += f"{entry.name} {numbers}\n".encode("utf-8", "surrogateescape")
            content = archive.extractfile(entry)
            out += content.read() if content else b""
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
with open(sys.argv[2], "wb") as file:
    file.write(out)
