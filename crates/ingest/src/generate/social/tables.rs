//! Tables as neo4j-admin imports them: `id:ID(Person),:LABEL` and `:START_ID(Person),:END_ID(Tag),:TYPE`.

use std::io::{self, Write};
use std::ops::{Deref, Range};

/// All tables, nodes first.
#[derive(Default)]
pub(super) struct Tables<'t>(Vec<Table<'t>>);

/// A table.
pub(super) struct Table<'t> {
    /// Its name: that of a file without its ending.
    pub(super) name: &'static str,
    header: String,
    /// Behind each row: labels, or the type.
    ending: &'static str,
    rows: Rows<'t>,
}

type Pairs<'t> = Box<dyn Fn() -> Box<dyn Iterator<Item = (u32, u32)> + 't> + 't>;

enum Rows<'t> {
    Numbers(Range<u32>),
    Pairs(Pairs<'t>),
}

impl<'t> Deref for Tables<'t> {
    type Target = [Table<'t>];

    fn deref(&self) -> &[Table<'t>] {
        &self.0
    }
}

impl<'t> Tables<'t> {
    /// A table of nodes. Posts and comments share their ids: both are messages.
    pub(super) fn nodes(&mut self, name: &'static str, labels: &'static str, ids: Range<u32>) {
        let header = format!("id:ID({}),:LABEL", id_space(name));
        self.0.push(Table { name, header, ending: labels, rows: Rows::Numbers(ids) });
    }

    /// A table of edges, called `Source_type_Target`.
    pub(super) fn edges<I>(&mut self, name: &'static str, edge_type: &'static str, pairs: I)
    where
        I: Iterator<Item = (u32, u32)> + Clone + 't,
    {
        let source = name.split('_').next().unwrap_or_default();
        let target = name.rsplit('_').next().unwrap_or_default();
        let [source, target] = [source, target].map(id_space);
        let header = format!(":START_ID({source}),:END_ID({target}),:TYPE");
        let pairs: Pairs<'t> = Box::new(move || Box::new(pairs.clone()));
        self.0.push(Table { name, header, ending: edge_type, rows: Rows::Pairs(pairs) });
    }
}

fn id_space(label: &str) -> &str {
    if matches!(label, "Post" | "Comment") { "Message" } else { label }
}

impl Table<'_> {
    /// Header and rows.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let ending = self.ending;
        writeln!(out, "{}", self.header)?;
        match &self.rows {
            Rows::Numbers(ids) => ids.clone().try_for_each(|id| writeln!(out, "{id},{ending}")),
            Rows::Pairs(pairs) => {
                pairs().try_for_each(|(from, to)| writeln!(out, "{from},{to},{ending}"))
            }
        }
    }
}
