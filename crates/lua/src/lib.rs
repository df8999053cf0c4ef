//! Lua scripts to plans.
