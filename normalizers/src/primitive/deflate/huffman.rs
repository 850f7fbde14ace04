//! Prefix codes: lengths that are not too long, and the codes of lengths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The lengths of an optimal code for symbols of these frequencies, none above `limit`;
/// close to optimal where that takes shortening. A symbol that never occurs has none (0).
/// The code is complete, unless one symbol occurs: that one has a bit.
///
/// `2^limit` must be at least the number of symbols.
pub(super) fn lengths(frequencies: &[u32], limit: u8) -> Vec<u8> {
    let mut frequencies = frequencies.to_vec();
    loop {
        let lengths = unlimited(&frequencies);
        if lengths.iter().all(|length| *length <= limit) {
            return lengths;
        }
        // Frequencies that are more alike make a flatter tree; all alike make the flattest.
        for frequency in frequencies.iter_mut().filter(|f| **f > 1) {
            *frequency = frequency.div_ceil(2).max(1);
        }
        if frequencies.iter().all(|f| *f <= 2) {
            frequencies.iter_mut().for_each(|f| *f = (*f).min(1));
        }
    }
}

/// The lengths of an optimal code.
fn unlimited(frequencies: &[u32]) -> Vec<u8> {
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> = frequencies
        .iter()
        .enumerate()
        .filter(|(_, f)| **f > 0)
        .map(|(symbol, f)| Reverse((u64::from(*f), symbol)))
        .collect();
    let mut lengths = vec![0; frequencies.len()];
    if let (1, Some(Reverse((_, symbol)))) = (heap.len(), heap.peek()) {
        lengths[*symbol] = 1;
        return lengths;
    }
    // Nodes that join two others are numbered from the symbols on.
    let mut parents = vec![0; frequencies.len()];
    while heap.len() > 1
        && let (Some(Reverse(a)), Some(Reverse(b))) = (heap.pop(), heap.pop())
    {
        let node = parents.len();
        parents.push(0);
        parents[a.1] = node;
        parents[b.1] = node;
        heap.push(Reverse((a.0 + b.0, node)));
    }
    // A node's parent has a greater number; the last one is the root.
    let mut depths = vec![0u8; parents.len()];
    for node in (0..parents.len().saturating_sub(1)).rev() {
        if parents[node] > 0 {
            depths[node] = depths[parents[node]].saturating_add(1);
        }
    }
    lengths.copy_from_slice(&depths[..frequencies.len()]);
    lengths
}

/// The code of each symbol (RFC 1951, section 3.2.2), its first bit least significant, as
/// it is written.
pub(super) fn codes(lengths: &[u8]) -> Vec<u32> {
    let mut codes = vec![0; lengths.len()];
    let mut next = 0u32;
    for length in 1..=15u8 {
        next <<= 1;
        for (symbol, _) in lengths.iter().enumerate().filter(|(_, l)| **l == length) {
            codes[symbol] = next.reverse_bits() >> (32 - u32::from(length));
            next += 1;
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use inverter::solve::Fill;
    use rand::RngExt;

    use super::*;

    /// How much of the code space is left, in parts of 2^15.
    fn left(lengths: &[u8]) -> i32 {
        let used = |l: &u8| 1 << (15 - l);
        (1 << 15) - lengths.iter().filter(|l| **l > 0).map(used).sum::<i32>()
    }

    #[test]
    fn lengths_are_optimal() {
        assert_eq!(lengths(&[45, 13, 12, 16, 9, 5], 15), [1, 3, 3, 3, 4, 4]);
        assert_eq!(lengths(&[0, 7, 0], 15), [0, 1, 0]);
        assert_eq!(lengths(&[0; 3], 15), [0; 3]);
    }

    #[test]
    fn codes_are_complete_and_within_their_limit() {
        let mut rng = Fill::rng(1);
        for case in 0..300 {
            let (symbols, limit) = if case % 2 == 0 { (286, 15) } else { (19, 7) };
            let frequencies: Vec<u32> =
                (0..symbols).map(|_| 1 << rng.random_range(0..28)).collect();
            let lengths = lengths(&frequencies, limit);
            assert!(lengths.iter().all(|l| (1..=limit).contains(l)));
            assert_eq!(left(&lengths), 0);
        }
        // Those of Fibonacci make the deepest tree.
        let mut deep = vec![1u32, 1];
        while deep.len() < 40 {
            deep.push(deep[deep.len() - 1] + deep[deep.len() - 2]);
        }
        assert_eq!(unlimited(&deep).iter().max(), Some(&39));
        assert_eq!(left(&lengths(&deep, 15)), 0);
    }

    #[test]
    fn the_example_of_the_standard() {
        let expected = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111u32];
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        for ((code, length), expected) in codes(&lengths).iter().zip(lengths).zip(expected) {
            assert_eq!(code.reverse_bits() >> (32 - u32::from(length)), expected);
        }
    }
}
