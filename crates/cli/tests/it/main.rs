//! The real program: its commands, its exit codes, and its data after it was killed.

mod article;
mod batches;
mod browser;
mod commands;
mod descriptors;
mod drivers;
mod export;
mod full_disk;
mod gatling;
mod hostile_page;
mod java_suite;
mod kill_nine;
mod killed_load;
mod log;
mod log_of_the_store;
mod maintenance;
mod page;
mod pages;
mod program;
mod readme;
mod real_films;
mod shell;
mod slow_queries;
mod tables;
mod users;
mod versions;
