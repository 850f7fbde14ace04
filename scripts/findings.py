#!/usr/bin/env python3
"""Writes docs/findings.md and corpus/findings from the reports of `repfuzz fuzz`.

    scripts/findings.py REPORT... [--clients clients.json] [--issues issues.toml] [--leave-out CLIENT@SEED]

REPORT is the report folder of one seed (it has results.jsonl and files/). clients.json is what
`repfuzz clients --json` prints. issues.toml has public issues by cause: the key is
"CLIENT OUTCOME DIMENSION,DIMENSION", the value a link. --leave-out is for what a person doubts. Of each cause (client, outcome, dimensions) the
smallest file is kept, and only what was reduced and confirmed.
"""

import argparse
import hashlib
import json
import re
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RANK = ["wrong", "crash", "hang", "resource", "refused"]
CLASSES = ["baseline", "extension", "questionable"]
MOST_BYTES = 64 * 1024


def read(reports, ignored, left_out):
    """The least example of each cause, and the clients with their versions. Left out: what a
    client ignores by its description, and what a client makes of a seed of which it shows even
    a faithful copy otherwise, for there its own measure is in doubt."""
    causes, clients, seeds = {}, {}, []
    for report in map(Path, reports):
        records = [json.loads(l) for l in (report / "results.jsonl").read_text().splitlines()]
        doubtful = {r["client"] for r in records if r["record"] == "cause" and r["minimal"] and not r["dimensions"]}
        for record in records:
            kind = record["record"]
            if kind == "run":
                seeds.append(record["seed_file"])
                seed_name = Path(record["seed_file"]).name
            elif kind == "client" and record["state"] == "ready":
                clients[record["client"]] = record["version"]
            elif kind == "cause" and record["minimal"] and not record.get("flaky"):
                own = set(ignored.get(record["client"], []))
                if f"{record['client']}@{seed_name}" in left_out:
                    continue
                if record["client"] in doubtful or own & set(record["dimensions"]):
                    continue
                record["from"] = seed_name
                record["bytes"] = (report / record["file"]).read_bytes()
                record["seed_bytes"] = (report / record["seed"]).read_bytes()
                key = (record["client"], record["outcome"], tuple(record["dimensions"]))
                known = causes.get(key)
                better = lambda r: (CLASSES.index(r["class"]), len(r["bytes"]))
                if known:
                    values = known["values"] + [v for v in record["values"] if v not in known["values"]]
                    known["values"] = record["values"] = values
                    known["seeds"] = record["seeds"] = known["seeds"] + [seed_name]
                else:
                    record["seeds"] = [seed_name]
                if not known or better(record) < better(known):
                    causes[key] = record
    return causes, clients, seeds


def keep(folder, stem, data):
    """Writes a file named by its content, once."""
    if len(data) > MOST_BYTES:
        return None
    name = f"{stem}-{hashlib.sha256(data).hexdigest()[:8]}.tif"
    (folder / name).write_bytes(data)
    return name


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:48]


