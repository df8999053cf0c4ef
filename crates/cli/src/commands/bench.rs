//! `millrace bench`: hands over to the crate of that name.

use crate::exit::Failure;

pub(crate) fn run(arguments: &millrace_bench::Arguments) -> Result<(), Failure> {
    match millrace_bench::run(arguments)? {
        true => Ok(()),
        false => Err(Failure::BarMissed),
    }
}
