//! The text of Gremlin to instructions: one grammar for `gremlin-lang` and for the Groovy that people write.
