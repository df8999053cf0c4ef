//! Clients of a server that each send a request when the one before was answered.
//!
//! Gremlin's servers are driven by `millrace bench gremlin`, which does the same.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::written::Written;

/// How many clients send at once, to each database that takes several.
pub(super) const CLIENTS: usize = 16;

/// One client's requests: each adds vertices, and is done when it returns.
pub(super) type Request<'a> = Box<dyn FnMut() -> Result<(), String> + Send + 'a>;

/// Sends the requests of all clients for so long. Each adds so many vertices.
pub(super) fn send(clients: Vec<Request<'_>>, vertices: u64, seconds: f64) -> Written {
    let began = Instant::now();
    let end = began + Duration::from_secs_f64(seconds);
    let all = Mutex::new((0_u64, Written::default()));
    thread::scope(|scope| {
        for client in clients {
            let all = &all;
            scope.spawn(move || {
                let (in_time, written) = send_until(client, vertices, end);
                // A client that panicked has written nothing here.
                let mut all = all.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                all.0 += in_time;
                all.1.acknowledged += written.acknowledged;
                all.1.failed += written.failed;
                let first = all.1.first_failure.take();
                all.1.first_failure = first.or(written.first_failure);
            });
        }
    });
    let (in_time, mut written) =
        all.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    written.requests_per_second = in_time as f64 / seconds;
    written
}

/// The number of requests that ended in time, and the outcome of all of them.
fn send_until(mut request: Request<'_>, vertices: u64, end: Instant) -> (u64, Written) {
    let mut in_time = 0;
    let mut written = Written::default();
    while Instant::now() < end {
        match request() {
            Ok(()) => {
                written.acknowledged += vertices;
                in_time += u64::from(Instant::now() < end);
            }
            Err(why) => {
                written.failed += vertices;
                written.first_failure.get_or_insert(why);
            }
        }
    }
    (in_time, written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn every_request_is_counted_by_its_outcome() {
        let sent = AtomicU64::new(0);
        let request = || {
            thread::sleep(Duration::from_millis(1));
            match sent.fetch_add(1, Ordering::Relaxed) % 3 {
                0 => Err("busy".to_owned()),
                _ => Ok(()),
            }
        };
        let clients = (0..4).map(|_| Box::new(request) as Request<'_>).collect();
        let written = send(clients, 10, 0.1);
        let all = sent.load(Ordering::Relaxed);
        assert_eq!(written.acknowledged + written.failed, 10 * all);
        assert_eq!(written.failed, 10 * all.div_ceil(3));
        assert_eq!(written.first_failure.as_deref(), Some("busy"));
        assert!(0.0 < written.requests_per_second, "{written:?}");
        assert!(written.requests_per_second * 0.1 <= all as f64, "late answers do not count");
    }
}