def words(cause):
    """The cause in words, short."""
    first = cause["dimensions"][0]
    if len(cause["dimensions"]) == 1:
        values = ", ".join(v if len(v) < 40 else v[:37] + "…" for v in cause["values"][:8])
        more = ", …" if len(cause["values"]) > 8 else ""
        return f"`{first}` = {values}{more}"
    def one(d):
        value = cause["choices"].get(d)
        text = json.dumps(value) if not isinstance(value, str) else value
        return f"`{d}` = {text}" if value is not None and len(text) < 40 else f"`{d}`"
    return " and ".join(one(d) for d in cause["dimensions"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", nargs="+")
    parser.add_argument("--clients")
    parser.add_argument("--issues")
    parser.add_argument("--leave-out", action="append", default=[], metavar="CLIENT@SEED")
    args = parser.parse_args()
    about = {}
    if args.clients:
        about = {c["name"]: c for c in map(json.loads, Path(args.clients).read_text().splitlines())}
    ignored = {name: [i["what"] for i in c["ignores"]] for name, c in about.items()}
    causes, versions, seeds = read(args.reports, ignored, args.leave_out)
    issues = tomllib.loads(Path(args.issues).read_text()) if args.issues else {}

    folder = ROOT / "corpus/findings"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.tif"):
        old.unlink()
    index, rows = [], {}
    order = lambda c: (RANK.index(c["outcome"]), CLASSES.index(c["class"]), len(c["dimensions"]), c["dimensions"])
    for cause in sorted(causes.values(), key=lambda c: (c["client"], *order(c))):
        file = keep(folder, slug(" ".join(cause["dimensions"])), cause["bytes"])
        seed = keep(folder, "seed", cause["seed_bytes"])
        key = f"{cause['client']} {cause['outcome']} {','.join(cause['dimensions'])}"
        entry = {k: cause[k] for k in ("client", "outcome", "dimensions", "class", "choices")}
        entry["version"] = versions[cause["client"]]
        if file and seed:
            entry |= {"file": file, "seed": seed}
            index.append(entry)
        link = f"[`{file}`](../corpus/findings/{file}), {len(cause['bytes'])}" if file else f"{len(cause['bytes'])}, not kept"
        issue = issues.get(key, "")
        rows.setdefault(cause["client"], []).append((cause, link, issue))
    (folder / "findings.jsonl").write_text("".join(json.dumps(e) + "\n" for e in index))

    wrong = [c for c in causes.values() if c["outcome"] == "wrong" and c["class"] != "questionable"]
    silent = [c for c in wrong if "orientation" not in c["dimensions"]]
    out = [
        "# Findings in readers of TIFF",
        "",
        f"{len(causes)} causes in {len(rows)} of {len(versions)} clients, from equivalents of {len(seeds)} seed files. A cause is one client, one",
        "outcome and one set of [dimensions](tiff.md#what-is-varied). Each was reduced until every choice is necessary, and",
        "confirmed twice in fresh processes.",
        "",
        "A cause is a difference that a machine recorded, not necessarily a bug: a first audit by hand found about half of",
        "them to be bugs. The others are limits of what a reader supports, or freedoms that TIFF 6.0 leaves to it.",
        "`extension` marks what TIFF 6.0 does not require of every reader; there, *refused* is a limit. Clients on one library",
        "(libtiff, UTIF, tifffile, libav, MuPDF) share many of their causes.",
        "",
        f"{len(wrong)} causes are wrong pixels without an error, {len(silent)} of them without orientation.",
        "",
        f"The seeds: {', '.join('`' + Path(s).name + '`' for s in seeds)}.",
        "",
        "Each file is next to a seed file of the same picture in [corpus/findings](../corpus/findings), and is listed for",
        "programs in `findings.jsonl` there. `scripts/findings.py` writes this page.",
        "",
        "| client | version | decoder | " + " | ".join(RANK) + " |",
        "|---|---|---|" + "---:|" * len(RANK),
    ]
    for client in sorted(rows, key=lambda c: -len(rows[c])):
        counts = Counter(cause["outcome"] for cause, _, _ in rows[client])
        decoder = about.get(client, {}).get("decoder", "")
        cells = [str(counts[o]) if counts[o] else "" for o in RANK]
        out.append(f"| [{client}](#{client.replace('.', '')}) | {versions[client]} | {decoder} | " + " | ".join(cells) + " |")
    quiet = sorted(set(versions) - set(rows))
    if quiet:
        out += ["", f"Nothing was found in {', '.join(quiet)}."]
    for client in sorted(rows):
        summary = about.get(client, {}).get("summary", "")
        out += ["", f"## {client}", "", f"{summary}, {versions[client]}.", ""]
        out += ["| outcome | cause | class | smallest file, bytes | public issue |", "|---|---|---|---|---|"]
        for cause, link, issue in rows[client]:
            text = words(cause).replace("|", "\\|")
            out.append(f"| {cause['outcome']} | {text} | {cause['class']} | {link} | {issue or 'not known'} |")
    (ROOT / "docs/findings.md").write_text("\n".join(out) + "\n")
    sizes = [len(c["bytes"]) for c in causes.values()]
    small = sum(s < 1024 for s in sizes)
    print(f"{len(causes)} causes, {len(rows)} clients, {len(silent)} silent wrong without orientation, {small} files under 1 KiB")


main()
