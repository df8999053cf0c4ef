//! Accounts of the system by their names: users and groups, as `/etc/passwd` and `/etc/group` have them.
//!
//! Accounts of a directory service are not in these files; their numbers are taken, too.

use std::fs;

use millrace_model::{Error, ErrorKind, Result};

/// The number of a user.
pub(super) fn user(name: &str) -> Result<u32> {
    number(name, "user", "/etc/passwd", "id -u")
}

/// The number of a group.
pub(super) fn group(name: &str) -> Result<u32> {
    number(name, "group", "/etc/group", "getent group")
}

fn number(name: &str, kind: &str, file: &str, shown_by: &str) -> Result<u32> {
    if let Ok(number) = name.parse() {
        return Ok(number);
    }
    let text = fs::read_to_string(file)
        .map_err(|error| Error::new(ErrorKind::Io, format!("{file}: {error}")))?;
    listed(&text, name).ok_or_else(|| {
        let error = Error::new(ErrorKind::NotFound, format!("{file} has no {kind} `{name}`"));
        error.with_help(format!("give its number, as `{shown_by} {name}` shows it"))
    })
}

/// The third of the fields between colons, in the line that begins with the name.
fn listed(text: &str, name: &str) -> Option<u32> {
    let mut lines = text.lines().map(|line| line.split(':'));
    lines.find_map(|mut fields| {
        let is_it = fields.next() == Some(name);
        fields.nth(1).filter(|_| is_it)?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_found_by_its_whole_name_or_is_a_number() {
        let text = "root:x:0:0:root:/root:/bin/bash\nmillrace-2:x:8::\nmillrace:x:997:\nbad\n";
        assert_eq!(listed(text, "millrace"), Some(997));
        assert_eq!(listed(text, "root"), Some(0));
        for name in ["mill", "bad", "", "x"] {
            assert_eq!(listed(text, name), None, "{name}");
        }
        assert_eq!((user("7243").unwrap(), group("0").unwrap()), (7243, 0));
        let unknown = user("no such account").unwrap_err();
        assert_eq!(unknown.kind, ErrorKind::NotFound);
        assert!(unknown.to_string().contains("id -u"), "{unknown}");
    }
}
