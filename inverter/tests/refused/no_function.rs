struct X {
    a: u8,
}
