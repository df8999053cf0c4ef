//! The file of users: a line `NAME:HASH` for each, besides comments and empty lines, which stay as they are.
//!
//! The server reads it once, at its start, and takes hashes only. `millrace users` changes it: each change
//! writes a new file beside the old one and renames it, so that a reader finds either the one or the other.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use millrace_model::{Error, ErrorKind, Result};

use super::access;
use super::account::Account;
use super::passwords::{self, Secret, secret_kind};
use crate::limits::{PASSWORD_BYTES_MAX, USER_NAME_BYTES_MAX};

/// A file of users, as it was read.
#[derive(Debug)]
pub struct UsersFile {
    path: PathBuf,
    lines: Vec<Line>,
}

/// A file that is changed: no other program changes it before this is dropped.
#[derive(Debug)]
pub struct UsersChange {
    /// The contents to write.
    pub file: UsersFile,
    /// Whose the file is afterwards; else it keeps its owner.
    pub owner: Option<Account>,
    /// The group that may read the file, by its number; else it keeps its group and mode.
    pub group: Option<u32>,
    /// Holds a lock on the folder.
    folder: File,
}

#[derive(Debug)]
enum Line {
    /// A comment, or nothing.
    Other(String),
    User {
        name: String,
        secret: String,
    },
}

/// A user, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// Why the server would refuse the file, if it would for this user.
    pub problem: Option<&'static str>,
}

