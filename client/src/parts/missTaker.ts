// Where a miss is reported from outside of the run-through's view: by a headset's keys, or by a remote.

type TakeMiss = (frame?: number) => void;

let taking: TakeMiss | null = null;

/** Whether a run-through takes misses. */
export const takesMisses = (): boolean => taking !== null;

/** Reports a miss while a frame of the run is heard, by default the current one. */
export function reportMiss(frame?: number): void {
  taking?.(frame);
}

/** Passes misses to a run-through; returns the function that ends it. */
export function takeMisses(take: TakeMiss): () => void {
  taking = take;
  return () => {
    if (taking === take) taking = null;
  };
}
