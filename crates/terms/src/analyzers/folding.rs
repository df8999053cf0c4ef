//! Characters as those of ASCII, by the table of Lucene's `ASCIIFoldingFilter` (Apache License 2.0).
//!
//! The table has a line for each text of ASCII: the text, a space, and the characters that become it.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

static TABLE: LazyLock<FxHashMap<char, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("ascii_folding.txt").lines();
    let pairs = lines.filter_map(|line| line.split_once(' '));
    pairs.flat_map(|(ascii, folded)| folded.chars().map(move |c| (c, ascii))).collect()
});

/// Folds the word; `spare` is room to work in.
pub(super) fn fold_to_ascii(word: &mut String, spare: &mut String) {
    if word.is_ascii() {
        return;
    }
    spare.clear();
    for c in word.chars() {
        match TABLE.get(&c) {
            Some(ascii) if !c.is_ascii() => spare.push_str(ascii),
            _ => spare.push(c),
        }
    }
    std::mem::swap(word, spare);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_with_an_equivalent_become_it() {
        let folded = |word: &str| {
            let mut word = word.to_owned();
            fold_to_ascii(&mut word, &mut String::new());
            word
        };
        assert_eq!(folded("Œuvre ærø straße İł①"), "OEuvre aero strasse Il1");
        assert_eq!(folded("東京 мир"), "東京 мир");
    }
}
