//! GraphSON: JSON with typed values, in two versions, and a form without types.
//!
//! ```text
//!            3                                              2                   untyped
//!   7        {"@type":"g:Int32","@value":7}                 the same            7
//!   [7]      {"@type":"g:List","@value":[…]}                […]                 [7]
//!   {1: "a"} {"@type":"g:Map","@value":[…,"a"]}             {"1":"a"}           {"1":"a"}
//! ```
//!
//! One reader reads all three, since each object names its type. An integer without a type is an Int if
//! it fits, as in Java. The specification: <https://tinkerpop.apache.org/docs/3.8.1/dev/io/#graphson>.

mod element;
pub(crate) mod iso;
mod janusgraph;
pub(crate) mod json;
mod metrics;
mod process;
mod read;
mod scalar;
mod write;

use millrace_model::Result;

use super::datum::Datum;
use json::Json;
pub(crate) use read::datum;
pub(crate) use write::Writer;

/// How much is said of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// GraphSON 3: of everything.
    V3,
    /// GraphSON 2: of everything but collections.
    V2,
    /// Nothing.
    Untyped,
}

/// Reads one thing, which is all there is.
pub fn read(bytes: &[u8]) -> Result<Datum> {
    datum(&Json::parse(bytes)?)
}

/// Writes one thing.
pub fn write(datum: &Datum, version: Version) -> Result<String> {
    let mut writer = Writer::new(version);
    writer.datum(datum)?;
    Ok(writer.finish())
}
