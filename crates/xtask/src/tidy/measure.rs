//! Counts over the sources: lengths, documentation, panics, unsafe code.
//!
//! A file's length is all of it, tests included, as a reader scrolls it. Functions, `pub` items and
//! panics are those of product code; unsafe code counts everywhere.

use syn::Attribute;

use super::source::Source;
use super::{product, unsafe_sites};

/// A length, and where it was found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Length {
    pub(super) lines: usize,
    pub(super) place: String,
}

/// The counts over all sources.
#[derive(Debug, Default)]
pub(super) struct Measures {
    pub(super) files: Vec<Length>,
    pub(super) functions: Vec<Length>,
    pub(super) files_without_doc: Vec<String>,
    pub(super) pub_item_count: usize,
    pub(super) undocumented: Vec<String>,
    pub(super) panics: Vec<String>,
    /// Path and line of each site.
    pub(super) unsafe_sites: Vec<(String, usize)>,
}

impl Measures {
    pub(super) fn of(sources: &[Source]) -> Self {
        let mut measures = Self::default();
        for source in sources {
            measures.add(source);
        }
        measures
    }

    fn add(&mut self, source: &Source) {
        let path = &source.path;
        self.files.push(Length { lines: source.line_count, place: path.clone() });
        if !is_documented(&source.whole.attrs) {
            self.files_without_doc.push(path.clone());
        }
        product::count(source, self);
        let lines = unsafe_sites::lines(&source.whole);
        self.unsafe_sites.extend(lines.into_iter().map(|line| (path.clone(), line)));
    }

    /// The distribution of lengths, for people.
    pub(super) fn lengths(&self) -> Vec<String> {
        let line = |name: &str, lengths: &[Length]| {
            let mut lines: Vec<usize> = lengths.iter().map(|length| length.lines).collect();
            lines.sort_unstable();
            let at =
                |percent: usize| lines.get((lines.len() * percent) / 100).copied().unwrap_or(0);
            let longest = lines.last().copied().unwrap_or(0);
            let (count, median, p90) = (lines.len(), at(50), at(90));
            format!("{name}: {count}, lines median {median}, p90 {p90}, longest {longest}")
        };
        vec![line("files", &self.files), line("functions", &self.functions)]
    }
}

/// Whether there is a doc comment, inner or outer.
pub(super) fn is_documented(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("doc"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[test]
    fn a_file_without_a_module_doc_is_named() {
        let with = source::parse("a.rs", "//! What it is.\nfn a() {}\n").unwrap();
        let without = source::parse("b.rs", "/// Of the function only.\nfn a() {}\n").unwrap();
        assert_eq!(Measures::of(&[with, without]).files_without_doc, ["b.rs"]);
    }

    #[test]
    fn lengths_are_summed_up_for_people() {
        let text = "fn a() {\n}\nfn b() {\n\n\n}\n";
        let measures = Measures::of(&[source::parse("a.rs", text).unwrap()]);
        assert_eq!(measures.lengths()[0], "files: 1, lines median 6, p90 6, longest 6");
        assert_eq!(measures.lengths()[1], "functions: 2, lines median 4, p90 4, longest 4");
    }
}
