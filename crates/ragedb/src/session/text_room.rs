//! Room for a text that grows: within the bytes of an answer, and reserved as the script's memory.

use millrace_model::query_limits::require_room;
use millrace_model::{Error, ErrorKind};
use mlua::Lua;

use super::Session;
use crate::error::raise;
use crate::limits::ANSWER_BYTES_STEP;
use crate::memory::Reservation;

fn too_large(most: usize) -> mlua::Error {
    let limit = format!("the answer is larger than {most} bytes");
    let error = Error::new(ErrorKind::LimitReached, limit)
        .with_help("ask for less, or raise scripts.answer-bytes-max");
    mlua::Error::external(error)
}

/// Room for a text under way.
pub(crate) struct TextRoom<'a> {
    lua: &'a Lua,
    /// The memory reserved for the text.
    reservation: Option<Reservation>,
}

impl TextRoom<'_> {
    /// Nothing is reserved before the first check.
    pub(crate) fn new(lua: &Lua) -> TextRoom<'_> {
        TextRoom { lua, reservation: None }
    }

    /// Fails if the text is larger than an answer may be, or the time is up.
    pub(crate) fn check(&mut self, text: &str) -> mlua::Result<()> {
        let Some(mut session) = self.lua.app_data_mut::<Session>() else { return Ok(()) };
        let most = session.answer_bytes_max();
        if most < text.len() {
            return Err(too_large(most));
        }
        session.check()?;
        let counted = self.reservation.as_ref().map_or(0, Reservation::bytes);
        if counted < text.len() {
            // More than a growing text needs now, but not much more for a small one.
            let more = text.len().min(ANSWER_BYTES_STEP);
            let more = session.reserve(text.len() - counted + more)?;
            match &mut self.reservation {
                Some(reservation) => reservation.add(more),
                None => self.reservation = Some(more),
            }
        }
        Ok(())
    }

    /// A large text is refused before it is copied.
    pub(crate) fn expect(&mut self, bytes: usize, text: &str) -> mlua::Result<()> {
        if bytes <= ANSWER_BYTES_STEP {
            return Ok(());
        }
        if let Some(session) = self.lua.app_data_ref::<Session>() {
            let most = session.answer_bytes_max();
            if most < text.len().saturating_add(bytes) {
                return Err(too_large(most));
            }
        }
        // The text as it is, with its escapes, and the text that it becomes a part of.
        require_room(3 * bytes as u64).map_err(raise)
    }

    /// A large text is checked at once.
    pub(crate) fn check_long(&mut self, part: &str, text: &str) -> mlua::Result<()> {
        if ANSWER_BYTES_STEP < part.len() { self.check(text) } else { Ok(()) }
    }
}
