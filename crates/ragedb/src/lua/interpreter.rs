//! One Lua state and its three sandboxes: runs scripts one after the other.
//!
//! An interpreter stays on its thread. Globals a script defines are gone when it ends; those of a
//! script that [`Interpreter::define`] runs stay in its sandbox until the interpreter is dropped. The
//! runner goes in for one script and comes back with the answer: its owner commits or rolls back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_model::{Error, ErrorKind, Value};
use millrace_plan::Runner;
use mlua::Lua;
use mlua::state::{GcGenParams, GcMode};

use crate::access::Access;
use crate::error::{ScriptError, script_error};
use crate::host::{self, Files, OpenFile, PrintLine};
use crate::limits;
use crate::memory::Ledger;
use crate::sandbox::{self, Environment};
use crate::script::{self, Script, Text, compile_any};
use crate::session::{ScriptLimits, Session};

/// A Lua state that runs scripts.
pub struct Interpreter {
    lua: Lua,
    environments: [Environment; Access::ALL.len()],
    ledger: Ledger,
    bytes_max: usize,
    /// Bytes of the state before its first script.
    empty_bytes: usize,
    /// Whether scripts left definitions.
    has_definitions: bool,
    /// Whether a script left more behind than an interpreter should carry on with.
    is_worn: bool,
}

/// The fate of a script's globals at its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Globals {
    Discarded,
    Retained,
}

/// The outcome of a script.
pub struct Answer {
    /// The JSON text of its last expression.
    pub result: Result<String, ScriptError>,
    /// The runner of the call.
    pub runner: Box<dyn Runner>,
    /// How long reading the text took, where that was asked for.
    pub reading: Duration,
}

impl Interpreter {
    /// A state of at most `bytes_max` bytes, and read the files that `open` opens.
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
        Ok(Interpreter {
            lua,
            environments,
            ledger,
            bytes_max,
            empty_bytes,
            has_definitions: false,
            is_worn: false,
        })
    }

    /// Bytes of its memory, garbage included.
    pub fn memory_bytes(&self) -> usize {
        self.lua.used_memory()
    }

    /// Frees objects that no script can reach any more. It walks all the others.
    pub fn collect_garbage(&mut self) {
        // A finalizer that failed does not stop the collection.
        let _failed = self.lua.gc_collect();
    }

    /// Passes printed lines to `print_line` instead of the standard error.
    pub fn print_with(&mut self, print_line: PrintLine) {
        host::set_output(&self.lua, print_line);
    }

    /// Whether a new interpreter is better than this one: a script left thousands of globals.
    pub fn is_worn(&self) -> bool {
        self.is_worn
    }

    /// Whether a script asks to run in every interpreter.
    pub fn is_for_all(text: &str) -> bool {
        script::is_for_all(text)
    }

    /// Sets globals for the script that runs next. A name that the sandbox has already is refused.
    pub fn set_parameters(
        &mut self,
        access: Access,
        parameters: &[(Arc<str>, Value)],
    ) -> Result<(), Error> {
        let environment = &self.environments[access as usize];
        for (name, value) in parameters {
            let set = environment.set_parameter(&self.lua, name, value);
            let refused = match set {
                Ok(true) => continue,
                Ok(false) => {
                    let detail = format!("a parameter cannot have the name `{name}`: Lua has it");
                    Error::new(ErrorKind::BadInput, detail).with_help("give it another name")
                }
                Err(error) => script_error(&error, None).error,
            };
            self.is_worn |= environment.clear().is_err();
            return Err(refused);
        }
        Ok(())
    }

    /// Runs a script; its globals are gone behind it.
    pub fn run(
        &mut self,
        text: &str,
        access: Access,
        sizes: ScriptLimits,
        runner: Box<dyn Runner>,
    ) -> Answer {
        self.run_with((text, access), Globals::Discarded, sizes, runner)
    }

    /// Runs a script for its definitions: its globals are there for all that come, those that it
    /// made before an error, too.
    pub fn define(
        &mut self,
        text: &str,
        access: Access,
        sizes: ScriptLimits,
        runner: Box<dyn Runner>,
    ) -> Answer {
        self.has_definitions = true;
        self.run_with((text, access), Globals::Retained, sizes, runner)
    }

    fn run_with(
        &mut self,
        (text, access): (&str, Access),
        globals: Globals,
        sizes: ScriptLimits,
        runner: Box<dyn Runner>,
    ) -> Answer {
        let ledger = self.ledger.clone();
        let session = Session::new(&self.lua, runner, ledger, sizes);
        self.lua.set_app_data(session);
        let is_for_all = globals == Globals::Retained || access == Access::Admin;
        let is_for_all = is_for_all && script::is_for_all(text);
        let mut reading = Duration::ZERO;
        let compile = || {
            let began = sizes.times_reading.then(Instant::now);
            let compiled = self.compile(text, access, is_for_all);
            reading = began.map_or(reading, |began| began.elapsed());
            compiled
        };
        let result = self.limit_memory(sizes).and_then(|()| Self::evaluate(text, compile));
        let environment = &self.environments[access as usize];
        let left = match globals {
            Globals::Discarded => environment.clear(),
            Globals::Retained => environment.keep(),
        };
        let result = self.end(result);
        self.is_worn |= left.map_or(true, |count| limits::GLOBALS_MAX < count);
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
        Answer { result, runner, reading }
    }

    /// Lazy lists that a failed script never read are not worth a walk.
    fn end(&self, result: mlua::Result<String>) -> mlua::Result<String> {
        let mut session = Session::of(&self.lua)?;
        match result {
            Ok(answer) if self.has_definitions => session.end(&self.lua).map(|()| answer),
            // Nothing can reach the results of the script.
            result => {
                session.pending().give_up();
                result
            }
        }
    }

    /// Garbage of earlier scripts would count against a script with a low limit.
    fn limit_memory(&self, sizes: ScriptLimits) -> mlua::Result<()> {
        let grown = self.lua.used_memory().saturating_sub(self.empty_bytes);
        if sizes.bytes_max < self.bytes_max && limits::GARBAGE_BYTES_MAX < grown {
            self.lua.gc_collect()?;
        }
        let wanted = self.lua.used_memory().saturating_add(sizes.bytes_max);
        self.lua.set_memory_limit(wanted.min(self.bytes_max)).map(|_| ())
    }

    fn evaluate(
        text: &str,
        compile: impl FnOnce() -> mlua::Result<mlua::Function>,
    ) -> mlua::Result<String> {
        if text.len() > limits::SCRIPT_TEXT_BYTES_MAX {
            let most = limits::SCRIPT_TEXT_BYTES_MAX;
            return Err(mlua::Error::runtime(format!("a script has at most {most} bytes")));
        }
        let answer: mlua::Value = compile()?.call(())?;
        // The script's garbage is collected now, not on the next script's time.
        let answer = match answer {
            mlua::Value::String(answer) => answer.to_string_lossy(),
            other => other.to_string()?,
        };
        Ok(answer)
    }

    /// The first way to read the text that compiles; else an error about the text as it was written.
    fn compile(
        &self,
        text: &str,
        access: Access,
        is_for_all: bool,
    ) -> mlua::Result<mlua::Function> {
        let compile = |script: &Script| {
            let text = Text { bytes: script.chunk.as_bytes(), name: "=script" };
            self.environments[access as usize].compile(&self.lua, &text)
        };
        compile_any(text, is_for_all, compile)
    }
}
