//! TIFF files to and from what the TIFF normalization programs take and give.

pub mod picture;

pub use picture::Picture;
