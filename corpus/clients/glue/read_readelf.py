"""The sections of an ELF file, as readelf, eu-readelf or llvm-readobj print them: the first argument."""

import re
import subprocess
import sys

import pam

TOOL = sys.argv.pop(1)


def run(*words):
    done = subprocess.run([TOOL, *words], capture_output=True, check=False)
    text = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode or re.search(r"(?im)^\S*:?\s*(warning|error)\b.*", text):
        said = re.search(r"(?im)^.*\b(warning|error)\b.*", text)
        raise ValueError(said[0] if said else text)
    return text


def printed(file):
    """The lines for the header, and for each section its name, its other words, and its size."""
    if TOOL == "llvm-readobj":
        text = run("--file-headers", "--sections", file)
        header = re.findall(r"(?m)^ +(?:OS/ABI|ABIVersion|Machine|Flags|StringTableSectionIndex):.*$", text)
        found = []
        for part in text.split("Section {")[1:]:
            words = re.sub(r" *Offset: .*\n", "", part)
            name = re.search(r"Name: (.*) \(", part)[1]
            words = re.sub(r"Name: .*", "", words)
            size = int(re.search(r"Size: (\d+)", part)[1])
            kind = re.search(r"Type: (\S+)", part)[1]
            words = re.sub(r" *Size: .*\n", "", words)
            found.append((name, re.findall(r"\w+: .*|SHF_\w+", words), kind, size))
        strings = int(re.search(r"StringTableSectionIndex: (\d+)", text)[1])
        return header, found, strings
    wide = ["-W"] if TOOL == "readelf" else []
    text = run(*wide, "-h", "-S", file)
    strings = int(re.search(r"(?m)string table index: +(\d+)", text)[1])
    header = re.findall(r"(?m)^ +(?:OS/ABI|ABI Version|Machine|Flags):.*$", text)
    form = r"^ *\[ *\d+\] (.*?) +(\w+) +([0-9a-f]{16}) [0-9a-f]+ ([0-9a-f]+)(.*)$"
    found = []
    for name, kind, address, size, rest in re.findall(form, text, re.M):
        found.append((name, [address, *rest.split()], kind, int(size, 16)))
    return header, found, strings


def contents(file, count):
    if TOOL == "llvm-readobj":
        text = run("--sections", "--section-data", file)
        parts = text.split("Section {")[1:]
        dumps = [re.findall(r"(?m)^ +[0-9A-F]{4}: ([0-9A-F ]+?) *\|", part) for part in parts]
        return ["".join(lines).replace(" ", "").lower() for lines in dumps]
    dumps = []
    for index in range(1, count):
        # Sections without contents have a message of their own.
        text = run("-x", str(index), file)
        lines = re.findall(r"(?m)^ +0x[0-9a-f]+ ((?:[0-9a-f]{2,8} ){1,4})", text)
        dumps.append("".join(lines).replace(" ", ""))
    return ["", *dumps]


def read(file):
    header, found, strings = printed(file)
    lines = [*header]
    dumps = contents(file, len(found))
    for index, ((name, words, kind, size), dump) in enumerate(zip(found, dumps, strict=True)):
        if index == strings:
            size, dump = 0, ""
        lines.append(" ".join(map(str, [index, name, kind, *words, size])))
        lines.append(dump)
    return "".join(line.strip() + "\n" for line in lines).encode()


pam.serve(read)
