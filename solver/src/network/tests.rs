//! Networks against enumeration.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rand::SeedableRng;

use super::state::Stop;
use super::{Found, Network, Tables};
use crate::{Domain, IntervalSet, Stream};
use language::program::eval::holds_with;
use language::program::{Cmp, Expr, FieldId, Op, Pred, Ref, Side, Span};

fn unknown(k: usize) -> Expr {
    let index = vec![Expr::Int(k as i128)];
    Expr::Ref(Ref { side: Side::Input, field: FieldId(0), index, span: Span::default() })
}

fn number(r: &Ref) -> Option<u32> {
    match &r.index[..] {
        [Expr::Int(n)] => u32::try_from(*n).ok(),
        _ => None,
    }
}

fn network(domains: Vec<Domain>, preds: &[Pred]) -> Network {
    Network::new(domains, preds, &number, &Tables::default()).unwrap()
}

fn sum(terms: &[(usize, i128)]) -> Expr {
    let term = |(k, c): &(usize, i128)| Expr::bin(Op::Mul, Expr::Int(*c), unknown(*k));
    terms.iter().map(term).reduce(|a, b| Expr::bin(Op::Add, a, b)).unwrap()
}

/// Returns all solutions, in order; `None` if those of a part are many.
fn all(net: &Network) -> Option<Vec<Vec<i128>>> {
    let root = match net.root() {
        Ok(root) => root,
        Err(stop) => return (stop == Stop::Dead).then(Vec::new),
    };
    let mut out: Vec<Vec<i128>> =
        vec![root.bounds[..net.unknowns()].iter().map(|(lo, _)| *lo).collect()];
    for part in &root.parts {
        let listed = net.listed(root, part)?;
        let with = |before: &Vec<i128>| {
            let each = listed.all().iter().map(|solution| {
                let mut values = before.clone();
                part.own.iter().zip(solution).for_each(|(k, value)| values[*k as usize] = *value);
                values
            });
            each.collect::<Vec<_>>()
        };
        out = out.iter().flat_map(with).collect();
    }
    out.sort_unstable();
    out.dedup();
    Some(out)
}

const UNKNOWNS: usize = 3;

fn any_comparison() -> impl Strategy<Value = Pred> {
    let cmp = prop::sample::select(vec![Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge]);
    let term = (0..UNKNOWNS, -2i128..3);
    (cmp, prop::collection::vec(term, 1..4), -6i128..12, 0..12u8).prop_map(
        |(cmp, terms, to, form)| {
            let left = match form {
                0 => Expr::bin(Op::Rem, sum(&terms), Expr::Int(3)),
                1 => Expr::bin(Op::Min, sum(&terms), unknown(0)),
                2 => Expr::bin(Op::Div, sum(&terms), unknown(1)),
                3 => Expr::bin(Op::Rem, sum(&terms), unknown(2)),
                4 => Expr::bin(Op::DivCeil, sum(&terms), unknown(0)),
                _ => sum(&terms),
            };
            Pred::Cmp(cmp, left, Expr::Int(to))
        },
    )
}

fn any_pred() -> impl Strategy<Value = Pred> {
    prop_oneof![
        3 => any_comparison(),
        1 => prop::collection::vec(any_comparison(), 2..4).prop_map(Pred::Or),
    ]
}

fn any_domain() -> impl Strategy<Value = Domain> {
    (0i128..4, 0i128..7, 1i128..4, 0i128..4).prop_map(|(lo, size, modulus, residue)| Domain {
        set: IntervalSet::from_spans([(lo, lo + size), (lo + size + 2, lo + size + 3)]),
        modulus,
        residue: residue % modulus,
    })
}

proptest! {
    #[test]
    fn all_solutions_are_listed_and_drawn_ones_are_among_them(
        domains in prop::collection::vec(any_domain(), UNKNOWNS),
        preds in prop::collection::vec(any_pred(), 0..4),
    ) {
        let net = network(domains.clone(), &preds);
        let mut expected = Vec::new();
        for code in 0..14i128.pow(UNKNOWNS as u32) {
            let values: Vec<i128> =
                (0..UNKNOWNS as u32).map(|k| code / 14i128.pow(k) % 14).collect();
            let of = |r: &Ref| values.get(number(r)? as usize).copied();
            let fits = domains.iter().zip(&values).all(|(domain, value)| domain.contains(*value));
            if fits && preds.iter().all(|p| holds_with(p, of) == Some(true)) {
                prop_assert!(net.holds(&values));
                expected.push(values);
            }
        }
        expected.sort_unstable();
        // Unknowns that no constraint connects have up to 14 values each: their solutions are too many to list.
        if let Some(listed) = all(&net) {
            prop_assert_eq!(&listed, &expected);
        }
        for seed in 0..8 {
            match net.draw(&mut Stream::seed_from_u64(seed)) {
                Found::Values(values) => prop_assert!(expected.contains(&values)),
                Found::Nothing => prop_assert!(expected.is_empty()),
                Found::Spent => prop_assert!(false, "a small network is searched to its end"),
            }
            let fresh = network(domains.clone(), &preds).draw(&mut Stream::seed_from_u64(seed));
            prop_assert_eq!(net.draw(&mut Stream::seed_from_u64(seed)), fresh);
        }
        for wanted in expected.iter().take(5) {
            prop_assert_eq!(net.near(wanted), Found::Values(wanted.clone()));
        }
    }
}

