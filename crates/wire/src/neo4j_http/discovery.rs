//! The answer to `GET /`: where everything is.

use super::results::BASE_PATH;
use crate::json::write_string;

/// What an answer names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses<'a> {
    /// Host and port of this interface, as the client has them.
    pub http: &'a str,
    /// Host and port of Bolt, if it is served.
    pub bolt: Option<&'a str>,
    /// The version of Neo4j that is spoken.
    pub version: &'a str,
}

/// The answer.
pub fn discovery(addresses: &Addresses<'_>) -> String {
    let Addresses { http, bolt, version } = addresses;
    let mut pairs = Vec::new();
    if let Some(bolt) = bolt {
        pairs.push(("bolt_routing", format!("neo4j://{bolt}")));
    }
    pairs.push(("data", format!("http://{http}{BASE_PATH}/")));
    pairs.push(("query", format!("http://{http}/db/{{databaseName}}/query/v2")));
    pairs.push(("transaction", format!("http://{http}/db/{{databaseName}}/tx")));
    if let Some(bolt) = bolt {
        pairs.push(("bolt_direct", format!("bolt://{bolt}")));
    }
    pairs.push(("neo4j_version", (*version).to_owned()));
    pairs.push(("neo4j_edition", "community".to_owned()));
    let mut text = String::from("{");
    for (index, (name, value)) in pairs.iter().enumerate() {
        text.push_str(if index == 0 { "\"" } else { ",\"" });
        text.push_str(name);
        text.push_str("\":");
        write_string(&mut text, value);
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bolt_is_named_where_it_is_served() {
        let mut addresses = Addresses { http: "a:7474", bolt: Some("a:7687"), version: "5.26.0" };
        let with_bolt = discovery(&addresses);
        assert!(with_bolt.contains(r#""bolt_direct":"bolt://a:7687""#), "{with_bolt}");
        assert!(
            with_bolt.contains(r#""transaction":"http://a:7474/db/{databaseName}/tx""#),
            "{with_bolt}"
        );
        assert!(with_bolt.contains(r#""data":"http://a:7474/db/data/""#), "{with_bolt}");
        addresses.bolt = None;
        assert!(!discovery(&addresses).contains("bolt"));
    }
}
