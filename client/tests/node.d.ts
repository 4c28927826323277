// The declarations of Node that these tests use. Debian has no types for Node that match tsc 4.8.

declare module 'node:test' {
  export function test(name: string, body: () => void | Promise<void>): Promise<void>;
}

declare module 'node:assert/strict' {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    throws(body: () => unknown, expected?: object | RegExp): void;
    rejects(promise: Promise<unknown>, expected?: object | RegExp): Promise<void>;
    match(actual: string, expected: RegExp, message?: string): void;
    fail(message?: string): never;
  }
  const assert: Assert;
  export default assert;
}

declare module 'node:fs' {
  interface Entry {
    readonly name: string;
    isDirectory(): boolean;
  }
  export function readFileSync(path: string): { readonly buffer: ArrayBuffer };
  export function readFileSync(path: string, encoding: 'utf8'): string;
  export function readdirSync(path: string): string[];
  export function readdirSync(path: string, options: { withFileTypes: true }): Entry[];
}

declare module 'node:path' {
  export function join(...parts: string[]): string;
}

declare module 'node:child_process' {
  interface Child {
    readonly stdout: { on(event: 'data', callback: (data: unknown) => void): void };
    on(event: 'exit', callback: () => void): void;
    kill(signal: 'SIGKILL'): void;
  }
  export function spawn(
    program: string, words: readonly string[], options: { readonly stdio: readonly string[] },
  ): Child;
}

declare const process: {
  readonly env: { readonly [name: string]: string | undefined };
  readonly argv: readonly string[];
  cpuUsage(): { readonly user: number; readonly system: number };
  exit(status: number): never;
};
declare function setImmediate(callback: () => void): void;
