//! What a backend promises: contract, write batch, memory reference, conformance.
