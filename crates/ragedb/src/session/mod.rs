//! The state of a running script: its runner, its prepared plans, its vertex cache, its limits.
//!
//! It lives in the Lua state's application data for the time of one script; every function borrows
//! it for one call. Here is also what a session holds for later calls: prefetched walks, lazy lists, the
//! room of a growing text. Functions, results and values of Lua never enter: the session knows columns and plans.

mod added;
mod lazy;
mod prefetch;
mod text_room;
mod vertex_cache;

use std::rc::Rc;
use std::sync::Arc;

use millrace_model::{Batch, Catalog, Error, Result, Value};
use millrace_plan::analysis::may_rename_vertices;
use millrace_plan::{Parameter, Plan, PreparedPlan, Runner};
use mlua::{AppDataRefMut, Lua, LuaString, WeakLua};
use rustc_hash::FxHashMap;

use crate::columns::{Items, Shared};
use crate::error::raise;
use crate::json::parse_plain;
use crate::limits::{
    COLLECT_BYTES_MIN, KEY_SETS_MAX, PLAIN_PROPERTIES_MAX, VERTEX_CACHE_BYTES_MAX,
    VERTEX_CACHE_BYTES_STEP, VERTEX_CACHE_SHARE,
};
use crate::memory::{Ledger, Reservation};
pub(crate) use lazy::{LazyLists, Pending, Source, Walked};
pub(crate) use prefetch::{Found, IN_ORDER_MIN, Next, Part, Prefetch, RecentList};
pub(crate) use text_room::TextRoom;
pub(crate) use vertex_cache::{EndText, VertexCache};

use added::Added;

