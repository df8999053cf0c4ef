//! The closed model: each connection sends its next request once it has the answer to the last.
//!
//! One thread drives all connections over HTTP and waits for whichever has an answer, so that a latency is that of its
//! own request, and the client costs little beside the server.

use std::time::{Duration, Instant};

use millrace_model::{Error, ErrorKind, Result};
use rustix::event::{Timespec, epoll};

use super::http::Connection;
use crate::measure::Histogram;

/// How long no answer may come at all.
pub(super) const SILENCE_MAX: Duration = Duration::from_secs(60);

/// Events that are taken at once.
const EVENTS_MAX: usize = 256;

/// What is asked, and what an answer has to be.
pub(crate) trait Work {
    /// Writes the next request into an empty buffer.
    fn next(&mut self, request: &mut Vec<u8>) -> Result<()>;

    /// Judges an answer.
    fn judge(&mut self, answer: &[u8]) -> Result<()>;
}

/// What a run of a closed model did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Driven {
    /// Answers that came while requests were sent.
    pub(crate) answered_in_time: u64,
    /// The latencies of all answers.
    pub(crate) latencies: Histogram,
    /// Bytes of their bodies.
    pub(crate) bytes: u64,
}

impl Driven {
    /// Counts an answer.
    pub(super) fn count(&mut self, latency: Duration, bytes: usize, is_in_time: bool) {
        self.latencies.record(latency);
        self.bytes += bytes as u64;
        self.answered_in_time += u64::from(is_in_time);
    }

    /// Adds what another thread did meanwhile.
    pub(crate) fn add(&mut self, other: &Driven) {
        self.answered_in_time += other.answered_in_time;
        self.latencies.add(&other.latencies);
        self.bytes += other.bytes;
    }
}

/// Drives the connections for so long, and until the last request is answered.
pub(crate) fn drive(
    connections: &mut [Connection],
    time: Duration,
    work: &mut dyn Work,
) -> Result<Driven> {
    let failed = |error: rustix::io::Errno| {
        Error::new(ErrorKind::Unavailable, format!("sockets can't be waited for: {error}"))
    };
    let waiting = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(failed)?;
    let wait_for = |number: usize, connection: &Connection| {
        let data = epoll::EventData::new_u64(number as u64);
        epoll::add(&waiting, connection.socket(), data, epoll::EventFlags::IN).map_err(failed)
    };
    let (mut driven, mut request) = (Driven::default(), Vec::new());
    let end = Instant::now() + time;
    let mut sent = Vec::with_capacity(connections.len());
    for (number, connection) in connections.iter_mut().enumerate() {
        request.clear();
        work.next(&mut request)?;
        sent.push(Instant::now());
        connection.send(&request)?;
        wait_for(number, connection)?;
    }
    let silence = Timespec { tv_sec: SILENCE_MAX.as_secs() as i64, tv_nsec: 0 };
    let mut events = Vec::with_capacity(EVENTS_MAX);
    let mut under_way = connections.len();
    while 0 < under_way {
        events.clear();
        let buffer = rustix::buffer::spare_capacity(&mut events);
        match epoll::wait(&waiting, buffer, Some(&silence)) {
            Err(rustix::io::Errno::INTR) => continue,
            waited => waited.map_err(failed)?,
        };
        if events.is_empty() {
            return Err(silent());
        }
        for event in &events {
            let number = event.data.u64() as usize;
            let judge = |answer: &[u8]| work.judge(answer).map(|()| answer.len());
            let Some(bytes) = connections[number].receive_ready(judge)? else { continue };
            let now = Instant::now();
            let is_in_time = now <= end;
            driven.count(now - sent[number], bytes, is_in_time);
            if is_in_time {
                request.clear();
                work.next(&mut request)?;
                sent[number] = Instant::now();
                // A closed socket is waited for no more by itself. Connecting is part of the latency, as for any client.
                if connections[number].reopen_if_ended()? {
                    wait_for(number, &connections[number])?;
                }
                connections[number].send(&request)?;
            } else {
                // Its end, which may come while others are under way, is no answer.
                epoll::delete(&waiting, connections[number].socket()).map_err(failed)?;
                under_way -= 1;
            }
        }
    }
    Ok(driven)
}

/// The error of a server that says nothing any more.
pub(super) fn silent() -> Error {
    let detail = format!("no answer came for {} s", SILENCE_MAX.as_secs());
    Error::new(ErrorKind::Unavailable, detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// Numbers its requests, and counts the answers.
    #[derive(Default)]
    struct Counted {
        asked: u64,
        answered: u64,
    }

    impl Work for Counted {
        fn next(&mut self, request: &mut Vec<u8>) -> Result<()> {
            assert!(request.is_empty());
            self.asked += 1;
            request.extend(super::super::http::get("/"));
            Ok(())
        }

        fn judge(&mut self, answer: &[u8]) -> Result<()> {
            self.answered += 1;
            match answer {
                b"right" => Ok(()),
                _ => Err(Error::new(ErrorKind::Bug, "it is wrong")),
            }
        }
    }

    /// Connections to a server that gives this answer to each read.
    fn connections(count: usize, body: &'static str) -> Vec<Connection> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let opened = (0..count).map(|_| Connection::open(address).unwrap()).collect();
        for _ in 0..count {
            let (mut stream, _) = listener.accept().unwrap();
            std::thread::spawn(move || {
                let answer =
                    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
                while stream.read(&mut [0; 1024]).is_ok_and(|read| 0 < read) {
                    stream.write_all(answer.as_bytes()).unwrap();
                }
            });
        }
        opened
    }

    #[test]
    fn every_request_is_answered_and_counted_and_connections_can_go_on() {
        let mut connections = connections(3, "right");
        for _ in 0..2 {
            let mut work = Counted::default();
            let driven = drive(&mut connections, Duration::from_millis(30), &mut work).unwrap();
            assert_eq!((work.asked, driven.latencies.count()), (work.answered, work.answered));
            assert!(3 <= work.asked && driven.answered_in_time <= work.answered);
            assert_eq!(driven.bytes, 5 * work.answered);
        }
    }

    #[test]
    fn connections_that_end_behind_each_answer_are_made_anew() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut connections: Vec<Connection> =
            (0..5).map(|_| Connection::open(address).unwrap()).collect();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                std::thread::spawn(move || {
                    let _read = stream.read(&mut [0; 1024]).unwrap();
                    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 5";
                    stream.write_all(format!("{head}\r\n\r\nright").as_bytes()).unwrap();
                });
            }
        });
        for _ in 0..3 {
            let mut work = Counted::default();
            let driven = drive(&mut connections, Duration::from_millis(30), &mut work).unwrap();
            assert_eq!((work.asked, driven.latencies.count()), (work.answered, work.answered));
        }
    }

    #[test]
    fn a_wrong_answer_ends_the_run() {
        let mut connections = connections(2, "wrong");
        let driven = drive(&mut connections, Duration::from_secs(60), &mut Counted::default());
        assert_eq!(driven.unwrap_err().detail, "it is wrong");
    }
}
