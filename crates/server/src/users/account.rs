//! Accounts of the system, which files belong to.

use std::fmt;
use std::fs;

use millrace_model::{Error, ErrorKind, Result};
use rustix::process::{getegid, geteuid};

/// Where the accounts are listed.
const FILE: &str = "/etc/passwd";

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its name; `None`: the system lists none.
    name: Option<String>,
    pub(super) user: u32,
    /// Its group; `None`: as it is.
    pub(super) group: Option<u32>,
}

impl Account {
    /// The one of a name or a number.
    pub fn named(word: &str) -> Result<Account> {
        let list = fs::read_to_string(FILE).unwrap_or_default();
        Account::find(&list, word).ok_or_else(|| {
            let detail = format!("there is no account `{word}` in {FILE}");
            Error::new(ErrorKind::NotFound, detail).with_help("name another, or give its number")
        })
    }

    /// The one of this process.
    pub fn own() -> Account {
        let (user, group) = (geteuid().as_raw(), getegid().as_raw());
        let list = fs::read_to_string(FILE).unwrap_or_default();
        let known = Account::find(&list, &user.to_string());
        known.unwrap_or(Account { name: None, user, group: Some(group) })
    }

    /// Whether it may read every file.
    pub fn is_root(&self) -> bool {
        self.user == 0
    }

    fn find(list: &str, word: &str) -> Option<Account> {
        let number = word.parse::<u32>().ok();
        let known = list.lines().find_map(|line| {
            let mut fields = line.split(':');
            let (name, _, user, group) =
                (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            let (user, group) = (user.parse().ok()?, group.parse().ok()?);
            let is_it = name == word || number == Some(user);
            is_it.then(|| Account { name: Some(name.to_owned()), user, group: Some(group) })
        });
        known.or_else(|| number.map(|user| Account { name: None, user, group: None }))
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => write!(f, "{}", self.user),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_a_name_or_a_number() {
        let list = "root:x:0:0::/:/bin/sh\nmillrace:x:990:980::/:/bin/false\nbroken:x\n";
        let found = |word| Account::find(list, word);
        let named = Account { name: Some("millrace".to_owned()), user: 990, group: Some(980) };
        assert_eq!(found("millrace"), Some(named.clone()));
        assert_eq!(found("990"), Some(named));
        assert_eq!(found("7").map(|own| (own.user, own.group)), Some((7, None)));
        assert_eq!((found("nobody"), found("broken"), found("")), (None, None, None));
        assert_eq!(Account::own().user, geteuid().as_raw());
    }
}
