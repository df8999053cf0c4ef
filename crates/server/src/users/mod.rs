//! Users: names and hashes of passwords from a file, which is read once at the start, and logins.
//!
//! ```text
//!   log_in ── throttle ──> verified before? ──> a turn to hash ── throttle ──> a worker hashes ─> counted
//!               │ 429          │ yes: done          │ 503            │ 429            │ 401
//! ```
//!
//! A hash costs 20 ms on purpose, so it is computed on a worker, few at once; the password that was verified
//! last is remembered by a hash with a key of this process, so that a client of HTTP, which logs in with each
//! request, pays once. There are no permissions beyond the login, and no encryption: a password crosses the
//! network as its protocol sends it.
//!
//! Whether a request needs a login is for its listener to say.

mod access;
mod account;
mod file;
mod passwords;
mod refusals;
mod throttle;
mod tokens;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::http::{HeaderMap, header};
use millrace_db::settings::UserSettings;
use millrace_model::{Error, ErrorKind, MemoryBudget};
use millrace_wire::gremlin::auth::{self, Credentials};
use rustix::rand::{GetRandomFlags, getrandom};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

pub use account::Account;
pub use file::{Listed, UsersChange, UsersFile};
use refusals::Refusals;
pub(crate) use refusals::Refused;
use throttle::{Attempt, Throttle};
pub(crate) use tokens::{BadToken, Use};

use crate::connections::Peer;
use crate::executor::Executor;
use crate::limits::{HASHES_MAX, HASHES_WAITING_MAX};

/// The users of a server, and their logins.
pub(crate) struct Users {
    known: HashMap<String, User>,
    /// The most expensive hash: a name that is not known costs as much as one that is.
    dearest: String,
    /// The most memory that computing a hash takes, in bytes.
    hash_bytes: u64,
    verified_key: [u8; 32],
    throttle: Throttle,
    refusals: Refusals,
    /// Hashes that are computed or waited for.
    queue: Semaphore,
    /// Hashes that are computed.
    hashing: Arc<Semaphore>,
}

struct User {
    hash: String,
    /// The password that was verified, hashed with the key of the process.
    verified: OnceLock<[u8; 32]>,
}

impl Users {
    /// Those of the settings; `None` if no client has to log in.
    pub(crate) fn of(settings: &UserSettings) -> millrace_model::Result<Option<Users>> {
        if settings.file.is_empty() {
            return Ok(None);
        }
        let hashes = UsersFile::hashes(Path::new(&settings.file)).map_err(|error| {
            // Whatever is wrong with the file, it is the setting that is wrong.
            Error { kind: ErrorKind::BadInput, ..error }
        })?;
        let dearest = hashes.iter().map(|(_, hash)| hash).max_by_key(|hash| passwords::cost(hash));
        let dearest = dearest.cloned().unwrap_or_default();
        let hash_bytes = hashes.iter().map(|(_, hash)| passwords::memory_bytes(hash)).max();
        let known =
            hashes.into_iter().map(|(name, hash)| (name, User { hash, verified: OnceLock::new() }));
        let mut verified_key = [0; 32];
        let read = getrandom(&mut verified_key, GetRandomFlags::empty());
        if read != Ok(verified_key.len()) {
            return Err(Error::new(ErrorKind::Io, "the system provides no random bytes"));
        }
        Ok(Some(Users {
            known: known.collect(),
            dearest,
            hash_bytes: hash_bytes.unwrap_or(0),
            verified_key,
            throttle: Throttle::default(),
            refusals: Refusals::default(),
            queue: Semaphore::new(HASHES_MAX + HASHES_WAITING_MAX),
            hashing: Arc::new(Semaphore::new(HASHES_MAX)),
        }))
    }

    /// The most memory that logins under way at once take, in bytes.
    pub(crate) fn login_bytes_max(&self) -> u64 {
        self.hash_bytes.saturating_mul(HASHES_MAX as u64)
    }

