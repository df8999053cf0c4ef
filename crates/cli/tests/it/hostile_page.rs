//! Web pages in a real browser that try to reach the database: whatever they do, nothing happens.
//!
//! The same attempts are made by a page of this server, where they work: the test would see a hole.

use std::path::Path;

use serde_json::{Value, json};

use crate::browser::{Browser, Site};
use crate::program::{Served, serve_both};

/// Names that only this browser knows; all of them lead to the loopback address.
const NAMES: &str = "--host-resolver-rules=MAP *.example 127.0.0.1";

/// How many of the attempts reach the server at least: Chromium may keep a few back itself, and asks
/// before some (CORS preflight).
const REACH_MIN: u64 = 12;

/// Tries whatever a page can do without asking its user. Each attempt ends with a word of how it went;
/// `no-cors` answers cannot be read, so only the database can say whether they did something.
const ATTEMPTS: &str = r#"
async (gremlin, lua, admin) => {
  const add = "g.addV('stolen')";
  const url = gremlin + 'gremlin?gremlin=' + encodeURIComponent(add);
  const json = JSON.stringify({ gremlin: add });
  const text = "NodeTypeInsert('Stolen')";
  const ended = element => new Promise(done => {
    element.onload = () => done('loaded');
    element.onerror = () => done('failed');
    (document.body || document.documentElement).append(element);
  });
  const element = (name, url) => ended(Object.assign(document.createElement(name), { src: url }));
  const form = (url, name, value) => {
    const frame = Object.assign(document.createElement('iframe'), { name: 'f' + Math.random() });
    const waits = new Promise(done => { frame.onload = () => done('loaded'); });
    const form = document.createElement('form');
    form.method = 'POST'; form.enctype = 'text/plain'; form.action = url; form.target = frame.name;
    form.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(frame, form);
    form.submit();
    return waits;
  };
  const send = (url, body, mode, type) =>
    fetch(url, { method: 'POST', body, mode, headers: type ? { 'Content-Type': type } : {} })
      .then(answer => mode === 'no-cors' ? 'sent' : answer.status, () => 'failed');
  const socket = () => new Promise(done => {
    const open = new WebSocket(gremlin.replace('http', 'ws') + 'gremlin');
    open.onopen = () => done('open');
    open.onerror = () => done('failed');
  });
  return {
    image: await element('img', url),
    script: await element('script', url),
    frame: await element('iframe', url),
    gremlinForm: await form(gremlin + 'gremlin', '{"gremlin": "' + add + '", "x": "', '"}'),
    luaForm: await form(lua + 'db/shop/lua', text + ' --', ''),
    get: await fetch(url).then(answer => answer.status, () => 'failed'),
    plain: await send(gremlin + 'gremlin', json, 'no-cors', 'text/plain'),
    untyped: await send(gremlin + 'gremlin', new Blob([json]), 'no-cors'),
    lua: await send(lua + 'db/shop/lua', text, 'no-cors', 'text/plain'),
    graph: await send(lua + 'dbs/stolen', '', 'no-cors'),
    query: await send(admin + 'query', JSON.stringify({ graph: 'shop', language: 'lua', text }), 'no-cors', 'text/plain'),
    json: await send(gremlin + 'gremlin', json, 'cors', 'application/json'),
    made: await send(admin + 'graphs/shop/schema', '{}', 'no-cors', 'text/plain'),
    read: await fetch(admin + 'backup').then(answer => answer.status, () => 'failed'),
    beacon: navigator.sendBeacon(gremlin + 'gremlin', json),
    socket: await socket(),
  };
}"#;

/// A server of both languages, and its content before the attempts.
struct Attacked {
    server: Served,
    before: Value,
}

impl Attacked {
    fn in_folder(folder: &Path) -> Attacked {
        let server = serve_both(folder);
        assert_eq!(server.post("/dbs/shop", "").map(|answer| answer.0), Some(200));
        let mut attacked = Attacked { server, before: Value::Null };
        attacked.before = attacked.made();
        attacked
    }

    /// All ports under a host name, Gremlin's first, each with a slash at its end.
    fn urls(&self, host: &str) -> [String; 3] {
        let gremlin = self.server.gremlin_url();
        let gremlin = gremlin.trim_end_matches("/gremlin");
        [gremlin, &self.server.url, &self.server.admin_url()].map(|url| under(url, host))
    }

