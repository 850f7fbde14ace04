#!/bin/sh
# Installs every client that repfuzz has a description of, on Debian or its kin.
# The packages are those that the descriptions name.
set -eu

folder=$(dirname "$0")/../corpus/clients
packages=$(sed -n 's/^install = \[\(.*\)\]$/\1/p' "$folder"/*.toml | tr -d '",' | tr ' ' '\n' | sort -u)

# shellcheck disable=SC2086 # words are wanted
DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $packages
