"""OpenImageIO: turned as the file says, colours and alpha, at full depth."""

import pam

with pam.needed():
    import OpenImageIO as oiio


def read(file):
    picture = oiio.ImageBufAlgo.reorient(oiio.ImageBuf(file))
    if picture.has_error:
        raise ValueError(picture.geterror())
    spec = picture.spec()
    deep = spec.format.basetype != oiio.UINT8
    samples = picture.get_pixels(oiio.UINT16 if deep else oiio.UINT8)
    keep = [0, 1, 2] if samples.shape[2] >= 3 else [0]
    if spec.alpha_channel >= 0:
        keep.append(spec.alpha_channel)
    return pam.array(samples[:, :, keep])


pam.run(read)
