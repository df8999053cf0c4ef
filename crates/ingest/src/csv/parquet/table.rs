//! The files of a table, opened: a header of their columns, with the file's own types.

use super::columns::Column;
use super::rows::{Rows, header_field};
use crate::csv::dialect::Dialect;
use crate::csv::header::{Names, Role, has_type, parse_names};
use crate::csv::hints;
use crate::csv::plain::ColumnType;
use crate::csv::table::{Table, TableFiles, kind_of};
use crate::csv::value::ElementType;
use crate::error::LoadError;
use crate::progress::Meter;
use crate::source::{BlockReader, Source};
use std::sync::Arc;

/// Opens a table whose files are Parquet.
pub(in crate::csv) fn open_table(
    files: TableFiles,
    dialect: Dialect,
    meter: &mut Meter<'_>,
) -> Result<Table, LoadError> {
    let TableFiles { kind, plain, sources, .. } = files;
    let is_plain = plain.rows.is_some();
    let said = &plain.types;
    let is_left_out = |name: &str| {
        let is_said = said.iter().any(|said| said.column() == name && said.kind().is_none());
        is_said || role_word(name).eq_ignore_ascii_case("IGNORE")
    };
    let mut opened: Vec<(Arc<str>, Rows)> = Vec::new();
    for source in sources {
        let name = Arc::clone(&source.name);
        let failed = |detail: String| LoadError::Input(format!("{name}: {detail}"));
        let file = source.into_file().ok_or_else(|| {
            failed("Parquet is read from its end, and this is a stream: load it from a file".into())
        })?;
        let rows = Rows::open(file, &is_left_out, meter.budget()).map_err(failed)?;
        if let Some((first, known)) = opened.first()
            && let Some(column) = differs(&known.columns, &rows.columns)
        {
            let detail = format!("the column '{column}' is not the same in {first}");
            return Err(failed(detail));
        }
        opened.push((name, rows));
    }
    let Some((file, first)) = opened.first() else {
        return Err(LoadError::Input("a table without files".into()));
    };
    let bad = |detail: String| LoadError::Input(format!("{file}: {detail}"));
    let columns = &first.columns;
    let line = header_line(columns, is_plain);
    let names = if is_plain { Names::Plain } else { Names::Typed };
    let header =
        parse_names(&line, Dialect::default(), names).map_err(|fault| bad(fault.detail))?;
    let (kind, mut header, in_only_space) = match &plain.rows {
        Some(rows) => {
            // What is said of a column comes last, and counts.
            let own = columns.iter().filter(|column| !has_type(&column.name));
            let own = own.filter_map(|column| Some(ColumnType::of(&column.name, column.kind?)));
            let types: Vec<ColumnType> = own.chain(said.iter().cloned()).collect();
            let described = rows.describe(header, &types).map_err(bad)?;
            (described.kind, described.header, described.in_only_space)
        }
        None => {
            if let Some(said) = said.first() {
                return Err(bad(format!(
                    "'{said}' is said of a table whose columns say their roles: say --label or --type of it"
                )));
            }
            let kind = kind_of(kind, &header, || hints::neither(&line, Dialect::default()));
            (kind.map_err(bad)?, header, [false; 2])
        }
    };
    header.json_lists = true;
    columns.iter().filter_map(|column| column.note.clone()).for_each(|note| {
        meter.note(format!("{file}: {note}"));
    });
    let labels: Vec<usize> =
        (0..header.roles.len()).filter(|at| header.roles[*at] == Role::Labels).collect();
    let mut readers = Vec::new();
    for (at, (name, mut rows)) in opened.into_iter().enumerate() {
        rows.label_columns.clone_from(&labels);
        rows.line_breaks = dialect.multiline;
        rows.begin(&line);
        let source = Source::stream(&name, rows);
        let mut reader = BlockReader::open(source, at, dialect.line_ends(), meter.packed_bytes())?;
        // The header of each file counts as its first line.
        reader.header(None)?;
        readers.push(reader);
    }
    Ok(Table { kind, header, readers, in_only_space, guesses: Vec::new(), is_plain: true })
}

/// The first column that is not the same in both.
fn differs(known: &[Column], other: &[Column]) -> Option<String> {
    let count = known.len().max(other.len());
    let of = |columns: &[Column], at: usize| {
        columns.get(at).map(|column| (column.name.clone(), column.kind))
    };
    let at = (0..count).find(|at| of(known, *at) != of(other, *at))?;
    Some(of(other, at).or(of(known, at))?.0)
}

/// The word for the role or type that a name ends in.
fn role_word(name: &str) -> &str {
    let word = name.rsplit_once(':').map_or("", |(_, word)| word);
    word.split(['(', '{']).next().unwrap_or(word)
}

/// The header that the columns would have in CSV.
fn header_line(columns: &[Column], is_plain: bool) -> String {
    let fields = columns.iter().map(|column| {
        let Column { name, kind, .. } = column;
        let is_number = kind.is_some_and(|kind| kind.element == ElementType::Integer);
        let field = match kind {
            _ if is_plain => name.clone(),
            _ if role_word(name).eq_ignore_ascii_case("ID") && is_number && !name.contains('{') => {
                format!("{name}{{id-type: long}}")
            }
            Some(kind) if !has_type(name) => format!("{name}:{}", kind.word()),
            _ => name.clone(),
        };
        header_field(&field)
    });
    fields.collect::<Vec<_>>().join(",")
}
