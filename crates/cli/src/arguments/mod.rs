//! The command line, as clap reads it.

mod columns;
mod generate;
mod users;

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use millrace_db::ingest::csv::{
    NamedTable, NullWord, array_delimiter, ascii_character, field_delimiter,
};
use millrace_db::ingest::load::UnknownTypes;
use millrace_db::settings::DeclaredIndex;

pub(crate) use columns::ColumnArguments;
pub(crate) use generate::{Generate, GraphKind, PredicateKind};
pub(crate) use users::{AccountArguments, Users, UsersCommand, UsersFileArguments};

/// A property graph database in which everything moves in bulk.
#[derive(Debug, Parser)]
#[command(name = "millrace", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve a data folder.
    Serve(Serve),
    /// Create two sample graphs, run a few queries, and keep serving them.
    Demo(Demo),
    /// Query a running server, or a data folder, in Cypher, Gremlin or Lua.
    Shell(Shell),
    /// Load files into a graph of a data folder, or of a running server.
    Load(Box<Load>),
    /// Export a graph of a data folder to files that `millrace load` can read.
    Export(Export),
    /// Verify a data folder: every checksum and every invariant.
    Check(Check),
    /// Show the contents of a data folder, or of one of its files.
    Inspect(Inspect),
    /// Report what can be saved of a damaged data folder, and save it.
    Repair(Repair),
    /// Back up a data folder, or that of a running server.
    Backup(Backup),
    /// Restore a data folder from a backup.
    Restore(Restore),
    /// Write a synthetic graph to files.
    Generate(Generate),
    /// Run benchmarks, next to plain array code that answers the same queries.
    Bench(Bench),
    /// Check or show settings.
    Config(Config),
    /// Manage the users who may log in to a server.
    Users(Users),
    /// Print the completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages, one for each command.
    Man {
        /// The folder to write to; created if it does not exist.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Print the version.
    Version,
    /// Print the meaning of each exit code.
    ExitCodes,
}

/// An experiment on this machine, or load on a server.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub(crate) load: Option<BenchLoad>,
    #[command(flatten)]
    pub(crate) experiment: Option<millrace_bench::Arguments>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchLoad {
    /// The experiment of an article on Dgraph's throughput: films of actors and genres of directors, on a Millrace of
    /// its own or on any database that answers DQL, several in turn.
    Films(Box<millrace_bench::films::Arguments>),
    /// Put load on any Gremlin server, and measure its answers.
    Gremlin(Box<millrace_bench::gremlin::Arguments>),
    /// The experiment of an article on scaling writes: a web app in five variants, on Millrace or any Neo4j. It
    /// measures speed, and what a crash of the app loses.
    ScalingWrites(Box<millrace_bench::scaling_writes::Arguments>),
}

/// Where settings come from.
#[derive(Debug, Default, Args)]
pub(crate) struct SettingsArguments {
    /// A settings file (TOML).
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Start only the listeners named here: NAME=ADDRESS:PORT, such as gremlin=127.0.0.1:8182 or
    /// lua=127.0.0.1:7243, or NAME alone for its usual address. The admin listener stays on, at
    /// 127.0.0.1:7280; admin=off switches it off.
    #[arg(long, value_name = "NAME[=ADDRESS:PORT]")]
    pub(crate) listen: Vec<String>,
    /// Any setting: NAME=VALUE, such as scripts.deadline-ms=30s or memory.max=8GB.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The data folder; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Serve reads only and write nothing to the data folder: it may be on a read-only mount, and other
    /// processes may read it.
    #[arg(long)]
    pub(crate) read_only: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The data folder; a later start reuses its data.
    #[arg(long, value_name = "DIR", default_value = "millrace-demo")]
    pub(crate) data: PathBuf,
    /// Run the queries and exit, instead of serving.
    #[arg(long)]
    pub(crate) once: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Shell {
    /// The admin address of a running server, such as http://127.0.0.1:7280 or
    /// http://NAME:PASSWORD@HOST:PORT. Without --url and --data it is http://127.0.0.1:7280.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) url: Option<String>,
    /// A data folder instead of a server; no server may have it open. Where it cannot be written, it is
    /// only read.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Only read the data folder, and write nothing to it.
    #[arg(long, requires = "data")]
    pub(crate) read_only: bool,
    /// The graph to start with; `g` is the graph that Gremlin's `g` stands for.
    #[arg(long, value_name = "NAME", default_value = "g")]
    pub(crate) graph: String,
    /// The language to start with: cypher, gremlin, gremlin-lang or lua.
    #[arg(long, value_name = "LANGUAGE", default_value = "gremlin")]
    pub(crate) language: String,
    /// Run these statements and exit, instead of reading statements.
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) command: Option<String>,
    /// The format of results; the default is table on a terminal, json elsewhere.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Print the reference page of the shell's commands and end.
    #[arg(long, hide = true)]
    pub(crate) list_commands: bool,
    #[command(flatten)]
    pub(crate) settings: SettingsArguments,
}

