//! The gate before every route and handshake of every listener: a web page does not reach the database.
//!
//! A browser sends requests to any address for any page its user visits, the loopback address included,
//! and it names the page in headers that a page cannot forge (Fetch standard, section 3.2; Fetch Metadata,
//! section 2). The gate looks at nothing else:
//!
//! ```text
//!   Origin: null, or neither its own nor in listen.origins ........... 403
//!   Origin, or a plain GET: Host is a name not in listen.hosts ....... 421  (DNS rebinding)
//!   no Origin, Sec-Fetch-Site says another site ...................... 403
//!   anything else .................................................... goes on
//! ```
//!
//! The invariant: the gate runs before login, before a body is read and before a WebSocket is accepted.
//! Programs send none of these headers and pass. It replaces no login: any local program may connect.
//!
//! It knows headers and settings. What a request asks, and for whom, never enters.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, header,
};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use millrace_db::settings::ListenSettings;
use millrace_model::{Error, ErrorKind};
use millrace_wire::http;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const ALLOW_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-allow-private-network");

/// Paths that a monitor may read under any host name; they show no data.
fn is_probe(path: &str) -> bool {
    path == "/metrics" || path == "/health" || path.starts_with("/health/")
}

/// All routes of a listener.
pub(crate) type Routes = TowerToHyperService<Router>;

/// Origins and host names that the settings allow.
pub(crate) struct Browsers {
    /// `scheme://host[:port]`, lower case.
    origins: Vec<String>,
    /// Names without port, lower case.
    hosts: Vec<String>,
    /// Requests of web pages that the gate refused.
    refused: AtomicU64,
}

/// The gate's verdict on a request.
#[derive(Debug, PartialEq, Eq)]
enum Verdict<'a> {
    /// A program, or a page of this server.
    Own,
    /// A page of an origin in `listen.origins`.
    Listed(&'a HeaderValue),
    /// A page that may not ask.
    Refused(StatusCode, Error),
}

impl Browsers {
    /// Reads `listen.origins` and `listen.hosts`.
    pub(crate) fn of(settings: &ListenSettings) -> Result<Browsers, Error> {
        match Browsers::faults(settings).into_iter().next() {
            Some(fault) => Err(fault),
            None => {
                let (origins, hosts) = (words(&settings.origins), words(&settings.hosts));
                Ok(Browsers { origins, hosts, refused: AtomicU64::new(0) })
            }
        }
    }

    /// Everything in them that is no origin, or no name of a host.
    pub(crate) fn faults(settings: &ListenSettings) -> Vec<Error> {
        let origins = words(&settings.origins).into_iter().filter(|origin| {
            let rest = origin.split_once("://").map_or("", |(_, rest)| rest);
            rest.is_empty() || rest.contains(['/', '*', '?', '#', '@'])
        });
        let origins = origins.map(|origin| {
            let detail = format!("listen.origins: `{origin}` is not an origin");
            let help = "write scheme://host:port without a path, as https://app.example.com";
            Error::new(ErrorKind::BadInput, detail).with_help(help)
        });
        let hosts = words(&settings.hosts).into_iter();
        let hosts = hosts.filter(|host| host.contains(['/', '*', ':', '@'])).map(|host| {
            let detail = format!("listen.hosts: `{host}` is not a host name");
            let help = "write names without scheme and port, as graph.example.com";
            Error::new(ErrorKind::BadInput, detail).with_help(help)
        });
        origins.chain(hosts).collect()
    }

