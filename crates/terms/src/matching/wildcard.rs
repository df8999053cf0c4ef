//! Patterns of words, as Lucene's users write them: `*` is any characters, `?` is one, and `\` escapes.

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Any,
    One,
    Literal(char),
}

/// A pattern that was read, for many words.
#[derive(Clone, Debug)]
pub struct Wildcard {
    parts: Vec<Part>,
}

impl Wildcard {
    /// Reads a pattern. Every text is one.
    pub fn new(pattern: &str) -> Wildcard {
        Wildcard { parts: parts(pattern) }
    }

    /// Whether the whole word matches.
    pub fn matches(&self, word: &str) -> bool {
        let (mut part, mut rest) = (0, word);
        // Where to go on if the rest does not match: the last `*` takes one character more.
        let mut again: Option<(usize, &str)> = None;
        while let Some(c) = rest.chars().next() {
            match self.parts.get(part) {
                Some(Part::Any) => {
                    part += 1;
                    again = Some((part, rest));
                    continue;
                }
                Some(Part::One) => {
                    (part, rest) = (part + 1, &rest[c.len_utf8()..]);
                    continue;
                }
                Some(Part::Literal(own)) if *own == c => {
                    (part, rest) = (part + 1, &rest[c.len_utf8()..]);
                    continue;
                }
                Some(Part::Literal(_)) | None => {}
            }
            let Some((behind, from)) = again else { return false };
            let Some(taken) = from.chars().next() else { return false };
            rest = &from[taken.len_utf8()..];
            part = behind;
            again = Some((behind, rest));
        }
        self.parts[part..].iter().all(|part| *part == Part::Any)
    }
}

/// Whether the whole word matches.
pub fn matches(pattern: &str, word: &str) -> bool {
    Wildcard::new(pattern).matches(word)
}

/// The characters that every match begins with.
pub fn literal_prefix(pattern: &str) -> String {
    let literals = parts(pattern).into_iter().map_while(|part| match part {
        Part::Literal(c) => Some(c),
        Part::Any | Part::One => None,
    });
    literals.collect()
}

/// The pattern with its literal texts changed, as by an analyzer.
pub fn with_literals(pattern: &str, change: impl Fn(&str) -> String) -> String {
    let (mut changed, mut literal) = (String::new(), String::new());
    let flush = |changed: &mut String, literal: &mut String| {
        for c in change(literal).chars() {
            if matches!(c, '*' | '?' | '\\') {
                changed.push('\\');
            }
            changed.push(c);
        }
        literal.clear();
    };
    for part in parts(pattern) {
        match part {
            Part::Literal(c) => literal.push(c),
            Part::Any | Part::One => {
                flush(&mut changed, &mut literal);
                changed.push(if part == Part::Any { '*' } else { '?' });
            }
        }
    }
    flush(&mut changed, &mut literal);
    changed
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        let part = match c {
            '*' if parts.last() == Some(&Part::Any) => continue,
            '*' => Part::Any,
            '?' => Part::One,
            '\\' => Part::Literal(characters.next().unwrap_or('\\')),
            literal => Part::Literal(literal),
        };
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_testkit::run_seeds;

    #[test]
    fn stars_question_marks_and_escapes() {
        assert!(
            matches("te?t*", "test") && matches("te?t*", "texting") && !matches("te?t*", "tet")
        );
        assert!(matches("*", "") && matches("a**b", "ab") && !matches("", "a"));
        assert!(matches(r"a\*b", "a*b") && !matches(r"a\*b", "axb") && matches("a\\", "a\\"));
        assert_eq!(literal_prefix(r"ap\*p*le"), "ap*p");
        assert_eq!(with_literals(r"A\*B?*", str::to_lowercase), r"a\*b?*");
    }

    fn by_definition(parts: &[Part], word: &[char]) -> bool {
        match (parts.split_first(), word.split_first()) {
            (None, rest) => rest.is_none(),
            (Some((Part::Any, behind)), rest) => {
                by_definition(behind, word)
                    || rest.is_some_and(|(_, word)| by_definition(parts, word))
            }
            (Some((Part::One, behind)), Some((_, word))) => by_definition(behind, word),
            (Some((Part::Literal(c), behind)), Some((own, word))) => {
                c == own && by_definition(behind, word)
            }
            (Some(_), None) => false,
        }
    }

    #[test]
    fn a_match_is_what_the_definition_says() {
        run_seeds(2_000, |_, random| {
            let mut text = |alphabet: &[char]| -> String {
                (0..random.below(8)).map(|_| *random.pick(alphabet)).collect()
            };
            let (pattern, word) = (text(&['a', 'b', '*', '?', '\\']), text(&['a', 'b', '*', 'ü']));
            let characters: Vec<char> = word.chars().collect();
            let expected = by_definition(&parts(&pattern), &characters);
            assert_eq!(matches(&pattern, &word), expected, "{pattern:?} {word:?}");
        });
    }
}
