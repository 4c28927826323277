// How jemalloc, which serves every allocation of the program in place of the C library's allocator, goes
// about it. It reads this before `main`; the environment's MALLOC_CONF may add to it.
//
// One arena, as each keeps pages of its own, and few requests run at a time. What becomes free goes back to
// the system within a second, which a thread in the background sees to.
const char *malloc_conf = "narenas:1,dirty_decay_ms:1000,muzzy_decay_ms:0,background_thread:true";
