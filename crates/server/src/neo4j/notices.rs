//! Notices of statements as Neo4j's notifications.

use millrace_db::plan::Notice;
use millrace_wire::bolt::Notification;

/// Their notifications, in their order.
pub(crate) fn notifications(notices: &[Notice]) -> Vec<Notification> {
    let one = |notice: &Notice| match notice {
        Notice::AlreadyExists { command, known } => Notification::already_exists(command, known),
        Notice::DoesNotExist { command, name } => Notification::does_not_exist(command, name),
    };
    notices.iter().map(one).collect()
}
