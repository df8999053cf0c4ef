//! `millrace repair`: reports and saves the intact data of a damaged folder.
//!
//! Without --yes nothing is changed, and the exit code says that the folder is damaged; with it,
//! success means that the folder opens and passes the check. Where no element would be left, nothing
//! is changed either way, and the exit code is one of its own.

use std::ops::ControlFlow;

use millrace_db::maintenance::{check, repair};
use millrace_model::{Error, ErrorKind};

use crate::arguments::Repair;
use crate::commands;
use crate::exit::Failure;
use crate::progress::Shower;
use crate::say;

pub(crate) fn run(arguments: &Repair) -> Result<(), Failure> {
    let mut shower = Shower::new("repair", arguments.progress);
    let mut watch = |doing: &str, done, total| {
        shower.show_steps(doing, done, total);
        ControlFlow::Continue(())
    };
    let outcome = repair(&arguments.data, arguments.yes, &mut watch);
    let data = arguments.data.display();
    let diagnosis = match outcome {
        Ok(diagnosis) => diagnosis,
        Err(error) => {
            shower.finish_steps();
            return Err(error.into());
        }
    };
    if diagnosis.is_sound() {
        shower.finish_steps();
        say!("{data} is sound up to commit {}: it needs no repair", diagnosis.position);
        return Ok(());
    }
    diagnosis.damaged.iter().for_each(|place| say!("damaged: {place}"));
    diagnosis.losses.iter().for_each(|loss| say!("lost: {loss}"));
    if diagnosis.saves_nothing {
        shower.finish_steps();
        let detail = format!("no data of {data} can be saved; the folder was not changed");
        let error = Error::new(ErrorKind::Corrupt, detail).with_help("restore it from a backup");
        return Err(Failure::NothingSaved(error));
    }
    say!("left: everything up to commit {}", diagnosis.position);
    let Some(kept_in) = diagnosis.kept_in else {
        shower.finish_steps();
        let detail = format!("{data} is damaged; the folder was not changed");
        let help = "restore it from a backup, or accept the loss: --yes";
        return Err(Failure::Of(Error::new(ErrorKind::Corrupt, detail).with_help(help)));
    };
    say!("the damaged files are in {}", kept_in.display());
    let checked = check(&arguments.data, false, &mut watch);
    shower.finish_steps();
    let report = checked?;
    commands::check::show(&report);
    commands::check::sound(&report, &data.to_string())
}
