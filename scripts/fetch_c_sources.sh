#!/usr/bin/env bash
# Fetches Debian's source packages that docs/program.md measures the C front end on, and configures those whose headers
# need it. Usage: scripts/fetch_c_sources.sh [DIR]; DIR is target/c-sources by default. Nothing is installed, and nothing
# is written outside of DIR. Needs apt, dpkg-dev and a C compiler.
set -euo pipefail

dir=${1:-target/c-sources}
mkdir -p "$dir/apt/lists/partial"
dir=$(cd "$dir" && pwd)
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# The lists of source packages, in DIR alone.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb-src [signed-by=$keyring] $mirror $suite main" > "$dir/apt/sources.list"
apt=(-o "Dir::Etc::SourceList=$dir/apt/sources.list" -o "Dir::Etc::SourceParts=-" -o "Dir::State::Lists=$dir/apt/lists"
     -o "Dir::Cache=$dir/apt" -o "APT::Sandbox::User=root")
apt-get "${apt[@]}" update -qq

cd "$dir"
for package in gzip bzip2 tiff leptonlib libgd2 libsdl2-image netpbm-free graphicsmagick; do
    if compgen -G "${package%-free}*/" > /dev/null || compgen -G "$package-*/" > /dev/null; then
        continue
    fi
    apt-get "${apt[@]}" source -qq --only-source "$package" || echo "not fetched: $package" >&2
done

# Headers that configure writes. A package that cannot be configured is measured without them.
for folder in gzip-* tiff-* leptonlib-* libgd2-* GraphicsMagick-* graphicsmagick-*; do
    [ -d "$folder" ] || continue
    [ -x "$folder/configure" ] || continue
    compgen -G "$folder/config.status" > /dev/null && continue
    (cd "$folder" && ./configure -q > configure.out 2>&1) || echo "not configured: $folder" >&2
    # gnulib's headers are made by make.
    if [ -f "$folder/lib/gnulib.mk" ] || [ -f "$folder/lib/Makefile" ]; then
        (cd "$folder" && make -s -C lib > make.out 2>&1) || true
    fi
done
ls -d -- */
