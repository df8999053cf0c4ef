//! Lists of edges by their content: two whole numbers a line, and perhaps two more numbers.
//!
//! They only decide the format of a file that nothing else decides: rows of numbers may be a table, too.

/// Bytes of a file that are looked at.
const HEAD_BYTES_MAX: usize = 16 << 10;

/// Whether all lines that are seen are edges or comments, and there is an edge.
pub(super) fn is_list(head: &[u8]) -> bool {
    let seen = &head[..head.len().min(HEAD_BYTES_MAX)];
    let Ok(text) = str::from_utf8(seen) else { return false };
    let mut lines: Vec<&str> = text.lines().collect();
    // The last line goes on behind what is seen.
    if seen.len() < head.len() {
        lines.pop();
    }
    let mut edges = lines.into_iter().map(str::trim).filter(|line| !is_comment(line)).peekable();
    edges.peek().is_some() && edges.all(is_edge)
}

fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with(['#', '%'])
}

fn is_edge(line: &str) -> bool {
    let is_id = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() < 20;
    let mut words = line.split_ascii_whitespace();
    let ids = [words.next(), words.next()];
    let numbers = words.clone().all(|word| word.parse::<f64>().is_ok());
    ids.iter().all(|id| id.is_some_and(is_id)) && numbers && words.count() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_numbers_are_a_list_and_other_rows_are_none() {
        for text in [
            "# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t11342\n0\t824020\r\n",
            "% asym weighted\n% 2 3 3\n1 2 0.5 1082040961\n2 3 -1 1082040961\n",
            "1 2",
        ] {
            assert!(is_list(text.as_bytes()), "{text}");
        }
        for text in ["", "# only comments\n", "1,2\n", "a b\n", "1\n", "1 2 3 4 5\n", "1 2\n3 x\n"]
        {
            assert!(!is_list(text.as_bytes()), "{text}");
        }
        let long = "123456 7890\n".repeat(2_000);
        assert!(is_list(long.as_bytes()), "a line that is cut is left aside");
    }
}
