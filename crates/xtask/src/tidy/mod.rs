//! `cargo xtask tidy`: rules about the form of the code that a compiler does not check.
//!
//! Two kinds: checks, in which every finding is a breach, and ratchets, numbers with a recorded value in
//! `tidy.toml` that may only get better. Each check is a function from plain data to lines, so that its
//! unit tests need no workspace.

mod arrows;
mod claims;
mod count;
mod guarantees;
mod measure;
mod modules;
mod product;
mod ratchets;
mod reasons;
mod reexports;
mod settings;
mod source;
mod texts;
mod unsafe_sites;
mod wildcards;
mod words;

use crate::arguments::Arguments;
use crate::workspace::Workspace;
use settings::Settings;

/// `cargo xtask tidy`.
pub(crate) fn run(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let record = arguments.take_flag("--record");
    arguments.finish()?;
    tidy(workspace, record)
}

/// The stage of `cargo xtask check`.
pub(crate) fn check(workspace: &Workspace) -> Result<(), String> {
    tidy(workspace, false)
}

fn tidy(workspace: &Workspace, record: bool) -> Result<(), String> {
    let files = workspace.text_files()?;
    let sources = source::parse_all(&files)?;
    let manifests = arrows::manifests(&files)?;
    let root = arrows::workspace_dependencies(&workspace.read("Cargo.toml")?)?;
    let measures = count::measures(&sources);
    let numbers = ratchets::numbers(&measures, ratchets::locked_packages(workspace)?);
    if record {
        let text = ratchets::record(&workspace.read(settings::FILE)?, &numbers)?;
        workspace.write(settings::FILE, &text)?;
    }
    let glossary = words::Glossary::parse(&workspace.read(words::GLOSSARY)?);
    let uses = words::uses(&glossary, &sources, &files);
    if record {
        let text = words::record(&workspace.read(words::FILE)?, &uses)?;
        workspace.write(words::FILE, &text)?;
    }
    let settings = Settings::parse(&workspace.read(settings::FILE)?)?;
    let left = words::Left::parse(&workspace.read(words::FILE)?)?;

    let mut breaches = Vec::new();
    breaches.extend(arrows::check(&arrows::table(&workspace.read(arrows::FILE)?)?, &manifests));
    breaches.extend(modules::check(&modules::table(&workspace.read(arrows::FILE)?)?, &files)?);
    breaches.extend(reasons::check(&workspace.read(reasons::FILE)?, &root, &manifests));
    breaches.extend(reasons::check_by_hand(&workspace.read(reasons::FILE)?, &files));
    breaches.extend(guarantees::check(&workspace.read(guarantees::FILE)?, &files));
    breaches.extend(claims::check(&files));
    breaches.extend(texts::machine_paths(&files));
    breaches.extend(wildcards::check(&sources));
    breaches.extend(reexports::check(&sources, &settings.whole_crates));
    breaches.extend(words::check(&glossary, &uses, &left));
    breaches.extend(ratchets::unnamed_unsafe(&measures, &settings.unsafe_modules));
    breaches.extend(ratchets::worse(&numbers, &settings.recorded));

    let mut report = measures.lengths();
    report.extend(ratchets::lines(&numbers, &settings.recorded));
    report.push(words::line(&uses, &left));
    report.extend(texts::todos(&files));
    println!("{}", report.join("\n"));
    match breaches.len() {
        0 => Ok(()),
        count => Err(format!("tidy found {count} breaches\n\n{}\n", breaches.join("\n"))),
    }
}
