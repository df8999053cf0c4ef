//! Content that no tracked text may have, and content that is listed so that it is not forgotten.

use super::source;

/// Where people's own folders lie. Written without the closing slash: this file is checked too.
const MACHINE_FOLDERS: [&str; 3] = ["/home", "/root", "/Users"];

/// One line for each place that names a path of one machine.
pub(super) fn machine_paths(files: &[(String, String)]) -> Vec<String> {
    let mut breaches = Vec::new();
    for (path, text) in files {
        for (index, line) in text.lines().enumerate() {
            for folder in MACHINE_FOLDERS.iter().filter(|folder| names_folder(line, folder)) {
                let line_number = index + 1;
                breaches.push(format!("{path}:{line_number}: names a machine's path, {folder}/"));
            }
        }
    }
    breaches
}

/// Whether the line holds an absolute path below `folder`: `a/home/b` is a relative one.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let is_absolute =
            before.is_none_or(|before| !before.is_alphanumeric() && !"._-~}*)".contains(before));
        is_absolute && line[at + folder.len()..].starts_with('/')
    })
}

/// The line of every open task in Rust sources, under a heading that counts them.
pub(super) fn todos(files: &[(String, String)]) -> Vec<String> {
    let word = concat!("TO", "DO");
    let mut lines = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| source::is_rust(path)) {
        let found = text.lines().enumerate().filter(|(_, line)| line.contains(word));
        lines.extend(found.map(|(index, line)| format!("  {path}:{}: {}", index + 1, line.trim())));
    }
    lines.insert(0, format!("open tasks: {}", lines.len()));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Vec<(String, String)> {
        vec![("a.rs".to_owned(), text.to_owned())]
    }

    #[test]
    fn a_path_of_one_machine_is_found_with_its_line() {
        for folder in MACHINE_FOLDERS {
            let found = machine_paths(&file(&format!("fine\nopen(\"{folder}/x\")\n")));
            assert_eq!(found, [format!("a.rs:2: names a machine's path, {folder}/")]);
        }
    }

    #[test]
    fn a_folder_of_the_same_name_in_a_relative_path_is_fine() {
        assert!(
            machine_paths(&file("crates/root/x ../home/y $HOME}/Users/z /homes/ /home")).is_empty()
        );
    }

    #[test]
    fn open_tasks_are_listed_and_counted() {
        let text = format!("fn a() {{}} // {}: measure first\n", concat!("TO", "DO"));
        let lines = todos(&file(&text));
        assert_eq!(lines[0], "open tasks: 1");
        assert!(lines[1].starts_with("  a.rs:1: fn a()"), "{lines:?}");
    }
}
