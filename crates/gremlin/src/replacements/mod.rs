//! Calls and words of public scripts for JanusGraph, TinkerPop and Groovy, with their replacements: one table.
//!
//! ```text
//!   a name that is refused ──help(Use, name)──> the help of its error
//!   all families ─────────────────────────────> docs/reference/gremlin-replacements.md
//! ```
//!
//! Each row is found by the word that is refused, in the place where it is used: `close` of a transaction is
//! another row than `close` of a graph. Parts of a message are rows, so that a message and the page agree.
//!
//! Words enter that are refused. A word that works is in the file of its step, and nothing of the crate is imported.

mod console;
mod gone;
mod graph;
mod groovy;
mod java;
mod management;
mod predicates;
mod results;

/// Where a word is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// A step, or a method of a graph, an element or a result: `x.word()`.
    Call,
    /// Behind `tx().`.
    Transaction,
    /// A class, or a constant or a method of one: `Class`, `Class.word`.
    Class,
    /// A closure behind a step: `word{…}`.
    Closure,
    /// A word of Groovy, an operator, or a name that some import brought.
    Word,
    /// A command of the Gremlin console.
    Console,
}

/// A refused spelling and its replacement.
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    /// The word by which a message finds it.
    pub word: &'static str,
    /// As scripts have it.
    pub written: &'static str,
    /// The replacement or the remedy: the help of an error.
    pub instead: &'static str,
}

/// Rows of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The heading of the page.
    pub title: &'static str,
    /// Where its words are used.
    pub used: Use,
    /// Its rows.
    pub rows: &'static [Replacement],
}

/// All of them, in the order of the page.
pub static FAMILIES: &[Family] = &[
    Family { title: "Sources and graphs", used: Use::Call, rows: graph::CALLS },
    Family { title: "Transactions", used: Use::Transaction, rows: graph::TRANSACTIONS },
    Family { title: "Schema and indexes", used: Use::Call, rows: management::CALLS },
    Family { title: "Classes of a schema", used: Use::Class, rows: management::CLASSES },
    Family { title: "Predicates of JanusGraph", used: Use::Call, rows: predicates::CALLS },
    Family { title: "Predicates by their class", used: Use::Class, rows: predicates::CLASSES },
    Family { title: "Steps that are not there", used: Use::Call, rows: gone::STEPS },
    Family { title: "Steps of older versions", used: Use::Call, rows: gone::OLD_STEPS },
    Family { title: "Constants of older versions", used: Use::Class, rows: gone::CONSTANTS },
    Family { title: "Methods of results and elements", used: Use::Call, rows: results::CALLS },
    Family { title: "Closures", used: Use::Closure, rows: groovy::CLOSURES },
    Family { title: "Words of Groovy", used: Use::Word, rows: groovy::WORDS },
    Family { title: "Operators of Groovy", used: Use::Word, rows: groovy::OPERATORS },
    Family {
        title: "Classes of Java, Groovy and TinkerPop",
        used: Use::Class,
        rows: java::CLASSES,
    },
    Family { title: "The Gremlin console", used: Use::Console, rows: console::COMMANDS },
];

/// The help for a word; `None` if the word has no row.
pub fn instead(used: Use, word: &str) -> Option<&'static str> {
    let families = FAMILIES.iter().filter(|family| family.used == used);
    let rows = families.flat_map(|family| family.rows);
    rows.into_iter().find(|row| row.word == word).map(|row| row.instead)
}

/// The steps of TinkerPop that are not supported, each with the reason or replacement.
pub fn steps_not_there() -> &'static [Replacement] {
    gone::STEPS
}

/// Files are read and written by the operator, by commands of the program.
const LOAD_AND_EXPORT: &str = "no files are read or written for a client: `millrace load` reads GraphML, GraphSON 3, \
                               CSV and N-Quads, and `millrace export` writes the first three";
const EXPORT: &str =
    "no files are written for a client: `millrace export` writes GraphML, GraphSON 3 and CSV";

const fn row(word: &'static str, written: &'static str, instead: &'static str) -> Replacement {
    Replacement { word, written, instead }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_once_for_each_use_and_its_row_shows_it() {
        let mut seen = std::collections::HashSet::new();
        for family in FAMILIES {
            for row in family.rows {
                assert!(seen.insert((family.used as u8, row.word)), "{} is there twice", row.word);
                assert!(row.written.contains(row.word), "{}: {}", row.word, row.written);
                assert!(!row.instead.contains("bind a variable"), "{}", row.word);
                assert!(!row.written.contains(['|', '\n']), "{}: the page is a table", row.word);
                assert!(!row.instead.contains(['|', '\n']), "{}: the page is a table", row.word);
                assert!(!row.instead.ends_with('.') && row.instead.len() > 10, "{}", row.word);
            }
        }
        assert!(seen.len() > 250, "only {} rows", seen.len());
    }

    #[test]
    fn a_word_is_found_where_it_is_used() {
        assert!(instead(Use::Call, "interval").is_some_and(|help| help.contains("between")));
        assert_eq!(instead(Use::Class, "interval"), None);
        assert_ne!(instead(Use::Call, "close"), instead(Use::Transaction, "close"));
    }
}
