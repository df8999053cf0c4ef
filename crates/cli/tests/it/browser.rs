//! A headless Chromium, driven over its debugging protocol (CDP), for tests of web pages.
//!
//! Each [`Browser`] is one process with a profile folder of its own and one tab; both end when it is
//! dropped. The tab stores all its network events, so a test can list the requests that a page really
//! sent.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use millrace_testkit::require;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// Time for Chromium to start, and for each of its answers.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Pause between two looks at a condition in a page.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Where Linux distributions put the program.
const PLACES: [&str; 4] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
];

const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-port=0",
];

/// A running Chromium with one tab. It is killed, and its profile removed, when dropped.
pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    last_id: u64,
    /// Events of the tab, in the order in which they came: `{"method": …, "params": …}`.
    pub(crate) events: Vec<Value>,
    // Last: the process has ended before its folder goes.
    _profile: TempDir,
}

/// The program, if the machine has it.
fn chromium() -> Option<PathBuf> {
    PLACES.iter().map(PathBuf::from).find(|place| place.is_file())
}

impl Browser {
    /// Starts one for the test `name`; without Chromium the test is skipped by name, or fails where
    /// `MILLRACE_REQUIRE_ALL=1`.
    pub(crate) fn start(name: &str) -> Option<Browser> {
        Browser::start_with(name, &[])
    }

    /// The same, with further flags of Chromium.
    pub(crate) fn start_with(name: &str, flags: &[&str]) -> Option<Browser> {
        let place = chromium();
        if !require(&format!("{name} (chromium: cargo xtask runtimes)"), place.is_some()) {
            return None;
        }
        Some(Browser::launch(&place?, flags))
    }

    fn launch(place: &PathBuf, flags: &[&str]) -> Browser {
        let profile = tempfile::tempdir().expect("there is room");
        let mut command = Command::new(place);
        command
            .args(FLAGS)
            .args(flags)
            .arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg("about:blank").stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().expect("chromium starts");
        // Chromium writes the port that it was given, and the path of its socket, into this file.
        let port_file = profile.path().join("DevToolsActivePort");
        let began = Instant::now();
        let url = loop {
            let text = fs::read_to_string(&port_file).unwrap_or_default();
            if let Some((port, path)) = text.trim().split_once('\n') {
                break format!("ws://127.0.0.1:{port}{path}");
            }
            let ended = child.try_wait().expect("it can be asked");
            assert!(ended.is_none(), "chromium ended before it listened: {ended:?}");
            assert!(began.elapsed() < WAIT_MAX, "chromium does not listen");
            thread::sleep(LOOK_EVERY);
        };
        let (socket, _) = tungstenite::client(&url, connect(&url)).expect("it speaks WebSocket");
        let session = String::new();
        let mut browser =
            Browser { child, socket, session, last_id: 0, events: Vec::new(), _profile: profile };
        browser.open_tab();
        browser
    }

