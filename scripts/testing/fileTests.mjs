// What the bundles of tests import as `node:test`: nodeFiles.mjs says what becomes of a test.

/** Registers a test. Resolves when it has ended. */
export const test = (name, body) => globalThis.segmanceTest(name, body);
