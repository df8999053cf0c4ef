//! Every bound of this crate, by name.
//!
//! Numbers only.

use std::time::Duration;

/// Keys of messages in one note.
pub const KEYS_PER_NOTE: usize = 1_000;

/// Keys that a consumer keeps at least.
pub const KEYS_MIN: usize = 100_000;

/// Notes of old keys that one commit removes at most: more go with the next commits.
pub const NOTES_REMOVED_PER_COMMIT: usize = 8;

/// Consumers of a queue.
pub const CONSUMERS_MAX: u64 = 32;

/// How deep a message may nest.
pub const NESTING_MAX: usize = 128;

/// Values in one message: a bound on memory, as a byte of MessagePack may be a value of 24 bytes.
pub const MESSAGE_VALUES_MAX: usize = 4_000_000;

/// How long a connection may take to be made, with login and declarations.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a queue waits between two attempts at first and at most; between them it doubles.
pub const BACKOFF_MIN: Duration = Duration::from_millis(100);
/// See [`BACKOFF_MIN`].
pub const BACKOFF_MAX: Duration = Duration::from_secs(30);

/// How long a connection has to last for the wait to begin with [`BACKOFF_MIN`] again.
pub const BACKOFF_RESET: Duration = Duration::from_secs(5);

/// Attempts of one message that runs into its deadline or a bound of memory before it is dead.
pub const ATTEMPTS_OF_ONE_MAX: u32 = 3;

/// Characters of an error in the header of a dead letter; headers share a frame with the other properties.
pub const DETAIL_CHARS_MAX: usize = 1_000;

/// Characters of the reason of a dead letter in the log.
pub const REASON_CHARS_MAX: usize = 200;

/// How often the number of ready messages is read from the broker.
pub const READY_INTERVAL: Duration = Duration::from_secs(5);

/// At most one line of the log in so long says that messages are dead.
pub const DEAD_LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Dead letters that wait for the broker's confirmation at once.
pub const CONFIRMS_MAX: usize = 256;

/// The stack of a consumer's thread: it runs plans, as the threads of requests do.
pub const CONSUMER_STACK_BYTES: usize = 16 << 20;

/// How long the end of a connection may take.
pub const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// How often a connection that waits for confirmations is asked whether the broker blocks it.
pub const BLOCKED_INTERVAL: Duration = Duration::from_secs(1);

/// How long the broker may take to confirm dead letters; the time in which it blocks publishers does not count.
pub const CONFIRM_TIMEOUT: Duration = Duration::from_secs(60);