impl UsersFile {
    /// Reads a file; each line that is no comment has to be `NAME:` and something.
    pub fn read(path: &Path) -> Result<UsersFile> {
        let text = fs::read_to_string(path).map_err(|error| failed(path, &error))?;
        UsersFile::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<UsersFile> {
        let mut file = UsersFile { path: path.to_owned(), lines: Vec::new() };
        for (number, line) in (1..).zip(text.lines()) {
            let parsed = match line.split_once(':') {
                _ if line.trim().is_empty() || line.starts_with('#') => {
                    Line::Other(line.to_owned())
                }
                Some((name, secret)) if !name.is_empty() && !secret.is_empty() => {
                    if file.secret(name).is_some() {
                        return Err(file.bad(&format!("line {number}: `{name}` is listed twice")));
                    }
                    Line::User { name: name.to_owned(), secret: secret.to_owned() }
                }
                // The line may be a password: it is not shown.
                _ => return Err(file.bad(&format!("line {number} is not NAME:HASH"))),
            };
            file.lines.push(parsed);
        }
        Ok(file)
    }

    /// Names and hashes, for a server: fails unless all are hashes and no other account can read them.
    pub(super) fn hashes(path: &Path) -> Result<Vec<(String, String)>> {
        let metadata = fs::metadata(path).map_err(|error| failed(path, &error))?;
        let file = UsersFile::read(path)?;
        access::check(path, &metadata)?;
        let mut hashes = Vec::new();
        for (number, line) in (1..).zip(&file.lines) {
            let Line::User { name, secret } = line else { continue };
            if let Some((problem, command)) = problem(secret) {
                let error = file.bad(&format!("line {number}: the password of `{name}` {problem}"));
                let help = command.replace("NAME", name).replace("FILE", &path.to_string_lossy());
                return Err(error.with_help(help));
            }
            hashes.push((name.clone(), secret.clone()));
        }
        if hashes.is_empty() {
            let help = format!("millrace users add --file {} NAME", path.display());
            return Err(file.bad("it lists no user, so no client could log in").with_help(help));
        }
        Ok(hashes)
    }

    /// Begins a change. A missing file is read as empty if it may be created.
    pub fn change(path: &Path, may_be_new: bool) -> Result<UsersChange> {
        // The file behind a link is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let folder = File::open(folder).map_err(|error| failed(&path, &error))?;
        folder.lock().map_err(|error| failed(&path, &error))?;
        let file = match UsersFile::read(&path) {
            Err(error) if error.kind == ErrorKind::NotFound && may_be_new => {
                UsersFile { path, lines: Vec::new() }
            }
            read => read?,
        };
        Ok(UsersChange { file, owner: None, group: None, folder })
    }

    /// All users.
    pub fn list(&self) -> Vec<Listed> {
        let users = self.lines.iter().filter_map(|line| match line {
            Line::Other(_) => None,
            Line::User { name, secret } => {
                let problem = problem(secret).map(|(problem, _)| problem);
                Some(Listed { name: name.clone(), problem })
            }
        });
        users.collect()
    }

    /// Adds a user; fails if there is one of that name.
    pub fn add(&mut self, name: &str, password: &str) -> Result<()> {
        if self.secret(name).is_some() {
            let error =
                self.error(ErrorKind::AlreadyExists, &format!("the user `{name}` exists already"));
            let help = format!("millrace users passwd --file {} {name}", self.path.display());
            return Err(error.with_help(help));
        }
        check_name(name)?;
        let secret = hashed(password)?;
        self.lines.push(Line::User { name: name.to_owned(), secret });
        Ok(())
    }

    /// Fails unless there is a user of that name.
    pub fn must_have(&self, name: &str) -> Result<()> {
        let is_it = |line: &Line| matches!(line, Line::User { name: own, .. } if own == name);
        if self.lines.iter().any(is_it) { Ok(()) } else { Err(self.unknown(name)) }
    }

    /// Changes a user's password.
    pub fn set_password(&mut self, name: &str, password: &str) -> Result<()> {
        self.must_have(name)?;
        let hash = hashed(password)?;
        self.secret(name).into_iter().for_each(|secret| secret.clone_from(&hash));
        Ok(())
    }

    /// Removes a user.
    pub fn remove(&mut self, name: &str) -> Result<()> {
        let is_it = |line: &Line| matches!(line, Line::User { name: own, .. } if own == name);
        let place = self.lines.iter().position(is_it).ok_or_else(|| self.unknown(name))?;
        self.lines.remove(place);
        Ok(())
    }

    /// Replaces passwords in clear text by their hashes. Returns the names of the changed users.
    pub fn convert(&mut self) -> Result<Vec<String>> {
        let foreign = self.lines.iter().find_map(|line| match line {
            Line::User { name, secret } if secret_kind(secret) == Secret::ForeignHash => Some(name),
            _ => None,
        });
        if let Some(name) = foreign {
            let detail = format!("the password of `{name}` {FOREIGN}");
            let help = format!("millrace users passwd --file {} {name}", self.path.display());
            return Err(self.bad(&detail).with_help(help));
        }
        let mut converted = Vec::new();
        for line in &mut self.lines {
            if let Line::User { name, secret } = line
                && secret_kind(secret) == Secret::ClearText
            {
                *secret = hashed(secret)?;
                converted.push(name.clone());
            }
        }
        Ok(converted)
    }

    fn secret(&mut self, name: &str) -> Option<&mut String> {
        self.lines.iter_mut().find_map(|line| match line {
            Line::User { name: own, secret } if own == name => Some(secret),
            Line::User { .. } | Line::Other(_) => None,
        })
    }

    fn unknown(&self, name: &str) -> Error {
        let error = self.error(ErrorKind::NotFound, &format!("there is no user `{name}`"));
        error.with_help(format!("millrace users list --file {}", self.path.display()))
    }

    fn bad(&self, detail: &str) -> Error {
        self.error(ErrorKind::BadInput, detail)
    }

    fn error(&self, kind: ErrorKind, detail: &str) -> Error {
        Error::new(kind, format!("users file {}: {detail}", self.path.display()))
    }
}

impl UsersChange {
    /// Replaces the file with the new contents. It keeps owner and mode, unless others are asked for.
    pub fn write(&self) -> Result<()> {
        let path = &self.file.path;
        self.replace().map_err(|error| failed(path, &error))
    }

    /// Whether there is no such file yet.
    pub fn is_new(&self) -> bool {
        !self.file.path.exists()
    }

