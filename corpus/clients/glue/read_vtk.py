"""VTK: the array as it comes."""

import pam

with pam.needed():
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOImage import vtkTIFFReader


def read(file):
    reader = vtkTIFFReader()
    reader.SetFileName(file)
    reader.Update()
    if reader.GetErrorCode():
        raise ValueError(f"error {reader.GetErrorCode()}")
    picture = reader.GetOutput()
    width, height, _ = picture.GetDimensions()
    samples = vtk_to_numpy(picture.GetPointData().GetScalars())
    return pam.array(samples.reshape(height, width, -1))


pam.run(read)
