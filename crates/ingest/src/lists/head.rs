//! What the comments and the first rows of a list say of it.

use super::fields::{Separator, is_comment};
use crate::csv::{ElementType, FieldType, GuessedColumn};
use crate::error::LoadError;
use crate::limits::{GUESS_BYTES, GUESS_ROWS, LIST_COLUMNS_MAX};
use crate::source::BlockReader;

/// Names of the columns behind the ids, where a list has none: those of KONECT.
const NAMES: [&str; 2] = ["weight", "time"];

/// What a file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The format, as a message names it.
    pub(super) format: &'static str,
    pub(super) nodes: Option<u64>,
    pub(super) edges: Option<u64>,
    pub(super) is_undirected: bool,
    /// Whether sources and targets are nodes of two kinds.
    pub(super) is_bipartite: bool,
    pub(super) separator: Separator,
    /// The line of the names of columns that is no comment; 0: there is none.
    pub(super) names_line: u64,
    /// Names of all columns.
    pub(super) names: Vec<Box<str>>,
}

impl Head {
    /// The format, and the counts where the file says them.
    pub(super) fn description(&self) -> String {
        let counts = [(self.nodes, "nodes"), (self.edges, "edges")];
        let counts: Vec<String> = counts
            .iter()
            .filter_map(|(count, of)| count.map(|count| format!("{count} {of}")))
            .collect();
        let kind = if self.is_bipartite { ", of nodes of two kinds" } else { "" };
        match counts.is_empty() {
            true => format!("{}{kind}", self.format),
            false => format!("{} with {}{kind}", self.format, counts.join(" and ")),
        }
    }

    fn comment(&mut self, line: &str, is_first: bool) {
        let words: Vec<&str> = line
            .split(|letter: char| letter.is_ascii_whitespace() || "#%,".contains(letter))
            .filter(|word| !word.is_empty())
            .collect();
        let said = line.to_ascii_lowercase();
        if is_first && line.starts_with('%') && matches!(words[..], ["sym" | "asym" | "bip", ..]) {
            self.format = "an edge list of KONECT";
            (self.is_undirected, self.is_bipartite) = (words[0] == "sym", words[0] == "bip");
            return;
        }
        self.is_undirected |= said.contains("undirected");
        let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            // KONECT: edges, then subjects and objects, which are the same in a list of one kind.
            [edges, sources, targets] if line.starts_with('%') && words.len() == 3 => {
                let nodes =
                    if self.is_bipartite { sources + targets } else { sources.max(targets) };
                (self.edges, self.nodes) = (Some(edges), Some(nodes));
            }
            _ => {
                let behind = |name: &str| {
                    let at = words.iter().position(|word| word.eq_ignore_ascii_case(name))?;
                    words.get(at + 1)?.parse().ok()
                };
                self.nodes = behind("nodes:").or(self.nodes);
                self.edges = behind("edges:").or(self.edges);
            }
        }
        let are_names = 2 < words.len() && words.iter().all(|word| is_name(word));
        self.names = if are_names { boxed(&words) } else { Vec::new() };
    }
}

fn is_name(word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    word.starts_with(char::is_alphabetic) && word.chars().all(is_letter)
}

fn boxed(words: &[&str]) -> Vec<Box<str>> {
    words.iter().map(|word| Box::from(*word)).collect()
}

/// What the files of a list say together.
pub(super) struct Heads {
    pub(super) files: Vec<Head>,
    /// Whether all ids of the first rows are whole numbers.
    pub(super) has_numbers: bool,
    /// Names and types of the columns behind the ids.
    pub(super) columns: Vec<(Box<str>, FieldType)>,
    /// Bytes of the rows that are read, which are in memory now.
    pub(super) bytes: u64,
}

/// Reads ahead what decides how the files are read.
pub(super) fn read(readers: &mut [BlockReader]) -> Result<Heads, LoadError> {
    let mut first = FirstRows::default();
    let mut bytes = 0;
    let mut files = Vec::new();
    for reader in readers {
        let mut head = Head { format: "an edge list", ..Head::default() };
        let mut lines = 0;
        while first.rows < GUESS_ROWS && bytes < GUESS_BYTES {
            let Some(block) = reader.peek_block()? else { break };
            bytes += block.bytes.len() as u64;
            first.see((block.first_line, &block.bytes), &mut head, &mut lines);
        }
        // The beginning of a file says how it is written, also if those before it had rows enough.
        if lines == 0 {
            first.see((1, reader.head()?), &mut head, &mut lines);
        }
        files.push(head);
    }
    let is_integer = |kind: FieldType| kind.element == ElementType::Integer && !kind.array;
    let has_numbers = first.ids.as_ref().is_none_or(|ids| is_integer(ids.kind()));
    let names = files.iter().map(|head| &head.names).find(|names| !names.is_empty());
    let names = names.filter(|names| names.len() == first.others.len() + 2);
    let columns = first.others.iter().enumerate().map(|(at, column)| {
        let name = names.and_then(|names| names.get(at + 2)).cloned();
        let usual = || match NAMES.get(at) {
            Some(name) => Box::from(*name),
            None => format!("column{}", at + 3).into(),
        };
        (name.unwrap_or_else(usual), column.kind())
    });
    Ok(Heads { has_numbers, columns: columns.collect(), bytes, files })
}

