// Nothing to call: linking jemalloc is what brings it in.
