//! Environment variables that steer tests.
//!
//! A value that cannot be read is a panic that names the variable, never a silent default: a
//! mistyped count must not turn a long run into a short one. Which variables there are is said where they are
//! read.

use std::env;

/// True if the variable is `1`, false if it is unset, empty or `0`.
pub(crate) fn flag(name: &str) -> bool {
    flag_value(name, env::var(name).ok().as_deref())
}

/// The variable as a number, or `default` if it is unset.
pub fn number(name: &str, default: u64) -> u64 {
    number_value(name, env::var(name).ok().as_deref(), default)
}

fn flag_value(name: &str, value: Option<&str>) -> bool {
    match value {
        None | Some("" | "0") => false,
        Some("1") => true,
        Some(other) => panic!("{name} is `{other}`; set it to 1, or leave it unset"),
    }
}

fn number_value(name: &str, value: Option<&str>, default: u64) -> u64 {
    let Some(text) = value else { return default };
    text.parse().unwrap_or_else(|_| panic!("{name} is `{text}`; it must be a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn a_flag_is_one_or_off() {
        assert!(flag_value("F", Some("1")));
        assert!(!flag_value("F", Some("0")));
        assert!(!flag_value("F", None));
        assert!(catch_unwind(|| flag_value("F", Some("yes"))).is_err());
    }

    #[test]
    fn a_number_that_cannot_be_read_is_not_the_default() {
        assert_eq!(number_value("N", None, 7), 7);
        assert_eq!(number_value("N", Some("500"), 7), 500);
        assert!(catch_unwind(|| number_value("N", Some("5OO"), 7)).is_err());
    }
}
