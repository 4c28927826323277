// What TypeScript 4.8 left out of its library for workers, for client/tsconfig.nodom.json.

interface AbortController {
  abort(reason?: unknown): void;
}
