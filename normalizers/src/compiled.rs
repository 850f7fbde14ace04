//! The specs as the build script compiled them: [`inverter::emit`].
//!
//! `repfuzz invert SPEC --emit rust` prints what is included here.

use inverter::run::compiled::Compiled;

macro_rules! compiled {
    ($($(#[$doc:meta])* $stage:ident)*) => {$(
        $(#[$doc])*
        pub mod $stage {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($stage), ".rs"));
        }
    )*};
}

compiled! {
    /// [`crate::tiff::PLACEMENT`]
    placement
    /// [`crate::tiff::SEGMENTS`]
    segments
    /// [`crate::tiff::SAMPLES`]
    samples
    /// [`crate::tiff::PHOTOMETRIC`]
    photometric
    /// [`crate::tiff::ORIENTATION`]
    orientation
    /// [`crate::tiff::BYTE_ORDER`]
    byte_order
    /// [`crate::tiff::TURNED`]
    turned
    /// `specs/aiff`
    aiff
    /// `specs/au`
    au
    /// `specs/bmp`
    bmp
    /// `specs/ddraw`
    ddraw
    /// `specs/elf`
    elf
    /// `specs/gif`
    gif
    /// `specs/ico`
    ico
    /// `specs/nifti`
    nifti
    /// `specs/npy`
    npy
    /// `specs/png`
    png
    /// `specs/pnm`
    pnm
    /// `specs/tga`
    tga
    /// `specs/wav`
    wav
}

/// The stages of formats that a spec alone describes.
pub fn formats() -> Vec<&'static Compiled> {
    [
        aiff::ALL,
        au::ALL,
        bmp::ALL,
        ddraw::ALL,
        elf::ALL,
        gif::ALL,
        ico::ALL,
        nifti::ALL,
        npy::ALL,
        png::ALL,
        pnm::ALL,
        tga::ALL,
        wav::ALL,
    ]
    .concat()
}
