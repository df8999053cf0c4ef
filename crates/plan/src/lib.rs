//! The one algebra: operators, expressions, builder, rules, printer.
