//! Bodies of requests in memory, within one budget for all connections.
//!
//! What is reserved is the room that a body takes, also before it is full. It is held until the request
//! that came in it is answered. Small bodies are counted and have no part in the bound: clients that hold
//! large ones open would otherwise stop everyone else's requests.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use millrace_model::{Error, ErrorKind, MemoryBudget, Reservation as Memory};
use tokio::time::{Instant, sleep_until};

use super::least_rate::TooSlow;
use crate::limits::{
    BODIES_MEMORY_SHARE, BODY_STEP_BYTES, DISCARDED_BYTES_MAX, DISCARDED_BYTES_PER_SECOND,
    SMALL_BODY_BYTES,
};

/// Bytes that the bodies of all connections may hold. Cheap to share.
#[derive(Clone)]
pub(crate) struct BodyBudget(Arc<Budget>);

struct Budget {
    bytes_max: u64,
    memory: MemoryBudget,
    used: AtomicU64,
    /// What large bodies hold of it, which is bounded.
    used_by_large: AtomicU64,
    refused: AtomicU64,
    discards: Pace,
}

/// Shares out a rate among all bodies that are discarded: reading them takes little from requests.
#[derive(Default)]
struct Pace(Mutex<Option<Instant>>);

impl Pace {
    /// When the next piece may be read, behind one of so many bytes.
    fn after(&self, bytes: usize) -> Instant {
        let took = Duration::from_secs_f64(bytes as f64 / DISCARDED_BYTES_PER_SECOND);
        let mut next = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let then = next.map_or(now, |next| next.max(now)) + took;
        *next = Some(then);
        then
    }
}

/// Bytes of a budget. Dropped, it gives them back.
pub(crate) struct Reservation {
    budget: BodyBudget,
    bytes: u64,
    /// The same bytes of the budget of the process, once there are any.
    memory: Option<Memory>,
}

impl BodyBudget {
    /// A budget of so many bytes, which are taken from the budget of the process, too.
    pub(crate) fn new(bytes_max: u64, memory: MemoryBudget) -> BodyBudget {
        let none = AtomicU64::default;
        let (used, used_by_large, refused) = (none(), none(), none());
        BodyBudget(Arc::new(Budget {
            bytes_max,
            memory,
            used,
            used_by_large,
            refused,
            discards: Pace::default(),
        }))
    }

    /// A reservation of nothing, which may grow.
    pub(crate) fn reserve(&self) -> Reservation {
        Reservation { budget: self.clone(), bytes: 0, memory: None }
    }

    /// Bytes held now.
    pub(crate) fn used(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }

    /// How often there was no room.
    pub(crate) fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }

    fn full(&self) -> Error {
        let most = self.0.bytes_max;
        let detail =
            format!("the large bodies of all connections hold {most} bytes, and no more is taken");
        let help =
            "try again later, or send less at once; connections.bodies-bytes-max is the setting";
        Error::new(ErrorKind::Unavailable, detail).with_help(help)
    }
}

impl Reservation {
    /// Makes it at least as large, or says that there is no room.
    pub(crate) fn grow_to(&mut self, bytes: u64) -> Result<(), Error> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let Budget { bytes_max, memory, used, used_by_large, refused, .. } = &*self.budget.0;
        let more_of_large = large(bytes) - large(self.bytes);
        let held = used_by_large.fetch_add(more_of_large, Ordering::Relaxed) + more_of_large;
        let has_room = more_of_large == 0 || held <= *bytes_max;
        let taken = match (has_room, &mut self.memory) {
            (false, _) => Err(self.budget.full()),
            (true, Some(memory)) => memory.grow(more),
            (true, none) => memory.reserve(more).map(|memory| *none = Some(memory)),
        };
        match taken {
            Ok(()) => {
                self.bytes += more;
                used.fetch_add(more, Ordering::Relaxed);
            }
            Err(_) => {
                used_by_large.fetch_sub(more_of_large, Ordering::Relaxed);
                refused.fetch_add(1, Ordering::Relaxed);
            }
        }
        taken.map_err(|error| Error { kind: ErrorKind::Unavailable, ..error })
    }

    /// What it is a part of.
    pub(crate) fn budget(&self) -> &BodyBudget {
        &self.budget
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let Budget { used, used_by_large, .. } = &*self.budget.0;
        used.fetch_sub(self.bytes, Ordering::Relaxed);
        used_by_large.fetch_sub(large(self.bytes), Ordering::Relaxed);
    }
}

/// What a body of so many bytes counts for in the bound.
fn large(bytes: u64) -> u64 {
    if bytes <= SMALL_BODY_BYTES { 0 } else { bytes }
}

/// Bytes of the budget: as they are set, or a share of what all requests may hold.
pub(super) fn bytes_max(set: u64, memory: &MemoryBudget) -> u64 {
    match set {
        0 => memory.bytes_max() / BODIES_MEMORY_SHARE,
        set => set,
    }
}

/// A whole body, and its part of the budget.
pub(crate) struct Held {
    pub(crate) bytes: Bytes,
    /// Dropped when the request is answered.
    _reservation: Reservation,
}

/// Why a body was not read.
#[derive(Debug)]
pub(crate) enum Unread {
    /// It is longer than it may be.
    TooLong,
    /// There is no room for it.
    NoRoom(Error),
    /// It came too slowly.
    TooSlow(Error),
    /// It ended before its end.
    CutOff(Error),
}

