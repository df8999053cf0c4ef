//! Texts with parts that may go, so that a text can be made smaller without a grammar.

use std::fmt::{self, Display, Formatter};

/// A part of a text.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// As it is written.
    Word(String),
    /// Behind each other.
    All(Vec<Part>),
    /// It may be left out.
    May(Box<Part>),
    /// Each but the last of them may be left out; with a separator between.
    Some(Vec<Part>, &'static str),
    /// An expression: one inside may take its place.
    Expression(Box<Part>),
}

/// A word.
pub(super) fn word(text: impl Into<String>) -> Part {
    Part::Word(text.into())
}

/// A part that may go.
pub(super) fn may(part: Part) -> Part {
    Part::May(Box::new(part))
}

/// A text in which each `@` stands for the next of the parts.
pub(super) fn with(template: &str, parts: impl IntoIterator<Item = Part>) -> Part {
    let mut parts = parts.into_iter();
    let mut all = Vec::new();
    for (index, text) in template.split('@').enumerate() {
        if 0 < index {
            all.push(parts.next().expect("a part for each sign"));
        }
        if !text.is_empty() {
            all.push(word(text));
        }
    }
    assert!(parts.next().is_none(), "a sign for each part: {template}");
    Part::All(all)
}

/// The same, as an expression.
pub(super) fn expression(template: &str, parts: impl IntoIterator<Item = Part>) -> Part {
    Part::Expression(Box::new(with(template, parts)))
}

impl Part {
    /// The part with one thing less inside, each.
    pub(super) fn smaller(&self) -> Vec<Part> {
        match self {
            Part::Word(_) => Vec::new(),
            Part::All(parts) => {
                let inside = smaller_of_one(parts).into_iter();
                inside.map(Part::All).collect()
            }
            Part::May(part) => {
                let inside = part.smaller().into_iter().map(may);
                [Part::All(Vec::new())].into_iter().chain(inside).collect()
            }
            Part::Some(parts, separator) => {
                let mut all = Vec::new();
                for gone in 0..parts.len() {
                    if 1 < parts.len() {
                        let mut fewer = parts.clone();
                        fewer.remove(gone);
                        all.push(Part::Some(fewer, separator));
                    }
                }
                let inside = smaller_of_one(parts).into_iter();
                all.extend(inside.map(|parts| Part::Some(parts, separator)));
                all
            }
            Part::Expression(part) => {
                let mut all = Vec::new();
                part.expressions(&mut all);
                let null = word("null");
                if self.to_string() != "null" {
                    all.push(Part::Expression(Box::new(null)));
                }
                let inside = part.smaller().into_iter();
                all.extend(inside.map(|part| Part::Expression(Box::new(part))));
                all
            }
        }
    }

    /// The outermost expressions inside.
    fn expressions(&self, found: &mut Vec<Part>) {
        match self {
            Part::Word(_) => {}
            Part::All(parts) | Part::Some(parts, _) => {
                parts.iter().for_each(|part| part.expressions(found));
            }
            Part::May(part) => part.expressions(found),
            Part::Expression(_) => found.push(self.clone()),
        }
    }
}

fn smaller_of_one(parts: &[Part]) -> Vec<Vec<Part>> {
    let mut all = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        for smaller in part.smaller() {
            let mut parts = parts.to_vec();
            parts[index] = smaller;
            all.push(parts);
        }
    }
    all
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Part::Word(text) => f.write_str(text),
            Part::All(parts) => parts.iter().try_for_each(|part| write!(f, "{part}")),
            Part::May(part) | Part::Expression(part) => write!(f, "{part}"),
            Part::Some(parts, separator) => {
                for (index, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if index == 0 { "" } else { separator })?;
                }
                Ok(())
            }
        }
    }
}
