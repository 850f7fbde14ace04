"""OpenImageIO: the first picture turned as the file says, colours and alpha, at full depth, alpha not
multiplied in."""

import pam

with pam.needed():
    import OpenImageIO as oiio


def read(file):
    config = oiio.ImageSpec()
    config.attribute("oiio:UnassociatedAlpha", 1)
    source = oiio.ImageBuf(file, 0, 0, config)
    # The copy has no error if the source cannot be read: it would be of memory that nothing has written.
    if not source.read(0, 0, True) or source.has_error:
        raise ValueError(source.geterror())
    picture = oiio.ImageBufAlgo.reorient(source)
    if picture.has_error:
        raise ValueError(picture.geterror())
    spec = picture.spec()
    deep = spec.format.basetype != oiio.UINT8
    samples = picture.get_pixels(oiio.UINT16 if deep else oiio.UINT8)
    keep = [0, 1, 2] if samples.shape[2] >= 3 else [0]
    if spec.alpha_channel >= 0:
        keep.append(spec.alpha_channel)
    if samples.dtype != ("uint16" if deep else "uint8"):
        raise pam.GlueFailure(f"samples of type {samples.dtype}")
    return pam.array(samples[:, :, keep])


pam.run(read)