#[test]
fn draws_do_not_depend_on_the_nodes_that_are_kept() {
    let domains = || vec![Domain::range((0, 15)); 6];
    let sum = (1..6).fold(unknown(0), |sum, k| Expr::bin(Op::Add, sum, unknown(k)));
    let preds = [Pred::Cmp(Cmp::Le, sum, Expr::Int(60))];
    let used = network(domains(), &preds);
    let draw = |net: &Network, seed| net.draw(&mut Stream::seed_from_u64(seed));
    let mut drawn = BTreeSet::new();
    for seed in 0..2000 {
        let Found::Values(values) = draw(&used, seed) else { panic!("there are many solutions") };
        if seed % 100 == 0 {
            assert_eq!(draw(&network(domains(), &preds), seed), Found::Values(values.clone()));
        }
        drawn.extend(values.into_iter().enumerate());
    }
    assert_eq!(drawn.len(), 6 * 16, "each unknown has each of its values");
}

#[test]
fn long_chains_are_drawn_in_order_with_slack_anywhere() {
    let n = 4000;
    let rises = |k: usize| Pred::Cmp(Cmp::Lt, unknown(k), unknown(k + 1));
    let preds: Vec<Pred> = (0..n - 1).map(rises).collect();
    let net = network(vec![Domain::range((0, 65535)); n], &preds);
    let mut middles = Vec::new();
    for seed in 0..20 {
        let Found::Values(values) = net.draw(&mut Stream::seed_from_u64(seed)) else {
            panic!("a chain has a solution");
        };
        assert!(values.is_sorted() && net.holds(&values));
        middles.push(values[n / 2]);
    }
    middles.sort_unstable();
    middles.dedup();
    assert!(middles.len() >= 10, "{middles:?}");
}

#[test]
fn digits_are_solved_by_their_remainders() {
    let digit = |k: usize| Expr::bin(Op::Rem, unknown(k), Expr::Int(128));
    let value = (0..5)
        .map(|k| Expr::bin(Op::Mul, Expr::Int(128i128.pow(k)), digit(k as usize)))
        .reduce(|a, b| Expr::bin(Op::Add, a, b))
        .unwrap();
    let preds = [Pred::Cmp(Cmp::Eq, value, Expr::Int(300_000))];
    let net = network(vec![Domain::range((0, 255)); 5], &preds);
    assert_eq!(
        all(&net).map(|all| all.len()),
        Some(32),
        "each digit with its high bit, or without"
    );
}

#[test]
fn all_factors_of_a_product_are_listed() {
    let product = Expr::bin(Op::Mul, unknown(0), unknown(1));
    let preds = [Pred::Cmp(Cmp::Eq, product, Expr::Int(360_360))];
    let range = (i32::MIN.into(), i32::MAX.into());
    let net = network(vec![Domain::range(range); 2], &preds);
    assert_eq!(all(&net).map(|all| all.len()), Some(384));
    let Found::Values(factors) = net.draw(&mut Stream::seed_from_u64(1)) else {
        panic!("a product has factors");
    };
    assert_eq!(factors[0] * factors[1], 360_360);
}

#[test]
fn a_chain_without_room_has_no_solution() {
    let rises = |k: usize| Pred::Cmp(Cmp::Lt, unknown(k), unknown(k + 1));
    let preds: Vec<Pred> = (0..299).map(rises).collect();
    let net = network(vec![Domain::range((0, 255)); 300], &preds);
    assert_eq!(net.draw(&mut Stream::seed_from_u64(1)), Found::Nothing);
}

#[test]
fn a_circle_of_comparisons_is_given_up() {
    let wide = Domain::range((0, u64::MAX.into()));
    let preds =
        [Pred::Cmp(Cmp::Lt, unknown(0), unknown(1)), Pred::Cmp(Cmp::Lt, unknown(1), unknown(0))];
    let net = network(vec![wide; 2], &preds);
    assert_eq!(net.draw(&mut Stream::seed_from_u64(1)), Found::Spent);
}

