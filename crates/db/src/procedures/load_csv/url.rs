//! The path of a file within the folder, by its URL: `file:///people.csv` is `people.csv`.

use millrace_model::{Error, Result};

use super::external;

const HELP: &str = "write 'file:///people.csv' for people.csv in scripts.csv-folder";

/// The path within the folder. Other schemes, and paths that lead out, are refused.
pub(in crate::procedures) fn path_in_folder(url: &str) -> Result<String> {
    let refused = |detail: String| -> Error { external(detail).with_help(HELP) };
    let Some((scheme, rest)) = url.split_once(':') else {
        return Err(refused(format!("Invalid URL '{url}': no protocol")));
    };
    if !scheme.eq_ignore_ascii_case("file") {
        let detail =
            format!("reading from `{scheme}:` is not supported: queries read files of one folder");
        return Err(refused(detail));
    }
    let path = match rest.strip_prefix("//") {
        // Behind two slashes a host may stand.
        Some(rest) => match rest.split_once('/') {
            Some(("" | "localhost", path)) => path,
            Some(_) | None => {
                let detail =
                    format!("URL '{url}' names a host, but files are read from this machine only");
                return Err(refused(detail));
            }
        },
        None => rest.trim_start_matches('/'),
    };
    let path = decoded(path).ok_or_else(|| refused(format!("Invalid URL '{url}'")))?;
    let path = path.trim_start_matches('/');
    if path.split(['/', '\\']).any(|part| part == "..") {
        return Err(refused(format!("URL '{url}' leads out of the folder of files")));
    }
    Ok(path.to_owned())
}

/// A path with `%20` and its like as characters.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = behind;
            continue;
        }
        let digits = std::str::from_utf8(behind.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &behind[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::path_in_folder;

    #[test]
    fn a_url_names_a_file_of_the_folder_or_is_refused() {
        let path = |url: &str| path_in_folder(url).map_err(|error| error.detail);
        for (url, wanted) in [
            ("file:///a.csv", "a.csv"),
            ("FILE:///b/a%20b.csv", "b/a b.csv"),
            ("file:/a.csv", "a.csv"),
            ("file://localhost/a.csv", "a.csv"),
        ] {
            assert_eq!(path(url).as_deref(), Ok(wanted));
        }
        for (url, wanted) in [
            ("a.csv", "no protocol"),
            ("https://example.com/a.csv", "`https:` is not supported"),
            ("file://example.com/a.csv", "names a host"),
            ("file:///../a.csv", "leads out"),
            ("file:///b/%2e%2e/%2e./a.csv", "leads out"),
            ("file:///%zz", "Invalid URL"),
        ] {
            let refused = path(url).expect_err(url);
            assert!(refused.contains(wanted), "{refused}");
        }
    }
}
