//! Logins: by Basic, wrong ones, and none.

use millrace_server::wire::bolt::client::{ClientError, LogIn};
use millrace_server::wire::bolt::{Auth, Request, Version};

use super::{count, failure, only, open_with, run, start};
use crate::client::{start_speaking_with_ann, start_with_ann};

fn log_in(version: Option<Version>, auth: Auth) -> LogIn {
    LogIn { version, auth, ..LogIn::default() }
}

#[test]
fn users_log_in_in_every_version() {
    let server = start_with_ann(|_| {});
    let some = [(5, 0), (4, 4), (4, 1), (3, 0)];
    let some = some.map(|(major, minor)| Some(Version { major, minor }));
    for version in [None].into_iter().chain(some) {
        let right = log_in(version, Auth::basic("ann", "secret"));
        let mut client = open_with(server.bolt, &right).expect("works");
        assert_eq!(count(&mut client, "g.inject(1).count()"), 1);
        for wrong in [Auth::basic("ann", "wrong"), Auth::none()] {
            let refused = open_with(server.bolt, &log_in(version, wrong)).map(drop);
            assert_eq!(failure(refused).title(), "Unauthorized");
        }
    }
}

#[test]
fn a_statement_knows_the_user_who_logged_in() {
    let server = start_speaking_with_ann("cypher");
    let right = log_in(None, Auth::basic("ann", "secret"));
    let mut client = open_with(server.bolt, &right).expect("works");
    for text in [
        "SHOW CURRENT USER YIELD user",
        "CALL dbms.showCurrentUser() YIELD username",
        "CALL dbms.showCurrentUser() YIELD username RETURN username",
    ] {
        assert_eq!(only(&run(&mut client, text)).as_str(), Some("ann"), "{text}");
    }
}

#[test]
fn after_a_logout_another_login_is_needed() {
    let server = start_with_ann(|_| {});
    let right = Auth::basic("ann", "secret");
    let mut client = open_with(server.bolt, &log_in(None, right.clone())).expect("works");
    client.ask(&Request::Logoff).expect("works");
    client.ask(&Request::Logon(right)).expect("works");
    assert_eq!(count(&mut client, "g.inject(1).count()"), 1);
    client.ask(&Request::Logoff).expect("works");
    client.send(&Request::Reset).expect("works");
    client.flush().expect("works");
    client.receive().expect("works");
    assert!(matches!(client.receive(), Err(ClientError::Broken(_))), "it is closed");
}

#[test]
fn without_users_any_name_passes_and_a_strange_scheme_does_not() {
    let server = start();
    open_with(server.bolt, &log_in(None, Auth::basic("neo4j", "any"))).expect("works");
    let strange = Auth { scheme: "kerberos".into(), ..Auth::none() };
    let refused = failure(open_with(server.bolt, &log_in(None, strange)).map(drop));
    assert!(refused.message.contains("kerberos"), "{refused:?}");
}
