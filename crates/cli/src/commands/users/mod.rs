//! `millrace users`: the users of a server, in the file that `users.file` names.
//!
//! A password is never an argument: it is read from a terminal that does not show it, or else from standard
//! input. A running server keeps the file as it was at its start.

mod groups;
mod password;

use std::path::PathBuf;

use millrace_model::{Error, ErrorKind};
use millrace_server::users::{Account, UsersFile};

use crate::arguments::{
    AccountArguments, SettingsArguments, Users, UsersCommand, UsersFileArguments,
};
use crate::config;
use crate::exit::Failure;
use crate::say;

/// The hint after a change.
const NEXT_START: &str = "a server reads the file at startup";

pub(crate) fn run(arguments: &Users) -> Result<(), Failure> {
    match &arguments.command {
        UsersCommand::Add { name, file, accounts } => add(name, file, accounts),
        UsersCommand::Passwd { name, file } => set_password(name, file),
        UsersCommand::Remove { name, file } => remove(name, file),
        UsersCommand::List(file) => list(file),
        UsersCommand::Convert(file) => convert(file),
    }
}

fn add(name: &str, file: &UsersFileArguments, accounts: &AccountArguments) -> Result<(), Failure> {
    let path = path(file)?;
    // A misspelt account is reported before the command asks for a password.
    let owner = accounts.owner.as_deref().map(Account::named).transpose()?;
    let group = accounts.group.as_deref().map(groups::number).transpose()?;
    let password = password::read(name)?;
    let is_new = !path.exists();
    let mut change = UsersFile::change(&path, true)?;
    (change.owner, change.group) = (owner, group);
    change.file.add(name, &password)?;
    change.write()?;
    say!("`{name}` can log in: {NEXT_START}");
    let own = Account::own();
    if is_new && own.is_root() && change.owner.is_none() && change.group.is_none() {
        let path = path.display();
        say!("{path} belongs to `{own}`; a server that runs as another account cannot read it:");
        say!("  chown ACCOUNT {path}, or the same with --owner ACCOUNT or --group GROUP");
    }
    Ok(())
}

fn set_password(name: &str, file: &UsersFileArguments) -> Result<(), Failure> {
    let path = path(file)?;
    // A misspelt name is reported before the command asks for a password.
    UsersFile::change(&path, false)?.file.must_have(name)?;
    let password = password::read(name)?;
    let mut change = UsersFile::change(&path, false)?;
    change.file.set_password(name, &password)?;
    change.write()?;
    say!("`{name}` has a new password: {NEXT_START}");
    Ok(())
}

fn remove(name: &str, file: &UsersFileArguments) -> Result<(), Failure> {
    let mut change = UsersFile::change(&path(file)?, false)?;
    change.file.remove(name)?;
    change.write()?;
    say!("`{name}` can no longer log in: {NEXT_START}");
    if change.file.list().is_empty() {
        say!("no user is left: a server does not start with this file");
    }
    Ok(())
}

fn list(file: &UsersFileArguments) -> Result<(), Failure> {
    for user in UsersFile::read(&path(file)?)?.list() {
        match user.problem {
            None => say!("{}", user.name),
            Some(problem) => say!("{}  (the password {problem})", user.name),
        }
    }
    Ok(())
}

fn convert(file: &UsersFileArguments) -> Result<(), Failure> {
    let mut change = UsersFile::change(&path(file)?, false)?;
    let converted = change.file.convert()?;
    // Also without a password to convert: the file has a mode that a server takes afterwards.
    change.write()?;
    match converted.as_slice() {
        [] => say!("no password was in clear text"),
        names => say!("hashed the passwords of {}", names.join(", ")),
    }
    Ok(())
}

/// The file that is meant.
fn path(arguments: &UsersFileArguments) -> Result<PathBuf, Failure> {
    if let Some(file) = &arguments.file {
        return Ok(file.clone());
    }
    let settings =
        SettingsArguments { config: arguments.config.clone(), ..SettingsArguments::default() };
    let resolved = config::read(&settings)?;
    match resolved.settings.users.file.as_str() {
        "" => {
            let error = Error::new(ErrorKind::BadInput, "no users file is named");
            let help = "give --file FILE, or --config FILE with the setting users.file";
            Err(error.with_help(help).into())
        }
        file => Ok(PathBuf::from(file)),
    }
}
