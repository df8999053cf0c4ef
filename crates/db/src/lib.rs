//! Assembly: databases, sessions, cursors, registries.
