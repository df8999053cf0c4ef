//! Hashes of passwords: argon2id, as texts in the PHC format.
//!
//! A hash takes about 20 ms and 19 MiB on purpose, so that a stolen file of them is slow to guess from. The
//! computing thread blocks: never call [`hash`] or [`is_right`] on a thread that serves sockets.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params};
use millrace_model::{Error, ErrorKind, Result};
use rustix::rand::{GetRandomFlags, getrandom};

use crate::limits::{HASH_LANES_MAX, HASH_MEMORY_KIB_MAX, HASH_PASSES_MAX};

/// Bytes of a salt, as the PHC format recommends.
const SALT_BYTES: usize = 16;

/// The kind of a secret in a users file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Secret {
    /// A hash that passwords can be compared with.
    Hash,
    /// A hash of another kind, or one that is too expensive.
    ForeignHash,
    /// A password in clear text.
    ClearText,
}

/// The kind of a text in a users file.
pub(super) fn secret_kind(text: &str) -> Secret {
    match cost(text) {
        Some(_) => Secret::Hash,
        // Hashes of all kinds begin like this; a password that does is set by `users passwd`.
        None if text.starts_with('$') => Secret::ForeignHash,
        None => Secret::ClearText,
    }
}

/// The cost of comparing a password with a hash: memory in KiB times passes. `None`: it is no hash of
/// argon2id within the bounds.
pub(super) fn cost(text: &str) -> Option<u64> {
    let hash = PasswordHash::new(text).ok()?;
    let params = Params::try_from(&hash).ok()?;
    let is_whole = hash.salt.is_some() && hash.hash.is_some();
    let is_bounded = params.m_cost() <= HASH_MEMORY_KIB_MAX
        && params.t_cost() <= HASH_PASSES_MAX
        && params.p_cost() <= HASH_LANES_MAX;
    let is_ours = hash.algorithm == Algorithm::Argon2id.ident();
    (is_ours && is_whole && is_bounded)
        .then(|| u64::from(params.m_cost()) * u64::from(params.t_cost()))
}

/// Bytes that are held while a password is compared with a hash.
pub(super) fn memory_bytes(text: &str) -> u64 {
    let params = PasswordHash::new(text).ok().and_then(|hash| Params::try_from(&hash).ok());
    params.map_or(0, |params| u64::from(params.m_cost()) << 10)
}

/// The hash of a password, with a new salt.
pub(super) fn hash(password: &str) -> Result<String> {
    let failed =
        |why: String| Error::new(ErrorKind::Io, format!("the password could not be hashed: {why}"));
    let mut salt = [0; SALT_BYTES];
    let read = getrandom(&mut salt, GetRandomFlags::empty());
    if read.map_err(|error| failed(error.to_string()))? != SALT_BYTES {
        return Err(failed("the system provided too few random bytes".to_owned()));
    }
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    Ok(hash.map_err(|error| failed(error.to_string()))?.to_string())
}

/// Whether a hash is that of a password.
pub(super) fn is_right(hash: &str, password: &str) -> bool {
    // The parameters are those of the hash.
    let parsed = PasswordHash::new(hash);
    parsed.is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_knows_its_password_and_no_other() {
        let (first, second) = (hash("geheim").unwrap(), hash("geheim").unwrap());
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second, "each has a salt of its own");
        for hash in [&first, &second] {
            assert!(is_right(hash, "geheim"));
            for wrong in ["", "geheim ", "Geheim", "geheimnis"] {
                assert!(!is_right(hash, wrong), "{wrong}");
            }
        }
        assert_eq!(memory_bytes(&first), 19 << 20);
    }

    /// The hash stands in the tests of the reference implementation (phc-winner-argon2, `test.c`).
    #[test]
    fn a_hash_of_another_program_is_understood() {
        let foreign = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$\
                       CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        assert_eq!(secret_kind(foreign), Secret::Hash);
        assert!(is_right(foreign, "password"));
        assert!(!is_right(foreign, "Password"));
    }

    #[test]
    fn other_hashes_and_clear_texts_are_distinguished() {
        for text in ["secret", "a:b", "", "se$cret"] {
            assert_eq!(secret_kind(text), Secret::ClearText, "{text}");
        }
        for text in [
            "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW",
            "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ",
            "$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        ] {
            assert_eq!(secret_kind(text), Secret::ForeignHash, "{text}");
        }
    }
}
