//! The library for C: its header, and programs in C and C++.

mod c;
mod header;
