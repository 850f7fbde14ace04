#!/bin/sh
# Makes the seeds of AIFF and AIFF-C from a few samples, by the programs that their names begin with: libaudiofile 0.3.6
# (af), FFmpeg 5.1.9 (ff), Python 3.11's aifc (py), libsndfile 1.2.0 (snd), SoX 14.4.2 (sox).
set -e
cd "$(dirname "$0")"
samples='bytes(k * k * 7 % 256 for k in range(36))'
/usr/bin/python3 -W ignore -c '
import aifc
for kind in ["aiff", "aifc"]:
    with aifc.open({"aiff": "py16.aiff", "aifc": "py16c.aiff"}[kind], "wb") as out:
        getattr(out, kind)()
        out.setparams((2, 2, 8000, 0, b"NONE", b"not compressed"))
        out.writeframes('"$samples"')
'
# SoX does not count the padding of an odd SSND in the size of FORM: an even number of bytes.
/usr/bin/python3 -c "import sys; sys.stdout.buffer.write($samples[:8])" | sox -t s8 -c 1 -r 8000 - sox8.aiff
sox py16.aiff -b 24 sox24.aiff
ffmpeg -v error -y -i py16.aiff -bitexact ff16.aiff
ffmpeg -v error -y -i py16.aiff -bitexact -c:a pcm_s16le ff16le.aiff
ffmpeg -v error -y -i py16.aiff -bitexact -c:a pcm_s24be ff24.aiff
sndfile-convert -pcm32 py16.aiff snd32.aiff
sfconvert py16.aiff af16.aiff format aiff > /dev/null
