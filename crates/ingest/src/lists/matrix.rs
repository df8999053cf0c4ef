//! The header of Matrix Market: what its entries are, and how many.
//!
//! The format is that of the National Institute of Standards and Technology; `array`, which has a line for each
//! entry of a dense matrix, is refused.

use super::options::Property;
use crate::csv::ElementType;
use crate::error::{LoadError, excerpt};
use crate::limits::{GUESS_BYTES, MATRIX_NODES_FREE, MATRIX_NODES_MAX, MATRIX_NODES_PER_ENTRY};
use crate::source::BlockReader;

/// What an entry holds behind its row and its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Real,
    Integer,
    Complex,
    /// Nothing.
    Pattern,
}

impl Field {
    pub(super) fn properties(self) -> Vec<Property> {
        match self {
            Self::Real => vec![Property::new("weight", ElementType::Double)],
            Self::Integer => vec![Property::new("weight", ElementType::Integer)],
            Self::Complex => vec![
                Property::new("weight", ElementType::Double),
                Property::new("imaginary", ElementType::Double),
            ],
            Self::Pattern => Vec::new(),
        }
    }
}

/// How entries above the diagonal follow from those below, which alone are in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    General,
    Symmetric,
    /// With the opposite sign.
    Skew,
    /// With the opposite imaginary part.
    Hermitian,
}

impl Symmetry {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Symmetric => "symmetric",
            Self::Skew => "skew-symmetric",
            Self::Hermitian => "hermitian",
        }
    }
}

/// The header of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    pub(super) field: Field,
    pub(super) symmetry: Symmetry,
    pub(super) rows: u64,
    pub(super) columns: u64,
    /// Lines of entries.
    pub(super) entries: u64,
    /// The line of the size; entries stand behind it.
    pub(super) size_line: u64,
}

/// Reads the header ahead; the bytes that are in memory for it, too.
pub(super) fn read(reader: &mut BlockReader) -> Result<(Matrix, u64), LoadError> {
    let (mut banner, mut bytes) = (None, 0);
    while bytes < GUESS_BYTES {
        let Some(block) = reader.peek_block()? else { break };
        bytes += block.bytes.len() as u64;
        for (number, line) in (block.first_line..).zip(block.bytes.split(|byte| *byte == b'\n')) {
            let line = String::from_utf8_lossy(line);
            let read = match banner {
                None => read_banner(&line).map(|found| {
                    banner = Some(found);
                    None
                }),
                Some(_) if line.trim().is_empty() || line.starts_with('%') => Ok(None),
                Some((field, symmetry)) => read_size(&line, field, symmetry, number).map(Some),
            };
            let failed = |detail| LoadError::Input(format!("{}:{number}: {detail}", block.file));
            if let Some(matrix) = read.map_err(failed)? {
                return Ok((matrix, bytes));
            }
        }
    }
    let detail =
        "expected the size of the matrix, as 'rows columns entries', found the end of the file";
    Err(LoadError::Input(format!("{}: {detail}", reader.file)))
}

fn read_banner(line: &str) -> Result<(Field, Symmetry), String> {
    let line = line.to_ascii_lowercase();
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let (field, symmetry) = match words[..] {
        ["%%matrixmarket", "matrix", "coordinate", field, symmetry] => (field, symmetry),
        ["%%matrixmarket", "matrix", "array", ..] => {
            return Err("a matrix of Matrix Market as 'array' is not read, since each of its entries would be an edge: \
                        write it as 'coordinate' (in SciPy mmwrite of a sparse matrix)"
                .into());
        }
        ["%%matrixmarket", object, ..] if object != "matrix" => {
            return Err(format!(
                "a {} of Matrix Market is no graph: only a matrix is read",
                excerpt(object)
            ));
        }
        _ => {
            return Err(format!(
                "expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY', found '{}'",
                excerpt(&line)
            ));
        }
    };
    let field = match field {
        "real" | "double" => Field::Real,
        "integer" => Field::Integer,
        "complex" => Field::Complex,
        "pattern" => Field::Pattern,
        other => {
            let found = excerpt(other);
            return Err(format!("expected real, integer, complex or pattern, found '{found}'"));
        }
    };
    let symmetry = match (symmetry, field) {
        ("general", _) => Symmetry::General,
        ("symmetric", _) => Symmetry::Symmetric,
        ("skew-symmetric", Field::Real | Field::Integer | Field::Complex) => Symmetry::Skew,
        ("hermitian", Field::Complex) => Symmetry::Hermitian,
        ("skew-symmetric" | "hermitian", _) => {
            return Err(format!("a matrix with these entries cannot be {symmetry}"));
        }
        (other, _) => {
            return Err(format!(
                "expected general, symmetric, skew-symmetric or hermitian, found '{}'",
                excerpt(other)
            ));
        }
    };
    Ok((field, symmetry))
}

