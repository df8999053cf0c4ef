//! A line of a list to its fields.

/// What stands between the fields of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Separator {
    /// Blanks and tabs, as many as there are.
    #[default]
    Blanks,
    /// One character.
    One(char),
}

impl Separator {
    /// The separator of a line. Tabs leave blanks within names, unless all words are numbers.
    pub(super) fn of(line: &str) -> Self {
        let is_number = |word: &str| word.parse::<f64>().is_ok();
        if line.contains('\t') && !line.split_ascii_whitespace().all(is_number) {
            return Self::One('\t');
        }
        let found = [',', ';'].into_iter().find(|separator| line.contains(*separator));
        found.map_or(Self::Blanks, Self::One)
    }

    /// Adds the fields of a line.
    pub(super) fn split<'l>(self, line: &'l str, fields: &mut Vec<&'l str>) {
        match self {
            Self::Blanks => fields.extend(line.split_ascii_whitespace()),
            Self::One(separator) => fields.extend(line.split(separator).map(str::trim)),
        }
    }
}

/// Whether a line says nothing of edges.
#[inline]
pub(super) fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b'#' | b'%'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_between_tabs_commas_or_blanks() {
        for (line, fields) in [
            ("0\t11342", vec!["0", "11342"]),
            ("1 \t 2   0.5", vec!["1", "2", "0.5"]),
            ("New York\tBoston\t7", vec!["New York", "Boston", "7"]),
            ("6,2,4,1289241911.72836", vec!["6", "2", "4", "1289241911.72836"]),
            ("ann; ben", vec!["ann", "ben"]),
            ("ann  ben", vec!["ann", "ben"]),
        ] {
            let mut found = Vec::new();
            Separator::of(line).split(line, &mut found);
            assert_eq!(found, fields, "{line}");
        }
    }
}
