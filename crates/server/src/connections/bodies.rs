//! Bodies of requests in memory, within one budget for all connections.
//!
//! The reservation is for the buffer of a body, also before the buffer is full. It is held until the request
//! that came in it is answered. Small bodies are counted and have no part in the bound. When it is reached,
//! the largest body that is still arriving fails: clients that hold large ones open stop no others.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use millrace_db::limits::BODIES_MEMORY_SHARE;
use millrace_model::{Error, ErrorKind, MemoryBudget, Reservation as Memory};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;
use tokio::time::{Instant, sleep_until};

use super::least_rate::TooSlow;
use crate::limits::{
    BODY_STEP_BYTES, DISCARDED_BYTES_AT_ONCE, DISCARDED_BYTES_MAX, DISCARDED_BYTES_PER_SECOND,
    SMALL_BODY_BYTES,
};

/// Bytes that the bodies of all connections may hold. Cheap to share.
#[derive(Clone)]
pub(crate) struct BodyBudget(Arc<Budget>);

struct Budget {
    bytes_max: u64,
    memory: MemoryBudget,
    used: AtomicU64,
    refused: AtomicU64,
    large: Mutex<LargeBodies>,
    discards: Pace,
}

/// The bodies that are bounded, by a number of their own.
#[derive(Default)]
struct LargeBodies {
    bytes: u64,
    bodies: BTreeMap<u64, LargeBody>,
    made: u64,
}

struct LargeBody {
    bytes: u64,
    /// Whether more of it is to come. A request that has begun keeps its body.
    is_arriving: bool,
    /// Dropped when the body has to make room for a smaller one.
    _place: oneshot::Sender<Infallible>,
}

/// The place of a large body.
struct Place {
    number: u64,
    lost: oneshot::Receiver<Infallible>,
}

impl LargeBodies {
    fn add(&mut self) -> Place {
        let (sender, lost) = oneshot::channel();
        self.made += 1;
        let body = LargeBody { bytes: 0, is_arriving: true, _place: sender };
        self.bodies.insert(self.made, body);
        Place { number: self.made, lost }
    }

    /// Makes a body as large; false where there is no room, even if a larger one fails for it.
    fn grow(&mut self, number: u64, bytes: u64, bytes_max: u64) -> bool {
        let Some(body) = self.bodies.get(&number) else { return false };
        let more = bytes.saturating_sub(body.bytes);
        if bytes_max < self.bytes + more {
            let arriving = self.bodies.iter().filter(|(_, body)| body.is_arriving);
            let largest = arriving.max_by_key(|(_, body)| body.bytes);
            // One is enough, since it gives back more than is wanted.
            match largest.map(|(largest, body)| (*largest, body.bytes)) {
                Some((largest, most)) if bytes < most => self.remove(largest),
                _ => return false,
            }
        }
        if let Some(body) = self.bodies.get_mut(&number) {
            body.bytes += more;
            self.bytes += more;
        }
        true
    }

    fn remove(&mut self, number: u64) {
        if let Some(body) = self.bodies.remove(&number) {
            self.bytes -= body.bytes;
        }
    }
}

/// Shares out a rate among all bodies that are discarded: reading them takes little from requests.
struct Pace {
    /// When all that was read is paid for: in the past, as long as some may be read at once.
    paid: Mutex<Instant>,
}

impl Pace {
    fn new() -> Pace {
        Pace { paid: Mutex::new(Instant::now()) }
    }

    /// When the next piece may be read, behind one of so many bytes.
    fn after(&self, bytes: usize) -> Instant {
        let time_of = |bytes: f64| Duration::from_secs_f64(bytes / DISCARDED_BYTES_PER_SECOND);
        let ahead = time_of(DISCARDED_BYTES_AT_ONCE);
        let mut paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        // Unused credit is not saved up beyond the bound.
        *paid = (*paid).max(Instant::now()) + time_of(bytes as f64);
        paid.checked_sub(ahead).unwrap_or(*paid)
    }
}

/// Bytes of a budget. Dropped, it gives them back.
pub(crate) struct Reservation {
    budget: BodyBudget,
    bytes: u64,
    /// The same bytes of the budget of the process, once there are any.
    memory: Option<Memory>,
    /// Once it is large.
    place: Option<Place>,
}

impl BodyBudget {
    /// A budget of so many bytes, which are taken from the budget of the process, too.
    pub(crate) fn new(bytes_max: u64, memory: MemoryBudget) -> BodyBudget {
        let (used, refused) = (AtomicU64::default(), AtomicU64::default());
        let (large, discards) = (Mutex::default(), Pace::new());
        BodyBudget(Arc::new(Budget { bytes_max, memory, used, refused, large, discards }))
    }