fn read_size(line: &str, field: Field, symmetry: Symmetry, number: u64) -> Result<Matrix, String> {
    let words: Vec<Option<u64>> =
        line.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    let [Some(rows), Some(columns), Some(entries)] = words[..] else {
        let found = excerpt(line.trim());
        return Err(format!(
            "expected the size of the matrix, as 'rows columns entries', found '{found}'"
        ));
    };
    if symmetry != Symmetry::General && rows != columns {
        return Err(format!(
            "a {} matrix is square, and this one is {rows} by {columns}",
            symmetry.word()
        ));
    }
    if MATRIX_NODES_MAX < rows.max(columns) {
        return Err(format!(
            "a matrix has at most {MATRIX_NODES_MAX} rows and columns here, and this one is {rows} by {columns}"
        ));
    }
    if MATRIX_NODES_FREE.max(entries.saturating_mul(MATRIX_NODES_PER_ENTRY)) < rows.max(columns) {
        return Err(format!(
            "all rows and columns are nodes, and {rows} by {columns} with {entries} entries are nodes without edges: \
             number the rows that have entries anew"
        ));
    }
    Ok(Matrix { field, symmetry, rows, columns, entries, size_line: number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineEnds, Source};
    use std::io::Cursor;
    use std::sync::Arc;

    fn header(text: &str) -> Result<Matrix, String> {
        let source = Source::stream("in.mtx", Cursor::new(text.to_owned()));
        let mut reader = BlockReader::open(source, 0, LineEnds::All, Arc::default()).unwrap();
        read(&mut reader).map(|(matrix, _)| matrix).map_err(|error| error.to_string())
    }

    #[test]
    fn a_header_says_entries_symmetry_and_size() {
        let text = "%%MatrixMarket MATRIX coordinate Pattern symmetric\r\n%%GraphBLAS type bool\n% x\n\n 7 7 12\n";
        let expected = Matrix {
            field: Field::Pattern,
            symmetry: Symmetry::Symmetric,
            rows: 7,
            columns: 7,
            entries: 12,
            size_line: 5,
        };
        assert_eq!(header(text), Ok(expected));
    }

    #[test]
    fn what_is_no_list_of_entries_is_refused_by_name() {
        let banner = |words: &str| header(&format!("%%MatrixMarket {words}\n2 3 1\n")).unwrap_err();
        assert!(banner("matrix array real general").contains("'array' is not read"));
        assert!(
            banner("vector coordinate real general")
                .contains("a vector of Matrix Market is no graph")
        );
        assert!(banner("matrix coordinate quaternion general").contains("found 'quaternion'"));
        assert!(banner("matrix coordinate real diagonal").contains("found 'diagonal'"));
        assert!(banner("matrix coordinate real hermitian").contains("cannot be hermitian"));
        assert!(banner("matrix coordinate pattern skew-symmetric").contains("cannot be skew"));
        assert!(
            banner("matrix coordinate real symmetric")
                .starts_with("in.mtx:2: a symmetric matrix is square")
        );
        let size = |size: &str| {
            header(&format!("%%MatrixMarket matrix coordinate real general\n{size}")).unwrap_err()
        };
        assert!(size("2 3\n").contains("as 'rows columns entries', found '2 3'"));
        assert!(size("").contains("found the end of the file"));
        assert!(size("99999999999 1 1\n").contains("has at most"));
        assert!(size("4294967296 1 9\n").contains("are nodes without edges"));
    }
}
