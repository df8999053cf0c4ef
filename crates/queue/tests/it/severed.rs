//! A proxy in front of a real broker that breaks connections: in the middle of messages, and between the commit of a batch
//! and its acknowledgement.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use millrace_db::{Database, Settings};
use millrace_queue::broker::{Broker, Publisher};
use millrace_queue::settings::QueueKind;
use millrace_queue::{Queue, QueueSettings};
use millrace_testkit::{Rng, number, require_component};

use crate::fake::person;
use crate::graph::{numbers, settings, wait_until};

/// Class and method of an acknowledgement, behind the length of its frame.
const ACKNOWLEDGEMENT: &[u8] = &[0, 0, 0, 13, 0, 60, 0, 80];

/// Bytes of messages between two breaks, at most.
const BYTES_BETWEEN_BREAKS: u64 = 60_000;

/// Messages for each cut; a connection has to bring more than one batch.
const MESSAGES_PER_BREAK: i64 = 150;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    /// After so many bytes from the broker.
    InMessages,
    /// In place of an acknowledgement.
    BeforeAcknowledgement,
}

struct Proxy {
    address: SocketAddr,
    breaks: Arc<AtomicU64>,
    is_breaking: Arc<AtomicBool>,
}

/// One direction of a connection through the proxy.
struct Pipe {
    from: TcpStream,
    to: TcpStream,
    /// Bytes that pass before the cut; `None`: an acknowledgement is the cut, one in so many.
    bytes: Option<u64>,
}

impl Proxy {
    fn start(broker: String, kind: Break, seed: u64) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (breaks, is_breaking) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(true)));
        let (counted, breaking) = (Arc::clone(&breaks), Arc::clone(&is_breaking));
        let rng = Arc::new(Mutex::new(Rng::new(seed)));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(&broker) else { continue };
                let both = |from: &TcpStream, to: &TcpStream, bytes| {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let pipe = Pipe { from, to, bytes };
                    let (rng, counted) = (Arc::clone(&rng), Arc::clone(&counted));
                    let breaking = Arc::clone(&breaking);
                    thread::spawn(move || pass(pipe, &rng, &breaking, &counted));
                };
                let bytes = rng.lock().unwrap().below(BYTES_BETWEEN_BREAKS) + 2_000;
                both(
                    &server,
                    &client,
                    (kind == Break::InMessages).then_some(bytes).or(Some(u64::MAX)),
                );
                let of_client = (kind == Break::InMessages).then_some(u64::MAX);
                both(&client, &server, of_client);
            }
        });
        Proxy { address, breaks, is_breaking }
    }
}

fn pass(mut pipe: Pipe, rng: &Mutex<Rng>, is_breaking: &AtomicBool, breaks: &AtomicU64) {
    let mut buffer = [0; 4_096];
    let mut passed = 0;
    while let Ok(read @ 1..) = pipe.from.read(&mut buffer) {
        let is_break = is_breaking.load(Ordering::Relaxed)
            && match pipe.bytes {
                Some(bytes) => bytes < passed + read as u64,
                None => {
                    let mut pieces = buffer[..read].windows(ACKNOWLEDGEMENT.len());
                    pieces.any(|piece| piece == ACKNOWLEDGEMENT)
                        && rng.lock().unwrap().below(2) == 0
                }
            };
        if is_break {
            breaks.fetch_add(1, Ordering::Relaxed);
            break;
        }
        passed += read as u64;
        if pipe.to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    // Either end may be gone already.
    let _closed = (pipe.from.shutdown(Shutdown::Both), pipe.to.shutdown(Shutdown::Both));
}

/// Host and port of a URL, and the URL with others.
fn through(url: &str, proxy: impl FnOnce(String) -> SocketAddr) -> String {
    let (before, rest) = url.split_once('@').unwrap();
    let (broker, host) = rest.split_once('/').unwrap();
    format!("{before}@{}/{host}", proxy(broker.to_owned()))
}

#[test]
fn severed_connections_lose_and_double_nothing() {
    let url = std::env::var("MILLRACE_AMQP").ok();
    if !require_component("a queue of RabbitMQ: cut connections", url.is_some()) {
        return;
    }
    let url = url.unwrap();
    let rounds = number("MILLRACE_QUEUE_ROUNDS", 3);
    for how in [Break::InMessages, Break::BeforeAcknowledgement] {
        for (of, consumers) in [
            (QueueKind::Durable, 1),
            (QueueKind::Durable, 4),
            (QueueKind::Quorum, 1),
            (QueueKind::Quorum, 4),
        ] {
            severed_connections(&url, how, (of, consumers), rounds);
        }
    }
}

fn severed_connections(url: &str, how: Break, (kind, consumers): (QueueKind, usize), rounds: u64) {
    let mut proxy = None;
    let url_of_proxy = through(url, |broker| {
        let started = Proxy::start(broker, how, rounds);
        proxy.insert(started).address
    });
    let proxy = proxy.unwrap();
    let queue = format!("millrace-test-breaks-{how:?}-{kind:?}-{consumers}").to_lowercase();
    let settings =
        QueueSettings { url: url_of_proxy, queue: queue.clone(), kind, consumers, ..settings() };
    let publisher = Publisher::connect(url).unwrap();
    publisher.delete(&queue).unwrap();
    publisher.ensure(&queue, kind).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let database = Arc::new(Database::open(folder.path(), Settings::default()).unwrap());
    let consumed = Queue::start(&database, settings, |settings, link| {
        Arc::new(Broker::alone(settings, link.clone()).unwrap())
    })
    .unwrap();
    let message = |number: i64| (Some(number.to_string()), person(number).body);
    let mut count = 0;
    while proxy.breaks.load(Ordering::Relaxed) < rounds {
        publisher.publish(&queue, (count..count + MESSAGES_PER_BREAK).map(message)).unwrap();
        count += MESSAGES_PER_BREAK;
        let seen = proxy.breaks.load(Ordering::Relaxed);
        wait_until("a cut, or nothing to cut", || {
            proxy.breaks.load(Ordering::Relaxed) != seen
                || consumed.counts().committed == count as u64
        });
    }
    proxy.is_breaking.store(false, Ordering::Relaxed);
    // All of them again, by their publisher.
    publisher.publish(&queue, (0..count).map(message)).unwrap();
    wait_until("all are settled", || {
        consumed.counts().committed == count as u64 && publisher.ensure(&queue, kind).unwrap() == 0
    });
    wait_until("what came again is settled", || consumed.counts().repeated >= count as u64);
    let counts = consumed.counts();
    consumed.stop(Duration::from_secs(10));
    let mut found = numbers(&database);
    found.sort_unstable();
    let wanted: Vec<i64> = (0..count).collect();
    assert_eq!(found, wanted, "{how:?}, {kind:?}, {consumers} consumers");
    let breaks = proxy.breaks.load(Ordering::Relaxed);
    eprintln!("queues: {breaks} breaks {how:?}, {kind:?}, {consumers} consumers: {counts:?}");
    publisher.delete(&queue).unwrap();
}
