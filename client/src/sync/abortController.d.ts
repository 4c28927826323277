// Types that TypeScript 4.8 lacks in its library for workers, for client/tsconfig.nodom.json.

interface AbortController {
  abort(reason?: unknown): void;
}
