//! Health, as a supervisor, a load balancer and a person see it: three routes over one state.
//!
//! ```text
//!                    ready     read-only      stopping
//!   /health          200       503, reason    503       JSON: version, uptime, backend, services
//!   /health/ready    200       503, reason    503       text
//!   /health/live     200       200            200       the process answers; a restart would not help
//! ```
//!
//! A server that refuses writes is not ready, although it reads: its clients were promised both. One that was started
//! to read only promised no writes: it says that it is read-only, with 200. A queue that waits for its
//! broker is shown and changes no state.

use millrace_model::Value;
use millrace_wire::http::Response;

use crate::state::State;

/// The state of a server, as all routes of health have it.
enum Health {
    Ready,
    /// Writes are refused, for this reason.
    ReadOnly(String),
    /// The same, as the server was asked to.
    OnlyReads(String),
    Stopping,
}

impl Health {
    fn of(state: &State) -> Health {
        match state.is_ready() {
            false => Health::Stopping,
            true => match state.database.read_only_reason() {
                Some(why) if state.database.is_read_only() => Health::OnlyReads(why),
                Some(why) => Health::ReadOnly(why),
                None => Health::Ready,
            },
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Health::Ready => "ready",
            Health::ReadOnly(_) | Health::OnlyReads(_) => "read-only",
            Health::Stopping => "stopping",
        }
    }

    fn status(&self) -> u16 {
        match self {
            Health::Ready | Health::OnlyReads(_) => 200,
            Health::ReadOnly(_) | Health::Stopping => 503,
        }
    }
}

/// Whether the server does what it is for, as text.
pub(super) fn readiness(state: &State) -> Response {
    let health = Health::of(state);
    match &health {
        Health::ReadOnly(why) | Health::OnlyReads(why) => {
            Response::text(health.status(), &format!("read-only, because {why}"))
        }
        Health::Ready | Health::Stopping => Response::text(health.status(), health.word()),
    }
}

/// The same with what the server is.
pub(super) fn health(state: &State) -> Response {
    let health = Health::of(state);
    let uptime = state.started.elapsed().as_secs_f64();
    let backend = state.database.guarantees().rows().into_iter();
    let backend = backend.map(|(name, value)| (Value::from(name), Value::from(&*value))).collect();
    let mut pairs = vec![(Value::from("status"), Value::from(health.word()))];
    if let Health::ReadOnly(why) | Health::OnlyReads(why) = &health {
        pairs.push((Value::from("reason"), Value::from(why.as_str())));
    }
    pairs.extend([
        (Value::from("version"), Value::from(env!("CARGO_PKG_VERSION"))),
        (Value::from("uptime_seconds"), Value::F64(uptime)),
        (Value::from("backend"), Value::map(backend)),
    ]);
    let services: Vec<_> = state
        .database
        .services()
        .iter()
        .map(|service| {
            let problem = service.problem().unwrap_or_else(|| "works".to_owned());
            (Value::from(&*service.name()), Value::from(&*problem))
        })
        .collect();
    if !services.is_empty() {
        pairs.push((Value::from("services"), Value::map(services)));
    }
    Response::value(health.status(), &Value::map(pairs))
}
