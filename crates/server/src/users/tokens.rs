//! Tokens in place of a name and a password, for clients that log in once: signed, and good for some time.
//!
//! A user's tokens are signed with a key that is made of the user's hash in the file: they hold over a restart, and a new
//! password ends them. Whoever can read the file can make them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use millrace_wire::dql::{Claims, Jwt, token, unverified};
use sha2::Sha256;

use super::Users;

/// What keys are made for: the hash of a user is used for nothing else of this kind.
const PURPOSE: &[u8] = b"millrace: tokens of logins, version 1";

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Requests.
    Access,
    /// To renew a login.
    Refresh,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadToken {
    /// Its time is up.
    Expired,
    /// It is not one of this server, or not for this use.
    Foreign,
}

impl Users {
    /// The tokens of a user that has logged in to a namespace, each good for so long.
    pub(crate) fn tokens(
        &self,
        (user, namespace): (&str, u64),
        access: Duration,
        refresh: Duration,
    ) -> Option<Jwt> {
        let make = |life: Duration, refresh: bool| {
            let claims = Claims {
                userid: user.to_owned(),
                namespace,
                groups: Vec::new(),
                exp: now().saturating_add(life).as_secs(),
                refresh,
            };
            let text = claims.signed_text();
            let mut mac = self.mac(user)?;
            mac.update(text.as_bytes());
            Some(token(&text, &mac.finalize().into_bytes()))
        };
        Some(Jwt { access_jwt: make(access, false)?, refresh_jwt: make(refresh, true)? })
    }

    /// The user of a token, and the namespace that it is for.
    pub(crate) fn user_of(&self, token: &str, wanted: Use) -> Result<(String, u64), BadToken> {
        let read = unverified(token).ok_or(BadToken::Foreign)?;
        let mut mac = self.mac(&read.claims.userid).ok_or(BadToken::Foreign)?;
        mac.update(read.signed.as_bytes());
        // In constant time.
        mac.verify_slice(&read.signature).map_err(|_| BadToken::Foreign)?;
        let is_wanted = read.claims.refresh == (wanted == Use::Refresh);
        if !is_wanted {
            return Err(BadToken::Foreign);
        }
        match now().as_secs() < read.claims.exp {
            true => Ok((read.claims.userid, read.claims.namespace)),
            false => Err(BadToken::Expired),
        }
    }

    /// The signature of a user's tokens, to be fed with their text.
    fn mac(&self, user: &str) -> Option<Hmac<Sha256>> {
        let hash = &self.known.get(user)?.hash;
        let mut key = Hmac::<Sha256>::new_from_slice(hash.as_bytes()).ok()?;
        key.update(PURPOSE);
        Hmac::new_from_slice(&key.finalize().into_bytes()).ok()
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hash, of};
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn a_token_is_its_users_for_its_use_and_for_its_time() {
        let (ann, bob) = (hash("a"), hash("b"));
        let users = of(&format!("ann:{ann}\nbob:{bob}\n")).unwrap().unwrap();
        let tokens = users.tokens(("ann", 7), HOUR, HOUR).unwrap();
        let is_ann = || Ok(("ann".to_owned(), 7));
        assert_eq!(users.user_of(&tokens.access_jwt, Use::Access), is_ann());
        assert_eq!(users.user_of(&tokens.refresh_jwt, Use::Refresh), is_ann());
        for (token, wanted) in
            [(&tokens.access_jwt, Use::Refresh), (&tokens.refresh_jwt, Use::Access)]
        {
            assert_eq!(users.user_of(token, wanted), Err(BadToken::Foreign));
        }
        let late = users.tokens(("ann", 7), Duration::ZERO, HOUR).unwrap();
        assert_eq!(users.user_of(&late.access_jwt, Use::Access), Err(BadToken::Expired));
        assert_eq!(users.tokens(("eve", 0), HOUR, HOUR), None);
        let again = of(&format!("ann:{ann}\n")).unwrap().unwrap();
        assert!(again.user_of(&tokens.access_jwt, Use::Access).is_ok(), "over a restart");
        let changed = of(&format!("ann:{bob}\nbob:{bob}\n")).unwrap().unwrap();
        assert_eq!(changed.user_of(&tokens.access_jwt, Use::Access), Err(BadToken::Foreign));
    }

    #[test]
    fn a_token_that_was_changed_is_foreign() {
        let users = of(&format!("ann:{}\nbob:{}\n", hash("a"), hash("b"))).unwrap().unwrap();
        let own = users.tokens(("ann", 7), HOUR, HOUR).unwrap().access_jwt;
        let bobs = users.tokens(("bob", 0), HOUR, HOUR).unwrap().access_jwt;
        let (text, signature) = own.rsplit_once('.').unwrap();
        let (other, _) = bobs.rsplit_once('.').unwrap();
        let flipped: String = signature.chars().rev().collect();
        for wrong in [
            format!("{other}.{signature}"),
            format!("{text}."),
            format!("{text}.{flipped}"),
            text.to_owned(),
            String::new(),
        ] {
            assert_eq!(users.user_of(&wrong, Use::Access), Err(BadToken::Foreign), "{wrong}");
        }
    }
}
