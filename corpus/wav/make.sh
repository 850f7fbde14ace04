#!/bin/sh
# Makes the seeds of WAV from a few samples, by the programs that their names begin with: FFmpeg 5.1.9, libsndfile
# 1.2.0 (sndfile-convert), Python 3.11's wave, SoX 14.4.2.
set -e
cd "$(dirname "$0")"
samples='bytes(k * k * 7 % 256 for k in range(36))'
/usr/bin/python3 -c '
import wave
with wave.open("py16.wav", "wb") as out:
    out.setparams((2, 2, 8000, 0, "NONE", ""))
    out.writeframes('"$samples"')
'
# Of an odd number of bytes, which Python does not fill up.
/usr/bin/python3 -c "import sys; sys.stdout.buffer.write($samples[:9])" | sox -t u8 -c 1 -r 8000 - sox8.wav
sox py16.wav -b 24 sox24.wav
ffmpeg -v error -y -i py16.wav -c:a pcm_s24le ff24.wav
ffmpeg -v error -y -i sox8.wav -c:a pcm_s16le ff16.wav
sndfile-convert -pcm32 py16.wav snd32.wav
