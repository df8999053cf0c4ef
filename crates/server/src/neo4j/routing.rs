//! Routing: this server is the only one, for reads, writes and routes.
//!
//! Clients of Bolt 4.3 and later ask by a message, those before call a procedure.

use std::net::SocketAddr;
use std::sync::Arc;

use millrace_db::procedures::{Arguments, Context, Procedure, Signature, ValueType, Yielded};
use millrace_model::{Column, Result, Value};

/// Seconds that a client may keep the answer.
const TTL_SECONDS: i64 = 300;

/// The port of an address that names none.
const PORT: u16 = 7687;

/// The address that clients use: that of the setting, the one that the client used, or the listener's.
pub(crate) fn address(
    setting: &str,
    of_request: Option<&str>,
    of_hello: Option<&str>,
    local: Option<SocketAddr>,
) -> String {
    let addresses = [Some(setting), of_request, of_hello].into_iter().flatten();
    let named = addresses.map(str::trim).find(|address| !address.is_empty());
    match (named, local) {
        (Some(address), _) if has_port(address) => address.to_owned(),
        (Some(address), _) => format!("{address}:{PORT}"),
        (None, Some(local)) => local.to_string(),
        (None, None) => format!("localhost:{PORT}"),
    }
}

fn has_port(address: &str) -> bool {
    let host_end = address.rfind(']').unwrap_or(0);
    address[host_end..].contains(':')
}

/// The fields of the answer to ROUTE.
pub(crate) fn table(address: &str, database: &str) -> Vec<(&'static str, Value)> {
    let text = |text: &str| Value::from(text);
    let table = vec![
        (text("ttl"), Value::I64(TTL_SECONDS)),
        (text("db"), text(database)),
        (text("servers"), servers(address)),
    ];
    vec![("rt", Value::map(table))]
}

/// One address in all roles.
fn servers(address: &str) -> Value {
    let text = |text: &str| Value::from(text);
    let server = |role: &str| {
        let addresses = Value::list(vec![text(address)]);
        Value::map(vec![(text("addresses"), addresses), (text("role"), text(role))])
    };
    Value::list(["WRITE", "READ", "ROUTE"].map(server).into())
}

/// The procedure that clients of Bolt 4.0 to 4.2 call, or that of Bolt 3.
pub(crate) struct RoutingTable {
    pub(crate) name: &'static str,
    /// The address of the setting.
    pub(crate) setting: String,
}

/// The names of the procedure.
pub(crate) const PROCEDURES: [&str; 2] =
    ["dbms.cluster.routing.getRoutingTable", "dbms.routing.getRoutingTable"];

impl Procedure for RoutingTable {
    fn signature(&self) -> Signature {
        let description = "The address of this server, for reads, writes and routes.";
        Signature::reading(self.name, description)
            .argument("context", ValueType::Map)
            .optional("database", ValueType::Text)
            .yields("ttl", ValueType::Integer)
            .yields("servers", ValueType::List)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let of_caller = context.caller().and_then(|caller| caller.address.as_deref());
        let each = (0..len).map(|row| {
            let asked = Arguments { columns, row }.value(0);
            let of_request = address_in(&asked);
            let address = address(&self.setting, of_request, of_caller, None);
            Ok(vec![vec![Value::I64(TTL_SECONDS), servers(&address)]])
        });
        Yielded::of_rows(2, each)
    }
}

/// The address in a routing context; any other entry is the client's own.
fn address_in(context: &Value) -> Option<&str> {
    let Value::Map(entries) = context else { return None };
    let found = entries.iter().find(|(name, _)| name.as_str() == Some("address"));
    found.and_then(|(_, address)| address.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_is_before_the_address_that_the_client_used() {
        let local = "127.0.0.1:9".parse().ok();
        assert_eq!(address("db.example", Some("a:1"), None, local), "db.example:7687");
        assert_eq!(address("", Some("a:1"), Some("b:2"), local), "a:1");
        assert_eq!(address("", None, Some("[::1]"), local), "[::1]:7687");
        assert_eq!(address("", Some("[::1]:5"), None, local), "[::1]:5");
        assert_eq!(address("", None, None, local), "127.0.0.1:9");
    }
}
