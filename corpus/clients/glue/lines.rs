//! Section tables of ELF as the Rust clients give them: a line for the header, then two for each section.

/// A section: its name, its numbers (type, flags, address, link, info, alignment, size of entries), size, contents.
pub type Section = (String, [u64; 7], u64, Vec<u8>);

/// Numbers of the header (ABI, its version, machine, flags), and the sections. Size and contents of the section
/// `strings`, which has the names, are left out.
pub fn encode(header: [u64; 4], sections: Vec<Section>, strings: usize) -> Vec<u8> {
    let words = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let mut out = format!("header {} {strings}\n", words(&header));
    for (index, (name, numbers, size, contents)) in sections.into_iter().enumerate() {
        let (size, contents) = if index == strings { (0, vec![]) } else { (size, contents) };
        out += &format!("{index} {name} {} {size}\n", words(&numbers));
        contents.iter().for_each(|b| out += &format!("{b:02x}"));
        out.push('\n');
    }
    out.into_bytes()
}
