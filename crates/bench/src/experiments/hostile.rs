//! How a server answers under attack: bodies that never end, a flood of pings with answers that are
//! never read, and sockets that say nothing, all at the same time.
//!
//! ```text
//!   quiet:   one client asks, the next request when the answer is there ── p99, the reference
//!   attack:  the same, beside the attackers ───────────────────────────── p99, the value
//! ```
//!
//! Attackers run on the same processors, so a flood that the server goes on reading costs the client twice.
//! They sleep while the server takes nothing: an attacker that woke to look around would be measured, too.

use std::io::Write;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use millrace_model::Result;

use super::measurement::Conditions;
use super::served::{Serve, Served};
use crate::clients::http::{Connection, post};
use crate::data::Scratch;
use crate::measure::Histogram;
use crate::process::{Meter, peak_bytes_of};
use crate::report::{PEAK_MEMORY, Row, Unit};

/// The server's memory limit: less than the bodies alone would take.
const MEMORY_MAX: u64 = 1 << 30;

const BODIES: f64 = 200.0;
const BODY_BYTES: usize = 15 << 20;
/// The announced length of a body; the last megabyte never comes.
const ANNOUNCED_BYTES: usize = 16 << 20;
const SILENT_SOCKETS: f64 = 2_000.0;

/// How long each of both phases takes.
const PHASE_SECONDS: f64 = 15.0;

/// Between two requests of the client.
const PAUSE: Duration = Duration::from_millis(2);

/// Bytes that an attacker sends at once.
const PIECE_BYTES: usize = 64 << 10;

