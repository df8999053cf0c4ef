//! Load generator, experiments, reports and the limit of the machine.

pub mod limit;
