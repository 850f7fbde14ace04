#!/usr/bin/env python3
"""Publishes audited findings: corpus/findings and docs/findings.md.

    scripts/findings.py collect REPORT... --clients clients.json
    scripts/findings.py prove [--repfuzz PATH] [--python PATH]
    scripts/findings.py page
    scripts/findings.py upstream [--repfuzz PATH]

A REPORT is the folder of one seed, as `repfuzz fuzz` writes it; clients.json is the output of
`repfuzz clients --json`. corpus/findings/audit.jsonl has a line for each cause that a person has
looked at: its key (client, outcome, difference, dimensions), a verdict (bug, limit, by-design, glue,
undecided), what is wrong, the sentence of the standard, the evidence, and a slug of the root cause.

collect keeps the smallest file of each cause whose verdict is `bug`, and forgets all others. A file that
repfuzz blamed comes before one that it only compared with its seed; if the verdict holds for some seeds
only, the line of audit.jsonl names them (`seeds`), and files of others are left out. prove
writes each of these files again with other writers (scripts/second_writer.py), has the client read
the copies, and records the result. page writes docs/findings.md, by root cause. upstream writes
docs/upstream: the reports that are fit to be sent first, as `repfuzz fuzz` writes them.
"""

import argparse
import hashlib
import html
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "corpus/findings"
AUDIT, FINDINGS = FOLDER / "audit.jsonl", FOLDER / "findings.jsonl"
HEADINGS = {
    "wrong": "Wrong pixels without an error",
    "crash": "Crashes",
    "hang": "Hangs",
    "resource": "Too much memory",
    "threads": "Wrong pixels by two threads",
    "pages": "Wrong pages",
    "region": "Wrong parts",
    "rewrite": "Wrong pictures after rewriting",
    "metadata": "Wrong metadata",
    "memory": "Far more memory than for other files",
    "slow": "Far slower than for other files",
    "refused": "Errors on files that the client supports",
}
RANK = list(HEADINGS)
CLASSES = ["baseline", "extension", "questionable"]
VERDICTS = ["bug", "by-design", "limit", "glue", "undecided"]
BLAMED = ["file-wrong", "seed-wrong", "both-wrong"]
UNDECIDED = ["contract-unknown", "file-unexplained", "seed-unexplained"]
MOST_BYTES = 64 * 1024
# Readers that say whether the copy of a file is right.
WITNESSES = ["rust-tiff", "gdal", "graphicsmagick", "tifffile"]
# The root causes that are fit to be reported first, and the client to report them for: the first ten that
# their file shows in every run.
UPSTREAM = [
    ("pillow-planar-16", "pillow-pypi"),
    ("libtiff-rgba-gray-tiles", "tiff2rgba"),
    ("java-imageio-rows-per-strip", "java-imageio"),
    ("mupdf-predictor-16", "pymupdf"),
    ("imagemagick-white-is-zero", "imagemagick"),
    ("image-tiff-predictor-extra", "rust-tiff"),
    ("ffmpeg-tiles-black", "ffmpeg"),
    ("vips-planar", "vips-pypi"),
    ("freeimage-planar-assertion", "freeimage"),
    ("imagemagick-default-rows-per-strip-mirrored", "imagemagick"),
    ("openimageio-deflate-expanded", "openimageio-pypi"),
]
WRITERS = {"hand": "laid out by hand", "libtiff": "libtiff", "tifffile": "tifffile"}


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def save(path, records):
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records))


def key(record):
    return (record["client"], record["outcome"], record.get("difference") or "", tuple(record["dimensions"]))


def steady(cause):
    """True if the cause is reduced: its set of dimensions is minimal."""
    return cause["minimal"] and not cause.get("flaky")


def read(reports):
    """The causes of all reports, and the versions of the clients that took part."""
    causes, versions, seeds = [], {}, []
    for report in map(Path, reports):
        for record in map(json.loads, (report / "results.jsonl").read_text().splitlines()):
            if record["record"] == "run":
                seeds.append(Path(record["seed_file"]).name)
            elif record["record"] == "client" and record["state"] in ("ready", "unsteady"):
                versions[record["client"]] = record["version"]
            elif record["record"] == "cause":
                causes.append(record | {"report": report, "from": seeds[-1]})
    return causes, versions, seeds


