#!/usr/bin/env python3
"""Tabulates the runs of scripts/measure-edges.sh: medians and ranges over run seeds."""

import json
import statistics
import sys
from pathlib import Path


# Edges are also counted after so many steps.
EARLY = 200


def run(report):
    """What one run counted."""
    records = [json.loads(line) for line in (report / "results.jsonl").read_text().splitlines()]
    edges = [r for r in records if r["record"] == "edges"][0]
    faults = [r for r in records if r["record"] == "cause" and not r.get("limit")]
    # Causes with the same dimensions and difference are one.
    causes = {(r["outcome"], r.get("difference"), tuple(r["dimensions"])) for r in faults}
    return {
        "runs": sum(r["record"] == "result" for r in records),
        "seed": edges["seed"],
        "beyond": set(edges["beyond"]),
        "early": sum(count for variant, count in edges["found"] if variant <= EARLY),
        "causes": causes,
    }


def spread(numbers):
    low, middle, high = min(numbers), statistics.median(numbers), max(numbers)
    return f"{middle:g}" if low == high else f"{middle:g} ({low}–{high})"


def main():
    print(f"| seed | its edges | order | runs | edges beyond, after {EARLY} steps | at the end | in any run | causes | in any run |")
    print("|---|---:|---|---:|---:|---:|---:|---:|---:|")
    for seed in sorted(Path(sys.argv[1]).iterdir()):
        for order in ["guided", "edges"]:
            runs = [run(report) for report in sorted(seed.glob(f"{order}-*")) if report.is_dir()]
            cells = [
                seed.name,
                str(runs[0]["seed"]),
                f"`{order}`",
                spread([r["runs"] for r in runs]),
                spread([r["early"] for r in runs]),
                spread([len(r["beyond"]) for r in runs]),
                str(len(set().union(*(r["beyond"] for r in runs)))),
                spread([len(r["causes"]) for r in runs]),
                str(len(set().union(*(r["causes"] for r in runs)))),
            ]
            print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
