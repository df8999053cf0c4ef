//! What the packages have besides the program: a list, with the place of each file in the tarball and on a system.

use std::fs;
use std::path::Path;

use crate::workspace::Workspace;

use super::{documents, failed, generated, make_folder_of, notices, put, set_mode};

/// A file of the packages.
pub(super) struct Packed {
    content: Content,
    pub(super) in_tarball: String,
    pub(super) on_system: String,
    mode: u32,
}

/// Where a file's bytes are.
pub(super) enum Content {
    /// In the workspace.
    File(&'static str),
    /// Here.
    Text(String),
}

/// Where documents are on a system.
pub(super) const DOCUMENTS: &str = "usr/share/doc/millrace";

/// Files of the workspace that are no documents: their place there, in the tarball and on a system; their modes.
pub(super) const FILES: [(&str, &str, &str, u32); 3] = [
    ("LICENSE", "LICENSE", "usr/share/doc/millrace/copyright", 0o644),
    (
        "packaging/millrace.service",
        "millrace.service",
        "usr/lib/systemd/system/millrace.service",
        0o644,
    ),
    ("packaging/millrace.toml", "millrace.toml", "etc/millrace/millrace.toml", 0o640),
];

impl Packed {
    /// A file that all may read.
    pub(super) fn new(content: Content, in_tarball: &str, on_system: &str) -> Packed {
        let (in_tarball, on_system) = (in_tarball.to_owned(), on_system.to_owned());
        Packed { content, in_tarball, on_system, mode: 0o644 }
    }

    fn document(path: &str, text: String) -> Packed {
        Packed::new(Content::Text(text), path, &format!("{DOCUMENTS}/{path}"))
    }

    /// Writes it to its place and makes the folders of the place.
    pub(super) fn put(&self, workspace: &Workspace, place: &Path) -> Result<(), String> {
        match &self.content {
            Content::File(source) => put(&workspace.root().join(source), place, self.mode),
            Content::Text(text) => {
                make_folder_of(place)?;
                fs::write(place, text).map_err(|error| failed(place, &error))?;
                set_mode(place, self.mode)
            }
        }
    }
}

/// The list; the program writes its manual pages to `folder` in between.
pub(super) fn all(
    workspace: &Workspace,
    program: &Path,
    folder: &Path,
) -> Result<Vec<Packed>, String> {
    let file = |(source, in_tarball, on_system, mode)| Packed {
        mode,
        ..Packed::new(Content::File(source), in_tarball, on_system)
    };
    let mut contents: Vec<Packed> = FILES.map(file).into();
    let documents = documents::all(workspace)?.into_iter();
    contents.extend(documents.map(|(path, text)| Packed::document(&path, text)));
    contents.push(Packed::document(notices::NAME, notices::text(workspace)?));
    contents.extend(generated::all(workspace, program, folder)?);
    Ok(contents)
}
