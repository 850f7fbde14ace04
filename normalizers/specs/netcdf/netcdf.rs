//! netCDF's classic formats (CDF-1, CDF-2, CDF-5): dimensions, attributes, and variables with their values.
//!
//! Source: "The NetCDF Classic Format Specification" (Unidata). A header is a sequence of lists whose elements have lengths of
//! their own, and the distance of records is a sum over variables, so a primitive reads the file: see
//! `netcdf_classic`. Not covered: names that are not ASCII, other orders of the values than those of the header.

// seed: ../../../corpus/netcdf/ncgen1.nc

use super::file::File;

struct Dataset {
    count: u32,
    #[element("file")]
    dataset: [u8; count],
}

fn dataset(x: &File, y: &mut Dataset) {
    y.dataset = netcdf_classic(x.file);
}
