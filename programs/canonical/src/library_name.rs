//! Names of C library functions.

/// Returns the name of a C library function without what compilers and headers add to it: `memcpy` for
/// `__builtin_memcpy`, `__memcpy_chk` and `__builtin___memcpy_chk` (`_FORTIFY_SOURCE`), `sscanf` for `__isoc99_sscanf`.
/// A function with `_chk` has additional arguments: the size of the memory to which it writes comes after the others,
/// and functions like `printf` have a flag before the format.
pub fn library_name(name: &str) -> &str {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")).unwrap_or(name);
    name.strip_prefix("__isoc99_").or(name.strip_prefix("__isoc23_")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_taken_away() {
        for added in ["memcpy", "__builtin_memcpy", "__memcpy_chk", "__builtin___memcpy_chk"] {
            assert_eq!(library_name(added), "memcpy");
        }
        assert_eq!(library_name("__isoc99_sscanf"), "sscanf");
        assert_eq!(library_name("spell_chk"), "spell_chk");
    }
}
