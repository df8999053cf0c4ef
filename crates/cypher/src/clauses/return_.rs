//! `RETURN`: the result of a query.
