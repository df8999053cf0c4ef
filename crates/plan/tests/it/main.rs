//! Plans before and after each rule that changes them; scalar functions with their modes.

mod counted;
mod functions;
mod functions_by_type;
mod rules;
mod temporal;
