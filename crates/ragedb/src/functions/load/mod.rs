//! CSV files of the folder that is open for scripts, made nodes or relationships: rows in bulk, in
//! the script's transaction.
//!
//! As in RageDB the type must be there, and a column that is no declared property is passed over.
//! A key that is taken makes no node, an end that is unknown no relationship. `StreamCSV` is the
//! same function: both read row by row.

mod csv;

use millrace_model::{Catalog, Column, Owner, PropertyType, Value};
use mlua::{IntoLua, Lua};

use crate::arguments::Arguments;
use crate::functions::call::{self, table};
use crate::functions::elements::nodes::{self, NewNodes};
use crate::functions::function::{CallResult, Family, Function};
use crate::host;
use crate::plans::{self, EndSource, KeySource};
use crate::session::Session;
use csv::Records;

const ARGUMENTS: &str = "type, filename, [separator]";

/// Rows that one plan makes.
const ROWS_AT_ONCE: usize = 1 << 13;

/// Bytes of them, beside the last.
const BATCH_BYTES: usize = 16 << 20;

pub(super) const FAMILY: Family = Family {
    title: "CSV",
    functions: &[
        Function::write("LoadCSV", ARGUMENTS, "int", load),
        Function::write("StreamCSV", ARGUMENTS, "int", load),
    ],
};

/// A column that becomes a property.
struct Field {
    column: usize,
    name: String,
    kind: PropertyType,
}

/// A file under way.
struct Table {
    file: String,
    records: Records,
    fields: Vec<Field>,
    width: usize,
}

fn load(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let kind = arguments.text("a type")?;
    let file = arguments.text("a file's name")?;
    let separator =
        if arguments.is_empty() { ",".into() } else { arguments.text("a separator")? };
    arguments.end()?;
    let mut separators = separator.chars();
    let (Some(separator), None) = (separators.next(), separators.next()) else {
        return Err(mlua::Error::runtime(format!(
            "{separator:?} is not a separator: give one character"
        )));
    };
    let mut records = Records::new(host::open(lua, &file)?, separator);
    let header = records.next().map_err(|error| within(&file, 1, &error.to_string()))?;
    let Some(header) = header else { return 0.into_lua(lua) };
    let header: Vec<String> =
        header.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect();
    let session = &mut *Session::of(lua)?;
    let catalog = session.catalog();
    let (node, edge) = (catalog.label(&kind), catalog.edge_type(&kind));
    let owner = node.map(Owner::Label).or(edge.map(Owner::EdgeType));
    let Some(owner) = owner else {
        return Err(mlua::Error::runtime(format!("{kind} is not a type: insert it first")));
    };
    let fields = fields_of(&catalog, owner, &header);
    let table = Table { file, records, fields, width: header.len() };
    let made = match owner {
        Owner::EdgeType(_) | Owner::AllEdges => load_relationships(session, &kind, &header, table)?,
        Owner::Label(_) | Owner::AllVertices => load_nodes(session, &kind, &header, table)?,
    };
    made.into_lua(lua)
}

fn within(file: &str, line: usize, what: &str) -> mlua::Error {
    mlua::Error::runtime(format!("{file}, line {line}: {what}"))
}

/// The columns that are properties of the type.
fn fields_of(catalog: &Catalog, owner: Owner, header: &[String]) -> Vec<Field> {
    let declared = |name: &str| {
        let key = catalog.keys.number(name)?;
        let mut properties = catalog.properties.iter();
        properties.find(|property| property.owner == owner && property.key.0 == key)
    };
    let field = |(column, title): (usize, &String)| {
        let name = title.strip_suffix(":key").unwrap_or(title);
        let kind = declared(name)?.kind;
        Some(Field { column, name: name.to_owned(), kind })
    };
    header.iter().enumerate().filter_map(field).collect()
}

impl Table {
    /// The next rows, as the values of their columns; none at the end.
    fn rows(&mut self, session: &mut Session) -> mlua::Result<Vec<(usize, Vec<String>)>> {
        session.check()?;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while rows.len() < ROWS_AT_ONCE && bytes < BATCH_BYTES {
            let record = self.records.next();
            let line = self.records.line();
            let record = record.map_err(|error| within(&self.file, line, &error.to_string()))?;
            let Some(record) = record else { break };
            if record.len() != self.width {
                let what = format!("{} fields, the header has {}", record.len(), self.width);
                return Err(within(&self.file, line, &what));
            }
            bytes += record.iter().map(|field| size_of::<String>() + field.len()).sum::<usize>();
            rows.push((line, record));
        }
        Ok(rows)
    }

    /// The properties of a row; an empty field is none.
    fn properties(&self, line: usize, record: &[String]) -> mlua::Result<Vec<(Value, Value)>> {
        let mut properties = Vec::new();
        for Field { column, name, kind } in &self.fields {
            let text = record[*column].as_str();
            if text.is_empty() {
                continue;
            }
            let value = value_of(text, *kind).ok_or_else(|| {
                within(&self.file, line, &format!("{name} is {kind}, and {text:?} is not"))
            })?;
            properties.push((Value::string(name), value));
        }
        Ok(properties)
    }
}

