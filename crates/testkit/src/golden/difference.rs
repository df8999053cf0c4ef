//! The difference of two texts, as lines a person can read.
//!
//! Not a minimal difference: the equal lines at both ends are left out, the middle is shown whole.

const CONTEXT_LINES: usize = 2;

/// `-` expected and `+` found, with a few equal lines around; `None` if the texts are equal.
pub(super) fn between(expected: &str, found: &str) -> Option<String> {
    let (expected, found) = (expected.trim_end_matches('\n'), found.trim_end_matches('\n'));
    if expected == found {
        return None;
    }
    let expected: Vec<&str> = expected.split('\n').collect();
    let found: Vec<&str> = found.split('\n').collect();
    let head = equal_count(expected.iter(), found.iter());
    let tail = equal_count(expected[head..].iter().rev(), found[head..].iter().rev());
    let mut shown = String::new();
    let mut show = |mark: char, lines: &[&str]| {
        for line in lines {
            shown.push_str(&format!("  {mark} {line}\n"));
        }
    };
    show(' ', &expected[head.saturating_sub(CONTEXT_LINES)..head]);
    show('-', &expected[head..expected.len() - tail]);
    show('+', &found[head..found.len() - tail]);
    let after = &expected[expected.len() - tail..];
    show(' ', &after[..after.len().min(CONTEXT_LINES)]);
    Some(shown)
}

fn equal_count<'a>(
    left: impl Iterator<Item = &'a &'a str>,
    right: impl Iterator<Item = &'a &'a str>,
) -> usize {
    left.zip(right).take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_newlines_do_not_count() {
        assert_eq!(between("a\nb\n", "a\nb"), None);
    }

    #[test]
    fn only_the_middle_is_marked() {
        let shown = between("1\n2\n3\nold\n5", "1\n2\n3\nnew\nmore\n5").unwrap();
        assert_eq!(shown, "    2\n    3\n  - old\n  + new\n  + more\n    5\n");
    }

    #[test]
    fn a_repeated_line_is_not_counted_at_both_ends() {
        assert_eq!(between("a", "a\na").unwrap(), "    a\n  + a\n");
    }
}
