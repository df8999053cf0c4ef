//! The crate from outside: keys and questions, queries, and tokens compared with those of Lucene.

mod keys;
mod lucene;
mod queries;