    fn replace(&self) -> io::Result<()> {
        let UsersFile { path, lines } = &self.file;
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        // It is made for its owner alone, whatever it is afterwards.
        let mut new = tempfile::Builder::new()
            .prefix(".users-")
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        for line in lines {
            match line {
                Line::Other(text) => writeln!(new, "{text}")?,
                Line::User { name, secret } => writeln!(new, "{name}:{secret}")?,
            }
        }
        let (old, own) = (fs::metadata(path).ok(), new.as_file().metadata()?);
        let kept = old.as_ref().map_or((own.uid(), own.gid()), |old| (old.uid(), old.gid()));
        let user = self.owner.as_ref().map_or(kept.0, |owner| owner.user);
        let group = self.group.or(self.owner.as_ref().and_then(|owner| owner.group));
        let group = group.unwrap_or(kept.1);
        if (user, group) != (own.uid(), own.gid()) {
            fchown(new.as_file(), Some(user), Some(group))?;
        }
        let mode = access::mode(old.map(|old| old.mode()), self.group.is_some());
        new.as_file().set_permissions(Permissions::from_mode(mode))?;
        new.as_file().sync_all()?;
        new.persist(path).map_err(|error| error.error)?;
        self.folder.sync_all()
    }
}

const FOREIGN: &str = "is a hash of another kind than argon2id, or one that costs too much";

/// Why a server refuses a secret, and the command that fixes it.
fn problem(secret: &str) -> Option<(&'static str, &'static str)> {
    match secret_kind(secret) {
        Secret::Hash => None,
        Secret::ForeignHash => Some((FOREIGN, "millrace users passwd --file FILE NAME")),
        Secret::ClearText => Some(("is in clear text", "millrace users convert --file FILE")),
    }
}

fn check_name(name: &str) -> Result<()> {
    let bad = |detail: &str| {
        let help = "use letters, digits and signs other than a colon";
        Error::new(ErrorKind::BadInput, format!("the name of a user {detail}")).with_help(help)
    };
    if name.is_empty() || name.trim() != name {
        return Err(bad("must not be empty, nor begin or end with a blank"));
    }
    if name.contains(':') || name.starts_with('#') || name.chars().any(char::is_control) {
        return Err(bad("must have no colon and no control character, and not begin with #"));
    }
    if USER_NAME_BYTES_MAX < name.len() {
        return Err(bad(&format!("must have at most {USER_NAME_BYTES_MAX} bytes")));
    }
    Ok(())
}

/// The hash of a password that may be one.
fn hashed(password: &str) -> Result<String> {
    let bad = |detail: &str| Error::new(ErrorKind::BadInput, format!("the password {detail}"));
    if password.is_empty() {
        return Err(bad("is empty"));
    }
    if PASSWORD_BYTES_MAX < password.len() {
        return Err(bad(&format!("is longer than {PASSWORD_BYTES_MAX} bytes")));
    }
    if password.contains(['\0', '\n', '\r']) {
        return Err(bad("has a line end or a NUL, which no protocol can carry"));
    }
    passwords::hash(password)
}

fn failed(path: &Path, error: &io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::PermissionDenied => ErrorKind::Forbidden,
        io::ErrorKind::InvalidData => ErrorKind::BadInput,
        _ => ErrorKind::Io,
    };
    let failed = Error::new(kind, format!("users file {}: {error}", path.display()));
    match kind {
        ErrorKind::Forbidden => failed.with_help(access::remedy(path)),
        ErrorKind::NotFound => {
            let path = path.display();
            failed.with_help(format!("millrace users add --file {} NAME makes it", path.display()))
        }
        _ => failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str =
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

    fn of(text: &str, mode: u32) -> Result<Vec<(String, String)>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        UsersFile::hashes(&path)
    }

    #[test]
    fn a_file_that_a_server_cannot_take_says_which_command_mends_it() {
        let own = of(&format!("# us\n\nann:{HASH}\n"), 0o600).unwrap();
        assert_eq!(own, [("ann".to_owned(), HASH.to_owned())]);
        // The group of a file made here is one that this process runs in.
        assert_eq!(of(&format!("ann:{HASH}\n"), 0o640).unwrap(), own);
        let twice = format!("a:{HASH}\na:{HASH}");
        for (text, mode, words) in [
            (format!("ann:{HASH}").as_str(), 0o644, ["other accounts", "chmod 600"]),
            (format!("ann:{HASH}").as_str(), 0o660, ["other accounts", "640"]),
            ("ann", 0o600, ["line 1", "NAME:HASH"]),
            (":x", 0o600, ["line 1", "NAME:HASH"]),
            (&twice, 0o600, ["line 2", "`a`"]),
            ("#", 0o600, ["no user", "millrace users add --file /"]),
            ("\n ann:geheim", 0o600, ["line 2", "millrace users convert --file /"]),
            ("ann:$2b$12$abc", 0o600, ["argon2id", "users passwd --file /"]),
        ] {
            let refused = of(text, mode).unwrap_err().to_string();
            assert!(words.iter().all(|word| refused.contains(word)), "{refused}");
            assert!(!refused.contains("geheim"), "{refused}");
        }
        let nowhere = UsersFile::hashes(Path::new("/nowhere/at all")).unwrap_err();
        assert_eq!(nowhere.kind, ErrorKind::NotFound);
    }

