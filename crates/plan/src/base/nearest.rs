//! The known name that is most like a misspelt one, for the help of an error.

use strsim::osa_distance;

/// Characters of a name that are compared: it may be a whole text by mistake.
const COMPARED_CHARACTERS_MAX: usize = 64;

/// The nearest of the known names, if at most a third of the letters differ, whatever their case. Two letters
/// that changed places are one difference.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name: String =
        name.chars().take(COMPARED_CHARACTERS_MAX).flat_map(char::to_lowercase).collect();
    let most = ((name.chars().count() + 1) / 3).max(1);
    let distance = |word: &str| osa_distance(&name, &word.to_lowercase());
    let near = known.into_iter().map(|word| (distance(word), word));
    near.filter(|(far, _)| *far <= most).min_by_key(|(far, _)| *far).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_a_letter_or_two_away() {
        let known = ["has", "hasLabel", "hasId", "values", "listen.lua"];
        assert_eq!(nearest("haslabel", known), Some("hasLabel"));
        assert_eq!(nearest("valuse", known), Some("values"));
        assert_eq!(nearest("hsa", known), Some("has"), "two letters changed places");
        assert_eq!(nearest("sah", known), None);
        assert_eq!(nearest("ouut", ["or", "out", "outE"]), Some("out"));
        assert_eq!(nearest("ha", known), Some("has"));
        assert_eq!(nearest("repeat", known), None);
        assert_eq!(nearest("listen.lau", known), Some("listen.lua"));
        assert_eq!(nearest("bananas", known), None);
        assert_eq!(nearest(&"has".repeat(100_000), known), None, "a whole text by mistake");
    }
}
