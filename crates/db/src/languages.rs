//! The languages whose texts are compiled to plans: one line each.
//!
//! A language implements [`Language`] in its own crate. Everything else (sessions, transactions, retries, the
//! statement cache, results) is shared.

use millrace_model::{Error, ErrorKind, Result};

pub use millrace_gremlin::language as gremlin;
pub use millrace_plan::language::{Binding, Language, Script};

/// All of them, by their names.
pub static LANGUAGES: &[&dyn Language] = &[&gremlin::GROOVY, &gremlin::LANG];

/// The language of a name.
pub fn language(name: &str) -> Result<&'static dyn Language> {
    LANGUAGES.iter().copied().find(|language| language.name() == name).ok_or_else(|| {
        let known: Vec<&str> = LANGUAGES.iter().map(|language| language.name()).collect();
        let detail = format!("there is no language `{name}`");
        Error::new(ErrorKind::BadInput, detail).with_help(format!("there is {}", known.join(", ")))
    })
}
