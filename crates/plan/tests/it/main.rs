//! Plans before and after each rule that changes them; plans as text; scalar functions with their modes.

mod counted;
mod functions;
mod functions_by_type;
mod janusgraph;
mod printer;
mod rules;
mod temporal;
