//! Routing: this server is the only one, for reads, writes and routes.

use std::net::SocketAddr;

use millrace_model::Value;

/// Seconds that a client may keep the answer.
const TTL_SECONDS: i64 = 300;

/// The port of an address that names none.
const PORT: u16 = 7687;

/// The address that clients use: that of the setting, the one that the client used, or the listener's.
pub(super) fn address(
    setting: &str,
    of_request: Option<&str>,
    of_hello: Option<&str>,
    local: Option<SocketAddr>,
) -> String {
    let given = [Some(setting), of_request, of_hello].into_iter().flatten();
    let given = given.map(str::trim).find(|address| !address.is_empty());
    match (given, local) {
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
pub(super) fn table(address: &str, database: &str) -> Vec<(&'static str, Value)> {
    let text = |text: &str| Value::from(text);
    let server = |role: &str| {
        let addresses = Value::list(vec![text(address)]);
        Value::map(vec![(text("addresses"), addresses), (text("role"), text(role))])
    };
    let servers = Value::list(["WRITE", "READ", "ROUTE"].map(server).into());
    let table = vec![
        (text("ttl"), Value::I64(TTL_SECONDS)),
        (text("db"), text(database)),
        (text("servers"), servers),
    ];
    vec![("rt", Value::map(table))]
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
