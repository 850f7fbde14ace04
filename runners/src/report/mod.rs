//! Reports: for people on a page and in the terminal, for machines as lines.
