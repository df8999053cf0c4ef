//! Workshop for tests: graphs, generators, a simulated disk, processes.
