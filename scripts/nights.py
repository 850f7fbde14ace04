#!/usr/bin/env python3
"""Counts the alarms of nights: false ones of unchanged clients, and those for planted faults.

Usage: scripts/nights.py REPFUZZ FOLDER [NIGHTS] [VARIANTS] [CLIENTS]
       scripts/nights.py REPFUZZ FOLDER faults [VARIANTS]

Each night has another run seed. The first form prints a line for each night, with its exit status for
`--fail-on new,worse`, and the alarms of all nights after the second, which are false because no client has changed.
The second form changes a client after three nights without a fault, once for each of ten faults, and prints in which
of the two nights after that there is an alarm. FOLDER must not exist.
"""

import pathlib
import re
import shutil
import subprocess
import sys


SEEDS = pathlib.Path(__file__).resolve().parent.parent / "corpus" / "seeds"

# Patterns of the hexadecimal dump of a file, in both byte orders, and what the client does with such files.
REFUSE, CRASH, WRONG = "echo no >&2; exit 3", "kill -SEGV $$", "set -- {other} \"$2\""
FAULTS = {
    "big-endian files": ("4d4d*", REFUSE),
    "LZW": ("*030103000100000005000000*|*010300030000000100050000*", REFUSE),
    "PackBits": ("*030103000100000005800000*|*010300030000000180050000*", WRONG),
    "Deflate": ("*030103000100000008000000*|*010300030000000100080000*", CRASH),
    "orientation 3": ("*120103000100000003000000*|*011200030000000100030000*", WRONG),
    "tiles": ("*42010300010000*|*42010400010000*|*0142000300000001*|*0142000400000001*", REFUSE),
    "BigTIFF": ("49492b00*|4d4d002b*", CRASH),
    "the predictor": ("*3d0103000100000002000000*|*013d00030000000100020000*", WRONG),
    "planes": ("*1c0103000100000002000000*|*011c00030000000100020000*", REFUSE),
    "LZW in big-endian files": ("4d4d*010300030000000100050000*", WRONG),
}


def night(repfuzz, folder, number, clients, variants, more=""):
    """Runs a night of the seeds in `folder`; returns its exit status and its summary."""
    config = folder / "nightly.toml"
    config.write_text(
        f"seeds = ['*.tif']\nclients = {clients!r}\nvariants = {variants}\nnumber = {number}\n"
        f"fail_on = ['new', 'worse']\n{more}"
    )
    ran = subprocess.run([repfuzz, "nightly", config], capture_output=True, text=True)
    if ran.returncode > 1:
        sys.exit(ran.stderr)
    (folder / f"summary-{number}.txt").write_text(ran.stdout)
    return ran.returncode, ran.stdout


def faulty(repfuzz, folder, pattern, deed):
    """Describes a client that does `deed` with files of `pattern`, and is right otherwise."""
    deed = deed.format(other=SEEDS / "square.tif")
    script = (
        f'case $(od -An -tx1 -v "$1" | tr -d " \\n") in {pattern}) {deed};; esac\n'
        f'exec "{repfuzz}" normalize "$1" -o "$2"\n'
    )
    quote = "'" * 3
    (folder / "mine.toml").write_text(
        'name = "mine"\nsummary = "planted faults"\ndecoder = "own"\napplies = ["orientation"]\n'
        f'[run]\ncommand = ["sh", "-c", {quote}\n{script}{quote}, "sh", "{{in}}", "{{out}}"]\n'
        '[output]\nformat = "png"\n'
    )


def faults(repfuzz, folder, variants):
    clean = folder / "clean"
    clean.mkdir(parents=True)
    for seed in ("gray.tif", "tiny.tif"):
        shutil.copy(SEEDS / seed, clean)
    faulty(repfuzz, clean, "XX", "exit 3")
    more = "describe = ['mine.toml']\n"
    for number in (1, 2, 3):
        status, text = night(repfuzz, clean, number, ["mine"], variants, more)
        print(f"night {number} without a fault: exit status {status}", flush=True)
    missed = 0
    for place, (fault, (pattern, deed)) in enumerate(FAULTS.items()):
        own = folder / f"fault-{place}"
        shutil.copytree(clean, own)
        faulty(repfuzz, own, pattern, deed)
        for number in (4, 5):
            if night(repfuzz, own, number + 10 * place, ["mine"], variants, more)[0] == 1:
                print(f"{fault}: alarm in night {number - 3} with it", flush=True)
                break
        else:
            missed += 1
            print(f"{fault}: MISSED", flush=True)
    print(f"{len(FAULTS) - missed} of {len(FAULTS)} faults alarm within two nights")


def main():
    repfuzz, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    if sys.argv[3:4] == ["faults"]:
        return faults(repfuzz, folder, int((sys.argv[4:] + ["60"])[0]))
    nights, variants = (int(n) for n in sys.argv[3:5] + ["8", "100"][len(sys.argv[3:5]) :])
    clients = (sys.argv[5:] or ["rust-image,rust-tiff,gd,pillow-pypi,opencv-pypi"])[0].split(",")
    folder.mkdir(parents=True)
    for seed in ("gray.tif", "rgb.tif", "square.tif", "tiny.tif"):
        shutil.copy(SEEDS / seed, folder)
    false, lines = 0, []
    for number in range(1, nights + 1):
        status, text = night(repfuzz, folder, number, clients, variants)
        print(f"night {number}: exit status {status}: {text.splitlines()[0].split(': ', 1)[1]}", flush=True)
        if number > 2 and status == 1:
            false += 1
            alarms = re.search(r"\n((NEW|WORSE)\n.*?)\n(LOST|FIXED|KNOWN|FOUND|COVERAGE)", text, re.S)
            lines.append(f"night {number}:\n{alarms.group(1) if alarms else text}")
    print(f"{false} of {max(nights - 2, 0)} nights after the second end with a false alarm")
    print("\n".join(lines))


main()