/// How results are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table to read.
    Table,
    /// One line of JSON for each statement.
    Json,
    /// A header line, then the rows.
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct Load {
    /// The files: CSV with neo4j-admin headers, GraphML (.graphml), GraphSON 3 and the JSON of
    /// APOC (.graphson, .json, .jsonl), N-Quads (.rdf, .nq, .nt), with --schema Dgraph's JSON (.json), edge lists (.el, .edges, SNAP's and KONECT's) or
    /// Matrix Market (.mtx), plain or gzip. All of them are one commit, unless --batch-rows says otherwise.
    /// A name that is not a file is a pattern, here and in tables, for the names in its folder: a regular
    /// expression ('part_[0-9]+.csv') or a shell pattern ('part_*.csv').
    #[arg(required_unless_present_any = ["nodes", "relationships"], value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) csv: CsvArguments,
    /// The data folder; no server may have it open.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["url", "dry_run"])]
    pub(crate) data: Option<PathBuf>,
    /// The admin address of a running server, such as http://127.0.0.1:7280, instead of a data
    /// folder.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) url: Option<String>,
    /// Through a server: commit every N rows. Committed rows stay if the load is interrupted, and
    /// --resume continues after them.
    #[arg(long, value_name = "N", requires = "url")]
    pub(crate) batch_rows: Option<u64>,
    /// Continue an interrupted load in batches of these files; if there is none, start one.
    #[arg(long, requires = "url")]
    pub(crate) resume: bool,
    /// The graph; created if it does not exist.
    #[arg(long, value_name = "NAME")]
    pub(crate) graph: String,
    /// The format of the files, if their names do not show it: nquads, dgraph (JSON, with --schema), csv, graphson,
    /// graphml, edgelist, mtx or parquet.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// A schema of DQL, plain or gzip, as Dgraph's exports have it: N-Quads and Dgraph's JSON are loaded under it. Values
    /// have its types, <0x1f> and <31> are the id 31, its indexes are made when all is loaded, and the graph keeps it.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// An index to make when all is loaded, and may come several times: 'Film(title)', 'Film(title, year) exact',
    /// 'User(name) unique', '[FOLLOWS](since) range', 'Film(title) trigrams'. One that is there already stays.
    #[arg(long, value_name = "LABEL(KEY[,KEY]…) [KIND]", conflicts_with = "dry_run")]
    pub(crate) index: Vec<DeclaredIndex>,
    /// How many bad rows to accept before the load stops; they are reported and left out.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) max_bad: u64,
    /// What to make of N-Quads literals of an unknown datatype: a bad row, text, or text with the
    /// datatype as a facet (NAME|datatype).
    #[arg(
        long, value_name = "refuse|text|facet", default_value = "refuse",
        value_parser = UnknownTypes::parse
    )]
    pub(crate) unknown_types: UnknownTypes,
    /// Where to write bad rows, unchanged, so that you can correct and load them again: a file, or a
    /// folder if several files are loaded. The default with --max-bad is beside each input:
    /// people.rejects.csv (reasons in people.rejects.csv.reasons), films.rejects.rdf (reasons in
    /// comments). Existing files are not replaced.
    #[arg(long, value_name = "PATH")]
    pub(crate) rejects: Option<PathBuf>,
    /// Only validate the files, as for an empty graph; nothing is stored, and no server is contacted.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How to report progress on standard error.
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub(crate) progress: ProgressKind,
    #[command(flatten)]
    pub(crate) settings: SettingsArguments,
}

/// Options for CSV files, in neo4j-admin's words.
#[derive(Debug, Args)]
#[command(next_help_heading = "CSV")]
pub(crate) struct CsvArguments {
    /// A table of nodes: labels for all rows, besides those in the rows, and its files. The first file
    /// starts with the header and may contain nothing else.
    #[arg(long, value_name = "[LABEL[:LABEL]…=]HEADER[,PART]…", value_parser = NamedTable::nodes)]
    pub(crate) nodes: Vec<NamedTable>,
    /// A table of relationships: the type of rows that name none, and its files.
    #[arg(long, value_name = "[TYPE=]HEADER[,PART]…", value_parser = NamedTable::relationships)]
    pub(crate) relationships: Vec<NamedTable>,
    #[command(flatten)]
    pub(crate) columns: ColumnArguments,
    /// The delimiter between fields: an ASCII character, or TAB.
    #[arg(long, value_name = "CHAR", default_value = ",", value_parser = field_delimiter)]
    pub(crate) delimiter: u8,
    /// The delimiter between the elements of an array, and between labels: a character, or TAB.
    #[arg(long, value_name = "CHAR", default_value = ";", value_parser = array_delimiter)]
    pub(crate) array_delimiter: char,
    /// Whether quoted fields may contain line breaks.
    #[arg(
        long, value_name = "true|false", num_args = 0..=1, require_equals = true,
        default_value_t = false, default_missing_value = "true", action = ArgAction::Set,
        hide_default_value = true, hide_possible_values = true
    )]
    pub(crate) multiline_fields: bool,
    /// The quote around fields that contain delimiters: an ASCII character.
    #[arg(long, value_name = "CHAR", default_value = "\"", value_parser = ascii_character)]
    pub(crate) quote: u8,
    /// The character that begins a comment line, such as '#'.
    #[arg(long, value_name = "CHAR", value_parser = ascii_character)]
    pub(crate) comment: Option<u8>,
    /// The word that means no value in unquoted fields, as an empty field does, such as '\N'.
    #[arg(long, value_name = "WORD", value_parser = NullWord::parse)]
    pub(crate) null: Option<NullWord>,
    /// Whether an empty quoted text means no value.
    #[arg(
        long, value_name = "true|false", num_args = 0..=1, require_equals = true,
        default_value_t = false, default_missing_value = "true", action = ArgAction::Set,
        hide_default_value = true, hide_possible_values = true
    )]
    pub(crate) ignore_empty_strings: bool,
    #[command(flatten)]
    pub(crate) foreign: ForeignArguments,
    /// Create nodes that only relationships refer to, with the label Resource; without this option,
    /// such a row is bad.
    #[arg(long)]
    pub(crate) create_ends: bool,
}

