"""The files in a ZIP archive, as Python's zipfile reads them: a line for each, then its content."""

import zipfile

import pam


def read(file):
    out = b""
    with zipfile.ZipFile(file) as archive:
        for entry in archive.infolist():
            date = "%04d-%02d-%02d %02d:%02d:%02d" % entry.date_time
            out += f"{entry.filename} {date} {entry.file_size}\n".encode()
            out += archive.read(entry)
    return out


pam.serve(read)
