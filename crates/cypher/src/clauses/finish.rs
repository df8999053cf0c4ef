//! `FINISH`: a query without a result.
