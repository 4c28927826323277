// A request that a press makes.

import { reasonOf } from '../sync/requests';
import { toasts } from '../ui/toasts';

/** Waits for it; says why it failed, or `done`. Returns whether it succeeded. */
export async function attempt(work: Promise<unknown>, done: string | null = null): Promise<boolean> {
  try {
    await work;
    if (done !== null) toasts.say(done);
    return true;
  } catch (failure) {
    toasts.say(reasonOf(failure), { kind: 'problem' });
    return false;
  }
}
