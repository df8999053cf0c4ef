//! neo4j-admin's options, as scripts of its users have them: each is done anyway, or refused with the
//! words for it here.
//!
//! None of the options changes anything: an accepted option asks for the behaviour without it.

use millrace_model::{Error, ErrorKind, Result};

use crate::arguments::ForeignArguments;

/// Refuses an option that asks for something else than is done.
pub(crate) fn check(given: &ForeignArguments) -> Result<()> {
    let id_type = given.id_type.as_deref().map(str::to_ascii_lowercase);
    let is_utf8 =
        given.input_encoding.as_deref().is_none_or(|name| name.eq_ignore_ascii_case("utf-8"));
    let others = [
        (
            id_type.is_some_and(|word| word != "string"),
            "--id-type",
            "ids are texts here, so numbers are too: leave it out, or make those of a space numbers in its header, \
             as id:ID(Person){id-type: long}",
        ),
        (
            given.normalize_types == Some(false),
            "--normalize-types",
            "numbers have 64 bits here: leave it out",
        ),
        (
            given.skip_bad_relationships == Some(true),
            "--skip-bad-relationships",
            "set how many rows may be bad: --max-bad N; they are written to files of their own",
        ),
        (
            given.skip_duplicate_nodes == Some(true),
            "--skip-duplicate-nodes",
            "set how many rows may be bad: --max-bad N; the first of several nodes stays",
        ),
        (given.bad_tolerance.is_some(), "--bad-tolerance", "say --max-bad N"),
        (
            given.trim_strings == Some(true),
            "--trim-strings",
            "texts are kept as they are written: trim them in the file",
        ),
        (
            given.overwrite_destination == Some(true),
            "--overwrite-destination",
            "a load adds to its graph: name another, or empty this one first",
        ),
        (!is_utf8, "--input-encoding", "text is UTF-8: convert the files (iconv)"),
        (given.report_file.is_some(), "--report-file", "bad rows go where --rejects PATH says"),
        (
            given.ignore_extra_columns == Some(true),
            "--ignore-extra-columns",
            "a row with more fields than the header is bad: set how many may be, --max-bad N",
        ),
        (
            given.auto_skip_subsequent_headers == Some(true),
            "--auto-skip-subsequent-headers",
            "only the first file of a table has a header: take the others' away",
        ),
        (
            given.legacy_style_quoting == Some(true),
            "--legacy-style-quoting",
            "a quote in a field is written twice, never behind a backslash",
        ),
    ];
    match others.into_iter().find(|(is_given, ..)| *is_given) {
        None => Ok(()),
        Some((_, name, help)) => {
            let detail = format!("{name} is an option of neo4j-admin that a load does not have");
            Err(Error::new(ErrorKind::BadInput, detail).with_help(help))
        }
    }
}