    fn open_tab(&mut self) {
        let target = self.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let target = target["targetId"].clone();
        let attached =
            self.call("Target.attachToTarget", &json!({ "targetId": target, "flatten": true }));
        self.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(&format!("{domain}.enable"), &json!({}));
        }
    }

    /// Calls a method of the protocol, and gives its result.
    ///
    /// # Panics
    /// If the browser refuses it.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).expect("it is there");
        loop {
            let mut message = self.next();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    fn next(&mut self) -> Value {
        loop {
            match self.socket.read().expect("the browser answers") {
                Message::Text(text) => {
                    return serde_json::from_str(text.as_str()).expect("it is JSON");
                }
                Message::Close(_) => panic!("the browser closed its socket"),
                Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }

    /// Opens a page, and waits until it has loaded.
    pub(crate) fn open(&mut self, url: &str) {
        let gone = self.call("Page.navigate", &json!({ "url": url }));
        assert!(gone["errorText"].is_null(), "{url}: {}", gone["errorText"]);
        let href = serde_json::to_string(url).expect("texts are JSON");
        self.wait_for(&format!(
            "document.readyState === 'complete' && location.href.startsWith({href})"
        ));
    }

    /// The value of an expression of JavaScript in the page; a promise is waited for.
    ///
    /// # Panics
    /// If it throws.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true,
            "userGesture": true
        });
        let mut answer = self.call("Runtime.evaluate", &asked);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {thrown}");
        answer["result"]["value"].take()
    }

    /// Waits until an expression is true in the page.
    ///
    /// # Panics
    /// If it does not become true in time.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let began = Instant::now();
        while self.evaluate(expression) != json!(true) {
            if WAIT_MAX < began.elapsed() {
                let page = self.evaluate("document.body && document.body.innerText");
                panic!("{expression} does not come true; the page says {page}\n{}", self.said());
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Puts the focus on an element and a text in it, as typing does.
    pub(crate) fn type_into(&mut self, selector: &str, text: &str) {
        let selector = serde_json::to_string(selector).expect("texts are JSON");
        self.evaluate(&format!(
            "(() => {{ const found = document.querySelector({selector}); found.focus(); \
             found.select(); return true; }})()"
        ));
        self.call("Input.insertText", &json!({ "text": text }));
    }

    /// Presses Ctrl-Enter.
    pub(crate) fn press_control_enter(&mut self) {
        for kind in ["rawKeyDown", "keyUp"] {
            let key = json!({
                "type": kind, "key": "Enter", "code": "Enter", "modifiers": 2,
                "windowsVirtualKeyCode": 13
            });
            self.call("Input.dispatchKeyEvent", &key);
        }
    }

    /// Clicks an element, by a selector.
    pub(crate) fn click(&mut self, selector: &str) {
        let selector = serde_json::to_string(selector).expect("texts are JSON");
        self.evaluate(&format!("document.querySelector({selector}).click()"));
    }

    /// The text that an element shows.
    pub(crate) fn text_of(&mut self, selector: &str) -> String {
        let selector = serde_json::to_string(selector).expect("texts are JSON");
        let text = self.evaluate(&format!("document.querySelector({selector}).innerText"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Messages of the page to its console, and messages of the browser about it (such as a violated
    /// Content-Security-Policy), one a line.
    pub(crate) fn said(&mut self) -> String {
        // Whatever was sent before this answer has arrived with it.
        self.evaluate("1");
        let lines = self.events.iter().filter_map(|event| match event["method"].as_str()? {
            "Log.entryAdded" => Some(event["params"]["entry"]["text"].to_string()),
            "Runtime.consoleAPICalled" => Some(event["params"]["args"].to_string()),
            "Runtime.exceptionThrown" => Some(event["params"]["exceptionDetails"].to_string()),
            _ => None,
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// URLs of all requests that pages of the tab began, WebSockets among them.
    pub(crate) fn requested(&mut self) -> Vec<String> {
        self.evaluate("1");
        let urls = self.events.iter().filter_map(|event| match event["method"].as_str()? {
            "Network.requestWillBeSent" => event["params"]["request"]["url"].as_str(),
            "Network.webSocketCreated" => event["params"]["url"].as_str(),
            _ => None,
        });
        urls.map(str::to_owned).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Its helpers end with it; then nothing writes into the profile any more.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn connect(url: &str) -> MaybeTlsStream<TcpStream> {
    let address = url.trim_start_matches("ws://").split('/').next().expect("it has a host");
    let stream = TcpStream::connect(address).expect("chromium listens");
    stream.set_read_timeout(Some(WAIT_MAX)).expect("it is a socket");
    MaybeTlsStream::Plain(stream)
}

/// A site of another origin: every path of it answers with one page of HTML. It ends with the test.
pub(crate) struct Site {
    pub(crate) url: String,
}

impl Site {
    /// Serves a page on a free port.
    pub(crate) fn of(html: &str) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let html = html.to_owned();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let html = html.clone();
                // A browser that goes away in the middle needs no answer.
                thread::spawn(move || drop(answer(stream, &html)));
            }
        });
        Site { url: format!("http://{address}/") }
    }
}

fn answer(mut stream: TcpStream, html: &str) -> std::io::Result<()> {
    stream.set_read_timeout(Some(WAIT_MAX))?;
    let mut head = BufReader::new(stream.try_clone()?.take(1 << 16));
    let mut line = String::new();
    while head.read_line(&mut line)? != 0 && line != "\r\n" {
        line.clear();
    }
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{html}",
        html.len()
    )
}

#[test]
fn the_browser_opens_a_page_and_reports_its_requests_and_messages() {
    let Some(mut browser) = Browser::start("browser driver") else { return };
    let page = "<!doctype html><textarea id=box></textarea><p id=said></p><script>
        box.onkeydown = event => { if (event.ctrlKey && event.key === 'Enter') { said.textContent = box.value } };
        console.log('ready');
    </script>";
    let site = Site::of(page);
    browser.open(&site.url);
    browser.type_into("#box", "hello");
    browser.press_control_enter();
    browser.wait_for("said.textContent === 'hello'");
    assert_eq!(browser.text_of("#said"), "hello");
    browser.click("#box");
    assert!(browser.said().contains("ready"));
    assert!(browser.requested().contains(&site.url));
}