/// Options of `neo4j-admin database import` that scripts have. An option that asks for the default
/// behaviour is accepted; any other is refused, with its counterpart here.
#[derive(Debug, Args)]
pub(crate) struct ForeignArguments {
    #[arg(long, hide = true)]
    pub(crate) id_type: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) normalize_types: Option<bool>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) skip_bad_relationships: Option<bool>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) skip_duplicate_nodes: Option<bool>,
    #[arg(long, hide = true)]
    pub(crate) bad_tolerance: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) trim_strings: Option<bool>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) overwrite_destination: Option<bool>,
    #[arg(long, hide = true)]
    pub(crate) input_encoding: Option<String>,
    #[arg(long, hide = true)]
    pub(crate) report_file: Option<String>,
    #[arg(long, hide = true)]
    pub(crate) threads: Option<String>,
    #[arg(long, hide = true)]
    pub(crate) max_off_heap_memory: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) high_parallel_io: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) ignore_extra_columns: Option<bool>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) auto_skip_subsequent_headers: Option<bool>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) legacy_style_quoting: Option<bool>,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The data folder; no server may have it open for writing.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// The graph.
    #[arg(long, value_name = "NAME")]
    pub(crate) graph: String,
    /// The output: a file for GraphML, GraphSON and N-Quads, gzipped if its name ends in .gz, or a folder for
    /// CSV. Beside N-Quads their schema is written. Existing files are not replaced.
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) to: PathBuf,
    /// The format to write, if the name does not show it (.graphml, .graphson, .json, .rdf): graphml, graphson, rdf,
    /// rdf-schema or csv.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// The delimiter between the elements of an array, and between labels, in CSV: a character, or
    /// TAB.
    #[arg(long, value_name = "CHAR", default_value = ";", value_parser = array_delimiter)]
    pub(crate) array_delimiter: char,
    /// Write values of types that GraphML has no words for (dates, times, durations, points, UUIDs, decimals)
    /// as text, and say so in a note; without this option, they are refused.
    #[arg(long, value_name = "text", value_parser = ["text"])]
    pub(crate) unsupported_types: Option<String>,
    /// How to report progress on standard error.
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub(crate) progress: ProgressKind,
    #[command(flatten)]
    pub(crate) settings: SettingsArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The data folder; no server may have it open. It is not changed.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Also read every list, degree and endpoint as queries do, and compare.
    #[arg(long)]
    pub(crate) deep: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// How to report progress on standard error.
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub(crate) progress: ProgressKind,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// The data folder; no server may have it open. It is not changed.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// One of its files, such as log-0000000000000003.mlog.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// The data folder; no server may have it open.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Carry out the repair; without this option, only report the steps and the loss.
    #[arg(long)]
    pub(crate) yes: bool,
    /// How to report progress on standard error.
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub(crate) progress: ProgressKind,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The data folder; no server may have it open.
    #[arg(long, value_name = "DIR", required_unless_present = "url", conflicts_with = "url")]
    pub(crate) data: Option<PathBuf>,
    /// The admin address of a running server, such as http://127.0.0.1:7280, which goes on
    /// reading and writing.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Where to write the backup: a file that ends in .tar, or else a folder that is ready to be served.
    #[arg(long, value_name = "FILE.tar|DIR")]
    pub(crate) to: PathBuf,
    /// How to report progress on standard error.
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub(crate) progress: ProgressKind,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The backup: a file or a folder.
    #[arg(long, value_name = "FILE.tar|DIR")]
    pub(crate) from: PathBuf,
    /// The new data folder; it must be empty or absent.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// How to report progress on standard error.
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub(crate) progress: ProgressKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressKind {
    /// A bar on a terminal, lines otherwise.
    Auto,
    /// A line every five seconds.
    Plain,
    /// One JSON object per line, every second.
    Json,
    /// Nothing.
    None,
}

#[derive(Debug, Args)]
pub(crate) struct Config {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Check whether a server would start with these settings, and list everything that is wrong.
    Check(SettingsArguments),
    /// Show each setting, its value, and where it comes from.
    #[command(visible_alias = "show")]
    Print(SettingsArguments),
}