def keep(stem, data):
    """Writes a file named by its content, once; None if it is too large for the repository."""
    if len(data) > MOST_BYTES:
        return None
    name = f"{stem}-{hashlib.sha256(data).hexdigest()[:8]}.tif"
    (FOLDER / name).write_bytes(data)
    return name


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:48]


def preference(cause):
    """The lower, the better its file shows the cause: blamed, of a common class, small."""
    return (cause["verdict"] not in BLAMED, CLASSES.index(cause["class"]), len(cause["bytes"]))


def collect(args):
    causes, versions, seeds = read(args.reports)
    about = {c["name"]: c for c in map(json.loads, Path(args.clients).read_text().splitlines())}
    audit = {key(a): a for a in lines(AUDIT)}
    bugs = {k for k, a in audit.items() if a["verdict"] == "bug"}
    best, found, values = {}, defaultdict(list), defaultdict(list)
    for cause in causes:
        k = key(cause)
        if k not in bugs or cause["from"] not in audit[k].get("seeds", [cause["from"]]):
            continue
        cause["bytes"] = (cause["report"] / cause["file"]).read_bytes()
        if k not in best or preference(cause) < preference(best[k]):
            best[k] = cause
        found[k] += [cause["from"]] if cause["from"] not in found[k] else []
        values[k] += [v for v in cause["values"] if v not in values[k]]
    # A cause that was audited stays, whether or not this run has met it again.
    index = [entry for entry in lines(FINDINGS) if key(entry) in bugs and key(entry) not in best]
    kept = {entry[name] for entry in index for name in ("file", "seed")}
    for old in FOLDER.glob("*.tif"):
        if old.name not in kept:
            old.unlink()
    for k, cause in sorted(best.items()):
        file = keep(slug(" ".join(cause["dimensions"]) or "seed"), cause["bytes"])
        seed = keep("seed", (cause["report"] / cause["seed"]).read_bytes())
        if not (file and seed):
            print(f"{k}: the file is too large to keep", file=sys.stderr)
            continue
        entry = {n: cause.get(n) for n in ("client", "outcome", "difference", "dimensions", "verdict", "class", "choices")}
        entry |= {"version": versions[cause["client"]], "decoder": about.get(cause["client"], {}).get("decoder", "")}
        entry |= {"values": values[k][:12], "seeds": found[k], "varies": bool(cause.get("varies"))}
        index.append(entry | {"message": cause.get("message", "")[:200], "file": file, "seed": seed})
    save(FINDINGS, index)
    blamed = {key(c) for c in causes if steady(c) and not c.get("limit") and c.get("verdict") in BLAMED}
    # Older runs blame a file for lost low bits.
    precision = {k for k in blamed if k[2] == "low-bits"} | {key(c) for c in causes if c.get("verdict") == "precision-lost"}
    blamed -= precision
    run = {
        "seeds": seeds,
        "clients": versions,
        "variants": args.variants,
        "blamed": len(blamed),
        "audited": sum(k in audit for k in blamed),
        "verdicts": {v: sum(audit[k]["verdict"] == v for k in blamed if k in audit) for v in VERDICTS},
        "unknown": len({key(c) for c in causes if steady(c) and not c.get("limit") and c.get("verdict") in UNDECIDED}),
        "precision": len(precision),
        "unsteady": sum(bool(c.get("flaky")) for c in causes),
        "limits": len({key(c) for c in causes if c.get("limit")}),
    }
    (FOLDER / "run.json").write_text(json.dumps(run, indent=1) + "\n")
    print(json.dumps({k: v for k, v in run.items() if k != "clients"}))
    for k in sorted(blamed - set(audit)):
        print("not audited:", k, file=sys.stderr)


def shown(repfuzz, clients, file, folder):
    """What clients make of `file`: client -> (outcome, difference)."""
    chosen = [word for client in clients for word in ("--clients", client)]
    command = [repfuzz, "fuzz", str(file), *chosen, "-j", "1", "-n", "1", "--reduce-time", "1", "--report", str(folder)]
    subprocess.run(command, capture_output=True, check=False, timeout=600)
    seen = {}
    for record in lines(folder / "results.jsonl"):
        if record["record"] == "client" and record["state"] == "cannot-read-seed":
            seen[record["client"]] = ("refused", None)
        if record["record"] == "result" and record["variant"] == 0:
            seen[record["client"]] = (record["outcome"], record.get("difference"))
    return seen


