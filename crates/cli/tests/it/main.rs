//! The real program: its commands, its exit codes, and what is left after it was killed.

mod commands;
mod kill_nine;
mod pages;
mod program;
