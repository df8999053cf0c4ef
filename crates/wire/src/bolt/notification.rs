//! What a server reports beside a result, with Neo4j's codes. Before 5.5 it is a notification, from then on one of the
//! statuses of a result.

use millrace_model::{Error, ErrorKind, Phase, Result, Value};

use super::packstream::{Reader, decode, optional_text};

/// How grave it is, and what it is about: all are of commands on the schema.
pub(crate) const SEVERITY: &str = "INFORMATION";
pub(crate) const CATEGORY: &str = "SCHEMA";

/// Characters of an option that an error repeats.
const SHOWN_CHARS: usize = 80;

/// A notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Neo4j's code.
    pub code: &'static str,
    /// What it is about.
    pub title: String,
    /// Its text.
    pub description: String,
    /// GQL's status, and its words.
    gql: (&'static str, String),
}

impl Notification {
    /// A command made nothing, since something is there already.
    pub fn already_exists(command: &str, known: &str) -> Notification {
        let description = format!(
            "note: successful completion - index or constraint already exists. The command '{command}' has no \
             effect. The index or constraint specified by '{known}' already exists."
        );
        Notification {
            code: "Neo.ClientNotification.Schema.IndexOrConstraintAlreadyExists",
            title: format!("`{command}` has no effect."),
            description: format!("`{known}` already exists."),
            gql: ("00NA0", description),
        }
    }

    /// A command dropped nothing, since nothing has the name.
    pub fn does_not_exist(command: &str, name: &str) -> Notification {
        let description = format!(
            "note: successful completion - index or constraint does not exist. The command '{command}' has no \
             effect. The specified index or constraint `{name}` does not exist."
        );
        Notification {
            code: "Neo.ClientNotification.Schema.IndexOrConstraintDoesNotExist",
            title: format!("`{command}` has no effect."),
            description: format!("`{name}` does not exist."),
            gql: ("00NA1", description),
        }
    }

    /// It among the notifications of a result.
    pub fn to_value(&self) -> Value {
        map([
            ("severity", Value::from(SEVERITY)),
            ("description", Value::from(&*self.description)),
            ("code", Value::from(self.code)),
            ("title", Value::from(&*self.title)),
            ("category", Value::from(CATEGORY)),
        ])
    }

    /// It among the statuses of a result.
    pub fn to_status(&self) -> Value {
        let (status, words) = &self.gql;
        let record =
            [("_classification", Value::from(CATEGORY)), ("_severity", Value::from(SEVERITY))];
        map([
            ("gql_status", Value::from(*status)),
            ("status_description", Value::from(&**words)),
            ("neo4j_code", Value::from(self.code)),
            ("title", Value::from(&*self.title)),
            ("description", Value::from(&*self.description)),
            ("diagnostic_record", map(record)),
        ])
    }
}

/// Whether a client wants notifications, by each of the options with which it says so; one that it leaves out is that of
/// its connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    by_severity: Option<bool>,
    by_category: Option<bool>,
}

impl Wanted {
    /// Reads an option; says whether it is one of these.
    pub(super) fn read_option(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        match name {
            "notifications_minimum_severity" => {
                if let Some(least) = optional_text(reader, name)? {
                    self.by_severity = Some(is_reached(&least)?);
                }
            }
            "notifications_disabled_categories" | "notifications_disabled_classifications" => {
                if let Value::List(disabled) = decode::<Value>(reader)? {
                    let is_own = |category: &Value| category.as_str() == Some(CATEGORY);
                    self.by_category = Some(!disabled.iter().any(is_own));
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Those of a transaction on a connection.
    pub fn on(self, connection: Wanted) -> Wanted {
        Wanted {
            by_severity: self.by_severity.or(connection.by_severity),
            by_category: self.by_category.or(connection.by_category),
        }
    }

    /// Whether any are wanted: all have one severity and one category.
    pub fn are_any(self) -> bool {
        self.by_severity.unwrap_or(true) && self.by_category.unwrap_or(true)
    }
}

/// Whether the severity is at least one.
fn is_reached(least: &str) -> Result<bool> {
    match least {
        SEVERITY => Ok(true),
        "WARNING" | "OFF" => Ok(false),
        _ => {
            let shown: String = least.chars().take(SHOWN_CHARS).collect();
            let detail =
                format!("`{shown}` is no severity: there are INFORMATION, WARNING and OFF");
            Err(Error::new(ErrorKind::BadInput, detail).in_phase(Phase::Parse))
        }
    }
}

fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_transaction_leaves_out_is_that_of_its_connection() {
        let (on, off) = (Some(true), Some(false));
        let wanted = |by_severity, by_category| Wanted { by_severity, by_category };
        assert!(Wanted::default().are_any());
        assert!(!Wanted::default().on(wanted(off, None)).are_any());
        assert!(wanted(on, None).on(wanted(off, None)).are_any());
        assert!(!wanted(on, None).on(wanted(None, off)).are_any());
        assert_eq!((is_reached("WARNING").ok(), is_reached("INFORMATION").ok()), (off, on));
        assert!(is_reached("LOUD").is_err());
    }
}