    /// A reservation of nothing, which may grow.
    pub(crate) fn reserve(&self) -> Reservation {
        Reservation { budget: self.clone(), bytes: 0, memory: None, place: None }
    }

    /// Bytes held now.
    pub(crate) fn used(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }

    /// How often there was no room.
    pub(crate) fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }

    fn large(&self) -> MutexGuard<'_, LargeBodies> {
        self.0.large.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error of a body for which there is no room.
    fn refuse(&self) -> Error {
        self.0.refused.fetch_add(1, Ordering::Relaxed);
        let most = self.0.bytes_max;
        let detail = format!(
            "the large bodies of all connections may take {most} bytes, and this is the largest one arriving"
        );
        let help =
            "try again later, or send less at once; the setting is connections.bodies-bytes-max";
        Error::new(ErrorKind::Unavailable, detail).with_help(help)
    }
}

impl Reservation {
    /// Grows it to at least so many bytes; fails where there is no room.
    pub(crate) fn grow_to(&mut self, bytes: u64) -> Result<(), Error> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let Budget { bytes_max, memory, used, refused, .. } = &*self.budget.0;
        if SMALL_BODY_BYTES < bytes {
            let mut large = self.budget.large();
            let place = self.place.get_or_insert_with(|| large.add());
            if !large.grow(place.number, bytes, *bytes_max) {
                drop(large);
                return Err(self.budget.refuse());
            }
        }
        let taken = match &mut self.memory {
            Some(held) => held.grow(more),
            none => memory.reserve(more).map(|held| *none = Some(held)),
        };
        taken.map_err(|error| {
            refused.fetch_add(1, Ordering::Relaxed);
            Error { kind: ErrorKind::Unavailable, ..error }
        })?;
        self.bytes += more;
        used.fetch_add(more, Ordering::Relaxed);
        Ok(())
    }

    /// All of it is there: it is held until it is dropped.
    pub(crate) fn arrived(&self) {
        let Some(place) = &self.place else { return };
        if let Some(body) = self.budget.large().bodies.get_mut(&place.number) {
            body.is_arriving = false;
        }
    }

    /// Whether it had to make room for a smaller one.
    pub(crate) fn is_lost(&mut self) -> bool {
        let lost = self.place.as_mut().map(|place| place.lost.try_recv());
        matches!(lost, Some(Err(TryRecvError::Closed)))
    }

    /// Ready once it has to make room for a smaller one.
    async fn lost(&mut self) {
        match &mut self.place {
            // Nothing is sent: the other end is dropped.
            Some(place) => {
                let _closed = (&mut place.lost).await;
            }
            None => pending().await,
        }
    }

    /// The budget it is reserved from.
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
        self.budget.0.used.fetch_sub(self.bytes, Ordering::Relaxed);
        if let Some(place) = &self.place {
            self.budget.large().remove(place.number);
        }
    }
}

/// Bytes of the budget: as they are set, or a share of the memory for all requests.
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
    /// The error, for a body of at most so many bytes by a setting.
    pub(crate) fn error(self, bytes_max: u64, setting: &str) -> Error {
        match self {
            Unread::TooLong => {
                let detail = format!("the body is longer than {bytes_max} bytes");
                Error::new(ErrorKind::LimitReached, detail)
                    .with_help(format!("the setting is {setting}"))
            }
            Unread::NoRoom(error) | Unread::TooSlow(error) | Unread::CutOff(error) => error,
        }
    }
}

/// All bytes of a body. The surplus of one that is too long is read and discarded, up to a bound: a client that
/// is cut off while it sends would not read the error.
pub(crate) async fn whole(
    budget: &BodyBudget,
    mut body: Body,
    bytes_max: u64,
) -> Result<Held, Unread> {
    let most = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let announced = body.size_hint().upper().map(usize::try_from);
    let announced = announced.and_then(Result::ok).unwrap_or(usize::MAX);
    let mut held = Growing::new(budget, announced);
    loop {
        let frame = tokio::select! {
            biased;
            () = held.reservation.lost() => {
                let why = Unread::NoRoom(budget.refuse());
                drop(held);
                discard(budget, &mut body, 0).await;
                return Err(why);
            }
            frame = body.frame() => frame,
        };
        let Some(frame) = frame else { break };
        let Ok(piece) = frame.map_err(unread)?.into_data() else { continue };
        if let Err(why) = held.push(&piece, most) {
            drop(held);
            discard(budget, &mut body, piece.len()).await;
            return Err(why);
        }
    }
    Ok(held.finish())
}

