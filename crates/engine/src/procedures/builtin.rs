//! The procedures of the engine: one line for each family.

use std::sync::{Arc, LazyLock};

use super::{catalog, expansion, fulltext, listing, metadata, names, schema};
use crate::context::{Context, Procedure, Procedures};

impl Default for Procedures {
    fn default() -> Procedures {
        Procedures::builtin()
    }
}

impl Procedures {
    /// Those of the engine.
    pub fn builtin() -> Procedures {
        builtin().clone()
    }
}

impl Context {
    /// The procedures that its plans may call: the engine's own, if no others were registered.
    pub fn procedures(&self) -> &Procedures {
        self.registered_procedures().unwrap_or_else(|| builtin())
    }
}

fn builtin() -> &'static Procedures {
    static BUILTIN: LazyLock<Procedures> = LazyLock::new(|| {
        let mut all: Vec<Arc<dyn Procedure>> = vec![
            Arc::new(catalog::AWAIT_REFRESH),
            Arc::new(catalog::RESAMPLE_INDEXES),
            Arc::new(catalog::LABELS),
            Arc::new(catalog::PROPERTY_KEYS),
            Arc::new(catalog::RELATIONSHIP_TYPES),
            Arc::new(listing::ListProcedures),
        ];
        all.extend(expansion::procedures());
        all.extend(fulltext::procedures());
        all.extend(names::ALL.map(|own| Arc::new(own) as Arc<dyn Procedure>));
        all.extend(metadata::procedures());
        all.extend(schema::procedures());
        Procedures::of(all)
    });
    &BUILTIN
}

#[cfg(test)]
mod tests {
    use millrace_model::{Column, Result};
    use millrace_plan::Signature;

    use super::*;
    use crate::context::Yielded;

    struct Own;

    impl Procedure for Own {
        fn signature(&self) -> Signature {
            Signature::reading("db.labels", "another")
        }

        fn call(&self, _: &[Arc<Column>], len: usize, _: &Context) -> Result<Yielded> {
            Ok(Yielded { rows: (0..len as u32).collect(), columns: Vec::new() })
        }
    }

    #[test]
    fn a_procedure_that_is_registered_replaces_another_of_its_name() {
        let builtin = Procedures::builtin();
        let others = builtin.with(vec![Arc::new(Own)]);
        assert_eq!(others.signatures().iter().count(), builtin.signatures().iter().count());
        let (signature, _) = others.named("db.labels").expect("there is one");
        assert_eq!((&*signature.description, signature.columns.len()), ("another", 0));
        let (signature, _) = builtin.named("db.labels").expect("there is one");
        assert_eq!(signature.columns.len(), 1);
        for signature in others.signatures().iter() {
            let (found, procedure) = others.named(&signature.name).expect("it is listed");
            assert_eq!((found, &procedure.signature()), (signature, signature));
        }
        assert!(others.named("db.unknown").is_none());
    }
}
