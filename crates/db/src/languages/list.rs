//! The languages of queries: one line each.

use millrace_gremlin::language as gremlin;
use millrace_model::{Error, ErrorKind, Result};

use super::entry::Entry;
use super::lua::Lua;

/// All of them, by their names.
pub static LANGUAGES: &[Entry] = &[
    Entry::Compiled(&gremlin::GROOVY),
    Entry::Compiled(&gremlin::LANG),
    Entry::Compiled(&millrace_cypher::language::CYPHER),
    Entry::Compiled(&millrace_dql::language::DQL),
    Entry::Interpreted(&Lua),
];

impl Entry {
    /// The language of a name; the error lists those that there are.
    pub fn of_name(name: &str) -> Result<Entry> {
        LANGUAGES.iter().copied().find(|language| language.name() == name).ok_or_else(|| {
            let known: Vec<&str> = LANGUAGES.iter().map(Entry::name).collect();
            let detail = format!("there is no language `{name}`");
            let error = Error::new(ErrorKind::BadInput, detail);
            error.with_help(format!("languages: {}", known.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_its_name_and_an_unknown_one_lists_them() {
        for language in LANGUAGES {
            assert_eq!(Entry::of_name(language.name()), Ok(*language));
        }
        let error = Entry::of_name("sql").unwrap_err();
        assert_eq!(
            error.help.as_deref(),
            Some("languages: gremlin, gremlin-lang, cypher, dql, lua")
        );
    }
}
