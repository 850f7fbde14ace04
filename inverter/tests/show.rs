mod support;
#[test]
#[ignore]
fn show() {
    let seed = std::env::var("SEED").unwrap().parse().unwrap();
    println!("{}", support::random::program(&mut support::dice::Seeded::new(seed)));
}