fn value_of(text: &str, kind: PropertyType) -> Option<Value> {
    let list = |element: PropertyType| {
        let values = text.split(';').map(|part| value_of(part.trim(), element));
        Some(Value::list(values.collect::<Option<Vec<_>>>()?))
    };
    match kind {
        PropertyType::Any | PropertyType::String => Some(Value::string(text)),
        PropertyType::Boolean => match text {
            "true" | "TRUE" | "True" | "1" => Some(Value::Bool(true)),
            "false" | "FALSE" | "False" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        PropertyType::Integer => match text.parse() {
            Ok(int) => Some(Value::I64(int)),
            Err(_) => kind.accept(Value::F64(text.parse().ok()?)),
        },
        PropertyType::Double => text.parse().ok().map(Value::F64),
        PropertyType::Date | PropertyType::DateTime => match text.parse() {
            Ok(seconds) => kind.accept(Value::F64(seconds)),
            Err(_) => kind.accept(Value::string(text)),
        },
        PropertyType::BooleanList => list(PropertyType::Boolean),
        PropertyType::IntegerList => list(PropertyType::Integer),
        PropertyType::DoubleList => list(PropertyType::Double),
        PropertyType::StringList => list(PropertyType::String),
        PropertyType::DateList => list(PropertyType::Date),
    }
}

/// Without a column for the key the number of the row is it, from 0.
fn load_nodes(
    session: &mut Session,
    kind: &str,
    header: &[String],
    mut file: Table,
) -> mlua::Result<usize> {
    let key = header.iter().position(|name| name == "key" || name.ends_with(":key"));
    let (mut made, mut number) = (0, 0);
    loop {
        let rows = file.rows(session)?;
        if rows.is_empty() {
            return Ok(made);
        }
        let mut new = NewNodes { label: kind.to_owned(), keys: Vec::new(), properties: Vec::new() };
        for (line, record) in &rows {
            new.keys.push(key.map_or_else(|| number.to_string(), |key| record[key].clone()));
            new.properties.push(file.properties(*line, record)?);
            number += 1;
        }
        made += nodes::create(session, &new)?.into_iter().filter(|id| *id != 0).count();
    }
}

/// The type in a column `start_key:Type` or `end_key:Type`, its place, and where keys are found.
fn end_of(
    session: &mut Session,
    header: &[String],
    prefix: &str,
) -> mlua::Result<(usize, String, KeySource)> {
    let found = header
        .iter()
        .enumerate()
        .find_map(|(column, name)| Some((column, name.strip_prefix(prefix)?.to_owned())));
    let Some((column, label)) = found else {
        return Err(mlua::Error::runtime(format!("no column is {prefix}TYPE")));
    };
    let mut sources = plans::key_sources(&session.catalog(), &label);
    match (sources.pop(), sources.is_empty()) {
        (Some(source), true) => Ok((column, label, source)),
        (None, _) => Err(mlua::Error::runtime(format!("{label} is not a node type with keys"))),
        (Some(_), false) => {
            let text = format!("{label} has keys in two places: loading by them is not supported");
            Err(mlua::Error::runtime(text))
        }
    }
}

fn load_relationships(
    session: &mut Session,
    kind: &str,
    header: &[String],
    mut file: Table,
) -> mlua::Result<usize> {
    let (from, source_label, source) = end_of(session, header, "start_key:")?;
    let (to, target_label, target) = end_of(session, header, "end_key:")?;
    let names: Vec<String> = file.fields.iter().map(|field| field.name.clone()).collect();
    let source = EndSource::Key { source: &source, label: &source_label };
    let target = EndSource::Key { source: &target, label: &target_label };
    let plan = plans::create_edges(kind, &source, &target, &names);
    let mut made = 0;
    loop {
        let rows = file.rows(session)?;
        if rows.is_empty() {
            return Ok(made);
        }
        let keys = |place: usize| {
            Column::from_values(rows.iter().map(|(_, record)| Value::string(&record[place])))
        };
        let mut columns = vec![keys(from), keys(to)];
        let mut values: Vec<Vec<Value>> = vec![Vec::with_capacity(rows.len()); names.len()];
        for (line, record) in &rows {
            let mut properties = file.properties(*line, record)?.into_iter().peekable();
            for (place, name) in names.iter().enumerate() {
                let own = properties.next_if(|(key, _)| key.as_str() == Some(name));
                values[place].push(own.map_or(Value::Null, |(_, value)| value));
            }
        }
        columns.extend(values.into_iter().map(Column::from_values));
        let batch = session.run_once(&plan, &table(columns))?;
        made += call::ids(&batch, 0).len();
    }
}