    #[test]
    fn a_change_keeps_comments_and_a_mode_that_a_server_takes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users");
        fs::write(&path, format!("# the team\nann:geheim\n\nbob:{HASH}\n")).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut change = UsersFile::change(&link, false).unwrap();
        assert_eq!(change.file.convert().unwrap(), ["ann"]);
        change.write().unwrap();
        drop(change);
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "# the team");
        assert!(passwords::is_right(lines[1].strip_prefix("ann:").unwrap(), "geheim"), "{text}");
        assert_eq!(lines[2..], ["", &format!("bob:{HASH}")]);
        assert_eq!(mode_of(&path), 0o640, "the world may not read it any more");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "a link stays one");
        assert_eq!(UsersFile::hashes(&path).unwrap().len(), 2);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no other file is left");
        let mut again = UsersFile::change(&path, false).unwrap();
        assert!(again.file.convert().unwrap().is_empty());
    }

    fn mode_of(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn a_new_file_is_its_owners_and_a_group_may_be_let_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users");
        let mut change = UsersFile::change(&path, true).unwrap();
        assert!(change.is_new());
        change.file.add("ann", "one").unwrap();
        change.write().unwrap();
        assert_eq!((mode_of(&path), change.is_new()), (0o600, false));
        let own = fs::metadata(&path).unwrap();
        change.owner = Some(Account::own());
        change.group = Some(own.gid());
        change.write().unwrap();
        assert_eq!(mode_of(&path), 0o640);
        (change.owner, change.group) = (None, None);
        change.write().unwrap();
        let kept = fs::metadata(&path).unwrap();
        assert_eq!((mode_of(&path), kept.uid(), kept.gid()), (0o640, own.uid(), own.gid()));
        assert_eq!(UsersFile::hashes(&path).unwrap().len(), 1);
    }

    #[test]
    fn users_are_added_changed_and_removed_by_names_that_a_file_can_hold() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("users");
        let missing = UsersFile::change(&path, false).unwrap_err();
        assert_eq!(missing.kind, ErrorKind::NotFound);
        let mut change = UsersFile::change(&path, true).unwrap();
        let file = &mut change.file;
        file.add("ann", "one").unwrap();
        file.add("böb b", "two").unwrap();
        file.set_password("ann", "three").unwrap();
        for name in ["", " a", "a:b", "#a", "a\nb", &"x".repeat(USER_NAME_BYTES_MAX + 1)] {
            assert_eq!(file.add(name, "x").unwrap_err().kind, ErrorKind::BadInput, "{name:?}");
        }
        for password in ["", "a\nb", "a\0b", &"x".repeat(PASSWORD_BYTES_MAX + 1)] {
            assert_eq!(file.add("eve", password).unwrap_err().kind, ErrorKind::BadInput);
        }
        assert_eq!(file.add("ann", "x").unwrap_err().kind, ErrorKind::AlreadyExists);
        for unknown in [file.remove("eve"), file.set_password("eve", "x")] {
            assert_eq!(unknown.unwrap_err().kind, ErrorKind::NotFound);
        }
        change.write().unwrap();
        let hashes = UsersFile::hashes(&path).unwrap();
        assert_eq!(hashes[1].0, "böb b");
        assert!(passwords::is_right(&hashes[0].1, "three"));
        change.file.remove("ann").unwrap();
        let listed = change.file.list();
        assert_eq!(listed, [Listed { name: "böb b".to_owned(), problem: None }]);
    }
}
