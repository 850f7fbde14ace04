#!/bin/sh
# Makes the seeds of NIfTI-1 from a small volume, by the programs that their names begin with: nibabel 5.0.0 (nib),
# SimpleITK 2.5.7 (sitk), VTK 9.7.2 (vtk). ITK_PYTHON and VTK_PYTHON are Pythons that have them.
set -e
cd "$(dirname "$0")"
volume='(numpy.arange(60).reshape(3, 4, 5) ** 2 % 101)'
/usr/bin/python3 -c "
import nibabel, numpy
volume = $volume.T
for name, kind in {'nib8.nii': 'u1', 'nib16.nii': '<i2', 'nib32b.nii': '>i4'}.items():
    header = nibabel.Nifti1Header(endianness='>' if kind[0] == '>' else '<')
    header.set_data_dtype(kind)
    nibabel.save(nibabel.Nifti1Image(volume.astype(kind), numpy.diag([2, 3, 4, 1]), header), name)
"
"${ITK_PYTHON:-python3}" -c "
import SimpleITK, numpy
image = SimpleITK.GetImageFromArray($volume.astype('uint16'))
image.SetSpacing((2, 3, 4))
SimpleITK.WriteImage(image, 'sitk16u.nii')
"
"${VTK_PYTHON:-python3}" -c "
import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkNIFTIImageWriter
image = vtkImageData()
image.SetDimensions(5, 4, 3)
image.GetPointData().SetScalars(numpy_to_vtk($volume.astype('int32').ravel()))
writer = vtkNIFTIImageWriter()
writer.SetFileName('vtk32.nii')
writer.SetInputData(image)
writer.Write()
"
