//! Every bound of the experiment.

use std::time::Duration;

/// Requests that variant `nodes-100` joins.
pub(super) const BATCH_OF_100: usize = 100;

/// Requests that variant `nodes-5000` joins.
pub(super) const BATCH_OF_5000: usize = 5_000;

/// Requests that variant `evented-100` joins.
pub(super) const EVENTED_BATCH: usize = 100;

/// Users at a time, each with a thread and a connection of the app.
pub(super) const USERS_MAX: usize = 1_024;

/// Requests of a user.
pub(super) const REQUESTS_MAX: u64 = 10_000_000;

/// Crashes of a variant.
pub(super) const CRASHES_MAX: u32 = 1_000;

/// Bytes of the head of a request that the app reads.
pub(super) const HEAD_BYTES_MAX: usize = 16 << 10;

/// Bytes of the body of a request that the app reads.
pub(super) const BODY_BYTES_MAX: usize = 64 << 10;

/// Messages of a batch of the article's consumer.
pub(super) const CONSUMER_BATCH: usize = 1_000;

/// How long the article's consumer waits for a batch to fill.
pub(super) const CONSUMER_WAIT: Duration = Duration::from_millis(50);

/// Messages that a broker may have delivered to the consumer without an acknowledgement.
pub(super) const PREFETCH: u16 = 2_000;

/// How long a queue of an experiment stays unused.
pub(super) const EXPIRES_MS: i32 = 3_600_000;

/// Nodes that one statement deletes.
pub(super) const DELETE_BATCH: u64 = 10_000;

/// How long an idle connection to the database is taken to be open without a look.
pub(super) const IDLE_TRUSTED: Duration = Duration::from_secs(1);

/// How often the database is asked how many nodes have arrived.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How long no further node must arrive before those that are missing count as lost, of nodes that were written
/// directly: a request of a killed app may still be under way in the database.
pub(super) const QUIET_AFTER: Duration = Duration::from_millis(500);

/// The same of nodes that come through a queue.
pub(super) const QUEUE_QUIET_AFTER: Duration = Duration::from_secs(60);

/// How long the last message of a queue may take to arrive.
pub(super) const QUEUE_DRAINED_MAX: Duration = Duration::from_secs(120);

/// When the app is killed, after the first answer: between these two.
pub(super) const CRASH_AFTER: (Duration, Duration) =
    (Duration::from_millis(200), Duration::from_millis(2_000));

/// Users of the open model: so many requests can be under way at a time.
pub(super) const OPEN_USERS: usize = 128;

/// How far behind the nodes may be when the users of the open model have ended: a queue that only grows is no rate
/// that is kept.
pub(super) const BEHIND_MAX: Duration = Duration::from_secs(1);
