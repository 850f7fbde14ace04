#!/usr/bin/env python3
"""Fetches a set of TIFF files of public repositories, as seeds to measure on.

    fetch_seeds.py LIST OUT [--mirror DIR] [--url URL]

LIST has a line of JSON for each file: its repository (OWNER/NAME), the commit, the path, the SHA-256
and the size. OUT gets the files, each named by the first 16 digits of its digest; files that it has
already are kept, so that an interrupted run can be continued. Each repository is fetched once, at the
commit listed, without history and without large files, and removed again.

With --mirror, nothing is fetched: the files come from git directories that are on the machine, which
lie anywhere below DIR/OWNER+NAME. URL is where repositories are fetched from (https://github.com).

A file that cannot be had, or whose digest is not the one listed, is reported and not written; the
exit status is then 1. The files have the licences of their repositories.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

# Larger files are not fetched. No file of a list is larger.
LIMIT = "4m"


def git(folder, *args):
    return subprocess.run(["git", "--git-dir", folder, *args], check=True, capture_output=True)


def mirrored(mirror, repo):
    """The git directory of a repository below the mirror."""
    heads = sorted((mirror / repo.replace("/", "+")).rglob("HEAD"), key=lambda path: len(path.parts))
    for head in heads:
        if (head.parent / "objects").is_dir():
            return head.parent
    raise LookupError("it is not in the mirror")


def fetched(url, repo, commit, folder):
    """The git directory of a repository, fetched at a commit."""
    git(folder, "init", "--quiet", "--bare")
    git(folder, "fetch", "--quiet", "--depth=1", f"--filter=blob:limit={LIMIT}", f"{url}/{repo}", commit)
    return folder


def blobs(folder, commit, paths):
    """The contents of files of a commit; None for one that is missing."""
    for path in paths:
        try:
            yield path, git(folder, "cat-file", "blob", f"{commit}:{path}").stdout
        except subprocess.CalledProcessError:
            yield path, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mirror", type=Path)
    parser.add_argument("--url", default="https://github.com")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)

    sources, have, total, failed = defaultdict(dict), 0, 0, []
    for record in map(json.loads, args.list.read_text().splitlines()):
        total += 1
        file = args.out / f"{record['sha256'][:16]}.tif"
        if file.exists() and hashlib.sha256(file.read_bytes()).hexdigest() == record["sha256"]:
            have += 1
        else:
            sources[record["repo"], record["commit"]][record["path"]] = (record["sha256"], file)

    for (repo, commit), files in sorted(sources.items()):
        with tempfile.TemporaryDirectory() as scratch:
            try:
                folder = mirrored(args.mirror, repo) if args.mirror else fetched(args.url, repo, commit, scratch)
            except (LookupError, subprocess.CalledProcessError) as error:
                reason = (getattr(error, "stderr", None) or str(error).encode()).decode(errors="replace").strip()
                failed += [f"{repo} {path}: {reason.splitlines()[-1]}" for path in files]
                continue
            for path, data in blobs(folder, commit, files):
                digest, file = files[path]
                if data is None:
                    failed.append(f"{repo} {path}: missing at {commit[:12]}")
                elif hashlib.sha256(data).hexdigest() != digest:
                    failed.append(f"{repo} {path}: another digest")
                else:
                    file.write_bytes(data)
                    have += 1
        print(f"{repo}: {len(files)} files", file=sys.stderr)

    for line in failed:
        print(line, file=sys.stderr)
    print(f"{have} of {total} files")
    sys.exit(have != total)


if __name__ == "__main__":
    main()
