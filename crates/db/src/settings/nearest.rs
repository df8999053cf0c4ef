//! The known name nearest to a misspelt one.

/// How far apart, in letters, a name may be and still be meant.
const DISTANCE_MAX: usize = 4;

/// The nearest of `known`, if one is near enough.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.map(|known| (distance(name, known), known));
    near.min().filter(|(distance, _)| *distance <= DISTANCE_MAX).map(|(_, known)| known)
}

/// Letters inserted, removed or replaced (Levenshtein), by rows of the table.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (at, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_its_neighbour_and_nonsense_finds_none() {
        let known = ["listen.lua", "scripts.deadline-ms"];
        assert_eq!(nearest("listen.lau", known.into_iter()), Some("listen.lua"));
        assert_eq!(nearest("bananas", known.into_iter()), None);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
