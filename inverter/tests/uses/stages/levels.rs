//! Constants in the folder below.

const LIMIT: u8 = 201;
const MOST: u8 = LIMIT - 1;
