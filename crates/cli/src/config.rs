//! Settings as the program reads them: a file, the environment, flags.

use std::fs;
use std::path::Path;

use millrace_db::Database;
use millrace_db::settings::{
    Layer, ListenerRow, Origin, Resolved, contradictions, nearest, of_environment, of_flag, resolve,
};
use millrace_model::{Error, ErrorKind, Result};
use millrace_server::{check_settings, listener_rows};

use crate::arguments::SettingsArguments;
use crate::exit::Failure;

/// The section of queues, each of which is a table.
const QUEUES: &str = "queue";

/// The section of graphs, and the keys of a graph's table.
const GRAPHS: &str = "graphs";
const GRAPH_KEYS: [&str; 3] = ["file", "isolation", GRAPH_LIST];
const GRAPH_LIST: &str = "indexes";

/// The settings of a command that opens no port: whatever is wrong with them by themselves.
pub(crate) fn read(arguments: &SettingsArguments) -> std::result::Result<Resolved, Failure> {
    let resolved = resolved(arguments);
    let faults = faults(&resolved);
    if faults.is_empty() { Ok(resolved) } else { Err(Failure::Settings(faults)) }
}

/// The settings of a server, refused with everything that a start would refuse of them: `serve` and `config check` both
/// ask it. What depends on other processes (a port, a folder in use) is left to the start.
///
/// `fills_graphs`: whether files that fill empty graphs are read for certain, since all graphs are empty.
pub(crate) fn read_for_server(
    arguments: &SettingsArguments,
    fills_graphs: bool,
) -> std::result::Result<Resolved, Failure> {
    let resolved = resolved(arguments);
    let mut faults = faults(&resolved);
    faults.extend(Database::check_graph_names(&resolved.settings));
    if fills_graphs {
        faults.extend(Database::check_graph_files(&resolved.settings));
    }
    faults.extend(check_settings(&resolved.settings));
    if faults.is_empty() { Ok(resolved) } else { Err(Failure::Settings(faults)) }
}

/// What is wrong with settings, wherever they are used.
fn faults(resolved: &Resolved) -> Vec<Error> {
    let mut faults = resolved.faults.clone();
    faults.extend(resolved.settings.faults());
    faults.extend(contradictions(resolved));
    faults.extend(millrace_queue::settings::of_resolved(resolved).err().unwrap_or_default());
    faults
}

/// The settings, with the faults of their files, variables and flags.
fn resolved(arguments: &SettingsArguments) -> Resolved {
    let listeners = listener_rows();
    let (layers, faults) = layers(arguments, &listeners);
    let mut resolved = resolve(&layers, &listeners);
    resolved.faults.splice(..0, faults);
    resolved
}

/// The layers, and what of a file or a flag is in none of them.
fn layers(arguments: &SettingsArguments, listeners: &[ListenerRow]) -> (Vec<Layer>, Vec<Error>) {
    let (mut layers, mut faults) = (Vec::new(), Vec::new());
    if let Some(path) = &arguments.config {
        layers.push(of_file(path, &mut faults));
    }
    layers.push(of_environment(std::env::vars()));
    // A `--listen` flag first clears the addresses of all listeners but that of administration.
    if !arguments.listen.is_empty() {
        let clear = |row: &ListenerRow| of_flag("--listen", &row.setting(), "");
        layers.extend(listeners.iter().filter(|row| !row.is_administration).map(clear));
    }
    let mut named = Vec::new();
    for listen in &arguments.listen {
        let name = listen.split('=').next().unwrap_or_default();
        if named.contains(&name) {
            let help = "give the flag once for each listener, with one address".to_owned();
            faults.push(bad(format!("--listen {listen}: `{name}` is named twice"), help));
            continue;
        }
        named.push(name);
        match listen_layer(listen, listeners) {
            Ok(layer) => layers.push(layer),
            Err(fault) => faults.push(fault),
        }
    }
    for pair in &arguments.set {
        match pair.split_once('=') {
            Some((name, value)) => layers.push(of_flag("--set", name, value)),
            None => faults.push(bad(format!("--set {pair}"), "write NAME=VALUE".to_owned())),
        }
    }
    (layers, faults)
}

fn bad(what: String, help: String) -> Error {
    Error::new(ErrorKind::BadInput, what).with_help(help)
}

