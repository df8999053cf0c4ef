//! Commands that are known by name and refused: users, roles, privileges, aliases, servers.

use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::Command;

/// The words of these commands. Only as many are compared as there are.
const REFUSED: &[&[&str]] = &[
    &["ALTER", "ALIAS"],
    &["ALTER", "CURRENT", "USER"],
    &["ALTER", "SERVER"],
    &["ALTER", "USER"],
    &["CREATE", "ALIAS"],
    &["CREATE", "COMPOSITE", "DATABASE"],
    &["CREATE", "IMMUTABLE", "ROLE"],
    &["CREATE", "OR", "REPLACE", "ALIAS"],
    &["CREATE", "OR", "REPLACE", "COMPOSITE"],
    &["CREATE", "OR", "REPLACE", "ROLE"],
    &["CREATE", "OR", "REPLACE", "USER"],
    &["CREATE", "ROLE"],
    &["CREATE", "USER"],
    &["DEALLOCATE"],
    &["DENY"],
    &["DROP", "ALIAS"],
    &["DROP", "COMPOSITE", "DATABASE"],
    &["DROP", "ROLE"],
    &["DROP", "SERVER"],
    &["DROP", "USER"],
    &["DRYRUN"],
    &["ENABLE", "SERVER"],
    &["GRANT"],
    &["REALLOCATE"],
    &["RENAME"],
    &["REVOKE"],
    &["SHOW", "ALIASES"],
    &["SHOW", "ALIAS"],
    &["SHOW", "ALL", "PRIVILEGES"],
    &["SHOW", "ALL", "ROLES"],
    &["SHOW", "POPULATED", "ROLES"],
    &["SHOW", "PRIVILEGES"],
    &["SHOW", "ROLES"],
    &["SHOW", "ROLE"],
    &["SHOW", "SERVERS"],
    &["SHOW", "SUPPORTED", "PRIVILEGES"],
    &["START", "DATABASE"],
    &["STOP", "DATABASE"],
];

/// Whether such a command is ahead.
pub(super) fn is_refused(parser: &Parser<'_>) -> bool {
    REFUSED.iter().any(|words| parser.are_words(words))
}

/// Takes such a command up to its end, unread.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Command> {
    let at = parser.position();
    let Some(words) = REFUSED.iter().find(|words| parser.are_words(words)) else {
        parser.advance();
        return Err(parser.unexpected());
    };
    parser.skip_statement();
    Ok(Command::Refused(at, words.join(" ").into()))
}
