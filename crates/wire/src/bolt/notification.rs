//! What a server tells beside a result, with Neo4j's codes. Before 5.5 it is a notification, from then on one of the
//! statuses of a result.

use millrace_model::Value;

/// How grave it is, and what it is about: all are of commands on the schema.
pub(crate) const SEVERITY: &str = "INFORMATION";
pub(crate) const CATEGORY: &str = "SCHEMA";

/// A notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Neo4j's code.
    pub code: &'static str,
    /// What it is about.
    pub title: String,
    /// What is told.
    pub description: String,
    /// GQL's status, and its words.
    gql: (&'static str, String),
}

impl Notification {
    /// A command made nothing, since something is there already.
    pub fn already_exists(command: &str, known: &str) -> Notification {
        let told = format!(
            "note: successful completion - index or constraint already exists. The command '{command}' has no \
             effect. The index or constraint specified by '{known}' already exists."
        );
        Notification {
            code: "Neo.ClientNotification.Schema.IndexOrConstraintAlreadyExists",
            title: format!("`{command}` has no effect."),
            description: format!("`{known}` already exists."),
            gql: ("00NA0", told),
        }
    }

    /// A command dropped nothing, since nothing has the name.
    pub fn does_not_exist(command: &str, name: &str) -> Notification {
        let told = format!(
            "note: successful completion - index or constraint does not exist. The command '{command}' has no \
             effect. The specified index or constraint `{name}` does not exist."
        );
        Notification {
            code: "Neo.ClientNotification.Schema.IndexOrConstraintDoesNotExist",
            title: format!("`{command}` has no effect."),
            description: format!("`{name}` does not exist."),
            gql: ("00NA1", told),
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
        let (status, told) = &self.gql;
        let record =
            [("_classification", Value::from(CATEGORY)), ("_severity", Value::from(SEVERITY))];
        map([
            ("gql_status", Value::from(*status)),
            ("status_description", Value::from(&**told)),
            ("neo4j_code", Value::from(self.code)),
            ("title", Value::from(&*self.title)),
            ("description", Value::from(&*self.description)),
            ("diagnostic_record", map(record)),
        ])
    }
}

fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}
