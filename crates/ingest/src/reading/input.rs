//! The options, and the input that they make. This is the one place that decides the format of each file
//! and its table.

use crate::csv::{CsvOptions, NamedTable, PlainColumns, TableFiles};
use crate::declared::DeclaredSchema;
use crate::error::LoadError;
use crate::format::{Format, format_of_file};
use crate::load::Input;
use crate::source::Source;
use std::path::Path;
use std::sync::Arc;

/// The options for reading the files of a load.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Their format; `None`: as their names say.
    pub format: Option<Format>,
    /// How CSV is read.
    pub csv: CsvOptions,
    /// Tables of several files, or of more than their header says. Every other file is a table.
    pub tables: Vec<NamedTable>,
    /// What is said of every other file whose header has no types.
    pub plain: PlainColumns,
    /// The schema of N-Quads or Dgraph's JSON.
    pub declared: Option<Arc<DeclaredSchema>>,
}

impl Reading {
    /// Files of a format, in its usual form.
    pub fn of(format: Format) -> Self {
        Self { format: Some(format), ..Self::default() }
    }

    /// The format of all these files.
    pub fn format_of<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Format, LoadError> {
        let unknown =
            |name: &str| Err(LoadError::Input(format!("{name}: {}", unknown_format(name))));
        self.format_by(names, unknown)
    }

    /// The format of all these files. Files whose format is not in their names are opened.
    pub fn format_of_files(&self, paths: &[&Path]) -> Result<Format, LoadError> {
        let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
        let ask = |name: &str| {
            let found = format_of_file(Path::new(name))?;
            found.ok_or_else(|| LoadError::Input(format!("{name}: {}", unknown_format(name))))
        };
        self.format_by(names.iter().map(|name| &**name), ask)
    }

    fn format_by<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
        ask: impl Fn(&str) -> Result<Format, LoadError>,
    ) -> Result<Format, LoadError> {
        let mut found = (!self.tables.is_empty()).then(|| self.format.unwrap_or(Format::Csv));
        for name in names.into_iter().filter(|name| !self.is_of_a_table(name)) {
            let format = self.format.or_else(|| Format::of_path(Path::new(name)));
            let format = format.map_or_else(|| ask(name), Ok)?;
            let is_node_json = format == Format::GraphSon && self.declared.is_some();
            let format = if is_node_json { Format::DgraphJson } else { format };
            if *found.get_or_insert(format) != format {
                let detail = "one load cannot mix formats: load one format after the other";
                return Err(LoadError::Input(detail.into()));
            }
        }
        let format = found.ok_or_else(|| LoadError::Input("no file to load".into()))?;
        self.check(format)?;
        Ok(format)
    }

    fn is_of_a_table(&self, name: &str) -> bool {
        self.tables.iter().any(|table| table.files.iter().any(|file| file == name))
    }

    fn check(&self, format: Format) -> Result<(), LoadError> {
        match (format, &self.declared) {
            (Format::DgraphJson, None) => {
                let detail = "Dgraph's JSON has no types of its own: name its schema by --schema";
                return Err(LoadError::Input(detail.into()));
            }
            (Format::DgraphJson | Format::NQuads, Some(_)) | (_, None) => {}
            (_, Some(_)) => {
                let detail =
                    "a schema is for N-Quads and Dgraph's JSON, and these files are neither";
                return Err(LoadError::Input(detail.into()));
            }
        }
        let has_no_columns = format.is_list() || self.plain == PlainColumns::default();
        let is_usual = self.csv == CsvOptions::default() && has_no_columns;
        if format == Format::Parquet {
            return match self.csv.dialect == CsvOptions::default().dialect {
                true => Ok(()),
                false => {
                    let detail = "delimiters, quotes, comments and null words are options of CSV, and Parquet needs none";
                    Err(LoadError::Input(detail.into()))
                }
            };
        }
        if format != Format::Csv && !(is_usual && self.tables.is_empty()) {
            let detail = "delimiters, quotes, comments, null words, multi-line fields, created ends, columns and \
                          tables are options of CSV, and these files are not CSV";
            return Err(LoadError::Input(detail.into()));
        }
        let dialect = self.csv.dialect;
        if dialect.comment.is_some() && dialect.multiline {
            let detail = "comments and multi-line fields cannot be combined: use one of them";
            return Err(LoadError::Input(detail.into()));
        }
        if dialect.quote == dialect.delimiter || dialect.comment == Some(dialect.quote) {
            let detail =
                format!("'{}' cannot be the quote and something else", char::from(dialect.quote));
            return Err(LoadError::Input(detail));
        }
        match char::from(dialect.delimiter) == dialect.array_delimiter {
            true => Err(LoadError::Input(format!(
                "'{}' cannot be both the delimiter and the array delimiter: choose another",
                dialect.array_delimiter.escape_debug()
            ))),
            false => Ok(()),
        }
    }

    /// The sources as tables: those that tables name, in their order, then every other one.
    fn tables_of(&self, mut sources: Vec<Source>) -> Result<Vec<TableFiles>, LoadError> {
        let mut take = |name: &String| {
            let at = sources.iter().position(|source| *source.name == **name);
            at.map(|at| sources.remove(at)).ok_or_else(|| {
                LoadError::Input(format!(
                    "{name}: a table names this file, which is missing or in another table"
                ))
            })
        };
        let named = self.tables.iter().map(|table| {
            let sources = table.files.iter().map(&mut take).collect::<Result<_, _>>()?;
            let (kind, plain) = (Some(table.kind.clone()), PlainColumns::default());
            Ok(TableFiles { kind, plain, sources, is_parquet: false })
        });
        let mut tables = named.collect::<Result<Vec<_>, LoadError>>()?;
        if sources.is_empty() && self.plain != PlainColumns::default() {
            let detail =
                "labels, types and columns apply to files named by themselves, and there is none";
            return Err(LoadError::Input(detail.into()));
        }
        tables.extend(sources.into_iter().map(|source| TableFiles {
            plain: self.plain.clone(),
            ..TableFiles::of(vec![source])
        }));
        Ok(tables)
    }
}

