//! The shortest path between two vertices.

use millrace::Value;

pub(super) fn main() -> millrace::Result<()> {
    let database = millrace::in_memory()?;
    let graph = database.graph("roads")?;
    graph.write(|writer| {
        let towns = writer.vertices("town", &[("name", ["a", "b", "c", "d"].into())])?;
        writer.edges("road", &towns.at(&[0, 1, 2, 0]), &towns.at(&[1, 2, 3, 2]), &[])
    })?;
    let text = "g.V().has('town', 'name', start).repeat(out('road').simplePath())\
                .until(has('name', goal)).path().by('name').limit(1)";
    let query = graph.gremlin(text).bind("start", "a").bind("goal", "d").read_only();
    let row = query.rows()?.next().expect("there is a way")?;
    let Value::Path(path) = row.value() else { panic!("a path: {row:?}") };
    let objects = path.objects();
    let names: Vec<_> = objects.iter().filter_map(Value::as_str).collect();
    assert_eq!(names, ["a", "c", "d"]);
    println!("{}", names.join(" -> "));
    Ok(())
}
