//! Arguments of `millrace users`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Users {
    #[command(subcommand)]
    pub(crate) command: UsersCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UsersCommand {
    /// Add a user; the password is prompted for, or read from standard input. The file is created if
    /// it does not exist.
    Add {
        /// The user's name.
        name: String,
        #[command(flatten)]
        file: UsersFileArguments,
        #[command(flatten)]
        accounts: AccountArguments,
    },
    /// Change a user's password.
    Passwd {
        /// The user's name.
        name: String,
        #[command(flatten)]
        file: UsersFileArguments,
    },
    /// Remove a user.
    Remove {
        /// The user's name.
        name: String,
        #[command(flatten)]
        file: UsersFileArguments,
    },
    /// List the users.
    List(UsersFileArguments),
    /// Replace the clear-text passwords of older versions by their hashes.
    Convert(UsersFileArguments),
}

/// Which accounts of the system the file of users is for.
#[derive(Debug, Args)]
pub(crate) struct AccountArguments {
    /// The account that the server runs as, a name or a number, which becomes the file's owner.
    #[arg(long, value_name = "ACCOUNT")]
    pub(crate) owner: Option<String>,
    /// A group that may read the file, a name or a number; the server must run in it.
    #[arg(long, value_name = "GROUP")]
    pub(crate) group: Option<String>,
}

/// Which file of users.
#[derive(Debug, Args)]
pub(crate) struct UsersFileArguments {
    /// The users file; by default the one that the setting users.file names.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// A settings file (TOML).
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) config: Option<PathBuf>,
}
