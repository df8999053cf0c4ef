//! Counts over the sources.
//!
//! A file's length is all of it, tests included, as a reader scrolls it. Functions, `pub` items and
//! panics are those of product code; unsafe code counts everywhere.

use super::measure::{Length, Measures, is_documented};
use super::source::Source;
use super::{product, unsafe_sites};

/// The counts.
pub(super) fn measures(sources: &[Source]) -> Measures {
    let mut measures = Measures::default();
    for source in sources {
        add(&mut measures, source);
    }
    measures
}

fn add(measures: &mut Measures, source: &Source) {
    let path = &source.path;
    measures.files.push(Length { lines: source.line_count, place: path.clone() });
    if !is_documented(&source.whole.attrs) {
        measures.files_without_doc.push(path.clone());
    }
    product::count(source, measures);
    let lines = unsafe_sites::lines(&source.whole);
    measures.unsafe_sites.extend(lines.into_iter().map(|line| (path.clone(), line)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    #[test]
    fn a_file_without_a_module_doc_is_named() {
        let with = source::parse("a.rs", "//! What it is.\nfn a() {}\n").unwrap();
        let without = source::parse("b.rs", "/// Of the function only.\nfn a() {}\n").unwrap();
        assert_eq!(measures(&[with, without]).files_without_doc, ["b.rs"]);
    }

    #[test]
    fn lengths_are_summed_up_for_people() {
        let text = "fn a() {\n}\nfn b() {\n\n\n}\n";
        let measures = measures(&[source::parse("a.rs", text).unwrap()]);
        assert_eq!(measures.lengths()[0], "files: 1, lines median 6, p90 6, longest 6");
        assert_eq!(measures.lengths()[1], "functions: 2, lines median 4, p90 4, longest 4");
    }
}
