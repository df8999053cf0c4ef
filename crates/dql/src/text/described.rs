//! Words of the language with their descriptions: tables of them are what the syntax accepts, what is proposed while a text
//! is written, and what the reference page lists.

/// A word, how it is written, and what it does.
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) usage: &'static str,
    pub(crate) about: &'static str,
}

pub(crate) const fn described(
    name: &'static str,
    usage: &'static str,
    about: &'static str,
) -> Described {
    Described { name, usage, about }
}

/// Whether a table has a word, in any case.
pub(crate) fn has_word(table: &[Described], word: &str) -> bool {
    table.iter().any(|own| word.eq_ignore_ascii_case(own.name))
}
