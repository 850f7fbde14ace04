//! Polyhedra that are computed here, against those of isl.

use analyses::numbers::polyhedra::cone::{self, Cone, Made, Row};
use analyses::numbers::polyhedra::convex::Convex;
use analyses::numbers::polyhedra::isl;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two random polyhedra, as both compute them.
struct Pair {
    own: cone::Polyhedron,
    isl: isl::Polyhedron,
}

fn row(random: &mut ChaCha8Rng, size: usize) -> Row {
    let constant = random.random_range(-8..9);
    let factors =
        (0..size).map(|_| if random.random_bool(0.4) { 0 } else { random.random_range(-3..4) });
    std::iter::once(constant).chain(factors).collect()
}

fn constraints(random: &mut ChaCha8Rng, size: usize) -> Cone {
    let (rays, lines) = (random.random_range(1..6), usize::from(random.random_bool(0.2)));
    let mut rows = |n: usize| (0..n).map(|_| row(random, size)).collect();
    Cone { rays: rows(rays), lines: rows(lines) }
}

/// Asserts that both computed the same, and returns it unless it is empty.
fn same(what: &str, own: Made<cone::Polyhedron>, isl: Made<isl::Polyhedron>) -> Option<Pair> {
    match (own, isl) {
        (Made::Empty, Made::Empty) => None,
        (Made::Some(own), Made::Some(isl)) => {
            assert_eq!(isl.is_equal(&own.constraints), Some(true), "{what}: {own:?}\n{isl:?}");
            Some(Pair { own, isl })
        }
        (own, isl) => panic!("{what}: {own:?}\n{isl:?}"),
    }
}

fn constrained(what: &str, size: usize, constraints: &Cone) -> Option<Pair> {
    let own = cone::Polyhedron::constrained(size, constraints.clone());
    same(what, own, isl::Polyhedron::constrained(size, constraints.clone()))
}

/// The integer points of a polyhedron near zero.
fn points(size: usize, of: &Cone) -> Vec<Row> {
    let all = (0..9_usize.pow(u32::try_from(size).expect("it is small"))).map(|mut k| {
        let mut point = vec![1];
        for _ in 0..size {
            point.push(i128::try_from(k % 9).expect("it is small") - 4);
            k /= 9;
        }
        point
    });
    let value = |row: &Row, point: &Row| cone::dot(row, point).expect("numbers are small");
    all.filter(|point| {
        of.rays.iter().all(|row| value(row, point) >= 0)
            && of.lines.iter().all(|row| value(row, point) == 0)
    })
    .collect()
}

/// Bounds by isl are those of integer points, and may be tighter.
fn assert_bounds(pair: &Pair, form: &[i128], points: &[Row]) {
    let (own, isl) = (pair.own.bounds(form), pair.isl.bounds(form));
    let (Some((lo, hi)), Some((least, greatest))) = (own, isl) else { panic!("{own:?} {isl:?}") };
    for point in points {
        let value = cone::dot(form, &point[1..]).expect("numbers are small");
        assert!(least.is_none_or(|least| lo.is_some_and(|lo| lo <= least) && least <= value));
        assert!(greatest.is_none_or(|most| hi.is_some_and(|hi| hi >= most) && most >= value));
        assert_eq!((lo.is_none(), hi.is_none()), (least.is_none(), greatest.is_none()), "{form:?}");
    }
}

#[test]
fn operations_agree_with_isl_on_random_polyhedra() {
    let mut random = ChaCha8Rng::seed_from_u64(24);
    let (mut empty, mut some) = (0, 0);
    for _ in 0..500 {
        let size = random.random_range(1..5);
        let [a, b] = [0, 1].map(|_| constraints(&mut random, size));
        let meet = Cone {
            rays: a.rays.iter().chain(&b.rays).cloned().collect(),
            lines: a.lines.iter().chain(&b.lines).cloned().collect(),
        };
        if constrained("meet", size, &meet).is_none() {
            empty += 1;
        }
        let Some(one) = constrained("first", size, &a) else { continue };
        let points = points(size, &a);
        let form = row(&mut random, size);
        assert_bounds(&one, &form[1..], &points);
        for row in one.own.inequalities().chain([form.clone()]) {
            assert_eq!(
                one.own.has_face(&row),
                one.isl.has_face(&row),
                "{row:?} of {one:?}",
                one = one.own
            );
        }
        let at = random.random_range(0..size);
        let lo = random.random_range(-5..6);
        let between = [lo, lo + random.random_range(0..3)];
        let image = one.isl.image(at, &form[1..], between);
        same("image", one.own.image(at, &form[1..], between), image);
        let keep: Vec<usize> = (0..size).filter(|_| random.random_bool(0.5)).collect();
        same("projection", one.own.projected(&keep), one.isl.projected(&keep));
        let Some(two) = constrained("second", size, &b) else { continue };
        same("hull", one.own.hull(&two.own), one.isl.hull(&two.isl));
        some += 1;
    }
    assert!(empty > 50 && some > 150, "{empty} {some}");
}
