// The little of Node's test runner that these tests use; Debian has no types for it beside tsc 4.8.

declare module 'node:test' {
  export function test(name: string, body: () => void | Promise<void>): void;
}

declare module 'node:assert/strict' {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    throws(body: () => unknown, expected?: object | RegExp): void;
    match(actual: string, expected: RegExp, message?: string): void;
    fail(message?: string): never;
  }
  const assert: Assert;
  export default assert;
}

declare const process: { readonly env: { readonly [name: string]: string | undefined } };
declare function setImmediate(callback: () => void): void;
