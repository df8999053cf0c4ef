//! What is counted: lengths, documentation, panics, unsafe code.

use syn::Attribute;

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