/// The key of a script's prepared plans: the template and the names in it.
pub(crate) type PlanKey = (&'static str, String);

/// How large a script's memory and its answer may be.
#[derive(Clone, Copy, Debug)]
pub struct ScriptLimits {
    /// Bytes that Lua may allocate for it, beside the definitions for all scripts.
    pub bytes_max: usize,
    /// Bytes of its answer.
    pub answer_bytes_max: usize,
    /// Whether the answer says how long reading the text took.
    pub times_reading: bool,
}

/// A script under way.
pub(crate) struct Session {
    runner: Box<dyn Runner>,
    plans: FxHashMap<PlanKey, Ready>,
    vertex_cache: VertexCache,
    /// Its memory.
    vertex_cache_reservation: Option<Reservation>,
    added: Added,
    /// The values of a relationship under way; the next one uses the same memory.
    values: Vec<Value>,
    /// The memory of results, of this script and of those before it.
    ledger: Ledger,
    /// Bytes of the ledger that the budget knows of.
    charged: usize,
    /// Bytes made since garbage was last collected, and at how many it is again.
    made: usize,
    collect_at: usize,
    lua: WeakLua,
    limits: ScriptLimits,
    prefetch: Prefetch,
    pending: Pending,
    /// Lines it has printed.
    printed: u64,
    /// The error that ended the script; raised again by every `pcall` that swallowed it.
    fatal: Option<Error>,
}

/// A prepared plan.
#[derive(Clone, Copy)]
struct Ready {
    plan: PreparedPlan,
    /// Whether the vertex cache may be wrong once it ran.
    renames: bool,
}

impl Session {
    pub(crate) fn new(
        lua: &Lua,
        runner: Box<dyn Runner>,
        ledger: Ledger,
        limits: ScriptLimits,
    ) -> Session {
        Session {
            runner,
            plans: FxHashMap::default(),
            vertex_cache: VertexCache::default(),
            vertex_cache_reservation: None,
            added: Added::default(),
            values: Vec::new(),
            ledger,
            charged: 0,
            made: 0,
            collect_at: 0,
            lua: lua.weak(),
            limits,
            prefetch: Prefetch::default(),
            pending: Pending::default(),
            printed: 0,
            fatal: None,
        }
    }

    /// The session of the running script.
    pub(crate) fn of(lua: &Lua) -> mlua::Result<AppDataRefMut<'_, Session>> {
        lua.app_data_mut::<Session>()
            .ok_or_else(|| mlua::Error::runtime("graph functions work only while a script runs"))
    }

    pub(crate) fn into_parts(self) -> (Box<dyn Runner>, Option<Error>) {
        (self.runner, self.fatal)
    }

    pub(crate) fn catalog(&mut self) -> Arc<Catalog> {
        self.runner.catalog()
    }

    /// Runs the plan of a template, building and preparing it on its first use.
    pub(crate) fn run(
        &mut self,
        key: PlanKey,
        parameters: &[Parameter],
        build: impl FnOnce() -> Plan,
    ) -> mlua::Result<Batch> {
        let result = self.run_prepared(key, parameters, build);
        result.map_err(|error| self.note(error))
    }

    /// Runs a plan that is used once.
    pub(crate) fn run_once(
        &mut self,
        plan: &Plan,
        parameters: &[Parameter],
    ) -> mlua::Result<Batch> {
        self.check()?;
        if may_rename_vertices(plan) {
            self.clear_vertex_cache();
        }
        let result = self.runner.run_once(plan, parameters);
        result.map_err(|error| self.note(error))
    }

    /// Runs the plan of a template that comes in many forms: some are cached, the rest are used once.
    pub(crate) fn run_some(
        &mut self,
        key: PlanKey,
        parameters: &[Parameter],
        build: impl FnOnce() -> Plan,
    ) -> mlua::Result<Batch> {
        let is_cached = self.plans.contains_key(&key) || self.plans_of(key.0) < KEY_SETS_MAX;
        if is_cached {
            self.run(key, parameters, build)
        } else {
            self.run_once(&build(), parameters)
        }
    }

    /// The operators that a plan runs as.
    pub(crate) fn explain(&mut self, plan: &Plan) -> mlua::Result<String> {
        self.runner.explain(plan).map_err(|error| self.note(error))
    }

    /// Runs a plan; the time and rows of each of its operators, as text.
    pub(crate) fn profile(
        &mut self,
        plan: &Plan,
        parameters: &[Parameter],
    ) -> mlua::Result<String> {
        if may_rename_vertices(plan) {
            self.clear_vertex_cache();
        }
        self.runner.profile(plan, parameters).map_err(|error| self.note(error))
    }

    fn run_prepared(
        &mut self,
        key: PlanKey,
        parameters: &[Parameter],
        build: impl FnOnce() -> Plan,
    ) -> Result<Batch> {
        self.runner.check()?;
        let ready = match self.plans.get(&key) {
            Some(ready) => *ready,
            None => {
                let plan = build();
                let renames = may_rename_vertices(&plan);
                let ready = Ready { plan: self.runner.prepare(&plan)?, renames };
                self.plans.insert(key, ready);
                ready
            }
        };
        if ready.renames {
            self.clear_vertex_cache();
        }
        self.runner.run(ready.plan, parameters)
    }

    /// The vertices that were found or made.
    pub(crate) fn vertex_cache(&self) -> &VertexCache {
        &self.vertex_cache
    }

    /// Caches that a vertex is there and, with a type and a key, that these find it.
    pub(crate) fn cache_vertex(&mut self, name: Option<(&str, &str)>, vertex: u64) {
        let bytes_max = VERTEX_CACHE_BYTES_MAX.min(self.limits.bytes_max / VERTEX_CACHE_SHARE);
        if bytes_max <= self.vertex_cache.bytes() {
            self.clear_vertex_cache();
        }
        match name {
            Some((label, key)) => self.vertex_cache.note_key(label, key, vertex),
            None => self.vertex_cache.note(vertex),
        }
        let counted = self.vertex_cache_reservation.as_ref().map_or(0, Reservation::bytes);
        if counted < self.vertex_cache.bytes() {
            let more = self.ledger.reserve(VERTEX_CACHE_BYTES_STEP);
            match &mut self.vertex_cache_reservation {
                Some(reservation) => reservation.add(more),
                None => self.vertex_cache_reservation = Some(more),
            }
            if self.charge().is_err() {
                self.clear_vertex_cache();
            }
        }
    }

    /// Empties the vertex cache.
    fn clear_vertex_cache(&mut self) {
        if self.vertex_cache_reservation.take().is_none() {
            return;
        }
        self.vertex_cache = VertexCache::default();
        // Less than before always fits.
        let _ = self.charge();
    }

    /// Makes a relationship of a known form with plain properties between cached
    /// vertices; `None`: it is to be made another way.
    pub(crate) fn add_known_edge(
        &mut self,
        edge_type: &LuaString,
        (source, target): (&EndText<'_>, &EndText<'_>),
        properties: &str,
    ) -> mlua::Result<Option<u64>> {
        let known = &mut self.vertex_cache;
        let Some(source) = source.found(known, VertexCache::source) else { return Ok(None) };
        let Some(target) = target.found(known, VertexCache::target) else { return Ok(None) };
        let mut names = [""; PLAIN_PROPERTIES_MAX];
        self.values.clear();
        let Some(count) = parse_plain(properties, &mut names, &mut self.values) else {
            return Ok(None);
        };
        if let Some(error) = &self.fatal {
            return Err(raise(error.clone()));
        }
        let (form, ends) = ((edge_type, &names[..count]), (source, target));
        let result = self.added.add_known(&mut *self.runner, form, ends, &self.values);
        result.map_err(|error| self.note(error))
    }

    /// Makes a relationship between vertices that are there; `None`: by a plan.
    pub(crate) fn add_edge(
        &mut self,
        edge_type: &str,
        names: &[String],
        ends: (u64, u64),
        values: &[Value],
    ) -> mlua::Result<Option<u64>> {
        if let Some(error) = &self.fatal {
            return Err(raise(error.clone()));
        }
        let result = self.added.add(&mut *self.runner, (edge_type, names), ends, values);
        result.map_err(|error| self.note(error))
    }

    /// How many plans of a template are prepared.
    pub(crate) fn plans_of(&self, template: &str) -> usize {
        self.plans.keys().filter(|(name, _)| *name == template).count()
    }

    /// Fails once the time is up, and ever after.
    pub(crate) fn check(&mut self) -> mlua::Result<()> {
        if let Some(error) = &self.fatal {
            return Err(raise(error.clone()));
        }
        self.runner.check().map_err(|error| self.note(error))
    }

    /// The same, and reports the size of the interpreter.
    pub(crate) fn check_memory(&mut self, bytes: usize) -> mlua::Result<()> {
        self.check()?;
        self.runner.interpreter_holds(bytes).map_err(|error| self.note(error))
    }

    /// Bytes that the answer, or one text of JSON, may have.
    pub(crate) fn answer_bytes_max(&self) -> usize {
        self.limits.answer_bytes_max
    }

    /// Reserves bytes for the script, until the reservation is dropped.
    pub(crate) fn reserve(&mut self, bytes: usize) -> mlua::Result<Reservation> {
        self.check()?;
        let reservation = self.ledger.reserve(bytes);
        self.made = self.made.saturating_add(bytes);
        // Garbage may take a part of the budget only: the plans between need the rest.
        let least = COLLECT_BYTES_MIN.min(self.limits.bytes_max / 4);
        if self.collect_at.max(least) < self.made {
            self.collect()?;
        }
        if self.charge().is_err() {
            self.clear_vertex_cache();
            self.collect()?;
            self.charge().map_err(|error| self.note(error))?;
        }
        Ok(reservation)
    }

    /// Entries that results share, their bytes counted.
    pub(crate) fn share(&mut self, items: Items) -> mlua::Result<Rc<Shared>> {
        let reservation = self.reserve(items.byte_size())?;
        let shared = Shared::new(items, reservation);
        self.prefetch.note_list(&shared);
        Ok(shared)
    }

    /// Entries read ahead of the script.
    pub(crate) fn prefetch(&mut self) -> &mut Prefetch {
        &mut self.prefetch
    }

    /// Lists of which only the lengths were asked for.
    pub(crate) fn pending(&mut self) -> &mut Pending {
        &mut self.pending
    }

    /// Lines that were printed before the one that now is.
    pub(crate) fn count_printed(&mut self) -> u64 {
        self.printed += 1;
        self.printed - 1
    }

    /// The state it runs in.
    pub(crate) fn lua(&self) -> WeakLua {
        self.lua.clone()
    }

    /// Answers that a script has or will read stay those from before its write.
    pub(crate) fn before_a_write(&mut self, lua: &Lua) -> mlua::Result<()> {
        self.prefetch.clear();
        Pending::materialize(self, lua, false)
    }

    /// Lazy lists in globals that stay outlive the script, so they are walked now.
    pub(crate) fn end(&mut self, lua: &Lua) -> mlua::Result<()> {
        let result = Pending::materialize(self, lua, true);
        self.pending.give_up();
        result
    }

    /// Charges the budget with the change of the ledger.
    fn charge(&mut self) -> Result<()> {
        let bytes = self.ledger.bytes();
        let change = bytes as i64 - self.charged as i64;
        if change != 0 {
            self.runner.charge(change)?;
            self.charged = bytes;
        }
        Ok(())
    }

    /// Collects garbage; the larger the live heap, the longer until the next time.
    fn collect(&mut self) -> mlua::Result<()> {
        if let Some(lua) = self.lua.try_upgrade() {
            lua.gc_collect()?;
        }
        self.made = 0;
        self.collect_at = self.ledger.bytes();
        Ok(())
    }

    /// Keeps errors that no `pcall` may swallow.
    fn note(&mut self, error: Error) -> mlua::Error {
        use millrace_model::ErrorKind;
        let ends_script = match error.kind {
            ErrorKind::LimitReached
            | ErrorKind::DeadlineExceeded
            | ErrorKind::Cancelled
            | ErrorKind::Conflict
            | ErrorKind::ReadOnly
            | ErrorKind::OutcomeUnknown
            | ErrorKind::Unavailable
            | ErrorKind::Corrupt
            | ErrorKind::Io
            | ErrorKind::Bug => true,
            ErrorKind::BadQuery
            | ErrorKind::BadInput
            | ErrorKind::Failed
            | ErrorKind::Unsupported
            | ErrorKind::Constraint
            | ErrorKind::NotFound
            | ErrorKind::AlreadyExists
            | ErrorKind::Forbidden => false,
        };
        if ends_script && self.fatal.is_none() {
            self.fatal = Some(error.clone());
        }
        raise(error)
    }
}