def proof(finding, repfuzz, python):
    """The first other writer whose file shows the finding, or why there is none; and the other
    readers that read that file rightly."""
    source, tried, client = FOLDER / finding["file"], [], finding["client"]
    witnesses = [w for w in WITNESSES if w != client]
    for writer in ("libtiff", "tifffile", "hand"):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.tif"
            script = ROOT / "scripts/second_writer.py"
            written = subprocess.run([python, script, writer, source, copy], capture_output=True, text=True)
            if written.returncode:
                tried.append(f"{writer}: does not write it")
                continue
            equal = subprocess.run([repfuzz, "equal", source, copy], capture_output=True)
            if equal.returncode:
                tried.append(f"{writer}: writes another picture")
                continue
            seen = shown(repfuzz, [client, *witnesses], copy, Path(folder) / "report")
            outcome, difference = seen.get(client, ("not run", None))
            if outcome == finding["outcome"]:
                right = [w for w in witnesses if seen.get(w, ("",))[0] == "same"]
                kind = {} if (difference or "") == (finding["difference"] or "") else {"difference": difference}
                return {"writer": writer, "shows": True, "right": right} | kind
            tried.append(f"{writer}: {outcome}")
    return {"writer": None, "shows": False, "tried": tried}


def prove(args):
    audit = {key(a): a for a in lines(AUDIT)}
    open_ = [f for f in lines(FINDINGS) if audit[key(f)].get("proof", {}).get("file") != f["file"]]
    with ThreadPoolExecutor(args.jobs) as pool:
        proofs = pool.map(lambda f: proof(f, args.repfuzz, args.python), open_)
        for finding, result in zip(open_, proofs):
            audit[key(finding)]["proof"] = result | {"file": finding["file"]}
            print(finding["client"], finding["dimensions"], result, flush=True)
            save(AUDIT, audit.values())


def known(issues, root):
    """The public issue about a root cause, or where and when none was found, in words."""
    entry = issues["roots"].get(root)
    if not entry:
        return "Not searched yet"
    elsewhere = tracker(issues, root)
    unsearched = f"; {elsewhere}, where the project's issues are, was not searched" if elsewhere else ""
    if "issue" in entry:
        return entry["issue"]
    return "No issue was found in threads of GitHub" + (f" on {entry['searched']}" if "searched" in entry else "") + unsearched


def tracker(issues, root):
    """The place of a project's issues, if it is not GitHub."""
    return next((place for first, place in issues["trackers"].items() if root.startswith(f"{first}-")), None)


def tries(members, newer):
    """The newer versions that were tried of each client of a root cause: those that show it still, those that do not."""
    clients = {finding["client"] for finding, _ in members}
    tried = defaultdict(lambda: (set(), set()))
    for finding, _ in members:
        for line in newer.get((finding["client"], finding["file"]), []):
            if line["still"] is not None and line["newer"] not in clients:
                name = f"{line['newer'].removesuffix('-sid')} {line['version']}"
                tried[finding["client"]][not line["still"]].add(name)
    return tried


def state(root, members, issues, newer):
    """The state of a root cause upstream: a row of the table."""
    entry, tried = issues["roots"].get(root, {}), tries(members, newer)
    still = set().union(*(s for s, _ in tried.values()))
    gone = set().union(*(g for _, g in tried.values())) - still
    state_ = entry.get("state", "not reported")
    clients = {finding["client"] for finding, _ in members}
    if state_ != "fixed since" and gone and not still and clients <= set(tried):
        state_ = f"fixed in {', '.join(sorted(gone))} or before"
    elsewhere = tracker(issues, root)
    where = "GitHub" + (f" {entry['searched']}" if "searched" in entry else "") if entry else "nothing yet"
    where += f"; not {elsewhere}" if elsewhere else ""
    title = members[0][1]["title"]
    return f"| [{title}](#{anchor(title)}) | {state_} | {entry.get('issue', '')} | {where} |"


