//! Dgraph's messages are those of their description.

use std::fs;
use std::path::Path;

const HEAD: &str = "//! Dgraph's messages over gRPC, generated from `protos/dgraph.proto`: `MILLRACE_REWRITE_GOLDENS=1 cargo test -p
//! millrace-wire --test it dql` makes them anew. No line of it is written by hand.

";

/// The text of the messages, as the description says they are.
fn generated() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protos");
    let described = protox::compile(["dgraph.proto"], [&folder]).expect("it is well formed");
    let file = described.file.into_iter().next().expect("there is one file");
    let module = prost_build::Module::from_protobuf_package_name("api");
    let mut config = prost_build::Config::new();
    config.bytes(["."]).btree_map(["."]);
    let made = config.generate(vec![(module.clone(), file)]).expect("it is code");
    format!("{HEAD}{}", made.get(&module).expect("it has the package"))
}

#[test]
fn the_messages_are_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dql/messages.rs");
    let generated = generated();
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&file, &generated).expect("the file can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == generated, "src/dql/messages.rs: MILLRACE_REWRITE_GOLDENS=1 mends it");
}