/// The p99 of a client's requests beside attackers; the reference is the p99 without them.
pub(super) fn hostile(conditions: &Conditions) -> Result<Row> {
    let folder = Scratch::empty(&conditions.data, "serve.hostile")?;
    let serve = Serve {
        folder: folder.path().to_owned(),
        checkpoints: true,
        memory_max: Some(MEMORY_MAX),
        queues: Vec::new(),
    };
    let served = Served::of(&conditions.program, &serve)?;
    let time = Duration::from_secs_f64(conditions.seconds.unwrap_or(PHASE_SECONDS));
    let mut client = served.connect_gremlin()?;
    // The first requests plan, and touch fresh memory.
    ask_for(&mut client, time / 10)?;
    let meter = Meter::start();
    let quiet = ask_for(&mut client, time)?;
    let attack = Attack::begin(conditions.scale, &served);
    let attacked = ask_for(&mut client, time)?;
    let sent = attack.end();
    let peak = peak_bytes_of(served.process_id());
    let mut row = Row::new(millis(attacked.percentile(99.0)), Unit::Milliseconds)
        .beside(millis(quiet.percentile(99.0)))
        .with_figures(meter.figures().into_iter().filter(|figure| figure.name != PEAK_MEMORY))
        .with("requests_quiet", quiet.count() as f64, Unit::Count)
        .with("requests_attacked", attacked.count() as f64, Unit::Count)
        .with("worst", millis(attacked.max()), Unit::Milliseconds)
        .with("attackers_sent", sent as f64, Unit::Bytes)
        .with("memory_max", MEMORY_MAX as f64, Unit::Bytes);
    if let Some(peak) = peak {
        row = row.with(PEAK_MEMORY, peak, Unit::Bytes);
        if MEMORY_MAX as f64 <= peak {
            row.fault = Some("the server held more than memory.max".to_owned());
        }
    }
    Ok(row)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Latencies of a client that reads and writes in turn.
fn ask_for(client: &mut Connection, time: Duration) -> Result<Histogram> {
    let write = post("/gremlin", r#"{"gremlin": "g.addV('hit').property('n', 1).iterate()"}"#);
    let read = post("/gremlin", r#"{"gremlin": "g.V(1).values('n')"}"#);
    let (began, mut latencies) = (Instant::now(), Histogram::default());
    while began.elapsed() < time {
        for request in [&write, &read] {
            let asked = Instant::now();
            client.ask(request)?;
            latencies.record(asked.elapsed());
            thread::sleep(PAUSE);
        }
    }
    Ok(latencies)
}

/// Attackers that are under way.
struct Attack {
    attacker: Attacker,
    threads: Vec<JoinHandle<()>>,
}

impl Attack {
    fn begin(scale: f64, served: &Served) -> Attack {
        let mut attack = Attack { attacker: Attacker::default(), threads: Vec::new() };
        let (lua, gremlin) = (served.lua(), served.gremlin());
        let bodies = (BODIES * scale).ceil() as usize;
        let sockets = (SILENT_SOCKETS * scale).ceil() as usize;
        for _ in 0..bodies {
            attack.add(move |attacker| attacker.body(lua));
        }
        attack.add(move |attacker| attacker.pings(gremlin));
        attack.add(move |attacker| attacker.silence(&[lua, gremlin], sockets));
        attack
    }

    fn add(&mut self, act: impl FnOnce(&Attacker) -> std::io::Result<()> + Send + 'static) {
        let attacker = self.attacker.clone();
        self.threads.push(thread::spawn(move || {
            // A server that closes the connection has defended itself.
            let _closed = act(&attacker);
        }));
    }

    /// Ends it, and gives the bytes that were sent.
    fn end(self) -> u64 {
        self.attacker.end();
        for thread in self.threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        self.attacker.sent.load(Ordering::Relaxed)
    }
}

/// State shared by all attacking threads.
#[derive(Clone, Default)]
struct Attacker {
    sent: Arc<AtomicU64>,
    /// Every connection, or none any more: the attack has ended.
    open: Arc<Mutex<Connections>>,
}

#[derive(Default)]
struct Connections {
    have_ended: bool,
    all: Vec<Arc<TcpStream>>,
}

impl Attacker {
    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes every connection, so that blocked sends return.
    fn end(&self) {
        let mut connections = self.connections();
        connections.have_ended = true;
        for connection in connections.all.drain(..) {
            // The server may have closed it.
            let _closed = connection.shutdown(Shutdown::Both);
        }
    }

    /// A connection that stays open until the attack ends.
    fn connect(&self, address: SocketAddr) -> std::io::Result<Arc<TcpStream>> {
        let stream = Arc::new(TcpStream::connect(address)?);
        let mut connections = self.connections();
        if connections.have_ended {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        connections.all.push(Arc::clone(&stream));
        Ok(stream)
    }

    /// Sends all bytes. Blocks while the server takes none, and fails once the connection is closed.
    fn send(&self, mut stream: &TcpStream, bytes: &[u8]) -> std::io::Result<()> {
        stream.write_all(bytes)?;
        self.sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// A body that never ends.
    fn body(&self, address: SocketAddr) -> std::io::Result<()> {
        let stream = self.connect(address)?;
        let head = format!(
            "POST /rw/g/lua HTTP/1.1\r\nHost: localhost\r\nContent-Length: {ANNOUNCED_BYTES}\r\n\r\n"
        );
        self.send(&stream, head.as_bytes())?;
        let piece = vec![b' '; PIECE_BYTES];
        for _ in 0..BODY_BYTES / PIECE_BYTES {
            self.send(&stream, &piece)?;
        }
        Ok(())
    }

    /// Pings with answers that are not read (RFC 6455, section 5.5.2).
    fn pings(&self, address: SocketAddr) -> std::io::Result<()> {
        let stream = self.connect(address)?;
        let head = "GET /gremlin HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n\
                    Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                    Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
        self.send(&stream, head.as_bytes())?;
        // A masked ping of 125 bytes; the mask is zero.
        let ping = [&[0x89, 0xFD, 0, 0, 0, 0][..], &[b'p'; 125]].concat();
        let pings = ping.repeat(PIECE_BYTES / ping.len());
        loop {
            self.send(&stream, &pings)?;
        }
    }

    /// Sockets that say nothing.
    fn silence(&self, addresses: &[SocketAddr], count: usize) -> std::io::Result<()> {
        for address in addresses.iter().cycle().take(count) {
            self.connect(*address)?;
        }
        Ok(())
    }
}