def anchor(title):
    """The name of a heading in links."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def words(finding):
    """The values that a cause needs, short."""
    first = finding["dimensions"][0] if finding["dimensions"] else "the seed"
    listed = [v if len(v) < 60 else v[:57] + "…" for v in finding["values"][:4]]
    more = ", …" if len(finding["values"]) > 4 else ""
    text = (", " if len(finding["dimensions"]) == 1 else "; ").join(listed) + more
    return f"{first} = {text}" if len(finding["dimensions"]) == 1 else text or first


def client_row(client, found):
    """One row for a client: the smallest file, and all that is needed, each once."""
    finding, audited = min(found, key=lambda m: (FOLDER / m[0]["file"]).stat().st_size)
    kinds = sorted({f["outcome"] + (f": {f['difference']}" if f["difference"] else "") for f, _ in found})
    kind = ", ".join(kinds) + (", other pixels in each run" if any(f["varies"] for f, _ in found) else "")
    proof = audited["proof"]
    second = WRITERS[proof["writer"]] if proof["shows"] else "; ".join(proof["tried"])
    right = ", ".join(proof.get("right", [])) or "none of four"
    needs = " / ".join(dict.fromkeys(words(f) for f, _ in found)).replace("|", "\\|")
    file = f"[{finding['file']}](../corpus/findings/{finding['file']})"
    return f"| {client} {finding['version']} | {kind} | {needs} | {file} | {second} | {right} |"


def root_section(slug_, members, issues, newer):
    """The section of one root cause, and the ranks of its outcomes."""
    entry = members[0][1]
    out = ["", f"### {entry['title']}", "", entry["what"], "", f"**Demanded:** {entry['standard']}", ""]
    out += [f"**Seen:** {entry['evidence']}.", ""]
    out += ["| client | outcome | needs | smallest file | also written by | read rightly by |", "|---|---|---|---|---|---|"]
    clients = defaultdict(list)
    for finding, audited in members:
        clients[finding["client"]].append((finding, audited))
    out += [client_row(client, found) for client, found in clients.items()]
    tried = tries(members, newer).values()
    still, gone = (set().union(*(pair[k] for pair in tried)) for k in (0, 1))
    versions = [f"{', '.join(sorted(still))}: still"] if still else []
    versions += [f"{', '.join(sorted(gone - still))}: no longer"] if gone - still else []
    if versions:
        out += ["", f"**Newer versions:** {'; '.join(versions)}."]
    out += ["", f"**Public issues:** {known(issues, slug_)}."]
    return min(RANK.index(f["outcome"]) for f, _ in members), out


def page(args):
    run = json.loads((FOLDER / "run.json").read_text())
    audit = {key(a): a for a in lines(AUDIT)}
    issues = tomllib.loads((ROOT / "corpus/known-issues.toml").read_text())
    newer = defaultdict(list)
    for line in lines(FOLDER / "newer.jsonl"):
        newer[line["client"], line["file"]].append(line)
    roots = defaultdict(list)
    for finding in lines(FINDINGS):
        if audit[key(finding)]["verdict"] == "bug":
            roots[audit[key(finding)]["root"]].append((finding, audit[key(finding)]))
    several = sum(min(len(f["dimensions"]) for f, _ in members) > 1 for members in roots.values())
    findings = [f for members in roots.values() for f, _ in members]
    compared = sum(f["verdict"] not in BLAMED for f in findings)
    verdicts = run["verdicts"]
    decided = sum(verdicts.values()) - verdicts["undecided"]
    names = ", ".join(f"`{name}`" for name in dict.fromkeys(run["seeds"]))
    out = [
        "# Findings in readers of TIFF",
        "",
        f"{len(roots)} root causes in {len({f['client'] for f in findings})} of {len(run['clients'])} clients; {several} of them need two or more dimensions together.",
        "A root cause is a fault that several causes share; a cause is one client, one outcome, one kind of difference and one",
        "minimal set of [dimensions](tiff.md#what-is-varied).",
        "",
        "Each published cause was judged a bug by the words of TIFF 6.0 or its supplements, from the pixels of its smallest file.",
        "Several readers have judged, each some clients. A second reader, who had no part in the first verdict, decoded the files of 60",
        "causes drawn at random from an earlier collection and ran the clients without repfuzz's programs: 58 are bugs, 2 are not, and of",
        "34 the text named the trigger inexactly, which has been corrected. A third reader, with a decoder written from TIFF 6.0, decoded every",
        "file and its seed to equal pictures, and ran the clients of 30 root causes, drawn at random, by their own interfaces: each of",
        "the 30 misreads or refuses a valid file; of 10 the text named the trigger inexactly, which has been corrected.",
        "Each has a second proof: another program (libtiff or tifffile), or a layout by hand of the same segments, wrote the file",
        "in the same representation, and the client fails on that copy, too. The last column of the tables names those of four",
        "other readers (image-tiff, GDAL, GraphicsMagick, tifffile) that read the copy as repfuzz does.",
        "",
        f"The run: {names}; {run['variants']}. For {run['blamed']} causes repfuzz blamed",
        "the file, the seed or both. The audit has decided:",
        "",
        "| verdict | causes |",
        "|---|---:|",
        *[f"| {v} | {verdicts[v]} |" for v in VERDICTS],
        *([f"| not audited: not published | {run['blamed'] - run['audited']} |"] if run["blamed"] != run["audited"] else []),
        "",
        f"{verdicts['bug']} of the {decided} decided ones are bugs ({100 * verdicts['bug'] / decided:.0f} %). Not counted: {run['unknown']} causes of",
        f"clients whose conventions are unknown (compared with themselves), {run['precision']} that only lose precision, {run['unsteady']} unsteady results",
        f"without a minimal cause, and {run['limits']} limits, which are features that a client reports not to support. Of these only",
        f"{compared} of the first kind are published: the audit has found them to be bugs. Root causes that earlier runs met, and",
        "this one did not, stay on this page.",
        "",
        "Each file is next to an equivalent seed file in [corpus/findings](../corpus/findings); `findings.jsonl` there lists them for",
        "programs, and `audit.jsonl` has the verdict on every audited cause. `scripts/findings.py` writes this page. The ten reports",
        "that are fit to be sent first are in [upstream](upstream/README.md).",
    ]
    sections = []
    for name, members in roots.items():
        members.sort(key=lambda m: (RANK.index(m[0]["outcome"]), m[0]["client"]))
        rank, text = root_section(name, members, issues, newer)
        sections.append((rank, -len(members), name, text))
    last = None
    for rank, _, _, text in sorted(sections):
        if rank != last:
            out += ["", f"## {HEADINGS[RANK[rank]]}"]
            last = rank
        out += text
    rows = [state(name, members, issues, newer) for name, members in roots.items()]
    counts = Counter(re.match("not reported|public before|fixed", row.split(" | ")[1])[0] for row in rows)
    out += [
        "",
        "## State upstream",
        "",
        f"{counts['not reported']} root causes are not reported, {counts['public before']} were public before, {counts['fixed']} are fixed in a newer version than the one that was run. Each was",
        "searched for in threads of GitHub, on the day that is given where it is recorded. An issue on something else that is *related only*",
        "is the nearest that was found.",
        "",
        "| root cause | state | issue | searched |",
        "|---|---|---|---|",
        *sorted(rows, key=str.lower),
    ]
    (ROOT / "docs/findings.md").write_text("\n".join(out) + "\n")
    print(f"{len(roots)} root causes, {several} of several dimensions, {len(findings)} causes; {Counter(f['outcome'] for f in findings)}")


def issue(finding, repfuzz):
    """The text of an issue for the client's tracker, as repfuzz writes it for the finding's file;
    None if the file shows another cause now, or not in every run."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        file = Path(folder) / finding["file"]
        file.write_bytes((FOLDER / finding["file"]).read_bytes())
        command = [repfuzz, "fuzz", str(file), "--clients", finding["client"], "-n", "1", "--report", str(report)]
        subprocess.run(command, capture_output=True, check=False, timeout=900)
        for cause in lines(report / "results.jsonl"):
            if cause["record"] != "cause" or not steady(cause) or cause["outcome"] != finding["outcome"]:
                continue
            if not set(finding["dimensions"]) <= set(cause["dimensions"]) | set(cause["choices"]):
                continue
            number = Path(cause["file"]).name.split("-")[0]
            page_ = next((report / "causes").glob(f"{number}-*.html")).read_text()
            found = re.findall(r"<(?:textarea|pre)[^>]*>(.*?)</(?:textarea|pre)>", page_, re.S)
            return next(html.unescape(text).strip() for text in found if "## Steps to reproduce" in text)
    return None


