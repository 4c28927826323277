// The module of counts: loaded when it is first needed, once.

import { addresses } from '../builtAssets';
import type { CountsExports } from '../generated/counts';

let loading: Promise<CountsExports> | null = null;

/** Makes an instance of the module from its bytes. */
export async function instantiateCounts(bytes: ArrayBuffer): Promise<CountsExports> {
  const { instance } = await WebAssembly.instantiate(bytes);
  // The module carries no types; these are generated from Exports.swift, which it is compiled from.
  return instance.exports as unknown as CountsExports;
}

/** Loads the module; a failure is tried again by the next call. */
export function loadCounts(): Promise<CountsExports> {
  loading ??= fetch(addresses.counts)
    .then((response) => {
      if (!response.ok) throw new Error(`The counts answered ${response.status}.`);
      return response.arrayBuffer();
    })
    .then(instantiateCounts)
    .catch((failure: unknown) => {
      loading = null;
      throw failure;
    });
  return loading;
}
