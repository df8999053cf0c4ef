//! Procedures that tell clients about the database: its version, settings, functions and users.
//!
//! The columns are those that Neo4j's drivers and tools ask for.

use std::sync::Arc;

use millrace_cypher::{ListedFunction, listed_functions};
use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{Column, Result, Value};
use millrace_plan::{Name, Signature, ValueType};

use crate::settings::{COMMAND_DATABASE, CYPHER_DATABASE, Kind, SETTINGS, Setting, Settings};

/// A procedure with rows that are known when it is registered.
pub(super) struct Fixed {
    signature: Signature,
    rows: Vec<Vec<Value>>,
}

impl Procedure for Fixed {
    fn signature(&self) -> Signature {
        self.signature.clone()
    }

    fn call(&self, _: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        let width = self.signature.columns.len();
        Yielded::of_rows(width, (0..len).map(|_| Ok(self.rows.clone())))
    }
}

/// Those with rows that never change.
pub(super) fn fixed(settings: &Settings) -> Vec<Arc<dyn Procedure>> {
    let all = [
        client_config(settings),
        components(settings),
        info("db.info", CYPHER_DATABASE, "The default database."),
        info("dbms.info", COMMAND_DATABASE, "The database of commands."),
        jmx(),
        ping(),
        users(),
    ];
    let fixed = all.into_iter().map(|own| Arc::new(own) as Arc<dyn Procedure>);
    let others: [Arc<dyn Procedure>; 3] =
        [Arc::new(CurrentUser), Arc::new(Functions), Arc::new(ShowUser)];
    fixed.chain(others).collect()
}

fn components(settings: &Settings) -> Fixed {
    // Drivers read what the server calls itself: `Neo4j/5.26.0`.
    let agent = &settings.bolt.server_agent;
    let version = agent.rsplit_once('/').map_or(agent.as_str(), |(_, version)| version);
    let row = |name: &str, version: &str| {
        let versions = Value::list(vec![Value::from(version)]);
        vec![Value::from(name), versions, Value::from("community")]
    };
    Fixed {
        signature: Signature::reading(
            "dbms.components",
            "The versions of the database and its language.",
        )
        .yields("name", ValueType::Text)
        .yields("versions", ValueType::List)
        .yields("edition", ValueType::Text),
        rows: vec![
            row("Neo4j Kernel", version),
            row("Cypher", "5"),
            row("Millrace", env!("CARGO_PKG_VERSION")),
        ],
    }
}

/// What tools ask about the server before they show anything, by Neo4j's names.
fn client_config(settings: &Settings) -> Fixed {
    let has_users = !settings.users.file.is_empty();
    let row = |name: &str, description: &str, value: &str| {
        [name, description, value]
            .map(Value::from)
            .into_iter()
            .chain([Value::Bool(false)])
            .collect()
    };
    Fixed {
        signature: Signature::reading("dbms.clientConfig", "Settings that clients act on.")
            .yields("name", ValueType::Text)
            .yields("description", ValueType::Text)
            .yields("value", ValueType::Text)
            .yields("dynamic", ValueType::Boolean),
        rows: vec![
            row("client.allow_telemetry", "Whether tools may report their use.", "false"),
            row(
                "dbms.security.auth_enabled",
                "Whether users log in.",
                if has_users { "true" } else { "false" },
            ),
            row(
                "initial.dbms.default_database",
                "The database of a session that names none.",
                CYPHER_DATABASE,
            ),
        ],
    }
}

fn ping() -> Fixed {
    let signature = Signature::reading("db.ping", "True: the database answers.");
    Fixed {
        signature: signature.yields("success", ValueType::Boolean),
        rows: vec![vec![Value::Bool(true)]],
    }
}

fn info(procedure: &str, name: &str, description: &str) -> Fixed {
    let name = Value::from(name);
    Fixed {
        signature: Signature::reading(procedure, description)
            .yields("id", ValueType::Text)
            .yields("name", ValueType::Text)
            .yields("creationDate", ValueType::Text),
        rows: vec![vec![Value::Null, name, Value::Null]],
    }
}

fn jmx() -> Fixed {
    Fixed {
        signature: Signature::reading("dbms.queryJmx", "Nothing: there is no Java machine.")
            .argument("query", ValueType::Text)
            .yields("name", ValueType::Text)
            .yields("description", ValueType::Text)
            .yields("attributes", ValueType::Map),
        rows: Vec::new(),
    }
}

/// `dbms.showCurrentUser`.
struct ShowUser;

impl Procedure for ShowUser {
    fn signature(&self) -> Signature {
        let description =
            "The user of the statement, with all rights; without a name where no login is needed.";
        Signature::reading("dbms.showCurrentUser", description)
            .yields("username", ValueType::Text)
            .yields("roles", ValueType::List)
            .yields("flags", ValueType::List)
    }

    fn call(&self, _: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let name =
            context.user().map_or_else(|| Value::from(""), |name| Value::String(name.clone()));
        let row = vec![name, Value::list(Vec::new()), Value::list(Vec::new())];
        Yielded::of_rows(row.len(), (0..len).map(|_| Ok(vec![row.clone()])))
    }
}

