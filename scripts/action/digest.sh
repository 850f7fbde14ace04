#!/usr/bin/env bash
# Prints `digest=…`, which identifies the sources in a folder, for the key of the program's cache. Usage: digest.sh FOLDER
set -euo pipefail

cd "${1:?usage: digest.sh FOLDER}"
# Not by git: an action is fetched as an archive, without history.
digest=$(find . \( -name .git -o -name target \) -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
echo "digest=${digest%% *}"
