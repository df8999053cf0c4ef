//! Values, identity, schema, rows and error kinds: the words every layer shares.
