//! `millrace restore`: a backup as a new data folder, verified.

use std::ops::ControlFlow;

use millrace_db::maintenance::restore;

use crate::arguments::Restore;
use crate::commands::{backup, check};
use crate::exit::Failure;
use crate::progress::Shower;
use crate::say;

pub(crate) fn run(arguments: &Restore) -> Result<(), Failure> {
    let mut shower = Shower::new("restore", arguments.progress);
    let restored = restore(&arguments.from, &arguments.data, &mut |doing, done, total| {
        shower.show_steps(doing, done, total);
        ControlFlow::Continue(())
    });
    shower.finish_steps();
    let (summary, report) = restored?;
    say!("{}", backup::line(&summary, &arguments.data));
    check::show(&report);
    check::sound(&report, "the backup is damaged; no data was restored")
}
