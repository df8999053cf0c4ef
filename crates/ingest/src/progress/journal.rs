//! The journal of a load in batches: how far it is, in the very transaction that brings it there.
//!
//! ```text
//!   note "load.journal.NAME"        input films.nq:4711      the input: names and sizes
//!                                   next 0 0 20001           table, file, line to go on with
//!                                   counts 20000 1 900 4000  rows, bad, nodes, relationships
//!                                   blanks 1                 whether blank nodes keep their name
//!                                   done 0                   whether the load came to its end
//!   note "load.rejects.NAME.20001"  films.nq⇥17⇥3⇥why        bad rows of the batch before that line
//! ```
//!
//! Notes belong to the graph and to no element, so nothing of this shows in scans or counts. They stay
//! when the load is done, until the next one begins: a client that was killed before its answer resumes
//! a load that is done, and must neither load it again nor miss its bad rows.
//!
//! The journal names no vertices. The names of nodes are found again by their unique index, which is why
//! a load in batches must store them.

use super::Counts;
use crate::error::BadRow;

use millrace_model::{Catalog, CatalogChange};
use std::sync::Arc;

/// How far a load is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Journal {
    name: Arc<str>,
    input: String,
    pub(crate) next: Place,
    pub(crate) counts: Counts,
    pub(crate) has_blanks: bool,
    pub(crate) is_done: bool,
}

/// A row of a load: tables in the order they are read, files of a table, lines from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) table: usize,
    pub(crate) source: usize,
    pub(crate) line: u64,
}

const JOURNALS: &str = "load.journal.";

impl Journal {
    /// A load that begins.
    pub(crate) fn new(name: &str, input: &str) -> Self {
        let (next, counts) = (Place::default(), Counts::default());
        let (has_blanks, is_done) = (false, false);
        Self { name: name.into(), input: input.into(), next, counts, has_blanks, is_done }
    }

    /// The load of a name that is under way in a graph, if there is one and its journal reads.
    pub(crate) fn find(catalog: &Catalog, name: &str) -> Option<Self> {
        let text = catalog.notes.get(format!("{JOURNALS}{name}").as_str())?;
        Self::parse(name, text)
    }

    /// The names and sizes of the files, as the journal has them.
    pub(crate) fn input(&self) -> &str {
        &self.input
    }

    /// Whether the graph has exactly this journal.
    pub(crate) fn is_in(&self, catalog: &Catalog) -> bool {
        catalog.notes.get(&self.note_name()).is_some_and(|text| **text == self.text())
    }

    /// The note that says this.
    pub(crate) fn note(&self) -> CatalogChange {
        CatalogChange::SetNote(self.note_name(), Some(self.text().into()))
    }

    /// The note of bad rows that lead up to this place.
    pub(crate) fn rejects_note(&self, bad: &[BadRow]) -> CatalogChange {
        let line = |row: &BadRow| {
            let detail = row.detail.replace(['\n', '\r'], " ");
            format!("{}\t{}\t{}\t{detail}\n", row.file, row.line, row.column)
        };
        let text: String = bad.iter().map(line).collect();
        let Place { table, source, line } = self.next;
        let name = format!("{}{table}.{source}.{line}", self.rejects_prefix());
        CatalogChange::SetNote(name.into(), Some(text.into()))
    }

    /// All bad rows so far, in their order.
    pub(crate) fn rejects(&self, catalog: &Catalog) -> Vec<BadRow> {
        let mut notes: Vec<(Place, &Arc<str>)> = self
            .reject_notes(catalog)
            .filter_map(|name| {
                let place = name.strip_prefix(self.rejects_prefix().as_str())?;
                let mut numbers = place.splitn(3, '.').map(str::parse::<u64>);
                let (table, source) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
                let (table, source) = (table as usize, source as usize);
                let place = Place { table, source, line: numbers.next()?.ok()? };
                Some((place, catalog.notes.get(name)?))
            })
            .collect();
        notes.sort_by_key(|(place, _)| *place);
        notes.iter().flat_map(|(_, text)| text.lines().filter_map(parse_reject)).collect()
    }

