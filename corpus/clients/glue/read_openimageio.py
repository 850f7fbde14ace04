"""OpenImageIO: the first picture turned as the file says, colours and alpha, at full depth, alpha not
multiplied in."""

import pam

with pam.needed():
    import numpy
    import OpenImageIO as oiio


def read(file, subimage=0):
    config = oiio.ImageSpec()
    config.attribute("oiio:UnassociatedAlpha", 1)
    source = oiio.ImageBuf(file, subimage, 0, config)
    # The copy has no error if the source cannot be read: it would be of memory that nothing has written.
    if not source.read(subimage, 0, True) or source.has_error:
        raise ValueError(source.geterror())
    return shown(oiio.ImageBufAlgo.reorient(source))


def shown(picture):
    if picture.has_error:
        raise ValueError(picture.geterror())
    spec = picture.spec()
    kind = oiio.UINT8 if spec.format.basetype == oiio.UINT8 else oiio.UINT16
    samples = picture.get_pixels(kind)
    keep = [0, 1, 2] if samples.shape[2] >= 3 else [0]
    if spec.alpha_channel >= 0:
        keep.append(spec.alpha_channel)
    if samples.dtype != ("uint8" if kind == oiio.UINT8 else "uint16"):
        raise pam.GlueFailure(f"samples of type {samples.dtype}")
    return pam.array(samples[:, :, keep])


def pages(file):
    source = oiio.ImageInput.open(file)
    count = 0
    while source.seek_subimage(count, 0):
        count += 1
    source.close()
    return [read(file, subimage) for subimage in range(count)]


def metadata(file):
    source = oiio.ImageInput.open(file)
    spec = source.spec()
    names = ("ImageDescription", "Orientation", "XResolution", "YResolution", "ResolutionUnit")
    found = {name: spec.getattribute(name) for name in names}
    profile = spec.getattribute("ICCProfile")
    source.close()
    return {**found, "ICCProfile": None if profile is None else bytes(numpy.asarray(profile).view("u1"))}


pam.run(read, pages=pages, metadata=metadata)