def upstream(args):
    audit = {key(a): a for a in lines(AUDIT)}
    issues = tomllib.loads((ROOT / "corpus/known-issues.toml").read_text())
    newer = lines(FOLDER / "newer.jsonl")
    folder = ROOT / "docs/upstream"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    rows = []
    for root, client in UPSTREAM:
        members = [f for f in lines(FINDINGS) if audit[key(f)]["root"] == root]
        mine = [f for f in members if f["client"] == client]
        mine.sort(key=lambda f: (RANK.index(f["outcome"]) == 4, (FOLDER / f["file"]).stat().st_size))
        texts = ((f, issue(f, args.repfuzz)) for f in mine)
        finding, text = next(((f, t) for f, t in texts if t), (None, None))
        if not finding:
            print(f"{root}: no file shows it in every run", file=sys.stderr)
            continue
        entry = audit[key(finding)]
        others = sorted({f"{f['client']} {f['version']}" for f in members if f["client"] != client})
        places = {(f["client"], f["file"]) for f in members}
        seen = [n for n in newer if (n["client"], n["file"]) in places]
        still = {(n["newer"].removesuffix("-sid"), n["version"]) for n in seen if n["still"]}
        gone = {(n["newer"].removesuffix("-sid"), n["version"]) for n in seen} - still
        tried = [f"{n} {v}: still" for n, v in sorted(still)] + [f"{n} {v}: no longer" for n, v in sorted(gone)]
        text += f"\n\n## The standard\n\n{entry['standard']}\n"
        text += f"\n## Versions\n\n- {finding['client']} {finding['version']}: shows it\n"
        text += "".join(f"- {line}\n" for line in tried if f"{finding['client']} {finding['version']}" not in line)
        if others:
            text += f"\nAlso in {', '.join(others)}.\n"
        writer = WRITERS[entry["proof"]["writer"]]
        text += f"\n## Second proof\n\nThe file as written by another program ({writer}) in the same representation gives the same result."
        right = entry["proof"].get("right", [])
        text += f" {', '.join(right)} read it rightly.\n" if right else "\n"
        text += f"\n## Known issues\n\n{known(issues, root)}.\n"
        if len(rows) == 10:
            break
        name = f"{len(rows) + 1:02}-{root}.md"
        (folder / name).write_text(text)
        rows.append(f"| {len(rows) + 1} | [{entry['title']}]({name}) | {client} {finding['version']} | {finding['outcome']} |")
        print(name, flush=True)
    head = [
        "# Reports for maintainers",
        "",
        "Ten root causes of [findings](../findings.md), the best first: each file is the text that would be pasted into the",
        "project's tracker. `scripts/findings.py upstream` writes them from the reports of `repfuzz fuzz` on the published files.",
        "",
        "| | report | seen in | outcome |",
        "|---:|---|---|---|",
    ]
    (folder / "README.md").write_text("\n".join(head + rows) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("collect")
    one.add_argument("reports", nargs="+")
    one.add_argument("--clients", required=True)
    one.add_argument("--variants", default="200 variants of each", help="the amount of the run, in words")
    one.set_defaults(run=collect)
    two = commands.add_parser("prove")
    two.add_argument("--repfuzz", default=str(ROOT / "target/release/repfuzz"))
    two.add_argument("--python", default=sys.executable, help="one that has tifffile")
    two.add_argument("--jobs", type=int, default=2)
    two.set_defaults(run=prove)
    commands.add_parser("page").set_defaults(run=page)
    four = commands.add_parser("upstream")
    four.add_argument("--repfuzz", default=str(ROOT / "target/release/repfuzz"))
    four.set_defaults(run=upstream)
    args = parser.parse_args()
    args.run(args)


main()
