//! Threads that raise one counter: conflicts are run again, and no increment is lost.

use std::thread;

use millrace::Value;

pub(super) fn main() -> millrace::Result<()> {
    let database = millrace::in_memory()?;
    let graph = database.graph("counter")?;
    graph.gremlin("g.addV('counter').property(single, 'n', 0L)").run()?;
    let raise = "g.V().hasLabel('counter').property(single, 'n', values('n').math('_ + 1'))";
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..5).try_for_each(|_| graph.gremlin(raise).run())))
            .collect();
        threads.into_iter().try_for_each(|own| own.join().expect("it does not panic"))
    })?;
    let row = graph.gremlin("g.V().values('n')").rows()?.next().expect("there is one")?;
    assert_eq!(row.value(), &Value::F64(20.0));
    println!("{:?}", row.value());
    Ok(())
}
