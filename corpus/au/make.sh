#!/bin/sh
# Makes the seeds of AU from a few samples, by the programs that their names begin with: FFmpeg 5.1.9, libsndfile
# 1.2.0 (sndfile-convert), Python 3.11's sunau, SoX 14.4.2.
set -e
cd "$(dirname "$0")"
samples='bytes(k * k * 7 % 256 for k in range(36))'
/usr/bin/python3 -W ignore -c '
import sunau
with sunau.open("py16.au", "wb") as out:
    out.setparams((2, 2, 8000, 0, "NONE", ""))
    out.writeframes('"$samples"')
'
/usr/bin/python3 -c "import sys; sys.stdout.buffer.write($samples[:9])" | sox -t s8 -c 1 -r 8000 - sox8.au
sox py16.au -b 24 sox24.au
ffmpeg -v error -y -i py16.au -c:a pcm_s24be ff24.au
sndfile-convert -pcm32 py16.au snd32.au
