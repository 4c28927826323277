// The module with the arithmetic of practice: loaded when it is first needed, once.

import { addresses } from '../builtAssets';
import type { PracticeExports } from '../generated/practice';

let loading: Promise<PracticeExports> | null = null;

/** Makes an instance of the module from its bytes. */
export async function instantiatePractice(bytes: ArrayBuffer): Promise<PracticeExports> {
  const { instance } = await WebAssembly.instantiate(bytes);
  // The module carries no types; these are generated from the files that it is compiled from.
  return instance.exports as unknown as PracticeExports;
}

/** Loads the module; a failure is tried again by the next call. */
export function loadPractice(): Promise<PracticeExports> {
  loading ??= fetch(addresses.practice)
    .then((response) => {
      if (!response.ok) throw new Error(`The arithmetic of practice answered ${response.status}.`);
      return response.arrayBuffer();
    })
    .then(instantiatePractice)
    .catch((failure: unknown) => {
      loading = null;
      throw failure;
    });
  return loading;
}
