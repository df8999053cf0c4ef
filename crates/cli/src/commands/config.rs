//! `millrace config`: are the settings right, and where is each from.

use millrace_db::settings::{Origin, Resolved, Setting};

use crate::arguments::{Config, ConfigCommand};
use crate::config;
use crate::exit::Failure;
use crate::say;

pub(crate) fn run(arguments: &Config) -> Result<(), Failure> {
    match &arguments.command {
        ConfigCommand::Check(arguments) => {
            let resolved = config::read_for_server(arguments, true)?;
            say!("all {} settings are valid", resolved.values.len());
            understood(&resolved);
        }
        ConfigCommand::Print(arguments) => {
            let resolved = config::read(arguments)?;
            let widest = resolved.values.iter().map(|(name, value, _)| name.len() + value.len());
            let width = widest.max().unwrap_or(0) + 3;
            for (name, value, origin) in &resolved.values {
                let set = format!("{name} = {value}");
                match readable(name, value) {
                    Some(readable) => say!("{set:width$}  # {readable}, {origin}"),
                    None => say!("{set:width$}  # {origin}"),
                }
            }
        }
    }
    Ok(())
}

/// The sizes and times that were set, as they were understood.
fn understood(resolved: &Resolved) {
    for (name, value, origin) in &resolved.values {
        if *origin != Origin::Default
            && let Some(readable) = readable(name, value)
        {
            let setting = Setting::find(name).and_then(|setting| setting.kind.measure());
            match setting {
                Some(measure) => say!("{name} is {value} {} ({readable})", measure.plural()),
                None => say!("{name} is {value} ({readable})"),
            }
        }
    }
}

/// A size or a time with a unit that fits.
fn readable(name: &str, value: &str) -> Option<String> {
    let own = Setting::find(name).and_then(|setting| setting.readable(value));
    own.or_else(|| millrace_queue::settings::readable(name, value))
}
