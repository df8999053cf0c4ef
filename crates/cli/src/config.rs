//! Settings as the program reads them: a file, the environment, flags.

use std::fs;
use std::path::Path;

use millrace_db::settings::{
    Layer, ListenerRow, Origin, Resolved, nearest, of_environment, of_flag, resolve,
};
use millrace_model::{Error, ErrorKind, Result};
use millrace_server::listener_rows;

use crate::arguments::SettingsArguments;
use crate::exit::Failure;

/// The section of queues, each of which is a table.
const QUEUES: &str = "queue";

/// The section of graphs, and the keys of a graph's table.
const GRAPHS: &str = "graphs";
const GRAPH_KEYS: [&str; 2] = ["file", "isolation"];

/// The settings of a command.
pub(crate) fn read(arguments: &SettingsArguments) -> std::result::Result<Resolved, Failure> {
    let checked = |resolved: Resolved| {
        resolved.settings.check()?;
        millrace_queue::settings::of_resolved(&resolved)?;
        Ok(resolved)
    };
    let listeners = listener_rows();
    layers(arguments, &listeners)
        .and_then(|layers| resolve(&layers, &listeners))
        .and_then(checked)
        .map_err(Failure::Settings)
}

fn layers(arguments: &SettingsArguments, listeners: &[ListenerRow]) -> Result<Vec<Layer>> {
    let mut layers = Vec::new();
    if let Some(path) = &arguments.config {
        layers.push(of_file(path)?);
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
            return Err(bad(format!("--listen {listen}: `{name}` was named before"), help));
        }
        named.push(name);
        layers.push(listen_layer(listen, listeners)?);
    }
    for pair in &arguments.set {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| bad(format!("--set {pair}"), "write NAME=VALUE".to_owned()))?;
        layers.push(of_flag("--set", name, value));
    }
    Ok(layers)
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
        Some(row) if address.is_none() && row.default_address.is_empty() => {
            let help = format!("write --listen {name}=127.0.0.1:PORT");
            Err(bad(format!("--listen {listen}: {name} has no default address"), help))
        }
        Some(row) => {
            Ok(of_flag("--listen", &row.setting(), address.unwrap_or(row.default_address)))
        }
        None => {
            let known: Vec<&str> = listeners.iter().map(|row| row.name).collect();
            let near = nearest(name, known.iter().copied());
            let help = near.map(|near| format!("did you mean {near}?"));
            Err(bad(
                format!("--listen {listen}: there is no listener `{name}`"),
                help.unwrap_or_else(|| format!("there is {}", known.join(", "))),
            ))
        }
    }
}

fn of_file(path: &Path) -> Result<Layer> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| {
        bad(format!("{shown}: {error}"), "--config names a settings file".to_owned())
    })?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        bad(format!("{shown}: {}", error.to_string().trim_end()), "it is TOML".to_owned())
    })?;
    let mut entries = Vec::new();
    for (section, keys) in table {
        let toml::Value::Table(keys) = keys else {
            let detail = format!("{shown}: `{section}` stands outside of a section");
            return Err(bad(detail, "write [section], then key = value".to_owned()));
        };
        for (key, value) in keys {
            // A graph may have a table of its own.
            if let (GRAPHS, toml::Value::Table(own)) = (&*section, &value) {
                for (own_key, value) in own {
                    if !GRAPH_KEYS.contains(&own_key.as_str()) {
                        let detail = format!("{shown}: a graph has no setting `{own_key}`");
                        return Err(bad(detail, "settings of a graph: file, isolation".to_owned()));
                    }
                    let value = plain(&shown.to_string(), own_key, value.clone())?;
                    entries.push((format!("{section}.{key}.{own_key}"), value));
                }
                continue;
            }
            if section == QUEUES {
                entries.extend(of_queue(&shown.to_string(), &key, value)?);
                continue;
            }
            entries.push((format!("{section}.{key}"), plain(&shown.to_string(), &key, value)?));
        }
    }
    Ok(Layer { origin: Origin::File(path.to_owned()), entries })
}

/// The settings of a queue; a list is written as JSON, as a variable of the environment has it.
fn of_queue(file: &str, name: &str, table: toml::Value) -> Result<Vec<(String, String)>> {
    let toml::Value::Table(table) = table else {
        let detail = format!("{file}: queue.{name} is a {}, and must be a table", table.type_str());
        return Err(bad(detail, format!("write [queue.{name}], then key = value")));
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
            Err(bad(detail, "settings are text, whole numbers, true or false".to_owned()))
        }
    }
}
