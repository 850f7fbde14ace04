"""The data set in a file, as SciPy's netcdf_file reads it."""

import datasets
import pam

with pam.needed():
    from scipy.io import netcdf_file


def read(file):
    with netcdf_file(file, mmap=False) as data:
        records = getattr(data, "_recs", 0)
        variables = [(name, v.dimensions, list(v._attributes.items()), v.data) for name, v in data.variables.items()]
        return datasets.encode(records, list(data.dimensions.items()), list(data._attributes.items()), variables)


pam.serve(read)
