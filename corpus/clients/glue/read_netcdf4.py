"""The data set in a file, as netcdf4-python reads it, which uses Unidata's library."""

import datasets
import pam

with pam.needed():
    import netCDF4


def attributes(holder):
    return [(name, holder.getncattr(name)) for name in holder.ncattrs()]


def read(file):
    with netCDF4.Dataset(file) as data:
        data.set_auto_maskandscale(False)
        data.set_auto_chartostring(False)
        open_ended = [d for d in data.dimensions.values() if d.isunlimited()]
        records = len(open_ended[0]) if open_ended else 0
        dimensions = [(d.name, None if d.isunlimited() else len(d)) for d in data.dimensions.values()]
        variables = [(v.name, v.dimensions, attributes(v), v[...]) for v in data.variables.values()]
        return datasets.encode(records, dimensions, attributes(data), variables)


pam.serve(read)
