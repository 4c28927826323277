// Starts the watch over the sound output with the browser's objects, and says when the output has changed.

import type { Services } from '../services/services';
import { listenForStorage, remember, remembered } from '../ui/device';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { outputName } from './outputName';
import { OutputWatch } from './outputWatch';

/** The watch of this page. */
export const outputWatch = new OutputWatch();

let isFollowing = false;

/** Starts it, once: after the second script is loaded. */
export function followOutput({ player, navigation }: Services): void {
  if (isFollowing) return;
  isFollowing = true;
  // Missing where the page is not secure; no sound either then.
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
  const measure = (): void => navigation.go({ page: 'settings', room: 'sound-delay' });
  outputWatch.start({
    setLatency: (seconds) => player.setLatency(seconds),
    get reportedLatency() { return player.reportedLatency; },
    get isSounding() { return player.snapshot.state === 'playing'; },
    subscribe: player.subscribe,
    outputName,
    onDevices: (listener) => mediaDevices?.addEventListener('devicechange', listener),
    onWritten: (listener) => listenForStorage('latency', listener),
    read: () => remembered('latency'),
    write: (text) => remember('latency', text),
    clock: () => performance.now(),
    tellChange: (name) => {
      const { latency } = lateWords;
      const action = { label: latency.calibrate, run: measure };
      if (name !== '') toasts.say(latency.otherOutput(name), { action });
      else toasts.say(latency.outputChanged, { action, other: { label: latency.keep, run: () => outputWatch.keep() } });
    },
  });
}
