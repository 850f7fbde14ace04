//! Prefix codes: computes code lengths of limited size, and the codes that have these lengths.

/// Returns the lengths of an optimal code for symbols of these frequencies, none above `limit`; if some must be
/// shortened, the code is close to optimal. A symbol that never occurs has length 0. The code is complete, unless only
/// one symbol occurs, which then has length 1.
///
/// `2^limit` must be at least the number of symbols.
pub(super) fn lengths(frequencies: &[u32], limit: u8) -> Vec<u8> {
    let mut frequencies = frequencies.to_vec();
    loop {
        let lengths = unlimited(&frequencies);
        if lengths.iter().all(|length| *length <= limit) {
            return lengths;
        }
        // Frequencies that are more similar make a flatter tree, and equal frequencies make the flattest one.
        for frequency in frequencies.iter_mut().filter(|f| **f > 1) {
            *frequency = frequency.div_ceil(2).max(1);
        }
        if frequencies.iter().all(|f| *f <= 2) {
            frequencies.iter_mut().for_each(|f| *f = (*f).min(1));
        }
    }
}

/// Returns the lengths of an optimal code by joining the two rarest nodes until one is left. The symbols are sorted by
/// frequency, and joined nodes arise in that order, so no heap is needed.
fn unlimited(frequencies: &[u32]) -> Vec<u8> {
    let mut lengths = vec![0; frequencies.len()];
    let occurring = (0..frequencies.len()).filter(|symbol| frequencies[*symbol] > 0);
    let mut symbols: Vec<usize> = occurring.collect();
    if let [symbol] = symbols[..] {
        lengths[symbol] = 1;
    }
    if symbols.len() < 2 {
        return lengths;
    }
    symbols.sort_unstable_by_key(|symbol| (frequencies[*symbol], *symbol));
    // The symbols are the first nodes; those that join two others follow.
    let count = symbols.len();
    let mut weights: Vec<u64> = symbols.iter().map(|s| u64::from(frequencies[*s])).collect();
    let mut parents = vec![0; 2 * count - 1];
    let (mut symbol, mut joined) = (0, count);
    for node in count..2 * count - 1 {
        let mut rarest = || {
            let next =
                match symbol < count && (joined >= node || weights[symbol] <= weights[joined]) {
                    true => &mut symbol,
                    false => &mut joined,
                };
            *next += 1;
            *next - 1
        };
        let (a, b) = (rarest(), rarest());
        weights.push(weights[a] + weights[b]);
        (parents[a], parents[b]) = (node, node);
    }
    // A node's parent has a greater number; the last node is the root.
    let mut depths = vec![0u8; parents.len()];
    for node in (0..parents.len() - 1).rev() {
        depths[node] = depths[parents[node]].saturating_add(1);
    }
    symbols.iter().zip(&depths).for_each(|(symbol, depth)| lengths[*symbol] = *depth);
    lengths
}

/// Returns the code of each symbol (RFC 1951, section 3.2.2), with its first bit least significant, as written. No
/// length may be above 15.
pub(super) fn codes(lengths: &[u8]) -> Vec<u16> {
    let mut counts = [0u16; 16];
    lengths.iter().for_each(|length| counts[usize::from(*length)] += 1);
    counts[0] = 0;
    let mut next = [0u16; 16];
    for length in 1..16 {
        next[length] = (next[length - 1] + counts[length - 1]) << 1;
    }
    let code = |length: &u8| match *length {
        0 => 0,
        length => {
            let code = next[usize::from(length)];
            next[usize::from(length)] += 1;
            code.reverse_bits() >> (16 - u16::from(length))
        }
    };
    lengths.iter().map(code).collect()
}

#[cfg(test)]
mod tests {
    use inverter::solve::Fill;
    use rand::RngExt;

    use super::*;

    /// Returns the code space that is left, in units of 2^-15.
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
        // Fibonacci frequencies make the deepest tree.
        let mut deep = vec![1u32, 1];
        while deep.len() < 40 {
            deep.push(deep[deep.len() - 1] + deep[deep.len() - 2]);
        }
        assert_eq!(unlimited(&deep).iter().max(), Some(&39));
        assert_eq!(left(&lengths(&deep, 15)), 0);
    }

    #[test]
    fn the_example_of_the_standard() {
        let expected = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111u16];
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        for ((code, length), expected) in codes(&lengths).iter().zip(lengths).zip(expected) {
            assert_eq!(code.reverse_bits() >> (16 - u16::from(length)), expected);
        }
    }
}
