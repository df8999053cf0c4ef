//! `tidy.toml`: the recorded numbers, and the exceptions that have a reason.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// Where it is, from the root of the workspace.
pub(super) const FILE: &str = "crates/xtask/tidy.toml";

/// The content of the file.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) recorded: BTreeMap<String, f64>,
    pub(super) unsafe_modules: Vec<String>,
}

impl Settings {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|error| format!("{FILE}: {error}"))?;
        let mut settings = Self::default();
        for (section, value) in &table {
            let read = match section.as_str() {
                "ratchets" => settings.read_recorded(value),
                "unsafe" => settings.read_unsafe(value),
                _ => None,
            };
            read.ok_or_else(|| format!("{FILE}: [{section}] is unknown or has a wrong value"))?;
        }
        Ok(settings)
    }

    fn read_recorded(&mut self, section: &Value) -> Option<()> {
        for (name, value) in section.as_table()? {
            let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
            self.recorded.insert(name.clone(), number?);
        }
        Some(())
    }

    fn read_unsafe(&mut self, section: &Value) -> Option<()> {
        for module in section.as_table()?.get("modules")?.as_array()? {
            self.unsafe_modules.push(module.as_str()?.to_owned());
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_read() {
        let text = "[ratchets]\na = 1\nb = 2.5\n[unsafe]\nmodules = [\"x.rs\"]\n";
        let settings = Settings::parse(text).unwrap();
        assert_eq!((settings.recorded["a"], settings.recorded["b"]), (1.0, 2.5));
        assert_eq!(settings.unsafe_modules, ["x.rs"]);
    }

    #[test]
    fn an_unknown_section_is_refused() {
        assert!(Settings::parse("[rachets]\na = 1\n").unwrap_err().contains("[rachets]"));
        assert!(Settings::parse("[ratchets]\na = \"1\"\n").is_err());
    }
}