    /// The names of all, ascending.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.known.keys().cloned().collect();
        names.sort();
        names
    }

    /// The remembered form of a password, of fixed length, so that a comparison takes constant time.
    fn digest(&self, password: &str) -> [u8; 32] {
        let keyed = Sha256::new().chain_update(self.verified_key);
        keyed.chain_update(password).finalize().into()
    }

    /// Whether these were verified before.
    fn were_verified(&self, Credentials { user, password }: &Credentials) -> bool {
        let verified = self.known.get(user).and_then(|known| known.verified.get());
        verified.is_some_and(|verified| {
            let own = self.digest(password);
            let differs = verified.iter().zip(own).fold(0, |all, (left, right)| all | left ^ right);
            differs == 0
        })
    }

    /// Compares the password with the user's hash, and counts the outcome. It takes time and memory.
    fn verify(&self, Credentials { user, password }: &Credentials, attempt: Attempt) -> bool {
        let known = self.known.get(user);
        let hash = known.map_or(self.dearest.as_str(), |known| &known.hash);
        let is_right = passwords::is_right(hash, password);
        match known.filter(|_| is_right) {
            Some(known) => {
                // Another login may have been first.
                let _same = known.verified.set(self.digest(password));
                self.throttle.succeeded(attempt, Instant::now());
                true
            }
            None => {
                self.throttle.failed(attempt, Instant::now());
                false
            }
        }
    }

    /// Fails while logins like this one have to wait.
    fn check_delay(&self, attempt: Attempt) -> Result<(), Refused> {
        match self.throttle.wait(attempt, Instant::now()) {
            None => Ok(()),
            Some(wait) => Err(Refused::delayed(wait)),
        }
    }

    /// Refuses a wrong name or password. The hash is computed by the executor, within the memory.
    pub(crate) async fn check(
        self: &Arc<Users>,
        room: (&Executor, &MemoryBudget),
        credentials: Credentials,
        peer: Peer,
    ) -> Result<(), Refused> {
        let name = self.known.contains_key(&credentials.user).then(|| credentials.user.clone());
        let checked = self.check_password(room, credentials, peer).await;
        checked.inspect_err(|refused| self.refusals.note(refused, name.as_deref(), peer.address))
    }

    async fn check_password(
        self: &Arc<Users>,
        (executor, memory): (&Executor, &MemoryBudget),
        credentials: Credentials,
        peer: Peer,
    ) -> Result<(), Refused> {
        let attempt = self.throttle.attempt(&credentials.user, peer.client.address);
        self.check_delay(attempt)?;
        if self.were_verified(&credentials) {
            self.throttle.succeeded(attempt, Instant::now());
            return Ok(());
        }
        let _queued = self.queue.try_acquire().map_err(|_| Refused::busy())?;
        let hashing = Arc::clone(&self.hashing).acquire_owned().await;
        // Meanwhile others may have failed; without this, tries at once would count as one.
        self.check_delay(attempt)?;
        let memory = memory.reserve(self.hash_bytes).map_err(Refused::without)?;
        let own = Arc::clone(self);
        let verify = move || {
            // Held until the hash is computed, also when the client is gone.
            let _held = (hashing, memory);
            own.verify(&credentials, attempt)
        };
        match executor.answer(peer.client, verify).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Refused::wrong()),
            Err(error) => Err(Refused::without(error)),
        }
    }
}

/// Failed logins, by reason.
pub(crate) fn refusals(users: Option<&Users>) -> [(&'static str, u64); 3] {
    let none = Refusals::default();
    users.map_or(&none, |users| &users.refusals).counts()
}

/// The name and the password in the headers of a request.
pub(crate) fn credentials(headers: &HeaderMap) -> Result<Credentials, Refused> {
    let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let header = header.ok_or_else(Refused::missing)?;
    auth::basic(header).map_err(Refused::unreadable)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    pub(super) fn of(text: &str) -> millrace_model::Result<Option<Users>> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("users");
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        Users::of(&UserSettings { file: file.to_str().unwrap().to_owned() })
    }

    fn login(user: &str, password: &str) -> Credentials {
        Credentials { user: user.to_owned(), password: password.to_owned() }
    }

    #[test]
    fn the_whole_password_of_a_known_name_is_right_and_is_remembered() {
        let text = format!("ann:{}\nbob:{}\n", hash("a:b"), hash("c"));
        let users = of(&text).unwrap().unwrap();
        let attempt = users.throttle.attempt("ann", 1);
        for (user, password) in
            [("ann", "a"), ("ann", "a:bc"), ("ann", ""), ("eve", ""), ("eve", "c"), ("bob", "a:b")]
        {
            let wrong = login(user, password);
            assert!(!users.verify(&wrong, attempt), "{user} {password}");
            assert!(!users.were_verified(&wrong), "{user} {password}");
        }
        let right = login("ann", "a:b");
        assert!(!users.were_verified(&right));
        assert!(users.verify(&right, attempt) && users.were_verified(&right));
        for (user, password) in [("ann", "a"), ("bob", "a:b"), ("bob", "c"), ("eve", "a:b")] {
            assert!(!users.were_verified(&login(user, password)), "{user} {password}");
        }
    }

    /// A cheap hash, as tests may have.
    pub(super) fn hash(password: &str) -> String {
        use argon2::password_hash::PasswordHasher;
        let params = argon2::Params::new(8, 1, 1, None).unwrap();
        let argon = argon2::Argon2::new(Default::default(), Default::default(), params);
        argon.hash_password_with_salt(password.as_bytes(), b"some salt").unwrap().to_string()
    }

    #[test]
    fn a_name_that_is_not_known_costs_as_much_as_the_dearest_hash() {
        let dear = passwords::hash("x").unwrap();
        let users = of(&format!("ann:{}\nbob:{dear}\n", hash("c"))).unwrap().unwrap();
        assert_eq!((users.dearest.as_str(), users.hash_bytes), (dear.as_str(), 19 << 20));
    }

    #[test]
    fn without_a_file_no_client_logs_in_and_a_wrong_file_is_a_wrong_setting() {
        assert!(Users::of(&UserSettings::default()).is_ok_and(|users| users.is_none()));
        let nowhere = Users::of(&UserSettings { file: "/nowhere/at all".to_owned() });
        assert_eq!(nowhere.err().map(|error| error.kind), Some(ErrorKind::BadInput));
        let clear = of("ann:geheim").err().unwrap().to_string();
        assert!(clear.contains("millrace users convert"), "{clear}");
    }
}
