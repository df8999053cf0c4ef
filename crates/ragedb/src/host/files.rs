//! Files that scripts may read: only by names within a folder that the host opens for them.
//!
//! This crate never opens a file: the host gives a function that does.

use std::io::Read;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};
use mlua::{Function, Lua};

use crate::session::Session;

/// Opens a file by its name within the folder.
pub type OpenFile = Arc<dyn Fn(&str) -> Result<Box<dyn Read>> + Send + Sync>;

/// How the interpreter's host opens files; stored in the Lua state.
pub(crate) struct Files(pub(crate) Option<OpenFile>);

/// Bytes of a file read between two deadline checks.
const READ_BYTES: usize = 1 << 20;

/// A file of the folder.
pub(crate) fn open(lua: &Lua, name: &str) -> mlua::Result<Box<dyn Read>> {
    let files = lua.app_data_ref::<Files>();
    let Some(open) = files.as_ref().and_then(|files| files.0.clone()) else {
        let error = Error::new(ErrorKind::Forbidden, "no folder is open for scripts")
            .with_help("set scripts.csv-folder to the folder with the files");
        return Err(mlua::Error::external(error));
    };
    open(name).map_err(mlua::Error::external)
}

/// The function by which modules read a whole file as text.
pub(crate) fn reader(lua: &Lua) -> mlua::Result<Function> {
    lua.create_function(|lua, name: String| {
        let mut file = open(lua, &name)?;
        let mut text = Vec::new();
        let mut reservation = Session::of(lua)?.reserve(0)?;
        loop {
            reservation.add(Session::of(lua)?.reserve(READ_BYTES)?);
            let read = file.by_ref().take(READ_BYTES as u64).read_to_end(&mut text);
            if read.map_err(mlua::Error::external)? == 0 {
                return lua.create_string(&text);
            }
            Session::of(lua)?.check()?;
        }
    })
}
