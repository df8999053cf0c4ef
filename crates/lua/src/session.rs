//! What a running script holds: its runner, its prepared plans, what it remembers, its limits.
//!
//! It lives in the Lua state's application data for the time of one script; every function borrows
//! it for one call.

use std::rc::Rc;
use std::sync::Arc;

use millrace_model::{Batch, Catalog, Error, Result, Value};
use millrace_plan::analysis::may_rename_vertices;
use millrace_plan::{Parameter, Plan, PreparedPlan, Runner};
use mlua::{AppDataRefMut, Lua, LuaString, WeakLua};
use rustc_hash::FxHashMap;

use crate::added::Added;
use crate::functions::Ahead;
use crate::interpreter::ScriptLimits;
use crate::limits::{
    COLLECT_BYTES_MIN, KEY_SETS_MAX, PLAIN_PROPERTIES_MAX, REMEMBERED_BYTES_MAX,
    REMEMBERED_BYTES_STEP, REMEMBERED_SHARE,
};
use crate::plain_json::parse_plain;
use crate::remembered::{EndText, Remembered};
use crate::results::{Held, Items, Ledger, Pending, Shared};

/// What tells prepared plans of one script apart: the template and the names in it.
pub(crate) type PlanKey = (&'static str, String);

/// A script under way.
pub(crate) struct Session {
    runner: Box<dyn Runner>,
    plans: FxHashMap<PlanKey, Ready>,
    remembered: Remembered,
    /// What is counted for it.
    remembered_held: Option<Held>,
    added: Added,
    /// The values of a relationship under way, kept for the next.
    values: Vec<Value>,
    /// What results hold, of this script and of those before it.
    ledger: Ledger,
    /// Bytes of the ledger that the budget knows of.
    charged: usize,
    /// Bytes made since garbage was last collected, and at how many it is again.
    made: usize,
    collect_at: usize,
    lua: WeakLua,
    limits: ScriptLimits,
    ahead: Ahead,
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
    /// Whether what was remembered of vertices may be wrong once it ran.
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
            remembered: Remembered::default(),
            remembered_held: None,
            added: Added::default(),
            values: Vec::new(),
            ledger,
            charged: 0,
            made: 0,
            collect_at: 0,
            lua: lua.weak(),
            limits,
            ahead: Ahead::default(),
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
            self.forget();
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
        let kept = self.plans.contains_key(&key) || self.plans_of(key.0) < KEY_SETS_MAX;
        if kept { self.run(key, parameters, build) } else { self.run_once(&build(), parameters) }
    }

    /// The operators that a plan runs as.
    pub(crate) fn explain(&mut self, plan: &Plan) -> mlua::Result<String> {
        self.runner.explain(plan).map_err(|error| self.note(error))
    }

    /// What each operator of a plan did.
    pub(crate) fn profile(
        &mut self,
        plan: &Plan,
        parameters: &[Parameter],
    ) -> mlua::Result<String> {
        if may_rename_vertices(plan) {
            self.forget();
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
            self.forget();
        }
        self.runner.run(ready.plan, parameters)
    }

    /// What is known of vertices by what was found or made.
    pub(crate) fn remembered(&self) -> &Remembered {
        &self.remembered
    }

    /// Remembers that a vertex is there and, with a type and a key, that these find it.
    pub(crate) fn remember(&mut self, name: Option<(&str, &str)>, vertex: u64) {
        let bytes_max = REMEMBERED_BYTES_MAX.min(self.limits.bytes_max / REMEMBERED_SHARE);
        if bytes_max <= self.remembered.bytes() {
            self.forget();
        }
        match name {
            Some((label, key)) => self.remembered.note_key(label, key, vertex),
            None => self.remembered.note(vertex),
        }
        let counted = self.remembered_held.as_ref().map_or(0, Held::bytes);
        if counted < self.remembered.bytes() {
            let more = self.ledger.hold(REMEMBERED_BYTES_STEP);
            match &mut self.remembered_held {
                Some(held) => held.add(more),
                None => self.remembered_held = Some(more),
            }
            if self.settle().is_err() {
                self.forget();
            }
        }
    }

    /// Forgets what it knows of vertices.
    fn forget(&mut self) {
        if self.remembered_held.take().is_none() {
            return;
        }
        self.remembered = Remembered::default();
        // Less than before always fits.
        let _ = self.settle();
    }

    /// Makes a relationship of a known form with plain properties between vertices that are
    /// remembered; `None`: it is to be made another way.
    pub(crate) fn add_known_edge(
        &mut self,
        edge_type: &LuaString,
        (source, target): (&EndText<'_>, &EndText<'_>),
        properties: &str,
    ) -> mlua::Result<Option<u64>> {
        let known = &mut self.remembered;
        let Some(source) = source.found(known, Remembered::source) else { return Ok(None) };
        let Some(target) = target.found(known, Remembered::target) else { return Ok(None) };
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

    /// The same, and tells how many bytes the interpreter holds.
    pub(crate) fn check_holding(&mut self, bytes: usize) -> mlua::Result<()> {
        self.check()?;
        self.runner.interpreter_holds(bytes).map_err(|error| self.note(error))
    }

    /// Bytes that the answer, or one text of JSON, may have.
    pub(crate) fn answer_bytes_max(&self) -> usize {
        self.limits.answer_bytes_max
    }

    /// Counts bytes held for the script, until the count is dropped.
    pub(crate) fn hold(&mut self, bytes: usize) -> mlua::Result<Held> {
        self.check()?;
        let held = self.ledger.hold(bytes);
        self.made = self.made.saturating_add(bytes);
        // Garbage may take a part of the budget only: the plans between need the rest.
        let least = COLLECT_BYTES_MIN.min(self.limits.bytes_max / 4);
        if self.collect_at.max(least) < self.made {
            self.collect()?;
        }
        if self.settle().is_err() {
            self.forget();
            self.collect()?;
            self.settle().map_err(|error| self.note(error))?;
        }
        Ok(held)
    }

    /// Entries that results share, their bytes counted.
    pub(crate) fn share(&mut self, items: Items) -> mlua::Result<Rc<Shared>> {
        let held = self.hold(items.byte_size())?;
        let shared = Shared::new(items, held);
        self.ahead.note_list(&shared);
        Ok(shared)
    }

    /// What the script will ask for next.
    pub(crate) fn ahead(&mut self) -> &mut Ahead {
        &mut self.ahead
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
        self.ahead.forget();
        Pending::settle(self, lua, false)
    }

    /// What is left in globals that stay outlives the script.
    pub(crate) fn end(&mut self, lua: &Lua) -> mlua::Result<()> {
        let settled = Pending::settle(self, lua, true);
        self.pending.give_up();
        settled
    }

    /// Tells the budget what the ledger says.
    fn settle(&mut self) -> Result<()> {
        let bytes = self.ledger.bytes();
        let change = bytes as i64 - self.charged as i64;
        if change != 0 {
            self.runner.charge(change)?;
            self.charged = bytes;
        }
        Ok(())
    }

    /// Collects what the script dropped; the more is alive, the later it is done again.
    fn collect(&mut self) -> mlua::Result<()> {
        if let Some(lua) = self.lua.try_upgrade() {
            lua.gc_collect()?;
        }
        self.made = 0;
        self.collect_at = self.ledger.bytes();
        Ok(())
    }

    /// Remembers errors that no `pcall` may swallow.
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

/// An error as Lua raises it.
pub(crate) fn raise(error: Error) -> mlua::Error {
    mlua::Error::external(error)
}
