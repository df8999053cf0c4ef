//! Workshop commands: check, test, tidy, simulate.
fn main() {}
