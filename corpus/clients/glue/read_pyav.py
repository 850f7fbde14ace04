"""FFmpeg by PyAV: the first frame as RGBA, of 16 bits where the frame has more than 8."""

import pam

with pam.needed():
    import av


def read(file):
    with av.open(file) as container:
        for frame in container.decode(video=0):
            deep = any(component.bits > 8 for component in frame.format.components)
            picture = frame.to_ndarray(format="rgba64le" if deep else "rgba")
            return pam.array(picture)
    raise ValueError("no frame")


pam.run(read)
