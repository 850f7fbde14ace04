# A viewer that refuses files with one of these tags on their first page, whatever its value. CC0.
#   repfuzz fuzz seed.tif --client 'mine=/usr/bin/python3 {here}/tag.py 274,296 PROGRAM {in} {out}'
# PROGRAM normalize FILE -o PICTURE decodes the others.
import os, struct, sys
refused, program, source, target = sys.argv[1:]
with open(source, 'rb') as f: d = f.read()
e = {b'II': '<', b'MM': '>'}[d[:2]]
big = struct.unpack(e + 'H', d[2:4])[0] == 43
at = struct.unpack(e + ('Q' if big else 'I'), d[8:16] if big else d[4:8])[0]
count = struct.unpack_from(e + ('Q' if big else 'H'), d, at)[0]
first, size = at + (8 if big else 2), 20 if big else 12
tags = {struct.unpack_from(e + 'H', d, first + k * size)[0] for k in range(count)}
if tags & {int(tag) for tag in refused.split(',')}: sys.exit('view: cannot parse this file')
os.execv(program, [program, 'normalize', source, '-o', target])
