#!/bin/sh
# Makes the seeds of tar, by the programs that their names begin with: bsdtar 3.6.2, GNU tar 1.34, Python 3.11.
set -e
cd "$(dirname "$0")"
made=$(mktemp -d)
here=$PWD
cd "$made"
mkdir -p folder/with/a/long/name
printf 'one line\n' >a
: >folder/empty
head -c 600 /dev/zero | tr '\0' x >"folder/with/a/long/name/$(printf '%090d' 0).txt"
chmod 644 a folder/empty folder/with/a/long/name/*
chmod 755 a
touch -d @951782400 a folder/empty folder/with/a/long/name/*
files=$(find . -type f | sort | sed 's,^\./,,')
for format in ustar gnu; do
	tar --format=$format --numeric-owner --owner=1000 --group=100 -b 1 -cf "$here/$format.tar" $files
done
tar --format=v7 --numeric-owner --owner=1000 --group=100 -cf "$here/v7.tar" a folder/empty
bsdtar --format=pax --uid 1000 --gid 100 --numeric-owner -cf "$here/bsd.tar" $files
/usr/bin/python3 -c '
import sys, tarfile
def plain(info):
    info.uid, info.gid, info.uname, info.gname = 1000, 100, "", ""
    return info
with tarfile.open(sys.argv[1], "w", format=tarfile.PAX_FORMAT) as out:
    for name in sys.argv[2:]:
        out.add(name, filter=plain)
' "$here/py.tar" $files
rm -r "$made"
