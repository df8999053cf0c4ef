//! `WITH`: the rows of the next part of a query.
