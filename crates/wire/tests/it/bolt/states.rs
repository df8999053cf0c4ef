//! The state machine: what each request does in each state.

use millrace_model::{Error, ErrorKind};
use millrace_wire::bolt::state::{Action, Machine, State};
use millrace_wire::bolt::{Amount, Auth, Hello, Request, Route, Run, TransactionOptions, Version};

const OLD: Version = Version { major: 5, minor: 0 };

fn all_requests() -> Vec<Request> {
    vec![
        Request::Hello(Hello::default()),
        Request::Logon(Auth::none()),
        Request::Logoff,
        Request::Telemetry,
        Request::Reset,
        Request::Goodbye,
        Request::Route(Route::default()),
        run(),
        pull(),
        Request::Discard(Amount::ALL),
        begin(),
        Request::Commit,
        Request::Rollback,
    ]
}

fn run() -> Request {
    Request::Run(Run::default())
}

fn pull() -> Request {
    Request::Pull(Amount::ALL)
}

fn begin() -> Request {
    Request::Begin(TransactionOptions::default())
}

fn done(machine: &mut Machine, request: Request, has_more: bool) -> Action {
    let action = machine.take(request);
    machine.succeeded(has_more);
    action
}

/// A machine in a state.
fn in_state(state: State) -> Machine {
    let mut machine = Machine::new(Version::NEWEST);
    if state == State::Connected {
        return machine;
    }
    done(&mut machine, Request::Hello(Hello::default()), false);
    if state == State::Authentication {
        return machine;
    }
    done(&mut machine, Request::Logon(Auth::none()), false);
    match state {
        State::Streaming => drop(done(&mut machine, run(), false)),
        State::TxReady => drop(done(&mut machine, begin(), false)),
        State::TxStreaming => {
            done(&mut machine, begin(), false);
            done(&mut machine, run(), false);
        }
        State::Failed => {
            machine.take(run());
            machine.failed();
        }
        State::Interrupted => machine.interrupt(),
        State::Defunct => drop(machine.take(Request::Goodbye)),
        State::Connected | State::Authentication | State::Ready => {}
    }
    assert_eq!(machine.state(), state);
    machine
}

/// The state after a request that succeeds and has no more records.
fn after(state: State, request: &Request) -> State {
    let mut machine = in_state(state);
    done(&mut machine, request.clone(), false);
    machine.state()
}

#[test]
fn every_request_is_judged_in_every_state() {
    use State::{
        Authentication, Connected, Defunct, Failed, Interrupted, Ready, Streaming, TxReady,
        TxStreaming,
    };
    // HELLO, LOGON, LOGOFF, TELEMETRY, RESET, GOODBYE, ROUTE, RUN, PULL, DISCARD, BEGIN, COMMIT, ROLLBACK.
    let x = Defunct;
    for (state, expected) in [
        (Connected, [Authentication, x, x, x, x, x, x, x, x, x, x, x, x]),
        (Authentication, [x, Ready, x, x, x, x, x, x, x, x, x, x, x]),
        (Ready, [x, x, Authentication, Ready, Ready, x, Ready, Streaming, x, x, TxReady, x, x]),
        (Streaming, [x, x, x, x, Ready, x, x, x, Ready, Ready, x, x, x]),
        (TxReady, [x, x, x, x, Ready, x, x, TxStreaming, x, x, x, Ready, Ready]),
        (TxStreaming, [x, x, x, x, Ready, x, x, TxStreaming, TxReady, TxReady, x, Ready, Ready]),
        (
            Failed,
            [
                Failed, Failed, Failed, Failed, Ready, x, Failed, Failed, Failed, Failed, Failed,
                Failed, Failed,
            ],
        ),
        (
            Interrupted,
            [
                Interrupted,
                Interrupted,
                Interrupted,
                Interrupted,
                Ready,
                Interrupted,
                Interrupted,
                Interrupted,
                Interrupted,
                Interrupted,
                Interrupted,
                Interrupted,
                Interrupted,
            ],
        ),
        (Defunct, [x; 13]),
    ] {
        for (request, expected) in all_requests().iter().zip(expected) {
            let found = after(state, request);
            // A connection that says goodbye is defunct, interrupted or not.
            let is_over = *request == Request::Goodbye;
            assert!(found == expected || is_over, "{state:?} {}: {found:?}", request.name());
        }
    }
}

