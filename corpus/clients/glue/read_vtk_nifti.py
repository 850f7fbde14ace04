"""The volume in a file of NIfTI, as VTK reads it; its slope is given beside it."""

import pam
import volumes

with pam.needed():
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOImage import vtkNIFTIImageReader


def read(file):
    reader = vtkNIFTIImageReader()
    reader.SetFileName(file)
    reader.Update()
    if reader.GetErrorCode():
        raise ValueError(f"error {reader.GetErrorCode()}")
    data = reader.GetOutput()
    voxels = vtk_to_numpy(data.GetPointData().GetScalars())
    slope, intercept = reader.GetRescaleSlope(), reader.GetRescaleIntercept()
    # A slope of 0 means that there is none.
    if slope and (slope, intercept) != (1, 0):
        voxels = voxels * slope + intercept
    return volumes.encode(data.GetDimensions(), voxels)


pam.serve(read)
