"""VTK: the first page as it comes. An error of which it tells its observers alone is one."""

import pam
import tags

with pam.needed():
    from vtkmodules.util.misc import calldata_type
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOImage import vtkTIFFReader


def read(file):
    reader = vtkTIFFReader()
    errors = []

    @calldata_type("string0")
    def failed(caller, event, text):
        errors.append(text.strip())

    reader.AddObserver("ErrorEvent", failed)
    reader.SetFileName(file)
    reader.Update()
    if errors or reader.GetErrorCode():
        raise ValueError(errors[0] if errors else f"error {reader.GetErrorCode()}")
    picture = reader.GetOutput()
    width, height, pages = picture.GetDimensions()
    samples = vtk_to_numpy(picture.GetPointData().GetScalars())
    return pam.stored(samples.reshape(pages, height, width, -1)[0], tags.FirstPage(file))


pam.run(read)
