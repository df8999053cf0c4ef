//! Settings of listeners: a row for each listener of the server above, which this crate does not know.

/// The section of a listener's setting.
const PREFIX: &str = "listen.";

/// The address that switches a listener off, besides an empty one.
const OFF: &str = "off";

/// A listener, as the settings know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListenerRow {
    /// Its name: `listen.NAME` is its setting.
    pub name: &'static str,
    /// Address and port without a setting.
    pub default_address: &'static str,
    /// Address and port where a flag names it without them; empty: there is none.
    pub usual_address: &'static str,
    /// The protocol that it serves, for the reference page.
    pub about: &'static str,
    /// Whether it listens also where flags name only others.
    pub is_administration: bool,
}

impl ListenerRow {
    /// The name of its setting.
    pub fn setting(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }

    /// The text of its setting on the reference page.
    pub(super) fn page_text(&self) -> String {
        format!(
            "Address and port of {}. Port 0 chooses a free port; empty or `{OFF}` disables the \
             listener.{}",
            self.about,
            self.usual_text()
        )
    }

    /// What the page says of an address that is not the default.
    fn usual_text(&self) -> String {
        match self.usual_address {
            usual if usual == self.default_address => String::new(),
            usual => format!(" `--listen {}` alone means `{usual}`.", self.name),
        }
    }

    /// The row of a setting's name.
    pub(super) fn find<'a>(rows: &'a [ListenerRow], setting: &str) -> Option<&'a ListenerRow> {
        let name = setting.strip_prefix(PREFIX)?;
        rows.iter().find(|row| row.name == name)
    }
}

/// Whether an address switches its listener off.
pub fn is_off(address: &str) -> bool {
    address.is_empty() || address == OFF
}
