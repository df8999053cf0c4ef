//! Versions of Bolt, and what a version changes. No other file compares version numbers.

use std::fmt;

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Major number.
    pub major: u8,
    /// Minor number.
    pub minor: u8,
}

impl Version {
    /// The newest one served.
    pub const NEWEST: Version = Version { major: 5, minor: 8 };

    /// All that are served, newest first. No driver negotiates 5.5.
    pub const SERVED: [Version; 14] = [
        Version { major: 5, minor: 8 },
        Version { major: 5, minor: 7 },
        Version { major: 5, minor: 6 },
        Version { major: 5, minor: 4 },
        Version { major: 5, minor: 3 },
        Version { major: 5, minor: 2 },
        Version { major: 5, minor: 1 },
        Version { major: 5, minor: 0 },
        Version { major: 4, minor: 4 },
        Version { major: 4, minor: 3 },
        Version { major: 4, minor: 2 },
        Version { major: 4, minor: 1 },
        Version { major: 4, minor: 0 },
        Version { major: 3, minor: 0 },
    ];

    /// Whether a request says how much of which result it wants, and a transaction has several results and the name of
    /// a database. Before, one result is sent as a whole.
    pub fn has_amounts(self) -> bool {
        4 <= self.major
    }

    /// Whether a client asks for addresses with a message. Before, it calls a procedure.
    pub fn has_route(self) -> bool {
        Version { major: 4, minor: 3 } <= self
    }

    /// Whether counters of updates come with a flag that there are any.
    pub fn has_update_flags(self) -> bool {
        Version { major: 4, minor: 4 } <= self
    }

    /// Whether HELLO has to describe the driver in a map.
    pub(super) fn has_agent(self) -> bool {
        Version { major: 5, minor: 3 } <= self
    }

    /// Whether elements have a textual id beside the number.
    pub fn has_element_ids(self) -> bool {
        5 <= self.major
    }

    /// Whether timestamps are always sent in UTC.
    pub fn is_always_utc(self) -> bool {
        5 <= self.major
    }

    /// Whether the client logs in with a message of its own.
    pub fn has_logon(self) -> bool {
        Version { major: 5, minor: 1 } <= self
    }

    /// Whether the client may report the interface that it uses.
    pub fn has_telemetry(self) -> bool {
        Version { major: 5, minor: 4 } <= self
    }

    /// Whether the end of a result has GQL's status.
    pub fn has_statuses(self) -> bool {
        Version { major: 5, minor: 5 } <= self
    }

    /// Whether failures have the fields of GQL.
    pub fn has_gql_failures(self) -> bool {
        Version { major: 5, minor: 7 } <= self
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
