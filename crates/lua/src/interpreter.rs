//! One Lua state and its three sandboxes: runs scripts one after the other.
//!
//! An interpreter stays on its thread. Globals a script defines stay in its sandbox until the
//! interpreter is dropped. The runner goes in for one script and comes back with the answer: who
//! gave it commits or rolls back.

use millrace_model::{Error, ErrorKind, Phase};
use millrace_plan::Runner;
use mlua::Lua;
use mlua::state::{GcGenParams, GcMode};

use crate::files::{Files, OpenFile};
use crate::limits;
use crate::results::Ledger;
use crate::sandbox::{self, Access, Environment};
use crate::script;
use crate::session::Session;
use crate::watched::Text;

/// A Lua state that runs scripts.
pub struct Interpreter {
    lua: Lua,
    environments: [Environment; Access::ALL.len()],
    ledger: Ledger,
    bytes_max: usize,
    /// What the state held before its first script.
    empty_bytes: usize,
}

/// How large a script's memory and its answer may be.
#[derive(Clone, Copy, Debug)]
pub struct ScriptLimits {
    /// Bytes that Lua may hold for it, beside what scripts before it left in globals.
    pub bytes_max: usize,
    /// Bytes of its answer.
    pub answer_bytes_max: usize,
}

/// Why a script failed.
#[derive(Clone, Debug)]
pub struct ScriptError {
    /// The error, by kind; a plain Lua error is `BadQuery`.
    pub error: Error,
    /// What Lua says: the error's text with its place and the calls that led there.
    pub text: String,
}

/// What came of a script.
pub struct Answer {
    /// The JSON text of its last expression.
    pub result: Result<String, ScriptError>,
    /// The runner it was given.
    pub runner: Box<dyn Runner>,
}

impl Interpreter {
    /// A state that may hold `bytes_max` bytes, and read the files that `open` opens.
    pub fn new(bytes_max: usize, open: Option<OpenFile>) -> Result<Interpreter, Error> {
        Self::make(bytes_max, open).map_err(|error| Error::new(ErrorKind::Bug, error.to_string()))
    }

    fn make(bytes_max: usize, open: Option<OpenFile>) -> mlua::Result<Interpreter> {
        let lua = sandbox::new_state()?;
        lua.set_app_data(Files(open));
        let [read_only, read_write, admin] = Access::ALL;
        let environments = [
            Environment::new(&lua, read_only)?,
            Environment::new(&lua, read_write)?,
            Environment::new(&lua, admin)?,
        ];
        // Entries of results live short and are many: the young collection frees them cheaply.
        lua.gc_set_mode(GcMode::Generational(GcGenParams::default()));
        lua.set_memory_limit(bytes_max)?;
        let (ledger, empty_bytes) = (Ledger::default(), lua.used_memory());
        Ok(Interpreter { lua, environments, ledger, bytes_max, empty_bytes })
    }

    /// Bytes it holds, garbage included.
    pub fn held_bytes(&self) -> usize {
        self.lua.used_memory()
    }

    /// Frees what no script can reach any more. It walks all that is left.
    pub fn collect_garbage(&mut self) {
        // A finalizer that failed has freed what it could.
        let _failed = self.lua.gc_collect();
    }

    /// Whether a script asks to run in every interpreter.
    pub fn is_for_all(text: &str) -> bool {
        script::is_for_all(text)
    }

    /// Runs a script.
    pub fn run(
        &mut self,
        text: &str,
        access: Access,
        sizes: ScriptLimits,
        runner: Box<dyn Runner>,
    ) -> Answer {
        let ledger = self.ledger.clone();
        let session = Session::new(&self.lua, runner, ledger, sizes);
        self.lua.set_app_data(session);
        let result = self.limit_memory(sizes).and_then(|()| self.evaluate(text, access));
        let result = self.end(result);
        let session = self.lua.remove_app_data::<Session>();
        let (runner, fatal) = session.expect("set above, and only removed here").into_parts();
        let result = match (result, fatal) {
            (Ok(answer), None) => Ok(answer),
            (Err(error), fatal) => Err(script_error(&error, fatal)),
            (Ok(_), Some(fatal)) => {
                let text = fatal.to_string();
                Err(ScriptError { error: fatal, text })
            }
        };
        Answer { result, runner }
    }

    /// What a script that failed did not ask for is not worth a walk.
    fn end(&self, result: mlua::Result<String>) -> mlua::Result<String> {
        let mut session = Session::of(&self.lua)?;
        match result {
            Ok(answer) => session.end(&self.lua).map(|()| answer),
            Err(error) => {
                session.pending().give_up();
                Err(error)
            }
        }
    }

    /// What scripts before it dropped would count as free for a script that may hold little.
    fn limit_memory(&self, sizes: ScriptLimits) -> mlua::Result<()> {
        let grown = self.lua.used_memory().saturating_sub(self.empty_bytes);
        if sizes.bytes_max < self.bytes_max && limits::GARBAGE_BYTES_MAX < grown {
            self.lua.gc_collect()?;
        }
        let wanted = self.lua.used_memory().saturating_add(sizes.bytes_max);
        self.lua.set_memory_limit(wanted.min(self.bytes_max)).map(|_| ())
    }

    fn evaluate(&self, text: &str, access: Access) -> mlua::Result<String> {
        if text.len() > limits::SCRIPT_TEXT_BYTES_MAX {
            let most = limits::SCRIPT_TEXT_BYTES_MAX;
            return Err(mlua::Error::runtime(format!("a script has at most {most} bytes")));
        }
        let answer: mlua::Value = self.compile(text, access)?.call(())?;
        // What a script leaves behind is collected now, not on the next script's time.
        let answer = match answer {
            mlua::Value::String(answer) => answer.to_string_lossy(),
            other => other.to_string()?,
        };
        Ok(answer)
    }

    /// The first way to read the last lines as an expression that compiles; else the error of the
    /// first, which is RageDB's rule.
    fn compile(&self, text: &str, access: Access) -> mlua::Result<mlua::Function> {
        let mut first_error = None;
        for script in script::candidates(text).take(limits::ANSWER_LINES_MAX) {
            let text = Text { bytes: script.chunk.as_bytes(), name: "=script" };
            match self.environments[access as usize].compile(&self.lua, &text) {
                Ok(function) => return Ok(function),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        Err(first_error.unwrap_or_else(|| mlua::Error::runtime("the script is empty")))
    }
}

/// The model's error inside a Lua error, if it is one of ours.
fn inner_error(error: &mlua::Error) -> Option<Error> {
    match error {
        mlua::Error::CallbackError { cause, .. } => inner_error(cause),
        mlua::Error::WithContext { cause, .. } => inner_error(cause),
        mlua::Error::ExternalError(external) => external.downcast_ref::<Error>().cloned(),
        mlua::Error::MemoryError(text) => {
            let detail = format!("the script needs more memory than it may have: {text}");
            Some(Error::new(ErrorKind::LimitReached, detail))
        }
        mlua::Error::SyntaxError { message, .. } => {
            Some(Error::new(ErrorKind::BadQuery, message.clone()).in_phase(Phase::Parse))
        }
        _ => None,
    }
}

fn script_error(error: &mlua::Error, fatal: Option<Error>) -> ScriptError {
    let text = error.to_string();
    let plain = || Error::new(ErrorKind::BadQuery, text.lines().next().unwrap_or("?"));
    let error = fatal.or_else(|| inner_error(error)).unwrap_or_else(plain);
    ScriptError { error, text }
}
