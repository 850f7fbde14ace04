#!/usr/bin/env bash
# Runs a night for the action: CONFIG, FAIL_ON (may be empty). The step succeeds if the night ran, whatever it found; its
# status is an output, with which a later step fails.
set -euo pipefail

arguments=("$CONFIG")
if [ -n "${FAIL_ON:-}" ]; then
    arguments+=(--fail-on "$FAIL_ON")
fi
status=0
repfuzz nightly "${arguments[@]}" || status=$?
if [ "$status" -gt 1 ]; then
    echo "::error::repfuzz nightly could not run the night of $CONFIG"
    exit "$status"
fi
echo "status=$status" >> "$GITHUB_OUTPUT"