/// The columns of users.
fn user_columns(name: &str, description: &str) -> Signature {
    Signature::reading(name, description)
        .yields("user", ValueType::Text)
        .yields("roles", ValueType::List)
        .yields("passwordChangeRequired", ValueType::Boolean)
        .yields("suspended", ValueType::Boolean)
        .yields("home", ValueType::Text)
}

/// `dbms.currentUser`, in the columns of users.
struct CurrentUser;

impl Procedure for CurrentUser {
    fn signature(&self) -> Signature {
        let description = "The user of a statement; without a name where no login is needed.";
        user_columns("dbms.currentUser", description)
    }

    fn call(&self, _: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let name = context.user().map_or(Value::Null, |name| Value::String(name.clone()));
        let no = || Value::Bool(false);
        let row = vec![name, Value::Null, no(), no(), Value::Null];
        Yielded::of_rows(row.len(), (0..len).map(|_| Ok(vec![row.clone()])))
    }
}

fn users() -> Fixed {
    Fixed {
        signature: user_columns("dbms.users", "The users, which only a server has."),
        rows: Vec::new(),
    }
}

/// `dbms.functions`.
struct Functions;

impl Procedure for Functions {
    fn signature(&self) -> Signature {
        let description =
            "The functions of Cypher, by name; those of Neo4j, or of APOC, where it is said.";
        Signature::reading("dbms.functions", description)
            .optional("builtIn", ValueType::Boolean)
            .yields("name", ValueType::Text)
            .yields("category", ValueType::Text)
            .yields("description", ValueType::Text)
            .yields("signature", ValueType::Text)
            .yields("isBuiltIn", ValueType::Boolean)
            .yields("argumentDescription", ValueType::List)
            .yields("returnDescription", ValueType::Text)
            .yields("aggregating", ValueType::Boolean)
            .yields("rolesExecution", ValueType::List)
            .yields("rolesBoostedExecution", ValueType::List)
            .yields("isDeprecated", ValueType::Boolean)
            .yields("deprecatedBy", ValueType::Text)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        let width = self.signature().columns.len();
        let all = (0..len).map(|row| {
            let wanted = Arguments { columns, row }.value(0);
            let is_meant =
                |own: &&ListedFunction| wanted.is_null() || wanted == Value::Bool(is_built_in(own));
            Ok(listed_functions().iter().filter(is_meant).map(function).collect())
        });
        Yielded::of_rows(width, all)
    }
}

/// Those of APOC are an extension in Neo4j.
fn is_built_in(own: &ListedFunction) -> bool {
    !own.name.starts_with("apoc.")
}

fn function(own: &ListedFunction) -> Vec<Value> {
    let argument = |(name, kind): &(&str, String)| {
        let described = format!("{name} :: {kind}");
        let pairs = [
            ("name", Value::from(*name)),
            ("description", Value::from(described.as_str())),
            ("type", Value::from(kind.as_str())),
            ("isDeprecated", Value::Bool(false)),
        ];
        Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
    };
    vec![
        Value::from(own.name),
        Value::from(own.category),
        Value::from(own.description),
        Value::from(own.signature.as_str()),
        Value::Bool(is_built_in(own)),
        Value::list(own.arguments.iter().map(argument).collect()),
        Value::from(own.result.as_str()),
        Value::Bool(own.is_aggregate),
        Value::Null,
        Value::Null,
        Value::Bool(false),
        Value::Null,
    ]
}

/// `dbms.settings`: the settings that the database was opened with.
pub(super) struct ListSettings(pub(super) Settings);

impl Procedure for ListSettings {
    fn signature(&self) -> Signature {
        let description = "The settings, by name; those of some names where they are given.";
        Signature::reading("dbms.settings", description)
            .optional("names", ValueType::Any)
            .yields("name", ValueType::Text)
            .yields("value", ValueType::Text)
            .yields("isDynamic", ValueType::Boolean)
            .yields("defaultValue", ValueType::Text)
            .yields("description", ValueType::Text)
            .yields("startupValue", ValueType::Text)
            .yields("isExplicitlySet", ValueType::Boolean)
            .yields("validValues", ValueType::Text)
            .yields("isDeprecated", ValueType::Boolean)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
        let width = self.signature().columns.len();
        let all = (0..len).map(|row| {
            let of: Vec<Name> = Arguments { columns: arguments, row }.texts(0)?;
            let is_meant =
                |setting: &&Setting| of.is_empty() || of.iter().any(|own| **own == *setting.name);
            let mut settings: Vec<&Setting> = SETTINGS.iter().filter(is_meant).collect();
            settings.sort_by_key(|setting| setting.name);
            Ok(settings.into_iter().map(|setting| self.shown(setting)).collect())
        });
        Yielded::of_rows(width, all)
    }
}

impl ListSettings {
    fn shown(&self, setting: &Setting) -> Vec<Value> {
        let value = setting.show(&self.0);
        let default = setting.show(&Settings::default());
        let valid = match setting.kind {
            Kind::Text => "a text".to_owned(),
            kind => kind.to_string(),
        };
        vec![
            Value::from(setting.name),
            Value::from(value.as_str()),
            Value::Bool(false),
            Value::from(default.as_str()),
            Value::from(setting.about),
            Value::from(value.as_str()),
            Value::Bool(value != default),
            Value::from(valid.as_str()),
            Value::Bool(false),
        ]
    }
}