    /// Refuses the request of a WebSocket that a foreign page sent.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), Error> {
        match self.judge(&Method::GET, &Uri::from_static("/"), headers) {
            Verdict::Own | Verdict::Listed(_) => Ok(()),
            Verdict::Refused(_, error) => Err(error),
        }
    }

    /// Lets a request through the gate to the routes of its listener, or answers it.
    pub(crate) async fn pass(
        &self,
        request: Request<Body>,
        routes: &Routes,
    ) -> Result<Response<Body>, Infallible> {
        let verdict = self.judge(request.method(), request.uri(), request.headers());
        let listed = match verdict {
            Verdict::Own => return routes.call(request).await,
            Verdict::Listed(origin) => origin.clone(),
            Verdict::Refused(status, error) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                return Ok(refusal(status, &error));
            }
        };
        let is_preflight = request.method() == Method::OPTIONS
            && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        let mut response =
            if is_preflight { preflight(request.headers()) } else { routes.call(request).await? };
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, listed);
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        Ok(response)
    }

    /// Requests of web pages that were refused.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    fn judge<'a>(&self, method: &Method, uri: &Uri, headers: &'a HeaderMap) -> Verdict<'a> {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        // Every request comes through here, so nothing is collected.
        let hosts = headers.get_all(header::HOST);
        let named = || {
            let hosts = hosts.iter().map(|host| host.to_str().unwrap_or_default());
            hosts.chain(uri.authority().map(axum::http::uri::Authority::as_str))
        };
        let is_listed = match (origins.next(), origins.next()) {
            (None, _) => None,
            (Some(one), None) => match self.origin(one, named()) {
                Some(is_listed) => Some((one, is_listed)),
                None => return foreign_origin(&String::from_utf8_lossy(one.as_bytes())),
            },
            (Some(_), Some(_)) => return foreign_origin("several"),
        };
        let is_upgrade = headers.contains_key(header::UPGRADE);
        let is_plain_get = (method == Method::GET || method == Method::HEAD) && !is_upgrade;
        if (is_listed.is_some() || is_plain_get && !is_probe(uri.path()))
            && let Some(stranger) = named().find(|host| !self.knows_host(host))
        {
            return foreign_host(stranger);
        }
        match is_listed {
            Some((origin, true)) => return Verdict::Listed(origin),
            Some((_, false)) => return Verdict::Own,
            None => {}
        }
        for site in headers.get_all(FETCH_SITE) {
            if !matches!(site.as_bytes(), b"same-origin" | b"none") {
                let detail = "a page of another site sent this request";
                return refused(detail, "open the address itself, or list the page's origin");
            }
        }
        Verdict::Own
    }

    /// Whether an origin is listed (true) or the server's own (false); `None`: neither.
    fn origin<'h>(
        &self,
        origin: &HeaderValue,
        mut named: impl Iterator<Item = &'h str>,
    ) -> Option<bool> {
        let origin = origin.to_str().ok()?.to_ascii_lowercase();
        if self.origins.contains(&origin) {
            return Some(true);
        }
        // A listener speaks no TLS. A proxy that does is listed.
        let own = origin.strip_prefix("http://")?;
        let is_own = |host: &str| without_default_port(host).eq_ignore_ascii_case(own);
        // Without a name of its own the server has no origin.
        (is_own(named.next()?) && named.all(is_own)).then_some(false)
    }

    /// Whether a `Host` cannot be a name that a stranger's DNS server gave this machine.
    fn knows_host(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => match rest.split_once(']') {
                Some((address, "")) => address,
                Some((address, port)) if port.starts_with(':') => address,
                _ => return false,
            },
            None => host.split_once(':').map_or(host, |(name, _)| name),
        };
        name.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || self.hosts.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// The words of a list with commas, lower case.
fn words(list: &str) -> Vec<String> {
    let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect()
}

fn without_default_port(host: &str) -> &str {
    host.strip_suffix(":80").unwrap_or(host)
}

fn refused<'a>(detail: &str, help: &str) -> Verdict<'a> {
    let error = Error::new(ErrorKind::Forbidden, detail).with_help(help);
    Verdict::Refused(StatusCode::FORBIDDEN, error)
}

fn foreign_origin<'a>(origin: &str) -> Verdict<'a> {
    let detail = format!("pages of the origin `{origin}` may not send requests to this server");
    refused(&detail, "add the origin to the setting listen.origins")
}

fn foreign_host<'a>(host: &str) -> Verdict<'a> {
    let detail = format!("`{host}` is not a host name of this server");
    let help = "connect by IP address or localhost, or list the name in listen.hosts";
    let error = Error::new(ErrorKind::Forbidden, detail).with_help(help);
    Verdict::Refused(StatusCode::MISDIRECTED_REQUEST, error)
}

/// Answers a preflight request with the methods and headers that a page of a listed origin may use (Fetch
/// standard, section 4.8).
fn preflight(asked: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE");
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    if let Some(wanted) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    headers.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
    response
}

