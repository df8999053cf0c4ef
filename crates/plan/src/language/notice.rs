//! What a statement tells its client beside its results.

/// A notice: a command on the schema that had no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// An index or a constraint was to be made, and is there.
    AlreadyExists {
        /// The command.
        command: String,
        /// The index or the constraint that is there, as a command has it.
        known: String,
    },
    /// An index or a constraint was to be dropped, and is not there.
    DoesNotExist {
        /// The command.
        command: String,
        /// Its name.
        name: String,
    },
}
