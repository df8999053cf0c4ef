//! Access: what the route of a script lets it do. It knows nothing of Lua.

/// The permissions of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Read (`/ro`).
    ReadOnly,
    /// Read and write elements (`/rw`).
    ReadWrite,
    /// Everything, the schema included (`/db`).
    Admin,
}

impl Access {
    /// Every access, least first.
    pub const ALL: [Access; 3] = [Access::ReadOnly, Access::ReadWrite, Access::Admin];

    /// The first part of its route.
    pub fn route(self) -> &'static str {
        match self {
            Access::ReadOnly => "ro",
            Access::ReadWrite => "rw",
            Access::Admin => "db",
        }
    }
}
