// Requests to the server that the worker can leave, so that the next version need not wait for them.

/** Requests that come shortly after are left, too. */
const leavingMilliseconds = 3_000;
const unanswered = new Set<() => void>();
let leavesUntil = 0;

/** Returns what `work` returns, unless `leaveUnanswered` is called before that: then it throws, as without a network. */
export function leavable<Answer>(work: Promise<Answer>): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const leave = (): void => reject(new TypeError('The next version takes over.'));
    unanswered.add(leave);
    void work.then(resolve, reject).finally(() => unanswered.delete(leave));
    if (performance.now() < leavesUntil) leave();
  });
}

/** Lets all work fail that is not done, and for some seconds all that begins. */
export function leaveUnanswered(): void {
  leavesUntil = performance.now() + leavingMilliseconds;
  for (const leave of unanswered) leave();
}
