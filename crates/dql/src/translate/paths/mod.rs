//! Blocks that walk to any depth: `shortest` and `@recurse`.

mod recurse;
mod shortest;

pub(super) use shortest::PATHS;
