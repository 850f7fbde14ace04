//! Lists that are simpler than a given one.

/// The maximum number of orders that are tried in place of another.
const ORDERS: usize = 10;

/// The maximum number of elements of a list that are tried individually.
const PLACES: usize = 8;

/// Returns true if `items` are the numbers from 0 to their count minus 1, in any order.
pub fn is_order(items: &[i128]) -> bool {
    let mut sorted = items.to_vec();
    sorted.sort_unstable();
    items.len() > 1 && sorted.iter().enumerate().all(|(k, n)| k as i128 == *n)
}

/// Returns a list of another length that resembles `items`: the reversed order if `items` are such numbers, otherwise
/// the greatest item repeated.
pub fn of_length(items: &[i128], length: usize) -> Option<Vec<i128>> {
    match is_order(items) {
        true => Some((0..length as i128).rev().collect()),
        false => Some(vec![items.iter().copied().max()?; length]),
    }
}

/// Returns the number of items that an order moves.
fn moved(order: &[i128]) -> usize {
    order.iter().enumerate().filter(|(k, n)| *k as i128 != **n).count()
}

/// Returns orders that are simpler than `order`, the simplest first: one swap, or all reversed.
pub fn simpler_orders(order: &[i128]) -> Vec<Vec<i128>> {
    let n = order.len();
    let in_order: Vec<i128> = (0..n as i128).collect();
    let mut pairs = vec![(0, 1), (n - 2, n - 1), (0, n - 1)];
    pairs.extend((1..n - 1).map(|k| (k, k + 1)));
    let mut orders: Vec<Vec<i128>> = Vec::new();
    for (a, b) in pairs {
        let mut swapped = in_order.clone();
        swapped.swap(a, b);
        if orders.len() < ORDERS && !orders.contains(&swapped) {
            orders.push(swapped);
        }
    }
    let reversed: Vec<i128> = in_order.into_iter().rev().collect();
    if moved(order) > 2 && !orders.contains(&reversed) {
        orders.push(reversed);
    }
    let known = orders.iter().position(|o| o == order).unwrap_or(orders.len());
    orders.truncate(known);
    orders
}

/// Returns lists that differ from `base` in only one element, taken from `list`, each with the index of the element.
pub fn single_places(list: &[i128], base: &[i128]) -> Vec<(usize, Vec<i128>)> {
    let differing = (0..list.len()).filter(|k| list[*k] != base[*k]);
    let single = |k: usize| {
        let mut single = base.to_vec();
        single[k] = list[k];
        (k, single)
    };
    differing.take(PLACES).map(single).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_swap_is_simpler_than_a_shuffle() {
        let simpler = simpler_orders(&[3, 1, 0, 2]);
        assert_eq!(simpler[0], [1, 0, 2, 3]);
        assert_eq!(simpler.last().unwrap(), &[3, 2, 1, 0]);
        assert!(simpler.iter().all(|o| is_order(o)));
        assert!(simpler_orders(&[1, 0, 2, 3]).is_empty());
        assert!(simpler_orders(&[1, 0]).is_empty());
        assert_eq!(simpler_orders(&[0, 2, 1, 3]).len(), 3);
    }

    #[test]
    fn one_place_at_a_time() {
        assert_eq!(single_places(&[5, 0, 7], &[0, 0, 0]), [(0, vec![5, 0, 0]), (2, vec![0, 0, 7])]);
    }
}
