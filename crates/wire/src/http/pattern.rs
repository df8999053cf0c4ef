//! Patterns of paths.
//!
//! A pattern is segments: a word, `{name}`, or at the end `{options…}` (none to two segments). `{id}`
//! and `{id2}` match digits only, so that `/node/Person/degree` is a node of type `Person`; only when
//! nothing matches may they match anything, to be refused by name.

/// Stands at the end of a pattern for the direction and types of a traversal.
pub(crate) const OPTIONS: &str = "{options…}";

/// How many segments [`OPTIONS`] takes.
const OPTIONS_MAX: usize = 2;

/// Whether `{id}` takes digits only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdForm {
    Digits,
    Anything,
}

/// A pattern, cut into its parts.
pub(crate) struct Pattern {
    parts: Vec<&'static str>,
    /// How many segments it takes.
    least: usize,
    most: usize,
}

impl Pattern {
    pub(crate) fn of(pattern: &'static str) -> Pattern {
        let parts: Vec<_> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        let options = parts.last() == Some(&OPTIONS);
        let least = parts.len() - usize::from(options);
        let most = if options { least + OPTIONS_MAX } else { least };
        Pattern { parts, least, most }
    }

    /// Length and words distinguish almost all patterns, before anything is captured.
    fn may_fit(&self, segments: &[String]) -> bool {
        let words = self.parts.iter().zip(segments).filter(|(part, _)| !part.starts_with('{'));
        let length = self.least <= segments.len() && segments.len() <= self.most;
        length && words.into_iter().all(|(part, segment)| part == segment)
    }
}

/// The segments of a path that a pattern names: the names and their values, in order; `None` if the
/// path does not fit the pattern.
pub(crate) fn matched<'p>(
    pattern: &Pattern,
    segments: &'p [String],
    ids: IdForm,
) -> Option<Vec<(&'static str, &'p str)>> {
    if !pattern.may_fit(segments) {
        return None;
    }
    let mut captures = Vec::new();
    let mut rest = segments.iter();
    for &part in &pattern.parts {
        if part == OPTIONS {
            let options = rest.len();
            captures.extend(rest.by_ref().map(|option| (OPTIONS, option.as_str())));
            return (options <= OPTIONS_MAX).then_some(captures);
        }
        let segment = rest.next()?;
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) if fits(name, segment, ids) => captures.push((name, segment.as_str())),
            None if part == segment => {}
            Some(_) | None => return None,
        }
    }
    rest.next().is_none().then_some(captures)
}

fn fits(name: &str, segment: &str, ids: IdForm) -> bool {
    let is_id = matches!(name, "id" | "id2");
    !is_id || ids == IdForm::Anything || segment.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::target::segments;
    use super::*;

    #[test]
    fn an_id_is_digits_unless_nothing_else_fits() {
        let path = segments("/node/Person/degree").unwrap();
        assert_eq!(
            matched(&Pattern::of("/node/{id}/degree/{options…}"), &path, IdForm::Digits),
            None
        );
        let taken = matched(&Pattern::of("/node/{id}/degree/{options…}"), &path, IdForm::Anything);
        assert_eq!(taken, Some(vec![("id", "Person")]));
    }

    #[test]
    fn options_are_none_to_two_segments() {
        let path = segments("/node/7/degree/out/A&B").unwrap();
        let taken = matched(&Pattern::of("/node/{id}/degree/{options…}"), &path, IdForm::Digits);
        assert_eq!(taken, Some(vec![("id", "7"), (OPTIONS, "out"), (OPTIONS, "A&B")]));
        let long = segments("/node/7/degree/out/A/B").unwrap();
        assert_eq!(
            matched(&Pattern::of("/node/{id}/degree/{options…}"), &long, IdForm::Digits),
            None
        );
    }
}
