#!/bin/sh
# Makes the seeds of netCDF, by the programs that their names begin with: netcdf4-python 1.6.2 (nc4), ncgen 4.9.0 (ncgen), nccopy
# 4.9.0 (nccopy), SciPy 1.10.1 (scipy).
set -e
cd "$(dirname "$0")"
rm -f ./*.nc
/usr/bin/python3 -c '
import netCDF4, numpy as np
with netCDF4.Dataset("nc4.nc", "w", format="NETCDF3_CLASSIC") as out:
    out.title = "a station"
    out.createDimension("time", None)
    out.createDimension("height", 3)
    time = out.createVariable("time", "f8", ("time",))
    time.units = "days since 2000-01-01"
    wind = out.createVariable("wind", "i2", ("time", "height"), fill_value=-99)
    wind.steps = np.array([0.5, 1], "f4")
    flag = out.createVariable("flag", "i1", ("height",))
    time[:] = [0, 1.5, 3]
    wind[:] = np.arange(9).reshape(3, 3) * 100 - 300
    flag[:] = [1, -1, 0]
'
/usr/bin/python3 -c '
import numpy as np
from scipy.io import netcdf_file
with netcdf_file("scipy.nc", "w", version=2) as out:
    out.history = "by hand"
    out.createDimension("time", None)
    out.createDimension("x", 4)
    x = out.createVariable("x", "f4", ("x",))
    x[:] = [0.5, 1, 2, -4]
    t = out.createVariable("t", "i4", ("time",))
    v = out.createVariable("v", "f8", ("time", "x"))
    t[:] = [10, 20]
    v[:] = np.arange(8).reshape(2, 4)
'
ncgen -k cdf5 -o ncgen.nc - <<'CDL'
netcdf all {
dimensions: n = 3 ; r = UNLIMITED ;
variables:
  ubyte u(n) ; ushort us(r) ; uint64 big ; int64 small ; short s(r, n) ; char word(n) ;
    u:flags = 1UB, 2UB ;
data: u = 1, 2, 255 ; us = 65535, 1 ; big = 18446744073709551000 ; small = -5 ; s = 1, 2, 3, 4, 5, 6 ; word = "abc" ;
}
CDL
ncgen -k classic -o ncgen1.nc - <<'CDL'
netcdf lone {
dimensions: r = UNLIMITED ; n = 3 ;
variables: byte b(r, n) ; int scalar ;
  b:valid_range = 0b, 9b ;
data: b = 1, 2, 3, 4, 5, 6, 7, 8, 9 ; scalar = 7 ;
}
CDL
nccopy -k 64-bit-offset ncgen1.nc nccopy.nc
nccopy -k cdf5 scipy.nc nccopy5.nc