    /// Makes all attempts from the page that is open, at the ports under a host name.
    ///
    /// # Panics
    /// If one of them did something, or most of them never reached the gate.
    fn attempts(&self, browser: &mut Browser, host: &str) -> Value {
        let turned_away = self.refused();
        let [gremlin, lua, admin] = self.urls(host);
        let outcome = browser.evaluate(&format!(
            "({ATTEMPTS})({}, {}, {})",
            json!(gremlin),
            json!(lua),
            json!(admin)
        ));
        assert_eq!(self.made(), self.before, "{outcome}");
        let reached = self.refused() - turned_away;
        assert!(REACH_MIN <= reached, "only {reached} attempts reached the gate: {outcome}");
        assert_eq!(outcome["socket"], "failed", "{outcome}");
        outcome
    }

    /// Vertices, graphs and types: a successful attempt would change them.
    fn made(&self) -> Value {
        let types = self.server.ask("shop", "NodeTypesGet()");
        let count = "{\"language\": \"gremlin\", \"text\": \"g.V().count()\"}";
        let rows = self.server.post_json("/query/g", count);
        let rows = rows.lines().nth(1).expect("a line of rows").to_owned();
        json!([rows, self.server.get_text("/graphs"), types])
    }

    /// How many requests the gate has turned away.
    fn refused(&self) -> u64 {
        let page = self.server.get_text("/metrics");
        let name = "millrace_browser_requests_refused_total ";
        let count = page.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
        count.unwrap_or_else(|| panic!("{page}"))
    }
}

/// The URL of a site or server under another host name, with a slash at its end.
fn under(url: &str, host: &str) -> String {
    let port = url.trim_end_matches('/').rsplit(':').next().expect("it has a port");
    format!("http://{host}:{port}/")
}

#[test]
fn a_page_of_another_origin_does_nothing_in_a_real_browser() {
    let Some(mut browser) = Browser::start_with("hostile page", &[NAMES]) else { return };
    let folder = tempfile::tempdir().expect("there is room");
    let attacked = Attacked::in_folder(folder.path());
    let site = Site::of("<!doctype html><title>hostile</title><body></body>");
    // Another port is another origin of the same site; another name is another site.
    for url in [site.url.clone(), under(&site.url, "evil.example"), under(&site.url, "localhost")] {
        browser.open(&url);
        let outcome = attacked.attempts(&mut browser, "127.0.0.1");
        for attempt in ["image", "script", "get", "json", "read"] {
            assert_eq!(outcome[attempt], "failed", "{attempt} from {url}: {outcome}");
        }
    }
}

#[test]
fn a_made_up_host_name_does_nothing_in_a_real_browser() {
    let Some(mut browser) = Browser::start_with("rebound name", &[NAMES]) else { return };
    let folder = tempfile::tempdir().expect("there is room");
    let attacked = Attacked::in_folder(folder.path());
    // A page that was loaded from its own server first, under a name that now leads to this one, has
    // the same origin as its requests. Here the answer of the gate is that page.
    for url in attacked.urls("rebound.example") {
        browser.open(&url);
        let shown = browser.text_of("body");
        assert!(shown.contains("listen.hosts"), "{shown}");
        let outcome = attacked.attempts(&mut browser, "rebound.example");
        for attempt in ["get", "json", "read"] {
            let answer = &outcome[attempt];
            assert!(answer == "failed" || answer == 421, "{attempt} from {url}: {outcome}");
        }
    }
}

#[test]
fn a_page_of_this_server_may_do_all_of_that() {
    let Some(mut browser) = Browser::start_with("own page", &[NAMES]) else { return };
    let folder = tempfile::tempdir().expect("there is room");
    let attacked = Attacked::in_folder(folder.path());
    let [gremlin, ..] = attacked.urls("127.0.0.1");
    browser.open(&gremlin);
    let outcome = browser.evaluate(&format!(
        "(async () => {{
            const body = JSON.stringify({{ gremlin: \"g.addV('own')\" }});
            const headers = {{ 'Content-Type': 'application/json' }};
            const answer = await fetch('{gremlin}gremlin', {{ method: 'POST', headers, body }});
            const socket = await new Promise(done => {{
                const open = new WebSocket('{}gremlin');
                open.onopen = () => done('open');
                open.onerror = () => done('failed');
            }});
            return [answer.status, socket];
        }})()",
        gremlin.replace("http", "ws")
    ));
    assert_eq!(outcome, json!([200, "open"]));
    assert_ne!(attacked.made(), attacked.before);
    assert_eq!(attacked.refused(), 0);
}
