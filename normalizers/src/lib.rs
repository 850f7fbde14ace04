//! The normalization programs that ship with repfuzz.
