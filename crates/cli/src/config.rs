//! Settings as the program reads them: a file, the environment, flags.

use std::fs;
use std::path::Path;

use millrace_db::model::{Error, ErrorKind, Result};
use millrace_db::settings::{Layer, Origin, Resolved, nearest, of_environment, of_flag, resolve};

use crate::arguments::SettingsArguments;
use crate::exit::Failure;

/// Protocols, and the setting of each.
const PROTOCOLS: [(&str, &str); 2] = [("gremlin", "listen.gremlin"), ("lua", "listen.lua")];

/// The section of graphs, and what the table of one may say.
const GRAPHS: &str = "graphs";
const GRAPH_KEYS: [&str; 2] = ["file", "isolation"];

/// The settings of a command.
pub(crate) fn read(arguments: &SettingsArguments) -> std::result::Result<Resolved, Failure> {
    let checked = |resolved: Resolved| resolved.settings.check().map(|()| resolved);
    layers(arguments)
        .and_then(|layers| resolve(&layers))
        .and_then(checked)
        .map_err(Failure::Settings)
}

fn layers(arguments: &SettingsArguments) -> Result<Vec<Layer>> {
    let mut layers = Vec::new();
    if let Some(path) = &arguments.config {
        layers.push(of_file(path)?);
    }
    layers.push(of_environment(std::env::vars()));
    // A `--listen` flag first clears the addresses of all protocols.
    if !arguments.listen.is_empty() {
        layers.extend(PROTOCOLS.map(|(_, setting)| of_flag("--listen", setting, "")));
    }
    let mut named = Vec::new();
    for listen in &arguments.listen {
        let protocol = listen.split('=').next().unwrap_or_default();
        if named.contains(&protocol) {
            let help = "give the flag once for each protocol, with one address".to_owned();
            return Err(bad(format!("--listen {listen}: `{protocol}` was named before"), help));
        }
        named.push(protocol);
        layers.push(listen_layer(listen)?);
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

fn listen_layer(listen: &str) -> Result<Layer> {
    let (protocol, address) = listen.split_once('=').ok_or_else(|| {
        bad(format!("--listen {listen}"), "write PROTOCOL=ADDRESS:PORT".to_owned())
    })?;
    if let Some(rest) = listen.split_once([',', ';', ' ']).map(|(first, rest)| (first, rest.trim()))
    {
        let help = format!("give the flag once for each: --listen {} --listen {}", rest.0, rest.1);
        return Err(bad(format!("--listen {listen}: it takes one protocol and one address"), help));
    }
    match PROTOCOLS.iter().find(|(name, _)| *name == protocol) {
        Some((_, setting)) => Ok(of_flag("--listen", setting, address)),
        None => {
            let known = PROTOCOLS.map(|(name, _)| name).join(", ");
            let near = nearest(protocol, PROTOCOLS.iter().map(|(name, _)| *name));
            let help = near.map(|near| format!("did you mean {near}?"));
            Err(bad(
                format!("--listen {listen}: there is no protocol `{protocol}`"),
                help.unwrap_or_else(|| format!("protocols: {known}")),
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
            entries.push((format!("{section}.{key}"), plain(&shown.to_string(), &key, value)?));
        }
    }
    Ok(Layer { origin: Origin::File(path.to_owned()), entries })
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
