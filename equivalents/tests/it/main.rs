//! Seeds and their variants by the library: restrictions, and TIFF.

mod restriction;
mod tiff;
