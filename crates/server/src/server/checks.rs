//! What a start would refuse of the settings of a server, as far as that depends on no other process.
//!
//! `config check` and `serve` ask the same function. A port that is in use is left to the start.

use millrace_db::Settings;
use millrace_db::settings::measures::Measure;
use millrace_model::{Error, ErrorKind};

use super::addresses::{addresses, unusable};
use crate::browsers::Browsers;
use crate::limits::{INTERPRETER_BYTES_MIN, SMALL_REQUEST_BYTES};
use crate::users::Users;

/// Everything that is wrong, all at once.
pub fn check_settings(settings: &Settings) -> Vec<Error> {
    let (places, mut faults) = addresses(&settings.listen);
    faults.extend(places.iter().filter_map(unusable));
    faults.extend(Browsers::faults(&settings.listen));
    let login_bytes = match Users::of(&settings.users) {
        Ok(users) => users.map_or(0, |users| users.login_bytes_max()),
        Err(error) => {
            let detail = format!("users.file: {}", error.detail);
            faults.push(Error { detail, ..error });
            0
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    faults.extend(too_little_memory(settings.memory.max, login_bytes, processors));
    faults
}

/// Refuses a budget in which not even small requests have room: with it a server starts and refuses everything.
fn too_little_memory(memory_max: u64, login_bytes: u64, processors: u64) -> Option<Error> {
    let requests = processors.saturating_mul(SMALL_REQUEST_BYTES);
    let least = INTERPRETER_BYTES_MIN.saturating_add(requests).saturating_add(login_bytes);
    // 0 is a share of the machine's memory.
    if memory_max == 0 || least <= memory_max {
        return None;
    }
    let readable = |bytes: u64| Measure::Bytes.readable(bytes);
    let logins = match login_bytes {
        0 => String::new(),
        bytes => format!(", {} for logins that are hashed", readable(bytes)),
    };
    let detail = format!(
        "memory.max is {memory_max} ({}), and the server needs {least} ({}) with these settings: {} for a script, {} for \
         a small request on each of {processors} processors{logins}",
        readable(memory_max),
        readable(least),
        readable(INTERPRETER_BYTES_MIN),
        readable(SMALL_REQUEST_BYTES),
    );
    let help = format!("set memory.max to {least} at least, or 0 for 60 % of the machine's memory");
    Some(Error::new(ErrorKind::BadInput, detail).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_without_room_for_small_requests_is_refused_with_the_least_that_would_do() {
        let least = (1 << 20) + 2 * (192 << 10);
        let error = too_little_memory(1_000_000, 0, 2).unwrap().to_string();
        assert!(error.contains(&format!("set memory.max to {least} at least")), "{error}");
        assert_eq!(too_little_memory(least, 0, 2), None);
        assert_eq!(too_little_memory(0, 1 << 40, 2), None);
        let logins = 2 * (19 << 20);
        let error = too_little_memory(least, logins, 2).unwrap().to_string();
        assert!(error.contains("38 MiB for logins"), "{error}");
        assert_eq!(too_little_memory(least + logins, logins, 2), None);
    }

    #[test]
    fn faults_of_addresses_pages_and_users_are_found_together() {
        let mut settings = Settings::default();
        settings.listen.set("bolt", "7687");
        settings.listen.origins = "example.com, https://a.example".to_owned();
        settings.listen.hosts = "a.example:80".to_owned();
        settings.users.file = "/nowhere/at all".to_owned();
        settings.memory.max = 1;
        let faults: Vec<String> = check_settings(&settings).iter().map(Error::to_string).collect();
        let words = [
            "listen.bolt",
            "`example.com`",
            "`a.example:80`",
            "users.file: ",
            "memory.max is 1 (1 B)",
        ];
        assert_eq!(faults.len(), words.len(), "{faults:?}");
        assert!(faults.iter().zip(words).all(|(own, words)| own.contains(words)), "{faults:?}");
    }
}