#[test]
fn a_given_value_is_extended_by_values_of_an_alternative() {
    // `b` is 3, 7 or 9, and 7 with another `a` than 1: then it is no end of what it may be.
    let (a, b) = (unknown(0), unknown(1));
    let is = |e: &Expr, n| Pred::Cmp(Cmp::Eq, e.clone(), Expr::Int(n));
    let not_one = Pred::Cmp(Cmp::Ne, a.clone(), Expr::Int(1));
    let with_one = |n| Pred::And(vec![is(&b, n), is(&a, 1)]);
    let seven = Pred::And(vec![is(&b, 7), not_one]);
    let either = Pred::Or(vec![seven, with_one(3), with_one(9)]);
    let network = network(vec![Domain::range((0, 9)), Domain::range((0, 255))], &[either]);
    assert_eq!(network.near(&[5]), Found::Values(vec![5, 7]));
    assert_eq!(network.near(&[1]), Found::Values(vec![1, 3]));
}

#[test]
fn a_given_value_is_kept_whatever_the_least_of_others_would_exclude() {
    let (a, b) = (unknown(0), unknown(1));
    let product = Pred::Cmp(Cmp::Eq, Expr::bin(Op::Mul, a, b), Expr::Int(0));
    let network = network(vec![Domain::range((-9, 9)), Domain::range((0, 9))], &[product]);
    assert_eq!(network.near(&[i128::MIN, 3]), Found::Values(vec![0, 3]));
}

#[test]
fn each_of_many_fractions_varies() {
    // w[k] / g[k] = v[k], without a remainder: any divisor goes with any quotient.
    let n = 300;
    let w = |k: usize| unknown(2 * k);
    let g = |k: usize| unknown(2 * k + 1);
    let preds: Vec<Pred> = (0..n)
        .flat_map(|k| {
            let is = |op, to| Pred::Cmp(Cmp::Eq, Expr::bin(op, w(k), g(k)), Expr::Int(to));
            [
                Pred::Cmp(Cmp::Ge, g(k), Expr::Int(1)),
                is(Op::Rem, 0),
                is(Op::Div, 100 * k as i128 + 7),
            ]
        })
        .collect();
    let domain =
        |k: usize| Domain::range((0, if k.is_multiple_of(2) { u32::MAX.into() } else { 255 }));
    let net = network((0..2 * n).map(domain).collect(), &preds);
    let mut seen: BTreeSet<i128> = BTreeSet::new();
    for seed in 0..20 {
        let Found::Values(values) = net.draw(&mut Stream::seed_from_u64(seed)) else {
            panic!("any divisor is one");
        };
        assert!(net.holds(&values));
        seen.extend(values.iter().skip(1).step_by(2));
    }
    assert!(seen.len() > 200, "{seen:?}");
}

#[test]
fn the_digits_of_mixed_bases_vary() {
    // 3600 a + 60 b + c = t for each of many.
    let n = 200;
    let preds: Vec<Pred> = (0..n)
        .map(|k| {
            let terms = [(3 * k, 3600), (3 * k + 1, 60), (3 * k + 2, 1)];
            Pred::Cmp(Cmp::Eq, sum(&terms), Expr::Int(40_000 + 13 * k as i128))
        })
        .collect();
    let net = network(vec![Domain::range((0, 65_535)); 3 * n], &preds);
    let mut hours: BTreeSet<i128> = BTreeSet::new();
    for seed in 0..20 {
        let Found::Values(values) = net.draw(&mut Stream::seed_from_u64(seed)) else {
            panic!("each number has digits");
        };
        assert!(net.holds(&values));
        hours.extend(values.iter().step_by(3).take(20));
    }
    assert!(hours.len() >= 11, "{hours:?}");
}

#[test]
fn two_sums_that_bound_an_unknown_only_together_have_solutions() {
    // The channels of stereo as their mean and their difference.
    let (mean, side) = (unknown(0), unknown(1));
    let twice = Expr::bin(
        Op::Add,
        Expr::bin(Op::Mul, Expr::Int(2), mean),
        Expr::bin(Op::Rem, side.clone(), Expr::Int(2)),
    );
    let half = |op, to| {
        let sum = Expr::bin(op, twice.clone(), side.clone());
        Pred::Cmp(Cmp::Eq, Expr::bin(Op::Div, sum, Expr::Int(2)), Expr::Int(to))
    };
    let range = (i32::MIN.into(), i32::MAX.into());
    let net = network(vec![Domain::range(range); 2], &[half(Op::Add, 1234), half(Op::Sub, -17)]);
    assert_eq!(all(&net), Some(vec![vec![608, 1251]]));
}
