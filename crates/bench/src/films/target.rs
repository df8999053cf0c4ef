//! Servers that are driven: a target is one database, reached at one endpoint or at several.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;

use millrace_model::{Error, ErrorKind, Result};

use super::limits::ENDPOINTS_MAX;
use crate::process::{listener_on, processor_seconds_in};

/// What an endpoint speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Protocol {
    /// Dgraph's HTTP interface.
    #[default]
    Http,
    /// Dgraph's gRPC.
    Grpc,
}

impl Protocol {
    /// As it is called in reports and on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Protocol::Http => "http",
            Protocol::Grpc => "grpc",
        }
    }

    /// What is asked beside the queries: an answer without a query.
    pub(super) fn reference(self) -> &'static str {
        match self {
            Protocol::Http => "/health",
            Protocol::Grpc => "CheckVersion",
        }
    }

    fn usual_port(self) -> u16 {
        match self {
            Protocol::Http => 8080,
            Protocol::Grpc => 9080,
        }
    }
}

/// A database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// As it was given.
    pub(super) name: String,
    pub(super) protocol: Protocol,
    pub(super) endpoints: Vec<Endpoint>,
}

/// A server of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Endpoint {
    pub(super) address: SocketAddr,
    /// Its process, if that is on this machine.
    pub(super) process: Option<u32>,
}

impl Target {
    /// One or several URLs with commas between them.
    pub(super) fn parse(urls: &str) -> Result<Target> {
        let read: Vec<(Protocol, SocketAddr)> =
            urls.split(',').map(|url| endpoint_of(url.trim())).collect::<Result<_>>()?;
        let refuse = |detail: String| Err(Error::new(ErrorKind::BadInput, detail));
        let Some((protocol, _)) = read.first().copied() else {
            return refuse("--url names no server".to_owned());
        };
        if read.iter().any(|(other, _)| *other != protocol) {
            return refuse(format!(
                "--url {urls}: its endpoints speak HTTP or gRPC, not both; --url may be given twice, and both are measured in turn"
            ));
        }
        if ENDPOINTS_MAX < read.len() {
            return refuse(format!("--url {urls}: a target has at most {ENDPOINTS_MAX} endpoints"));
        }
        let endpoints = read.into_iter().map(|(_, address)| Endpoint {
            address,
            process: address.ip().is_loopback().then(|| listener_on(address.port())).flatten(),
        });
        Ok(Target { name: urls.to_owned(), protocol, endpoints: endpoints.collect() })
    }

    /// The same with its first endpoints only; none if there are fewer.
    pub(super) fn of_endpoints(&self, count: usize) -> Option<Target> {
        let endpoints = self.endpoints.get(..count)?.to_vec();
        Some(Target { endpoints, ..self.clone() })
    }

    /// Seconds of processor time so far of all its processes; none if one of them is not known.
    pub(super) fn processor_seconds(&self) -> Option<f64> {
        let mut processes: Vec<u32> =
            self.endpoints.iter().map(|endpoint| endpoint.process).collect::<Option<_>>()?;
        processes.sort_unstable();
        processes.dedup();
        let seconds = |process: &u32| {
            processor_seconds_in(&Path::new("/proc").join(process.to_string()).join("stat"))
        };
        processes.iter().map(seconds).sum()
    }
}

fn endpoint_of(url: &str) -> Result<(Protocol, SocketAddr)> {
    let bad = |detail: &str| {
        let error = Error::new(ErrorKind::BadInput, format!("--url {url}: {detail}"));
        error.with_help("such as http://127.0.0.1:8080 or grpc://127.0.0.1:9080")
    };
    let (protocol, rest) = match url.split_once("://") {
        Some(("http", rest)) => (Protocol::Http, rest),
        Some(("grpc" | "dgraph", rest)) => (Protocol::Grpc, rest),
        Some(("https" | "grpcs", _)) => return Err(bad("a server behind TLS is not driven")),
        _ => return Err(bad("a URL that begins with http:// or grpc://")),
    };
    let host = rest.trim_end_matches('/');
    if host.contains('@') {
        return Err(bad("a server that wants a login is not driven"));
    }
    if host.is_empty() || host.contains(['/', '?']) {
        return Err(bad("a host and a port, without a path"));
    }
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let host = if has_port { host.to_owned() } else { format!("{host}:{}", protocol.usual_port()) };
    let mut addresses = host.to_socket_addrs().map_err(|error| bad(&format!("{host}: {error}")))?;
    let address = addresses.next().ok_or_else(|| bad("the name has no address"))?;
    Ok((protocol, address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_one_or_several_endpoints_of_one_protocol() {
        let target = Target::parse("grpc://127.0.0.1:1, dgraph://127.0.0.1").unwrap();
        let addresses: Vec<String> =
            target.endpoints.iter().map(|endpoint| endpoint.address.to_string()).collect();
        assert_eq!(addresses, ["127.0.0.1:1", "127.0.0.1:9080"]);
        assert_eq!(target.protocol, Protocol::Grpc);
        assert_eq!(target.of_endpoints(1).unwrap().endpoints.len(), 1);
        assert_eq!(target.of_endpoints(3), None);
        let target = Target::parse("http://127.0.0.1/").unwrap();
        assert_eq!(target.endpoints[0].address.port(), 8080);
    }

    #[test]
    fn a_url_that_cannot_be_driven_is_refused_by_its_name() {
        for (urls, said) in [
            ("https://a", "TLS"),
            ("ws://127.0.0.1", "http://"),
            ("http://127.0.0.1/query", "without a path"),
            ("http://a:b@127.0.0.1", "login"),
            ("http://", "a host"),
            ("http://127.0.0.1,grpc://127.0.0.1", "not both"),
            ("", "http://"),
        ] {
            let refused = Target::parse(urls).unwrap_err().to_string();
            assert!(refused.contains(said) && refused.contains("--url"), "{refused}");
        }
        let many = vec!["http://127.0.0.1:1"; ENDPOINTS_MAX + 1].join(",");
        assert!(Target::parse(&many).unwrap_err().to_string().contains("at most"));
    }
}
