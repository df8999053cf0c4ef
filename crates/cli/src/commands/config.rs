//! `millrace config`: are the settings right, and where is each from.

use crate::arguments::{Config, ConfigCommand};
use crate::config;
use crate::exit::Failure;
use crate::say;

pub(crate) fn run(arguments: &Config) -> Result<(), Failure> {
    match &arguments.command {
        ConfigCommand::Check(arguments) => {
            let resolved = config::read(arguments)?;
            say!("the settings are right: {} of them", resolved.values.len());
        }
        ConfigCommand::Print(arguments) => {
            let resolved = config::read(arguments)?;
            let widest = resolved.values.iter().map(|(name, value, _)| name.len() + value.len());
            let width = widest.max().unwrap_or(0) + 3;
            for (name, value, origin) in &resolved.values {
                let set = format!("{name} = {value}");
                say!("{set:width$}  # {origin}");
            }
        }
    }
    Ok(())
}
