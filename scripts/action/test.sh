#!/usr/bin/env bash
# Tests the scripts of the action, with a false event and with programs `gh` and `repfuzz` in the place of the real ones. The
# results are those of a snapshot of repfuzz. Without Python 3.11, this is said, and nothing runs.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
python3 -c 'import tomllib' 2>/dev/null || { echo "SKIPPED test-action all: there is no Python 3.11"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin report
snapshot="$here/../../reports/src/nightly/outputs/snapshots/reports__nightly__outputs__sarif__tests__it_has_this_shape.snap"
awk 'seen == 2; /^---$/ { seen++ }' "$snapshot" > results.sarif
cp results.sarif report

fail() { echo "FAILED: $1"; exit 1; }
expect() { grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 has no: $2"; }; }
lacks() { if grep -qF -- "$2" "$1"; then cat "$1"; fail "$1 has: $2"; fi; }

# `gh` records its arguments and its input. It prints the file `known`, or fails if there is a file `refuses`.
cat > bin/gh <<'GH'
#!/usr/bin/env bash
echo "$*" >> gh.log
if [ -e refuses ]; then echo "HTTP 403: Resource not accessible by integration" >&2; exit 1; fi
case "$*" in
    *--jq*) cat known 2>/dev/null || true ;;
    *) cat > gh.input ;;
esac
GH
cat > bin/repfuzz <<'REPFUZZ'
#!/usr/bin/env bash
echo "$*" > repfuzz.log
exit "$(cat status)"
REPFUZZ
chmod +x bin/*
export PATH="$work/bin:$PATH" GITHUB_OUTPUT=output GITHUB_STEP_SUMMARY=summary GITHUB_EVENT_NAME=pull_request \
    GITHUB_EVENT_PATH=event.json GITHUB_REPOSITORY=someone/decoder GITHUB_SERVER_URL=https://github.com GITHUB_RUN_ID=7
echo '{"pull_request": {"number": 12}}' > event.json
fresh() { rm -f gh.log gh.input output summary known refuses said; }

# A night: what it finds is a status, and what it cannot do an error.
for status in 0 1; do
    fresh
    echo "$status" > status
    CONFIG=nightly.toml FAIL_ON=new,worse "$here/night.sh"
    expect output "status=$status"
    expect repfuzz.log "nightly nightly.toml --fail-on new,worse"
done
fresh
echo 2 > status
if CONFIG=ci/nightly.toml FAIL_ON= "$here/night.sh" > said; then fail "an error of repfuzz is none of the step"; fi
expect said "::error::repfuzz nightly could not run the night of ci/nightly.toml"
lacks repfuzz.log "--fail-on"

# Paths are relative to the configuration.
mkdir -p ci
printf 'store = "nights.sqlite"\n' > ci/nightly.toml
"$here/paths.py" ci/nightly.toml > said
expect said "store=ci/nights.sqlite"
expect said "report=ci/nightly-report"
if "$here/paths.py" missing.toml 2> said; then fail "a missing file is read"; fi
expect said "error: missing.toml"

# The key of the program's cache is that of the sources, wherever they are, and not of what is built from them.
mkdir -p sources/src moved/src sources/target
echo 'fn main() {}' | tee sources/src/main.rs > moved/src/main.rs
echo built > sources/target/program
"$here/digest.sh" sources > digest
"$here/digest.sh" moved > said
cmp -s digest said || fail "the digest is that of the folder"
expect "$here/../../action.yml" '${{ steps.sources.outputs.digest }}'
echo 'fn main() { }' > moved/src/main.rs
"$here/digest.sh" moved > said
if cmp -s digest said; then fail "other sources have the same digest"; fi
[[ $(cat digest) =~ ^digest=[0-9a-f]{64}$ ]] || fail "the digest is no digest"

# A first comment is begun, and the next one replaces it.
fresh
"$here/comment.py" report
expect gh.log "--method POST repos/someone/decoder/issues/12/comments"
number=$(sed -n 's/^worse=//p' output)
[ "$number" -gt 0 ] || fail "nothing is worse in the snapshot"
expect summary "$number new or worse finding"
expect summary "https://github.com/someone/decoder/actions/runs/7"
python3 - <<'PYTHON'
import json
text = json.load(open("gh.input"))["body"]
assert text == open("summary").read() and text.startswith("<!-- repfuzz nightly -->\n"), text
# The snapshot has HTML and marks of tables in its names: in code they are text, and no line ends inside of it.
rows = [line for line in text.splitlines() if line.startswith("| new") or line.startswith("| worse")]
assert rows and all(row.count("|") == 6 and row.count("`") % 2 == 0 and "<" not in row for row in rows), rows
PYTHON
fresh
echo 4711 > known
"$here/comment.py" report
expect gh.log "--method PATCH repos/someone/decoder/issues/comments/4711"
lacks gh.log "POST"

# Nothing got worse: no comment is begun, but one that there is says so.
python3 - <<'PYTHON'
import json
sarif = json.load(open("results.sarif"))
run = sarif["runs"][0]
run["results"] = [r for r in run["results"] if r["baselineState"] not in ("new", "updated")]
run["invocations"][0]["toolExecutionNotifications"] = []
json.dump(sarif, open("report/results.sarif", "w"))
PYTHON
fresh
"$here/comment.py" report
expect output "worse=0"
lacks gh.log "POST"
fresh
echo 4711 > known
"$here/comment.py" report
expect gh.log "PATCH"
expect gh.input "Nothing got worse"

# The token of a fork cannot write, a push has no comments, and COMMENT=false leaves them out.
cp results.sarif report
fresh
touch refuses
"$here/comment.py" report > said
expect said "::warning::no comment on the pull request could be written: HTTP 403"
expect summary "new or worse"
for setting in GITHUB_EVENT_NAME=push COMMENT=false; do
    fresh
    env "$setting" "$here/comment.py" report
    [ ! -e gh.log ] || fail "$setting: a comment was written"
    expect summary "new or worse"
done

# A report that is none is an error in one line.
echo '{' > report/results.sarif
if "$here/comment.py" report 2> said; then fail "damaged results are read"; fi
expect said "error: report: results.sarif"
[ "$(wc -l < said)" -eq 1 ] || fail "an error has several lines"
echo "ok: the scripts of the action"
