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
    pub(super) whole_crates: Vec<String>,
}

impl Settings {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|error| format!("{FILE}: {error}"))?;
        let mut settings = Self::default();
        for (section, value) in &table {
            let read = match section.as_str() {
                "ratchets" => settings.read_recorded(value),
                "unsafe" => texts(value, "modules").map(|all| settings.unsafe_modules = all),
                "reexports" => texts(value, "whole").map(|all| settings.whole_crates = all),
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
}

/// The texts of a list in a section.
fn texts(section: &Value, name: &str) -> Option<Vec<String>> {
    let list = section.as_table()?.get(name)?.as_array()?;
    list.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_read() {
        let text = "[ratchets]\na = 1\nb = 2.5\n[unsafe]\nmodules = [\"x.rs\"]\n[reexports]\nwhole = [\"a: b\"]\n";
        let settings = Settings::parse(text).unwrap();
        assert_eq!((settings.recorded["a"], settings.recorded["b"]), (1.0, 2.5));
        assert_eq!(settings.unsafe_modules, ["x.rs"]);
        assert_eq!(settings.whole_crates, ["a: b"]);
    }

    #[test]
    fn an_unknown_section_is_refused() {
        assert!(Settings::parse("[rachets]\na = 1\n").unwrap_err().contains("[rachets]"));
        assert!(Settings::parse("[ratchets]\na = \"1\"\n").is_err());
    }
}
