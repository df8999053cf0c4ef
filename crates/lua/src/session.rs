//! What a running script holds: its runner, its prepared plans, its limits.
//!
//! It lives in the Lua state's application data for the time of one script; every function borrows
//! it for one call.

use std::sync::Arc;

use millrace_model::{Batch, Catalog, Error, Result};
use millrace_plan::{Parameter, Plan, PreparedPlan, Runner};
use mlua::{AppDataRefMut, Lua};
use rustc_hash::FxHashMap;

use crate::limits::KEY_SETS_MAX;

/// What tells prepared plans of one script apart: the template and the names in it.
pub(crate) type PlanKey = (&'static str, String);

/// A script under way.
pub(crate) struct Session {
    runner: Box<dyn Runner>,
    plans: FxHashMap<PlanKey, PreparedPlan>,
    /// The error that ended the script; raised again by every `pcall` that swallowed it.
    fatal: Option<Error>,
}

impl Session {
    pub(crate) fn new(runner: Box<dyn Runner>) -> Session {
        Session { runner, plans: FxHashMap::default(), fatal: None }
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
        let result = self.runner.run_once(plan, parameters);
        result.map_err(|error| self.note(error))
    }

    /// Runs the plan of a template that comes in many forms: some are kept, the rest are used once.
    pub(crate) fn run_some(
        &mut self,
        key: PlanKey,
        parameters: &[Parameter],
        build: impl FnOnce() -> Plan,
    ) -> mlua::Result<Batch> {
        let kept = self.plans.contains_key(&key) || self.plans_of(key.0) < KEY_SETS_MAX;
        if kept { self.run(key, parameters, build) } else { self.run_once(&build(), parameters) }
    }

    fn run_prepared(
        &mut self,
        key: PlanKey,
        parameters: &[Parameter],
        build: impl FnOnce() -> Plan,
    ) -> Result<Batch> {
        let prepared = match self.plans.get(&key) {
            Some(prepared) => *prepared,
            None => {
                let prepared = self.runner.prepare(&build())?;
                self.plans.insert(key, prepared);
                prepared
            }
        };
        self.runner.run(prepared, parameters)
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

    /// Counts bytes held for the script.
    pub(crate) fn charge(&mut self, bytes: usize) -> mlua::Result<()> {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.runner.charge(bytes).map_err(|error| self.note(error))
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
