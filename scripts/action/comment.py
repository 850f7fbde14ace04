#!/usr/bin/env python3
"""Reports what got worse in a night: to the job's summary, and as a comment on a pull request: comment.py REPORT.

It reads results.sarif in the folder REPORT, and what GitHub gives a step: GITHUB_EVENT_NAME, GITHUB_EVENT_PATH,
GITHUB_REPOSITORY, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT and the address of the run. COMMENT=false leaves out the comment. There is one
comment on a pull request, which later runs replace; without a finding none is begun. It is written by `gh`.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

#: The first line of the comment, by which it is found again.
MARK = "<!-- repfuzz nightly -->"
#: Findings that are listed.
MOST = 25
STATES = {"new": "new", "updated": "worse"}


def code(text, most=200):
    """Text from outside as code, in which nothing is a link, a mention or the end of a cell."""
    # Messages of SARIF escape brackets, which would be links.
    text = re.sub(r"\\([\\\[\]])", r"\1", str(text))
    text = re.sub(r"[\s`|<>\\]+", " ", str(text)).strip()
    return f"`{text[:most]}`" if text else ""


def findings(results):
    """New and worse findings, the former first; not those that are accepted."""
    shown = [r for r in results if r.get("baselineState") in STATES and not r.get("suppressions")]
    return sorted(shown, key=lambda r: list(STATES).index(r["baselineState"]))


def body(run, address):
    """Returns the number of findings, and the text."""
    worse = findings(run["results"])
    notes = [n for i in run.get("invocations", []) for n in i.get("toolExecutionNotifications", [])]
    lost = [n["message"]["text"] for n in notes if n.get("level") == "error"]
    lines = [MARK, "### repfuzz: equivalent files"]
    if worse:
        lines += [
            f"{len(worse)} new or worse {'finding' if len(worse) == 1 else 'findings'} beside the nights of the default branch: "
            "a client does not decode a file as it decodes one that means the same.",
            "",
            "| | client | outcome | finding | example |",
            "|---|---|---|---|---|",
        ]
    else:
        lines.append("Nothing got worse beside the nights of the default branch.")
    for result in worse[:MOST]:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        cells = [STATES[result["baselineState"]], code(result["properties"]["client"]), code(result["ruleId"])]
        cells += [code(result["message"]["text"]), code(place)]
        lines.append("| " + " | ".join(cells) + " |")
    if len(worse) > MOST:
        lines.append(f"\n{len(worse) - MOST} more are in the report.")
    lines += ["", *(f"Lost coverage: {code(text, 400)}" for text in lost[:MOST])]
    if address:
        lines.append(f"\nExamples, the files that they differ from, and the report are among the [files of the run]({address}).")
    return len(worse), len(lost), "\n".join(lines) + "\n"


def gh(*arguments, text=None):
    return subprocess.run(["gh", "api", *arguments], input=text, capture_output=True, text=True, check=True).stdout


def comment(repository, number, text, begin):
    """Replaces the comment on a pull request, or begins one."""
    place = f"repos/{repository}/issues/{number}/comments"
    query = f'.[] | select((.body // "" | startswith("{MARK}")) and .user.type == "Bot") | .id'
    known = gh("--paginate", f"{place}?per_page=100", "--jq", query).split()
    message = json.dumps({"body": text})
    if known:
        gh("--method", "PATCH", f"repos/{repository}/issues/comments/{known[0]}", "--input", "-", text=message)
    elif begin:
        gh("--method", "POST", place, "--input", "-", text=message)


def main(report):
    sarif = json.loads((Path(report) / "results.sarif").read_text())
    environment = os.environ.get
    run_id = environment("GITHUB_RUN_ID")
    repository = environment("GITHUB_REPOSITORY", "")
    address = f"{environment('GITHUB_SERVER_URL', 'https://github.com')}/{repository}/actions/runs/{run_id}" if run_id else ""
    worse, lost, text = body(sarif["runs"][0], address)
    for name, line in (("GITHUB_STEP_SUMMARY", text), ("GITHUB_OUTPUT", f"worse={worse}\n")):
        if path := environment(name):
            with open(path, "a") as file:
                file.write(line)
    if environment("COMMENT", "true") != "true" or environment("GITHUB_EVENT_NAME") != "pull_request":
        return
    number = int(json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text())["pull_request"]["number"])
    try:
        comment(repository, number, text, begin=worse + lost > 0)
    except (OSError, subprocess.CalledProcessError) as why:
        # The token of a pull request from a fork cannot write: the summary has it all.
        said = (getattr(why, "stderr", "") or str(why)).strip().splitlines()
        print(f"::warning::no comment on the pull request could be written: {' '.join(said)[:200]}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: comment.py REPORT")
    try:
        main(sys.argv[1])
    except (OSError, ValueError, KeyError, IndexError) as why:
        sys.exit(f"error: {sys.argv[1]}: results.sarif or the event could not be read: {why!r}")
