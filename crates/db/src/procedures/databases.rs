//! Procedures that list, make, drop and set the graphs of a database.
//!
//! They ask the backend itself: a database finds and misses graphs that were made or dropped beside it.

use std::sync::{Arc, Weak};

use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{CatalogChange, Column, Error, ErrorKind, Result, Value};
use millrace_plan::{Signature, ValueType, nearest};
use millrace_store::{Backend, Isolation, Transaction, non_blocking};

use crate::request::{check_name, is_twin};
use crate::settings::{COMMAND_DATABASE as COMMANDS, CYPHER_DATABASE as DEFAULT, Settings};

/// The graphs of a database.
pub(super) struct Databases {
    /// Not kept open by procedures, which a graph holds too.
    pub(super) backend: Weak<dyn Backend>,
    pub(super) settings: Settings,
    pub(super) is_read_only: bool,
}

impl Databases {
    /// The graph of the name of a database.
    fn graph_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.settings.graph_named(name).unwrap_or(name)
    }

    fn backend(&self) -> Result<Arc<dyn Backend>> {
        let closed = || Error::new(ErrorKind::Unavailable, "the database is closed");
        self.backend.upgrade().ok_or_else(closed)
    }

    fn is_there(&self, name: &str) -> Result<bool> {
        Ok(self.settings.is_reserved(name) || name == DEFAULT || self.is_graph(name)?)
    }

    /// Whether there is a graph of a name. Asks for that one: graphs may be many.
    fn is_graph(&self, name: &str) -> Result<bool> {
        match self.backend()?.graph(name) {
            Ok(_) => Ok(true),
            Err(error) if error.kind == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The names of all databases; the graph that is the default one has no other.
    fn names(&self) -> Result<Vec<String>> {
        let default = self.settings.cypher_graph();
        let graphs = self.backend()?.graphs().into_iter();
        let mut names: Vec<String> =
            graphs.filter(|name| name != default && !self.settings.is_reserved(name)).collect();
        names.retain(|name| !is_twin(name));
        names.extend([DEFAULT.to_owned(), COMMANDS.to_owned()]);
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Refuses to make, drop or set a database whose name is that of no graph. The default database is its graph.
    fn must_be_graph(&self, name: &str) -> Result<()> {
        if name == DEFAULT || !self.settings.is_reserved(name) {
            return Ok(());
        }
        let reserved = self.settings.reserved(name);
        let detail = format!("Not allowed to change the database `{name}`: {}", reserved.detail);
        let error = Error::new(ErrorKind::BadInput, detail).with_name("ArgumentError");
        Err(match reserved.help {
            Some(help) => error.with_help(help),
            None => error,
        })
    }

    fn not_found(&self, name: &str) -> Error {
        let names = self.names().unwrap_or_default();
        let detail = format!("Database does not exist: there is no database `{name}`");
        let help = match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("the nearest name is `{near}`"),
            None => "`SHOW DATABASES` lists them; `CREATE DATABASE name` creates one".to_owned(),
        };
        let error = Error::new(ErrorKind::NotFound, detail);
        error.with_name("DatabaseNotFound").with_help(help)
    }

    /// Whether all transactions of a graph are serializable; not while there is no graph of the name yet.
    fn is_serializable(&self, name: &str) -> bool {
        let graph = self.backend().and_then(|backend| backend.graph(self.graph_of(name)));
        let snapshot = graph.and_then(|store| store.snapshot());
        snapshot.is_ok_and(|snapshot| snapshot.catalog().serializable)
    }
}

/// `dbms.databases`.
pub(super) struct List(pub(super) Arc<Databases>);

impl Procedure for List {
    fn signature(&self) -> Signature {
        let description =
            "The databases, which are graphs, by name; those of some names where they are given.";
        Signature::reading("dbms.databases", description)
            .optional("names", ValueType::Any)
            .yields("name", ValueType::Text)
            .yields("type", ValueType::Text)
            .yields("aliases", ValueType::List)
            .yields("access", ValueType::Text)
            .yields("address", ValueType::Text)
            .yields("role", ValueType::Text)
            .yields("writer", ValueType::Boolean)
            .yields("requestedStatus", ValueType::Text)
            .yields("currentStatus", ValueType::Text)
            .yields("statusMessage", ValueType::Text)
            .yields("default", ValueType::Boolean)
            .yields("home", ValueType::Boolean)
            .yields("constituents", ValueType::List)
            .yields("databaseID", ValueType::Text)
            .yields("serverID", ValueType::Text)
            .yields("requestedPrimariesCount", ValueType::Integer)
            .yields("requestedSecondariesCount", ValueType::Integer)
            .yields("currentPrimariesCount", ValueType::Integer)
            .yields("currentSecondariesCount", ValueType::Integer)
            .yields("creationTime", ValueType::Any)
            .yields("lastStartTime", ValueType::Any)
            .yields("lastStopTime", ValueType::Any)
            .yields("store", ValueType::Text)
            .yields("lastCommittedTxn", ValueType::Integer)
            .yields("replicationLag", ValueType::Integer)
            .yields("options", ValueType::Map)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        // Graphs may be known to another process only.
        non_blocking::would_block()?;
        let names = self.0.names()?;
        let width = self.signature().columns.len();
        let all = (0..len).map(|row| {
            let of = Arguments { columns: arguments, row }.texts(0)?;
            let is_meant = |name: &&String| of.is_empty() || of.iter().any(|own| **own == ***name);
            Ok(names.iter().filter(is_meant).map(|name| self.shown(name)).collect())
        });
        Yielded::of_rows(width, all)
    }
}

impl List {
    fn shown(&self, name: &str) -> Vec<Value> {
        let is_default = Value::Bool(name == DEFAULT);
        // A graph of that name is a database like others.
        let is_graph = self.0.must_be_graph(name).is_ok();
        let isolation = if self.0.is_serializable(name) { "serializable" } else { "snapshot" };
        let options = vec![(Value::from("isolation"), Value::from(isolation))];
        let aliases = match self.0.graph_of(name) {
            own if own == name => Vec::new(),
            graph => vec![Value::from(graph)],
        };
        vec![
            Value::from(name),
            Value::from(if is_graph { "standard" } else { "system" }),
            Value::list(aliases),
            Value::from(if self.0.is_read_only { "read-only" } else { "read-write" }),
            Value::from(""),
            Value::from("primary"),
            Value::Bool(!self.0.is_read_only),
            Value::from("online"),
            Value::from("online"),
            Value::from(""),
            is_default.clone(),
            is_default,
            Value::list(Vec::new()),
            Value::Null,
            Value::Null,
            Value::I64(1),
            Value::I64(0),
            Value::I64(1),
            Value::I64(0),
            Value::Null,
            Value::Null,
            Value::Null,
            Value::Null,
            Value::Null,
            Value::I64(0),
            Value::map(options),
        ]
    }
}

/// `dbms.createDatabase`.
pub(super) struct Create(pub(super) Arc<Databases>);

impl Procedure for Create {
    fn signature(&self) -> Signature {
        Signature::reading("dbms.createDatabase", "Makes an empty graph of a name.")
            .argument("name", ValueType::Text)
            .argument("ifNotExists", ValueType::Boolean)
            .argument("orReplace", ValueType::Boolean)
            .writing()
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        begin(context)?;
        for row in 0..len {
            let arguments = Arguments { columns: arguments, row };
            let name = arguments.must_text(0)?;
            let flag = |place| arguments.value(place) == Value::Bool(true);
            check_name(&name)?;
            if self.0.is_there(&name)? {
                if flag(1) {
                    continue;
                }
                if !flag(2) {
                    let detail = format!(
                        "Failed to create the specified database `{name}`: Database already exists"
                    );
                    let error = Error::new(ErrorKind::AlreadyExists, detail);
                    let error = error.with_name("ExistingDatabaseFound");
                    return Err(error.with_help("write `IF NOT EXISTS`"));
                }
                self.0.must_be_graph(&name)?;
                drop_graph(&*self.0.backend()?, self.0.graph_of(&name))?;
            }
            self.0.backend()?.create_graph(self.0.graph_of(&name))?;
        }
        Ok(Yielded::void(len))
    }
}

/// `dbms.dropDatabase`.
pub(super) struct Drop(pub(super) Arc<Databases>);

impl Procedure for Drop {
    fn signature(&self) -> Signature {
        Signature::reading("dbms.dropDatabase", "Drops the graph of a name with all that is in it.")
            .argument("name", ValueType::Text)
            .argument("ifExists", ValueType::Boolean)
            .writing()
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        begin(context)?;
        for row in 0..len {
            let arguments = Arguments { columns: arguments, row };
            let name = arguments.must_text(0)?;
            self.0.must_be_graph(&name)?;
            if self.0.is_there(&name)? {
                drop_graph(&*self.0.backend()?, self.0.graph_of(&name))?;
            } else if arguments.value(1) != Value::Bool(true) {
                return Err(self.0.not_found(&name));
            }
        }
        Ok(Yielded::void(len))
    }
}

/// `dbms.setDatabaseOption`.
pub(super) struct SetOption(pub(super) Arc<Databases>);

impl Procedure for SetOption {
    fn signature(&self) -> Signature {
        let description =
            "Sets an option of a graph: `isolation`, which is `snapshot` or `serializable`.";
        Signature::reading("dbms.setDatabaseOption", description)
            .argument("name", ValueType::Text)
            .argument("ifExists", ValueType::Boolean)
            .argument("option", ValueType::Text)
            .argument("value", ValueType::Any)
            .writing()
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        begin(context)?;
        for row in 0..len {
            let arguments = Arguments { columns: arguments, row };
            let (name, option) = (arguments.must_text(0)?, arguments.must_text(2)?);
            if &*option != "isolation" {
                let detail = format!("the option `{option}` of a database is not supported");
                let error = Error::new(ErrorKind::Unsupported, detail);
                return Err(error.with_help("`isolation` is"));
            }
            let demanded = match arguments.value(3).as_str() {
                Some("serializable") => true,
                Some("snapshot") => false,
                _ => {
                    let detail = "the isolation of a database is 'snapshot' or 'serializable'";
                    return Err(Error::new(ErrorKind::BadInput, detail));
                }
            };
            self.0.must_be_graph(&name)?;
            if self.0.is_there(&name)? {
                self.isolate(&name, demanded)?;
            } else if arguments.value(1) != Value::Bool(true) {
                return Err(self.0.not_found(&name));
            }
        }
        Ok(Yielded::void(len))
    }
}

impl SetOption {
    fn isolate(&self, name: &str, demanded: bool) -> Result<()> {
        let backend = self.0.backend()?;
        let graph = self.0.graph_of(name);
        let store = match backend.graph(graph) {
            Err(error) if error.kind == ErrorKind::NotFound => backend.create_graph(graph)?,
            found => found?,
        };
        if store.snapshot()?.catalog().serializable == demanded {
            return Ok(());
        }
        let transaction = Transaction::begin(store, Isolation::Snapshot)?;
        transaction.change_schema(&[CatalogChange::DemandSerializable(demanded)])?;
        transaction.commit()?.wait().map(drop)
    }
}

/// Such a command waits for the disk, and is done at once: no transaction takes it back.
fn begin(context: &Context) -> Result<()> {
    context.transaction()?;
    non_blocking::would_block()
}

/// The default graph may not be made yet.
fn drop_graph(backend: &dyn Backend, name: &str) -> Result<()> {
    match backend.drop_graph(name) {
        Err(error) if error.kind == ErrorKind::NotFound => Ok(()),
        dropped => dropped,
    }
}
