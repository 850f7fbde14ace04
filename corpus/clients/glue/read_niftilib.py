"""The volume in a file of NIfTI, as nifti_tool of niftilib copies it: in the machine's byte order."""

import os
import shutil
import struct
import subprocess
import tempfile

import pam
import volumes

with pam.needed():
    import numpy

    if shutil.which("nifti_tool") is None:
        raise ImportError("nifti_tool")

KINDS = {2: "u1", 4: "<i2", 8: "<i4", 512: "<u2", 768: "<u4"}


def read(file):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.nii")
        command = ["nifti_tool", "-copy_im", "-prefix", copy, "-infiles", file]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode or not os.path.exists(copy):
            raise ValueError((done.stderr or done.stdout).strip().replace(file, "FILE"))
        with open(copy, "rb") as stored:
            data = stored.read()
    sizes = struct.unpack_from("<3h", data, 42)
    (kind,) = struct.unpack_from("<h", data, 70)
    (place, slope, intercept) = struct.unpack_from("<3f", data, 108)
    voxels = numpy.frombuffer(data[int(place) :], KINDS[kind])
    if slope != 0 and (slope, intercept) != (1, 0):
        voxels = voxels * slope + intercept
    return volumes.encode(sizes, voxels)


pam.serve(read)