/// Endings of names for formats that are not read, and the way round.
const OTHER_FORMATS: [(&[&str], &str); 13] = [
    (&["xml"], "if it is GraphML, use --format graphml"),
    (&["ttl", "trig", "n3"], "Turtle is not read: convert it to N-Triples or N-Quads"),
    (&["owl", "rdfs"], "RDF/XML is not read: convert it to N-Triples or N-Quads"),
    (&["tsv", "tab"], "a table with tabs between fields: use --format csv --delimiter TAB"),
    (
        &["cypher", "cql"],
        "a script of Cypher is run by the shell: millrace shell --language cypher < FILE",
    ),
    (
        &["dump"],
        "dumps of Neo4j are not read: export the graph as CSV, or as JSON, GraphML or Cypher by APOC",
    ),
    (&["gexf", "gml", "dot", "net"], "it is not read: write GraphML"),
    (&["tgf"], "TGF is not read: open it in yEd and save it as GraphML"),
    (
        &["adjlist", "multiline_adjlist"],
        "adjacency lists are not read: write an edge list (in NetworkX read_adjlist and write_edgelist, with \
         data=False)",
    ),
    (
        &["graph", "metis"],
        "METIS is not read: write an edge list (in NetworKit readGraph with Format.METIS and writeGraph with \
         Format.EdgeListTabOne)",
    ),
    (
        &["gr"],
        "DIMACS is not read: write its arcs as an edge list (awk '/^a/ { print $2, $3, $4 }')",
    ),
    (
        &["g6", "s6", "graph6", "sparse6"],
        "graph6 is not read: write GraphML (in NetworkX read_graph6 or read_sparse6, and write_graphml)",
    ),
    (
        &["schema"],
        "a schema of Dgraph is not data: name it by --schema, and the data (.rdf, .json) as the file to load",
    ),
];

/// The message for a file name that does not determine a format, with the remedy.
fn unknown_format(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = OTHER_FORMATS.iter().find(|(endings, _)| endings.contains(&ending));
    known.map_or(
        "its name does not show the format: set it by --format (nquads, dgraph, csv, graphson, graphml, edgelist, mtx or parquet)",
        |(_, detail)| detail,
    )
}

/// Files or streams as the input of one load.
pub fn input_of(sources: Vec<Source>, reading: &Reading) -> Result<Input, LoadError> {
    let format = reading.format_of(sources.iter().map(|source| &*source.name))?;
    if let Some(schema) = &reading.declared {
        return Ok(Input::Declared(format, sources, Arc::clone(schema)));
    }
    Ok(match format {
        Format::NQuads => Input::NQuads(sources),
        Format::DgraphJson => {
            return Err(LoadError::Input("Dgraph's JSON is loaded under a schema".into()));
        }
        Format::GraphSon => Input::GraphSon(sources),
        Format::GraphMl => Input::GraphMl(sources),
        Format::Csv => Input::Csv(reading.tables_of(sources)?, reading.csv),
        format @ (Format::EdgeList | Format::MatrixMarket) => {
            Input::Lists(format, sources, reading.plain.clone())
        }
        Format::Parquet => {
            let mut tables = reading.tables_of(sources)?;
            tables.iter_mut().for_each(|table| table.is_parquet = true);
            let mut options = reading.csv;
            // A text of a row may have line breaks.
            options.dialect.multiline = true;
            Input::Csv(tables, options)
        }
    })
}

/// Files as the input of one load. Of a wrong one nothing is opened.
pub fn input_of_files(paths: &[&Path], reading: &Reading) -> Result<Input, LoadError> {
    let reading = &Reading { format: Some(reading.format_of_files(paths)?), ..reading.clone() };
    let sources = paths.iter().map(|path| Source::file(path)).collect::<Result<_, _>>()?;
    input_of(sources, reading)
}
