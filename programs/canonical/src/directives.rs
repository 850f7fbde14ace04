//! Directives in the formats of `printf`.

/// Returns true if a directive of a format writes through an argument: `%n`, with any flags, width and length.
pub fn write(format: &[u8]) -> bool {
    let mut at = 0;
    while let Some(percent) = format[at..].iter().position(|byte| *byte == b'%') {
        at += percent + 1;
        let before = |byte: &&u8| byte.is_ascii_digit() || b"#+- '.*$IhlLqjzt".contains(byte);
        at += format[at..].iter().take_while(before).count();
        match format.get(at) {
            Some(b'n') => return true,
            Some(_) => at += 1,
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_n_writes() {
        for format in ["%n", "%d%-5hhn", "100%% %1$n", "%*d%lln"] {
            assert!(write(format.as_bytes()), "{format}");
        }
        for format in ["", "n", "%d n", "%%n", "%", "%5.3snn", "%"] {
            assert!(!write(format.as_bytes()), "{format}");
        }
    }
}