impl Unread {
    /// What went wrong in a body of which only so many bytes are taken, by a setting.
    pub(crate) fn error(self, bytes_max: u64, setting: &str) -> Error {
        match self {
            Unread::TooLong => {
                let detail = format!("the body is longer than {bytes_max} bytes");
                Error::new(ErrorKind::LimitReached, detail)
                    .with_help(format!("{setting} is the setting"))
            }
            Unread::NoRoom(error) | Unread::TooSlow(error) | Unread::CutOff(error) => error,
        }
    }
}

/// All bytes of a body. What is not taken is read and discarded, up to a bound: a client that is cut off
/// while it sends would not come to read why.
pub(crate) async fn whole(
    budget: &BodyBudget,
    mut body: Body,
    bytes_max: u64,
) -> Result<Held, Unread> {
    let most = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let announced = body.size_hint().upper().map(usize::try_from);
    let announced = announced.and_then(Result::ok).unwrap_or(usize::MAX);
    let nothing = || Growing { bytes: Vec::new(), announced, reservation: budget.reserve() };
    let mut held = nothing();
    let (mut refused, mut discarded) = (None, 0);
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame.map_err(unread)?.into_data() else { continue };
        if refused.is_none() {
            refused = held.push(&piece, most).err();
        }
        if refused.is_some() {
            held = nothing();
            discarded += piece.len();
            if DISCARDED_BYTES_MAX < discarded {
                break;
            }
            sleep_until(budget.0.discards.after(piece.len())).await;
        }
    }
    match refused {
        Some(why) => Err(why),
        None => Ok(Held { bytes: held.bytes.into(), _reservation: held.reservation }),
    }
}

/// A body as far as it is read.
struct Growing {
    bytes: Vec<u8>,
    /// Its length, if the client says it: room beyond that is never taken.
    announced: usize,
    reservation: Reservation,
}

impl Growing {
    fn push(&mut self, piece: &[u8], most: usize) -> Result<(), Unread> {
        let length = self.bytes.len() + piece.len();
        if most < length {
            return Err(Unread::TooLong);
        }
        if self.bytes.capacity() < length {
            let room = (self.bytes.capacity() * 2).max(BODY_STEP_BYTES);
            let room = room.min(most).min(self.announced).max(length);
            self.reservation.grow_to(room as u64).map_err(Unread::NoRoom)?;
            self.bytes.reserve_exact(room - self.bytes.len());
        }
        self.bytes.extend_from_slice(piece);
        Ok(())
    }
}

fn unread(error: axum::Error) -> Unread {
    match error.into_inner().downcast::<TooSlow>() {
        Ok(slow) => {
            let error = Error::new(ErrorKind::DeadlineExceeded, slow.to_string());
            Unread::TooSlow(error.with_help("connections.body-rate-min is the setting"))
        }
        Err(error) => {
            let detail = format!("the body was cut off: {error}");
            Unread::CutOff(Error::new(ErrorKind::BadInput, detail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_comes_back_and_no_more_than_the_budget_is_held() {
        let of = |part: u64| part * SMALL_BODY_BYTES;
        let budget = BodyBudget::new(of(100), MemoryBudget::new(of(200)));
        let (mut first, mut second) = (budget.reserve(), budget.reserve());
        assert!(first.grow_to(of(60)).is_ok() && first.grow_to(of(50)).is_ok());
        assert!(second.grow_to(of(41)).is_err());
        assert!(second.grow_to(of(40)).is_ok());
        assert_eq!((budget.used(), budget.refused()), (of(100), 1));
        drop(first);
        assert!(second.grow_to(of(100)).is_ok());
        drop(second);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn all_that_is_discarded_shares_one_rate() {
        let (pace, began) = (Pace::default(), Instant::now());
        let second = DISCARDED_BYTES_PER_SECOND as usize;
        let first = pace.after(second / 2);
        assert!(Duration::from_millis(500) <= first - began);
        assert_eq!(pace.after(second) - first, Duration::from_secs(1));
    }

    #[test]
    fn small_bodies_are_taken_beside_large_ones_that_fill_the_bound() {
        let (small, all) = (SMALL_BODY_BYTES, 10 * SMALL_BODY_BYTES);
        let budget = BodyBudget::new(all, MemoryBudget::new(2 * all));
        let (mut large, mut other) = (budget.reserve(), budget.reserve());
        assert!(large.grow_to(all).is_ok());
        assert!(other.grow_to(100).is_ok() && other.grow_to(small).is_ok());
        assert!(other.grow_to(small + 1).is_err(), "it is no longer small");
        assert_eq!(budget.used(), all + small);
        drop(large);
        assert!(other.grow_to(all).is_ok(), "all of it counts once it is large");
        assert!(budget.reserve().grow_to(small + 1).is_err());
        drop(other);
        assert_eq!((budget.used(), budget.0.used_by_large.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn bodies_take_from_the_memory_of_the_process() {
        let memory = MemoryBudget::new(1_000);
        let budget = BodyBudget::new(5_000, memory.clone());
        let mut body = budget.reserve();
        assert!(body.grow_to(900).is_ok());
        assert_eq!(memory.used(), 900);
        let refused = body.grow_to(4_000).unwrap_err();
        assert_eq!((refused.kind, budget.used()), (ErrorKind::Unavailable, 900));
        drop(body);
        assert_eq!(memory.used(), 0);
    }
}