fn refusal(status: StatusCode, error: &Error) -> Response<Body> {
    let http::Response { body, .. } = http::Response::error(error);
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORT: &str = "127.0.0.1:8182";

    fn status(method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
        let settings = ListenSettings {
            origins: "https://app.example.com, http://127.0.0.1:3000".to_owned(),
            hosts: "Graph.Example.com".to_owned(),
            ..ListenSettings::default()
        };
        let browsers = Browsers::of(&settings).unwrap();
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name = HeaderName::try_from(*name).unwrap();
            map.append(name, HeaderValue::from_str(value).unwrap());
        }
        let method = Method::try_from(method).unwrap();
        match browsers.judge(&method, &path.parse().unwrap(), &map) {
            Verdict::Own => 200,
            Verdict::Listed(_) => 204,
            Verdict::Refused(status, _) => status.as_u16(),
        }
    }

    #[test]
    fn an_origin_that_is_neither_own_nor_listed_is_refused() {
        let with = |origin| status("POST", "/gremlin", &[("host", PORT), ("origin", origin)]);
        for foreign in [
            "http://evil.example",
            "null",
            "NULL",
            "",
            "http://127.0.0.1",
            "http://127.0.0.1:81820",
            "https://127.0.0.1:8182",
            "http://127.0.0.1:8182.evil.example",
            "https://app.example.com.evil.example",
            "https://app.example.com:444",
            "file://",
        ] {
            assert_eq!(with(foreign), 403, "{foreign}");
        }
        assert_eq!(with("http://127.0.0.1:8182"), 200);
        assert_eq!(with("HTTP://127.0.0.1:8182"), 200);
        assert_eq!(with("https://app.example.com"), 204);
        let two = [("host", PORT), ("origin", "http://127.0.0.1:8182"), ("origin", "http://a.b")];
        assert_eq!(status("POST", "/gremlin", &two), 403);
        assert_eq!(status("POST", "/gremlin", &[("origin", "http://127.0.0.1:8182")]), 403);
        let handshake =
            [("host", PORT), ("origin", "http://evil.example"), ("upgrade", "websocket")];
        assert_eq!(status("GET", "/gremlin", &handshake), 403);
        let default_port = [("host", "localhost:80"), ("origin", "http://localhost")];
        assert_eq!(status("POST", "/gremlin", &default_port), 200);
    }

    #[test]
    fn a_name_that_dns_could_resolve_is_refused_to_pages() {
        let page = |host: &str| {
            let origin = format!("http://{host}");
            status("POST", "/db/g/lua", &[("host", host), ("origin", &origin)])
        };
        let get = |host| status("GET", "/db/g/schema", &[("host", host)]);
        for foreign in ["evil.example:8182", "evil.example", "127.0.0.1.evil.example:1", "a@b", ""]
        {
            assert_eq!(page(foreign), 421, "{foreign}");
            assert_eq!(get(foreign), 421, "{foreign}");
        }
        for own in [PORT, "[::1]:8182", "localhost:8182", "LocalHost", "graph.example.com:1"] {
            assert_eq!(page(own), 200, "{own}");
            assert_eq!(get(own), 200, "{own}");
        }
        assert_eq!(status("HEAD", "/", &[("host", "evil.example")]), 421);
        assert_eq!(status("GET", "http://evil.example/db/g/schema", &[("host", PORT)]), 421);
        let two = [("host", PORT), ("host", "evil.example")];
        assert_eq!(status("GET", "/", &two), 421);
    }

    #[test]
    fn another_site_is_refused_where_the_browser_names_no_origin() {
        let from = |site| status("GET", "/gremlin", &[("host", PORT), ("sec-fetch-site", site)]);
        for foreign in ["cross-site", "same-site", "nonsense"] {
            assert_eq!(from(foreign), 403, "{foreign}");
        }
        assert_eq!(from("same-origin"), 200);
        assert_eq!(from("none"), 200);
    }

    #[test]
    fn a_program_goes_on() {
        assert_eq!(status("POST", "/gremlin", &[("host", "db.internal:8182")]), 200);
        let driver = [("host", "db.internal:8182"), ("upgrade", "websocket")];
        assert_eq!(status("GET", "/gremlin", &driver), 200);
        for probe in ["/health", "/health/ready", "/metrics"] {
            assert_eq!(status("GET", probe, &[("host", "db.internal")]), 200, "{probe}");
        }
        assert_eq!(status("GET", "/healthy", &[("host", "db.internal")]), 421);
        assert_eq!(status("GET", "/db/g/schema", &[]), 200);
    }

    #[test]
    fn a_setting_that_names_no_origin_or_host_is_refused() {
        let of = |origins: &str, hosts: &str| {
            let (origins, hosts) = (origins.to_owned(), hosts.to_owned());
            Browsers::of(&ListenSettings { origins, hosts, ..ListenSettings::default() })
        };
        for origin in ["*", "app.example.com", "https://*", "https://a.b/path", "https://"] {
            let refused = of(origin, "").err().unwrap().to_string();
            assert!(refused.contains("listen.origins"), "{refused}");
        }
        for host in ["*", "http://a.b", "a.b:80"] {
            let refused = of("", host).err().unwrap().to_string();
            assert!(refused.contains("listen.hosts"), "{refused}");
        }
    }
}
