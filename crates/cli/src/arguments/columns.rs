//! Options of `millrace load` for CSV whose headers are names only, and for lists of edges.

use clap::Args;
use millrace_db::ingest::csv::{ColumnType, PlainColumns, PlainRows};
use millrace_model::Result;

/// What the rows and columns of such files are; all files that stand by themselves are meant.
#[derive(Debug, Args)]
pub(crate) struct ColumnArguments {
    /// The rows are nodes with this label, and the header has only names. Types are guessed from the first
    /// 10,000 rows, and shown. Of a list of edges: the label of its nodes; with a comma, of sources and of
    /// targets.
    #[arg(long, value_name = "LABEL[:LABEL]…", conflicts_with_all = ["from", "to"])]
    pub(crate) label: Option<String>,
    /// The column with the id of a node, by which relationships name it. Of a list: the key that ids get.
    #[arg(long, value_name = "COLUMN", requires = "label")]
    pub(crate) id: Option<String>,
    /// The rows are relationships of this type, and the header has only names. Of a list, with --label: the
    /// type of its edges.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) edge_type: Option<String>,
    /// The column with the id of a relationship's source; if nodes of several labels have ids, with the
    /// label: 'person(Person)'.
    #[arg(long, value_name = "COLUMN[(LABEL)]", requires = "edge_type")]
    pub(crate) from: Option<String>,
    /// The same for its target.
    #[arg(long, value_name = "COLUMN[(LABEL)]", requires = "edge_type")]
    pub(crate) to: Option<String>,
    /// Types of columns, instead of the guessed ones, or IGNORE: age:int,born:date,notes:IGNORE. An id is a
    /// string or a long.
    #[arg(long, value_name = "COLUMN:TYPE[,…]")]
    pub(crate) types: Vec<String>,
}

impl ColumnArguments {
    /// The same in the words of a load.
    pub(crate) fn columns(&self) -> Result<PlainColumns> {
        let Self { label, id, edge_type, from, to, types } = self;
        let [label, id, edge_type, from, to] =
            [label, id, edge_type, from, to].map(Option::as_deref);
        let mut columns = Vec::new();
        for list in types {
            columns.extend(ColumnType::parse_list(list)?);
        }
        Ok(PlainColumns { rows: PlainRows::said(label, id, edge_type, from, to)?, types: columns })
    }
}