fn listen_layer(listen: &str, listeners: &[ListenerRow]) -> Result<Layer> {
    if let Some(rest) = listen.split_once([',', ';', ' ']).map(|(first, rest)| (first, rest.trim()))
    {
        let help = format!("give the flag once for each: --listen {} --listen {}", rest.0, rest.1);
        return Err(bad(format!("--listen {listen}: it takes one listener and one address"), help));
    }
    let (name, address) = match listen.split_once('=') {
        Some((name, address)) => (name, Some(address)),
        None => (listen, None),
    };
    match listeners.iter().find(|row| row.name == name) {
        Some(row) if address.is_none() && row.usual_address.is_empty() => {
            let help = format!("write --listen {name}=127.0.0.1:PORT");
            Err(bad(format!("--listen {listen}: {name} has no usual address"), help))
        }
        Some(row) => Ok(of_flag("--listen", &row.setting(), address.unwrap_or(row.usual_address))),
        None => {
            let known: Vec<&str> = listeners.iter().map(|row| row.name).collect();
            let near = nearest(name, known.iter().copied());
            let help = near.map(|near| format!("did you mean {near}?"));
            Err(bad(
                format!("--listen {listen}: there is no listener `{name}`"),
                help.unwrap_or_else(|| format!("listeners: {}", known.join(", "))),
            ))
        }
    }
}

/// The settings of a file that can be read; what cannot is a fault.
fn of_file(path: &Path, faults: &mut Vec<Error>) -> Layer {
    let shown = path.display().to_string();
    let mut entries = Vec::new();
    for (section, keys) in table_of(path, &shown).unwrap_or_else(|fault| {
        faults.push(fault);
        toml::Table::new()
    }) {
        let toml::Value::Table(keys) = keys else {
            let detail = format!("{shown}: `{section}` is outside any section");
            faults.push(bad(detail, "write [section], then key = value".to_owned()));
            continue;
        };
        for (key, value) in keys {
            let read = match (&*section, value) {
                // A graph may have a table of its own.
                (GRAPHS, toml::Value::Table(own)) => of_graph(&shown, &key, own),
                (QUEUES, value) => of_queue(&shown, &key, value),
                (_, value) => vec![
                    plain(&shown, &key, value).map(|value| (format!("{section}.{key}"), value)),
                ],
            };
            for entry in read {
                match entry {
                    Ok(entry) => entries.push(entry),
                    Err(fault) => faults.push(fault),
                }
            }
        }
    }
    Layer { origin: Origin::File(path.to_owned()), entries }
}

/// Name and value of a setting, or why it has none.
type Entry = Result<(String, String)>;

fn table_of(path: &Path, shown: &str) -> Result<toml::Table> {
    let text = fs::read_to_string(path).map_err(|error| {
        bad(format!("{shown}: {error}"), "--config names a settings file".to_owned())
    })?;
    text.parse().map_err(|error: toml::de::Error| {
        bad(
            format!("{shown}: {}", error.to_string().trim_end()),
            "a settings file is TOML".to_owned(),
        )
    })
}

fn of_graph(file: &str, name: &str, table: toml::Table) -> Vec<Entry> {
    let of_key = |(key, value): (String, toml::Value)| {
        if !GRAPH_KEYS.contains(&key.as_str()) {
            let detail = format!("{file}: a graph has no setting `{key}`");
            return Err(bad(detail, format!("settings of a graph: {}", GRAPH_KEYS.join(", "))));
        }
        let value = match value {
            toml::Value::Array(values) if key == GRAPH_LIST => {
                let texts = values.into_iter().map(|value| plain(file, &key, value));
                texts.collect::<Result<Vec<String>>>()?.join("; ")
            }
            value => plain(file, &key, value)?,
        };
        Ok((format!("{GRAPHS}.{name}.{key}"), value))
    };
    table.into_iter().map(of_key).collect()
}

/// The settings of a queue; a list is written as JSON, as a variable of the environment has it.
fn of_queue(file: &str, name: &str, table: toml::Value) -> Vec<Entry> {
    let toml::Value::Table(table) = table else {
        let detail = format!("{file}: queue.{name} is a {}, and must be a table", table.type_str());
        return vec![Err(bad(detail, format!("write [queue.{name}], then key = value")))];
    };
    let of_key = |(key, value): (String, toml::Value)| {
        let value = match value {
            toml::Value::Array(values) => serde_json::to_string(&values).map_err(|error| {
                bad(format!("{file}: {key}: {error}"), "it is a list".to_owned())
            })?,
            value => plain(file, &key, value)?,
        };
        Ok((format!("{QUEUES}.{name}.{key}"), value))
    };
    table.into_iter().map(of_key).collect()
}

fn plain(file: &str, key: &str, value: toml::Value) -> Result<String> {
    match value {
        toml::Value::String(text) => Ok(text),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Boolean(flag) => Ok(flag.to_string()),
        other => {
            let detail = format!("{file}: {key} is a {}", other.type_str());
            let help = "settings are text, whole numbers, true or false; a size with a fraction is a text with its unit, \
                        as \"1.5GB\"";
            Err(bad(detail, help.to_owned()))
        }
    }
}
