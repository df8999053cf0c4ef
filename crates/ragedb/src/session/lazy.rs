//! Lists that are walked when a script asks for an entry; until then only their lengths are known.
//!
//! A script that goes through a map of lists often asks for lengths alone, and for those the store has
//! no list to walk. The entries are those of the time of the call, so they are walked before a change to
//! the graph ([`Pending::materialize`]), and at the end of the script if a global refers to them.

use std::cell::{OnceCell, RefCell};
use std::rc::{Rc, Weak};

use millrace_model::{Error, ErrorKind};
use mlua::{Lua, WeakLua};

use super::Session;
use crate::columns::Shared;
use crate::error::raise;
use crate::limits::{PENDING_ALIVE_MAX, PENDING_LISTED_MIN};
use crate::memory::Reservation;

/// Entries, and a view of them (offset, length) for each row.
pub(crate) type Walked = (Rc<Shared>, Vec<(u32, u32)>);

/// Walks from all rows at once.
type Walk = Box<dyn Fn(&mut Session) -> mlua::Result<Walked>>;

/// Lists of which only the lengths are known, until one is asked for an entry: then all are walked.
pub(crate) struct LazyLists {
    lengths: Vec<u32>,
    walk: RefCell<Option<Walk>>,
    walked: OnceCell<Walked>,
    lua: WeakLua,
    _reservation: Reservation,
}

impl LazyLists {
    /// Lists of these lengths, and the walk that reads their entries.
    pub(crate) fn new(
        session: &mut Session,
        lengths: Vec<u32>,
        walk: impl Fn(&mut Session) -> mlua::Result<Walked> + 'static,
    ) -> mlua::Result<Rc<LazyLists>> {
        // A length, and the vertex that it is walked from.
        let reservation = session.reserve(lengths.len() * 12)?;
        let walk: RefCell<Option<Walk>> = RefCell::new(Some(Box::new(walk)));
        let (lua, walked) = (session.lua(), OnceCell::new());
        let lists = Rc::new(LazyLists { lengths, walk, walked, lua, _reservation: reservation });
        session.pending().note(&lists);
        Ok(lists)
    }

    /// How many entries a list has.
    pub(crate) fn len(&self, row: usize) -> usize {
        self.lengths[row] as usize
    }

    /// The entries; they are walked now if they were not before.
    pub(crate) fn walked(&self) -> mlua::Result<&Walked> {
        if self.walked.get().is_none() {
            let lua = self.lua.try_upgrade();
            let lua = lua.ok_or_else(|| bug("a list outlives its interpreter"))?;
            let session = lua.try_app_data_mut::<Session>();
            let session = session.map_err(|_| bug("a list is read while its script is at work"))?;
            let mut session = session.ok_or_else(gone)?;
            self.materialize(&mut session)?;
        }
        self.walked.get().ok_or_else(gone)
    }

    /// Walks, unless that was done before.
    fn materialize(&self, session: &mut Session) -> mlua::Result<()> {
        let Some(walk) = self.walk.take() else { return Ok(()) };
        let walked = walk(session);
        if walked.is_err() {
            // A script that catches the error may ask again.
            self.walk.replace(Some(walk));
        }
        let (entries, views) = walked?;
        let lengths = views.iter().map(|(_, len)| *len);
        if !lengths.eq(self.lengths.iter().copied()) {
            return Err(bug("a walk gives other numbers of entries than were counted"));
        }
        // The cell is empty: the walk was taken, and only it fills the cell.
        let _ = self.walked.set((entries, views));
        Ok(())
    }
}

fn bug(text: &str) -> mlua::Error {
    raise(Error::new(ErrorKind::Bug, text))
}

/// A failed script's lists are not walked at its end.
fn gone() -> mlua::Error {
    let text = "the script that found these entries failed before it read them";
    raise(Error::new(ErrorKind::BadQuery, text).with_help("ask the graph for them again"))
}

/// Lists of a script with no entry asked for yet.
#[derive(Default)]
pub(crate) struct Pending {
    listed: Vec<Weak<LazyLists>>,
    /// At how many those are left out that were walked or dropped.
    sort_out_at: usize,
}

impl Pending {
    fn note(&mut self, lists: &Rc<LazyLists>) {
        if self.sort_out_at.max(PENDING_LISTED_MIN) <= self.listed.len() {
            self.sort_out();
            self.sort_out_at = 2 * self.listed.len();
        }
        self.listed.push(Rc::downgrade(lists));
    }

    fn sort_out(&mut self) {
        let waits = |lists: &Rc<LazyLists>| lists.walk.borrow().is_some();
        self.listed.retain(|lists| lists.upgrade().as_ref().is_some_and(waits));
    }

    /// Walks all that a script can still ask for.
    pub(crate) fn materialize(session: &mut Session, lua: &Lua, is_end: bool) -> mlua::Result<()> {
        let alive = |session: &mut Session| {
            session.pending().sort_out();
            session.pending().listed.len()
        };
        let most = if is_end { 0 } else { PENDING_ALIVE_MAX };
        if most < alive(session) {
            // Most of them are garbage, and are not worth a walk.
            lua.gc_collect()?;
            alive(session);
        }
        for lists in std::mem::take(&mut session.pending().listed) {
            if let Some(lists) = lists.upgrade() {
                lists.materialize(session)?;
            }
        }
        Ok(())
    }

    /// Leaves all that was not walked without entries.
    pub(crate) fn give_up(&mut self) {
        for lists in self.listed.drain(..).filter_map(|lists| lists.upgrade()) {
            lists.walk.take();
        }
    }
}

/// Where the entries of a list are.
#[derive(Clone)]
pub(crate) enum Source {
    /// They are there, from an entry on.
    Shared(Rc<Shared>, usize),
    /// They are those of a row.
    Lazy(Rc<LazyLists>, usize),
}

impl Source {
    /// The entries, and the first that counts.
    pub(crate) fn entries(&self) -> mlua::Result<(&Rc<Shared>, usize)> {
        match self {
            Source::Shared(items, from) => Ok((items, *from)),
            Source::Lazy(lists, row) => {
                let (items, views) = lists.walked()?;
                Ok((items, views[*row].0 as usize))
            }
        }
    }
}