/// Reads what is left of a body behind so many bytes, and discards it, up to the bound. Whether it came to its end.
pub(super) async fn discard<B>(budget: &BodyBudget, body: &mut B, mut discarded: usize) -> bool
where
    B: HttpBody<Data = Bytes> + Unpin,
{
    let mut piece = discarded;
    while discarded <= DISCARDED_BYTES_MAX {
        let then = budget.0.discards.after(piece);
        if Instant::now() < then {
            sleep_until(then).await;
        }
        let Some(frame) = body.frame().await else { return true };
        let Ok(frame) = frame else { return false };
        piece = frame.data_ref().map_or(0, Bytes::len);
        discarded += piece;
    }
    false
}

/// A body as far as it is read.
pub(super) struct Growing {
    bytes: Vec<u8>,
    /// Its length, if the client announced it; no memory beyond that is reserved.
    announced: usize,
    reservation: Reservation,
}

impl Growing {
    pub(super) fn new(budget: &BodyBudget, announced: usize) -> Growing {
        Growing { bytes: Vec::new(), announced, reservation: budget.reserve() }
    }

    /// All of it is there.
    pub(super) fn finish(self) -> Held {
        self.reservation.arrived();
        Held { bytes: self.bytes.into(), _reservation: self.reservation }
    }

    pub(super) fn push(&mut self, piece: &[u8], most: usize) -> Result<(), Unread> {
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
            let detail = format!("the body is {slow}");
            let error = Error::new(ErrorKind::DeadlineExceeded, detail);
            Unread::TooSlow(error.with_help("the setting is connections.body-rate-min"))
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
    fn reservations_come_back_and_no_more_than_the_budget_is_held() {
        let of = |part: u64| part * SMALL_BODY_BYTES;
        let budget = BodyBudget::new(of(100), MemoryBudget::new(of(200)));
        let (mut first, mut second) = (budget.reserve(), budget.reserve());
        assert!(first.grow_to(of(60)).is_ok() && first.grow_to(of(50)).is_ok());
        first.arrived();
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
        let began = Instant::now();
        let pace = Pace::new();
        assert!(pace.after(DISCARDED_BYTES_AT_ONCE as usize / 2) <= Instant::now(), "one waits");
        let second = DISCARDED_BYTES_PER_SECOND as usize;
        let first = pace.after(DISCARDED_BYTES_AT_ONCE as usize / 2 + second);
        assert!(began + Duration::from_secs(1) <= first);
        assert_eq!(pace.after(second) - first, Duration::from_secs(1));
    }

    #[test]
    fn small_bodies_are_taken_beside_large_ones_that_fill_the_bound() {
        let (small, all) = (SMALL_BODY_BYTES, 10 * SMALL_BODY_BYTES);
        let budget = BodyBudget::new(all, MemoryBudget::new(2 * all));
        let (mut large, mut other) = (budget.reserve(), budget.reserve());
        assert!(large.grow_to(all).is_ok());
        large.arrived();
        assert!(other.grow_to(100).is_ok() && other.grow_to(small).is_ok());
        assert!(other.grow_to(small + 1).is_err(), "it is no longer small");
        assert_eq!(budget.used(), all + small);
        drop(large);
        assert!(other.grow_to(all).is_ok(), "all of it counts once it is large");
        other.arrived();
        assert!(budget.reserve().grow_to(small + 1).is_err(), "a request has what it has");
        drop(other);
        assert_eq!((budget.used(), budget.large().bytes), (0, 0));
    }

    #[test]
    fn the_largest_body_that_is_arriving_makes_room() {
        let of = |part: u64| part * SMALL_BODY_BYTES;
        let budget = BodyBudget::new(of(10), MemoryBudget::new(of(100)));
        let bodies = [5, 3, 2].map(|parts| {
            let mut body = budget.reserve();
            body.grow_to(of(parts)).unwrap();
            body
        });
        let [mut largest, mut middle, mut small] = bodies;
        assert!(small.grow_to(of(5)).is_err(), "none is larger than what is wanted");
        assert!(!largest.is_lost());
        small.grow_to(of(4)).unwrap();
        assert!(largest.is_lost() && !middle.is_lost() && !small.is_lost());
        assert!(largest.grow_to(of(6)).is_err());
        small.arrived();
        // The others hold 3 and 4, of which the larger one is whole.
        let mut next = budget.reserve();
        assert!(next.grow_to(of(4)).is_err() && next.grow_to(of(3)).is_ok());
        drop((middle, small, next, largest));
        assert_eq!((budget.used(), budget.large().bytes), (0, 0));
        assert!(budget.large().bodies.is_empty());
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