/// The columns of the first rows of all files.
#[derive(Default)]
struct FirstRows {
    rows: u64,
    /// Both ids together.
    ids: Option<GuessedColumn>,
    others: Vec<GuessedColumn>,
}

impl FirstRows {
    fn see(&mut self, (first_line, bytes): (u64, &[u8]), head: &mut Head, lines: &mut u64) {
        let mut fields = Vec::new();
        let mut rest = (first_line..).zip(bytes.split(|byte| *byte == b'\n')).peekable();
        while let Some((number, line)) = rest.next() {
            let Ok(line) = str::from_utf8(line) else { continue };
            if is_comment(line.as_bytes()) {
                if *lines == 0 && !line.trim().is_empty() {
                    head.comment(line.trim(), number == 1);
                }
                continue;
            }
            *lines += 1;
            if *lines == 1 {
                head.separator = Separator::of(line);
                let next = rest.peek().and_then(|(_, next)| str::from_utf8(next).ok());
                if let Some(names) = names_of(line, next.unwrap_or_default(), head.separator) {
                    head.separator = Separator::of(next.unwrap_or_default());
                    (head.names, head.names_line) = (names, number);
                    continue;
                }
            }
            fields.clear();
            head.separator.split(line, &mut fields);
            self.row(&fields);
            if GUESS_ROWS <= self.rows {
                return;
            }
        }
    }

    fn row(&mut self, fields: &[&str]) {
        let [source, target, others @ ..] = fields else { return };
        self.rows += 1;
        let ids = self.ids.get_or_insert_with(GuessedColumn::plain);
        ids.see(source);
        ids.see(target);
        let width = self.others.len().max(others.len()).min(LIST_COLUMNS_MAX - 2);
        self.others.resize_with(width, GuessedColumn::plain);
        self.others.iter_mut().zip(others).for_each(|(column, field)| column.see(field));
    }
}

/// The names in a first line above numbers.
fn names_of(line: &str, next: &str, separator: Separator) -> Option<Vec<Box<str>>> {
    let (mut names, mut below) = (Vec::new(), Vec::new());
    separator.split(line, &mut names);
    Separator::of(next).split(next, &mut below);
    let has_number = below.iter().any(|word| word.parse::<f64>().is_ok());
    let are_names = names.len() == below.len() && names.iter().all(|name| is_name(name));
    (has_number && are_names).then(|| boxed(&names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineEnds, Source};
    use std::io::Cursor;
    use std::sync::Arc;

    fn heads(text: &str) -> Heads {
        let source = Source::stream("in", Cursor::new(text.to_owned()));
        read(&mut [BlockReader::open(source, 0, LineEnds::All, Arc::default()).unwrap()]).unwrap()
    }

    fn columns(text: &str) -> String {
        let columns = heads(text).columns;
        let texts: Vec<String> =
            columns.iter().map(|(name, kind)| format!("{name}:{}", kind.word())).collect();
        texts.join(",")
    }

    #[test]
    fn comments_say_counts_directions_and_kinds() {
        let snap = "# Undirected graph: ../ungraph.txt\n# Youtube\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n1\t2\n";
        let head = &heads(snap).files[0];
        assert!(head.is_undirected && !head.is_bipartite);
        assert_eq!(head.description(), "an edge list with 3 nodes and 2 edges");
        let konect = "% bip weighted\n% 100 7 9\n1 2 5\n";
        let head = &heads(konect).files[0];
        assert!(!head.is_undirected && head.is_bipartite);
        let said = "an edge list of KONECT with 16 nodes and 100 edges, of nodes of two kinds";
        assert_eq!(head.description(), said);
        assert_eq!(heads("% sym unweighted\n% 2 3 3\n1 2\n").files[0].nodes, Some(3));
        assert_eq!(heads("1 2\n").files[0].description(), "an edge list");
    }

    #[test]
    fn columns_have_the_names_that_the_file_says_or_those_of_konect() {
        assert_eq!(columns("1 2\n"), "");
        assert_eq!(
            columns("% asym posweighted\n1 2 1 1082040961\n2 3 0.5 1\n"),
            "weight:double,time:long"
        );
        assert_eq!(columns("# FromNodeId\tToNodeId\tSign\n1\t2\t-1\n"), "Sign:long");
        assert_eq!(columns("# Directed graph (each pair)\n1 2 0.5\n"), "weight:double");
        assert_eq!(columns("source,target,note\n1,2,x\n"), "note:string");
        assert_eq!(columns("1 2 3 4 5\n"), "weight:long,time:long,column5:long");
        assert!(heads("a b\n").files[0].names_line == 0 && !heads("a b\n").has_numbers);
        assert_eq!(heads("# x\nfrom to\n1 2\n").files[0].names_line, 2);
        assert!(heads("from to\n1 2\n").has_numbers);
    }
}