#[test]
fn before_5_1_the_first_message_logs_in() {
    let mut machine = Machine::new(OLD);
    done(&mut machine, Request::Hello(Hello::default()), false);
    assert_eq!(machine.state(), State::Ready);
    let mut machine = Machine::new(OLD);
    machine.take(Request::Hello(Hello::default()));
    machine.failed();
    assert!(machine.is_defunct());
}

#[test]
fn after_a_failure_everything_is_ignored_until_reset() {
    let mut machine = in_state(State::Ready);
    machine.take(run());
    machine.failed();
    for request in [run(), pull(), begin(), Request::Commit] {
        assert_eq!(machine.take(request), Action::Ignore);
    }
    assert_eq!(machine.unreadable(&Error::new(ErrorKind::BadInput, "x")), Action::Ignore);
    assert_eq!(done(&mut machine, Request::Reset, false), Action::Reset);
    assert_eq!(machine.state(), State::Ready);
}

#[test]
fn requests_in_front_of_a_reset_are_ignored_and_the_last_reset_counts() {
    let mut machine = in_state(State::TxReady);
    machine.take(run());
    machine.interrupt();
    machine.interrupt();
    machine.failed();
    assert_eq!(machine.take(pull()), Action::Ignore);
    assert_eq!(machine.take(Request::Reset), Action::Ignore);
    assert_eq!(machine.take(run()), Action::Ignore);
    assert_eq!(done(&mut machine, Request::Reset, false), Action::Reset);
    assert_eq!(machine.state(), State::Ready);
}

#[test]
fn results_of_a_transaction_have_numbers() {
    let mut machine = in_state(State::TxReady);
    for query in 0..3 {
        assert!(
            matches!(done(&mut machine, run(), false), Action::Run(_, Some(own)) if own == query)
        );
    }
    let of = |query| Request::Pull(Amount { records: Some(1), query });
    let records = Some(1);
    assert_eq!(done(&mut machine, of(Some(0)), true), Action::Pull { query: 0, records });
    assert_eq!(done(&mut machine, of(None), false), Action::Pull { query: 2, records });
    assert_eq!(done(&mut machine, of(None), false), Action::Pull { query: 1, records });
    assert_eq!(machine.state(), State::TxStreaming);
    assert_eq!(done(&mut machine, of(Some(0)), false), Action::Pull { query: 0, records });
    assert_eq!(machine.state(), State::TxReady);
    let mut machine = in_state(State::TxStreaming);
    assert!(
        matches!(machine.take(of(Some(7))), Action::Refuse(failure) if failure.title() == "Invalid")
    );
    assert_eq!(machine.state(), State::Failed);
}

#[test]
fn a_result_outside_of_a_transaction_has_no_number() {
    let mut machine = in_state(State::Streaming);
    let of = |query| Request::Discard(Amount { records: None, query });
    assert_eq!(done(&mut machine, of(None), true), Action::Discard { query: 0, records: None });
    assert_eq!(machine.state(), State::Streaming);
    assert!(matches!(machine.take(of(Some(3))), Action::Refuse(_)));
}

#[test]
fn bytes_that_are_no_request_fail_and_close_only_before_the_login() {
    let error = Error::new(ErrorKind::BadInput, "x");
    for (state, expected) in [
        (State::Connected, State::Defunct),
        (State::Authentication, State::Defunct),
        (State::Ready, State::Failed),
        (State::TxStreaming, State::Failed),
    ] {
        let mut machine = in_state(state);
        assert!(matches!(machine.unreadable(&error), Action::Refuse(_)));
        assert_eq!(machine.state(), expected);
    }
}

#[test]
fn before_4_0_a_result_ends_before_the_transaction_goes_on() {
    let streaming = |version| {
        let mut machine = Machine::new(version);
        done(&mut machine, Request::Hello(Hello::default()), false);
        done(&mut machine, begin(), false);
        done(&mut machine, run(), false);
        assert_eq!(machine.state(), State::TxStreaming);
        machine
    };
    for request in [run(), Request::Commit, Request::Rollback] {
        let mut machine = streaming(Version { major: 3, minor: 0 });
        assert!(matches!(machine.take(request.clone()), Action::Refuse(_)));
        assert!(machine.is_defunct());
        let mut machine = streaming(Version { major: 4, minor: 0 });
        assert!(!matches!(machine.take(request), Action::Refuse(_)));
    }
    let mut machine = streaming(Version { major: 3, minor: 0 });
    done(&mut machine, pull(), false);
    done(&mut machine, run(), false);
    done(&mut machine, Request::Discard(Amount::ALL), false);
    assert_eq!(machine.take(Request::Commit), Action::Commit);
}
