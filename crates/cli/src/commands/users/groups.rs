//! Groups of the system by their names, as `/etc/group` has them; those of a directory service by their numbers.

use std::fs;

use millrace_model::{Error, ErrorKind, Result};

/// Where the groups are listed.
const FILE: &str = "/etc/group";

/// The number of a group.
pub(super) fn number(name: &str) -> Result<u32> {
    if let Ok(number) = name.parse() {
        return Ok(number);
    }
    let list = fs::read_to_string(FILE).unwrap_or_default();
    listed(&list, name).ok_or_else(|| {
        let error =
            Error::new(ErrorKind::NotFound, format!("there is no group `{name}` in {FILE}"));
        error.with_help("name another, or give its number")
    })
}

/// The third of the fields between colons, in the line that begins with the name.
fn listed(list: &str, name: &str) -> Option<u32> {
    let mut lines = list.lines().map(|line| line.split(':'));
    lines.find_map(|mut fields| {
        let is_it = fields.next() == Some(name);
        fields.nth(1).filter(|_| is_it)?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_found_by_its_whole_name_or_is_a_number() {
        let list = "root:x:0:\nmillrace-2:x:8:\nmillrace:x:997:ann\nbad\n";
        assert_eq!(listed(list, "millrace"), Some(997));
        assert_eq!(listed(list, "root"), Some(0));
        for name in ["mill", "bad", "", "x"] {
            assert_eq!(listed(list, name), None, "{name}");
        }
        assert_eq!(number("7243").unwrap(), 7243);
        let unknown = number("no such group").unwrap_err();
        assert_eq!(unknown.kind, ErrorKind::NotFound);
        assert!(unknown.to_string().contains("give its number"), "{unknown}");
    }
}
