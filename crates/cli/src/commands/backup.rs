//! `millrace backup`: a copy of a data folder, closed or served.

use std::ops::ControlFlow;
use std::path::Path;

use millrace_db::maintenance::{BackupSummary, Destination, backup, receive};
use millrace_model::{Error, ErrorKind};

use crate::arguments::Backup;
use crate::client::Client;
use crate::exit::Failure;
use crate::progress::Shower;
use crate::say;

pub(crate) fn run(arguments: &Backup) -> Result<(), Failure> {
    let to = Destination::of(&arguments.to);
    let mut shower = Shower::new("backup", arguments.progress);
    let mut watch = |doing: &str, done, total| {
        shower.show_steps(doing, done, total);
        ControlFlow::Continue(())
    };
    let made = match (&arguments.url, &arguments.data) {
        (Some(url), _) => Client::new(url)
            .and_then(|client| client.receive("/backup"))
            .and_then(|mut stream| {
                receive(&mut stream, Path::new("from the server"), to, &mut watch)
            })
            .map_err(Failure::Server),
        (None, Some(data)) => backup(data, to, &mut watch).map_err(Failure::Of),
        (None, None) => {
            let error =
                Error::new(ErrorKind::BadInput, "name the source of the backup: --data or --url");
            Err(Failure::Of(error))
        }
    };
    shower.finish_steps();
    say!("{}", line(&made?, &arguments.to));
    Ok(())
}

/// The size of a backup, in one line for a person.
pub(crate) fn line(summary: &BackupSummary, to: &Path) -> String {
    format!(
        "{}: {} files with {} bytes, up to commit {}",
        to.display(),
        summary.files,
        summary.bytes,
        summary.position
    )
}
