//! Words that an analyzer leaves out because almost every text has them.
//!
//! The lists are those of Lucene 9's analyzers (Apache License 2.0; those of the Snowball project and of Jacques Savoy
//! under the BSD license): texts must be found by the same words as in Neo4j. Lists of other packages are longer.
//! `stop_words.txt` has a line for each list: its name, then its words.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

static LISTS: LazyLock<FxHashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let lines = include_str!("stop_words.txt").lines();
    let lists = lines.filter_map(|line| line.split_once(' ')).map(|(name, words)| {
        let mut words: Vec<_> = words.split(' ').collect();
        words.sort_unstable();
        (name, words)
    });
    lists.collect()
});

/// The words of a list, sorted; none of a name that is not there.
pub(super) fn list(name: &str) -> &'static [&'static str] {
    LISTS.get(name).map_or(&[], |words| words.as_slice())
}

/// Whether the list has the word.
pub(super) fn contains(name: &str, word: &str) -> bool {
    list(name).binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_has_the_33_words_of_lucene() {
        assert_eq!(list("english").len(), 33);
        assert!(contains("english", "the") && !contains("english", "i"));
        assert!(contains("english-snowball", "i"));
    }
}
