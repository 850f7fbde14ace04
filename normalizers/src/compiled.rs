//! The specs as the build script compiled them: [`inverter::emit`].
//!
//! `repfuzz invert SPEC --emit rust` prints what is included here.

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
}
