//! The formats that are read, and their words.

use crate::error::LoadError;
use std::path::Path;

/// A kind of file, known by its name or named by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.rdf`, `.nq`, `.nt`.
    NQuads,
    /// Dgraph's JSON, under a schema.
    DgraphJson,
    /// `.csv`.
    Csv,
    /// `.graphson`, `.json`, `.jsonl`.
    GraphSon,
    /// `.graphml`.
    GraphMl,
    /// Pairs of ids: `.el`, `.edges`, `.ncol`; SNAP's and KONECT's by content.
    EdgeList,
    /// `.mtx`.
    MatrixMarket,
    /// `.parquet`: tables.
    Parquet,
}

impl Format {
    /// The format of a word, as `--format` takes it.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "nquads" | "rdf" | "nq" | "nt" | "ntriples" => Some(Self::NQuads),
            "dgraph" => Some(Self::DgraphJson),
            "csv" => Some(Self::Csv),
            "graphson" | "json" | "jsonl" | "ndjson" | "apoc" => Some(Self::GraphSon),
            "graphml" => Some(Self::GraphMl),
            "edgelist" | "edges" | "el" | "wel" | "ncol" | "snap" | "konect" => {
                Some(Self::EdgeList)
            }
            "mtx" | "matrixmarket" => Some(Self::MatrixMarket),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// The name for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NQuads => "N-Quads",
            Self::DgraphJson => "Dgraph's JSON",
            Self::Csv => "CSV",
            Self::GraphSon => "GraphSON or JSON of APOC",
            Self::GraphMl => "GraphML",
            Self::EdgeList => "an edge list",
            Self::MatrixMarket => "Matrix Market",
            Self::Parquet => "Parquet",
        }
    }

    /// Its word, as [`Format::parse`] takes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::NQuads => "nquads",
            Self::DgraphJson => "dgraph",
            Self::Csv => "csv",
            Self::GraphSon => "graphson",
            Self::GraphMl => "graphml",
            Self::EdgeList => "edgelist",
            Self::MatrixMarket => "mtx",
            Self::Parquet => "parquet",
        }
    }

    /// Parses the word for a format; the error lists the words.
    pub fn parse(word: &str) -> Result<Self, LoadError> {
        Self::from_word(word).ok_or_else(|| {
            let detail = "there is no format of this name: nquads, dgraph (JSON, with --schema), csv, graphson (JSON of APOC too), \
                          graphml, edgelist (SNAP, KONECT), mtx or parquet";
            LoadError::Input(format!("{word}: {detail}"))
        })
    }

    /// Whether it is a list of edges, whose nodes are those that occur in it.
    pub fn is_list(self) -> bool {
        matches!(self, Self::EdgeList | Self::MatrixMarket)
    }

    /// The format of a file by the end of its name, `.gz` left aside.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let name = name.strip_suffix(".gz").unwrap_or(name);
        Self::from_word(name.rsplit_once('.')?.1)
    }
}
