//! The documents of the packages: as in the repository, so that they link each other; what is not packed is linked there.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::workspace::Workspace;

/// Documents beside the folder `docs`.
const AT_THE_ROOT: [&str; 5] =
    ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"];

/// Path and text of each document.
pub(super) fn all(workspace: &Workspace) -> Result<Vec<(String, String)>, String> {
    let mut paths: Vec<String> = AT_THE_ROOT.map(str::to_owned).to_vec();
    collect(workspace, "docs", &mut paths)?;
    let names: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
    let repository = format!("{}/blob/v{}", env!("CARGO_PKG_REPOSITORY"), super::VERSION);
    let relinked = |path: &String| {
        let text = workspace.read(path)?;
        let text = map_links(&text, |link| match inside(path, link) {
            Some(target) if !is_packed(&names, &target) => Some(format!("{repository}/{target}")),
            _ => None,
        });
        Ok((path.clone(), text))
    };
    paths.iter().map(relinked).collect()
}

fn collect(workspace: &Workspace, folder: &str, paths: &mut Vec<String>) -> Result<(), String> {
    let place = workspace.root().join(folder);
    let entries = place.read_dir().map_err(|error| super::failed(&place, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| super::failed(&place, &error))?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(workspace, &path, paths)?;
        } else if path.ends_with(".md") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(())
}

/// Whether a path is that of a document or of a folder with one.
fn is_packed(names: &BTreeSet<&str>, target: &str) -> bool {
    let folder = format!("{}/", target.trim_end_matches('/'));
    names.contains(target) || names.iter().any(|name| name.starts_with(&folder))
}

/// The target of a link as a path from the root; `None` for a link to somewhere else, or within the page.
pub(super) fn inside(page: &str, link: &str) -> Option<String> {
    let target = link.split('#').next().unwrap_or_default();
    if target.is_empty() || target.contains(':') {
        return None;
    }
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    for part in folder.join(target).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Some(path.to_string_lossy().into_owned())
}

/// The targets of all links of a page in Markdown.
pub(super) fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    map_links(text, |link| {
        links.push(link.to_owned());
        None
    });
    links
}

/// The page with other targets where `change` has one.
fn map_links(text: &str, mut change: impl FnMut(&str) -> Option<String>) -> String {
    let mut parts = text.split("](");
    let mut mapped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        mapped.push_str("](");
        let link = part.split_once(')').filter(|(link, _)| !link.contains([' ', '\n', '`']));
        match link {
            Some((link, rest)) => {
                mapped.push_str(change(link).as_deref().unwrap_or(link));
                mapped.push(')');
                mapped.push_str(rest);
            }
            None => mapped.push_str(part),
        }
    }
    mapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_within_the_packages_stay_and_others_lead_to_the_repository() {
        let page = "docs/guides/operation.md";
        for (link, target) in [
            ("../reference/http.md#routes", Some("docs/reference/http.md")),
            ("../../packaging/millrace.toml", Some("packaging/millrace.toml")),
            ("#users", None),
            ("https://example.com/a.md", None),
        ] {
            assert_eq!(inside(page, link).as_deref(), target, "{link}");
        }
        let names = BTreeSet::from(["docs/reference/http.md"]);
        assert!(is_packed(&names, "docs/reference/http.md") && is_packed(&names, "docs/reference"));
        assert!(!is_packed(&names, "docs/ref") && !is_packed(&names, "tests"));
        let text = "[a](x.md) `list[0](y)` [b](y.md#z).";
        assert_eq!(links(text), ["x.md", "y", "y.md#z"]);
        let mapped = map_links(text, |link| (link == "x.md").then(|| "u:x.md".to_owned()));
        assert_eq!(mapped, text.replace("x.md", "u:x.md"));
    }

    #[test]
    fn the_documents_link_documents_or_the_repository() {
        let workspace = Workspace::of_this_program().unwrap();
        let pages = all(&workspace).unwrap();
        let names: BTreeSet<&str> = pages.iter().map(|(path, _)| path.as_str()).collect();
        assert!(names.contains("README.md") && names.contains("docs/reference/settings.md"));
        for (path, text) in &pages {
            let targets = links(text).into_iter().filter_map(|link| inside(path, &link));
            for target in targets {
                assert!(is_packed(&names, &target), "{path} links {target}");
            }
        }
        let guide = pages.iter().find(|(path, _)| path == "docs/guides/operation.md").unwrap();
        assert!(guide.1.contains("/blob/v"), "the unit is no document");
    }
}
