//! Plans before and after each rule that changes them.

mod rules;