    /// The changes that take away all of the loads that are done.
    pub(crate) fn removal_of_done(catalog: &Catalog) -> Vec<CatalogChange> {
        let names = catalog.notes.keys().filter_map(|name| name.strip_prefix(JOURNALS));
        let journals = names.filter_map(|name| Self::find(catalog, name));
        journals.filter(|own| own.is_done).flat_map(|own| own.removal(catalog)).collect()
    }

    fn removal(&self, catalog: &Catalog) -> Vec<CatalogChange> {
        let rejects =
            self.reject_notes(catalog).map(|name| CatalogChange::SetNote(name.clone(), None));
        rejects.chain([CatalogChange::SetNote(self.note_name(), None)]).collect()
    }

    /// A number that all transactions of loads of this name claim.
    pub(crate) fn claim(&self) -> u64 {
        // FNV-1a: the number must be the same in every process.
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        self.note_name().bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }

    fn note_name(&self) -> Arc<str> {
        format!("{JOURNALS}{}", self.name).into()
    }

    fn rejects_prefix(&self) -> String {
        format!("load.rejects.{}.", self.name)
    }

    fn reject_notes<'c>(&self, catalog: &'c Catalog) -> impl Iterator<Item = &'c Arc<str>> {
        let prefix = self.rejects_prefix();
        catalog.notes.keys().filter(move |name| name.starts_with(&prefix))
    }

    fn text(&self) -> String {
        let Place { table, source, line } = self.next;
        let Counts { rows, bad_rows, vertices, edges } = self.counts;
        format!(
            "input {}\nnext {table} {source} {line}\ncounts {rows} {bad_rows} {vertices} {edges}\n\
             blanks {}\ndone {}\n",
            self.input,
            u8::from(self.has_blanks),
            u8::from(self.is_done)
        )
    }

    fn parse(name: &str, text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut value = |word: &str| lines.next()?.strip_prefix(word)?.strip_prefix(' ');
        let input = value("input")?.to_string();
        let numbers = |text: &str| -> Option<Vec<u64>> {
            text.split(' ').map(|number| number.parse().ok()).collect()
        };
        let next = numbers(value("next")?)?;
        let counts = numbers(value("counts")?)?;
        let has_blanks = value("blanks")? == "1";
        let is_done = value("done")? == "1";
        let (&[table, source, line], &[rows, bad_rows, vertices, edges]) = (&*next, &*counts)
        else {
            return None;
        };
        let next = Place { table: table as usize, source: source as usize, line };
        let counts = Counts { rows, bad_rows, vertices, edges };
        Some(Self { name: name.into(), input, next, counts, has_blanks, is_done })
    }
}

fn parse_reject(line: &str) -> Option<BadRow> {
    let mut fields = line.splitn(4, '\t');
    let file = fields.next()?.into();
    let (line, column) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(BadRow { file, line, column, detail: fields.next()?.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_reads_back_with_its_rejects_in_order_and_leaves_nothing() {
        let mut journal = Journal::new("films.nq-1a2b", "films.nq:4711");
        let mut catalog = Catalog::default();
        let bad = |line| BadRow { file: "films.nq".into(), line, column: 3, detail: "a\nb".into() };
        for line in [9, 20_001, 100_000] {
            journal.next = Place { table: 0, source: 1, line };
            journal.counts = Counts { rows: line, bad_rows: 1, vertices: 2, edges: 3 };
            journal.has_blanks = true;
            catalog.apply(&journal.note());
            catalog.apply(&journal.rejects_note(&[bad(line - 1)]));
        }
        let other = Journal::new("films.nq-1a2", "x");
        catalog.apply(&other.note());
        assert_eq!(Journal::find(&catalog, "films.nq-1a2b"), Some(journal.clone()));
        assert!(journal.is_in(&catalog) && !Journal::new("films.nq-1a2b", "").is_in(&catalog));
        let lines: Vec<u64> = journal.rejects(&catalog).iter().map(|row| row.line).collect();
        assert_eq!(lines, [8, 20_000, 99_999]);
        assert_eq!(journal.rejects(&catalog)[0].detail, "a b");
        assert!(Journal::removal_of_done(&catalog).is_empty());
        journal.is_done = true;
        catalog.apply(&journal.note());
        Journal::removal_of_done(&catalog).iter().for_each(|change| catalog.apply(change));
        assert_eq!(catalog.notes.len(), 1, "the other load's journal stays");
    }
}
