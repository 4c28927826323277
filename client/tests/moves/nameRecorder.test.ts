// The button that records: holding, pressing, and what can go wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Microphone } from '../../src/moves/microphone';
import { NoMicrophone } from '../../src/ui/microphoneStream';
import { NameRecorder } from '../../src/moves/nameRecorder';

class FakeMicrophone implements Microphone {
  level = 0.2;
  loudest = 0.2;
  wasAsked = false;
  state: 'open' | 'recording' | 'stopped' | 'closed' = 'open';

  start(): Promise<void> {
    this.state = 'recording';
    return Promise.resolve();
  }

  stop(): Promise<Blob> {
    this.state = 'stopped';
    return Promise.resolve(new Blob(['name']));
  }

  close(): void {
    this.state = 'closed';
  }
}

/** A recorder whose time and microphone the test decides. */
function rig() {
  let now = 0;
  const timers: { readonly at: number; readonly ring: () => void }[] = [];
  const opened: { give: (microphone: Microphone) => void; refuse: (failure: Error) => void }[] = [];
  const recorded: Blob[] = [];
  const recorder = new NameRecorder({
    openMicrophone: () => new Promise((give, refuse) => {
      opened.push({ give, refuse });
    }),
    onRecorded: (sound) => recorded.push(sound),
    clock: () => now,
    timer: (milliseconds, ring) => {
      const entry = { at: now + milliseconds, ring };
      timers.push(entry);
      return () => {
        if (timers.includes(entry)) timers.splice(timers.indexOf(entry), 1);
      };
    },
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const pass = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    for (const due of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(due), 1);
      due.ring();
    }
    await settle();
  };
  /** The browser opens the microphone of the latest press. */
  const allow = async (wasAsked = false): Promise<FakeMicrophone> => {
    const microphone = new FakeMicrophone();
    microphone.wasAsked = wasAsked;
    opened[opened.length - 1]?.give(microphone);
    await settle();
    return microphone;
  };
  const press = (): void => recorder.press(now);
  const release = (): void => recorder.release(now);
  return { recorder, recorded, opened, pass, allow, settle, press, release };
}

test('holding the button records until it is let go, and the microphone is released', async () => {
  const { recorder, recorded, pass, allow, press, release } = rig();
  press();
  assert.equal(recorder.state, 'opening');
  const microphone = await allow();
  assert.equal(recorder.state, 'recording');
  await pass(900);
  release();
  assert.equal(recorder.state, 'recording', 'the last syllable');
  await pass(200);
  assert.equal(recorder.state, 'idle');
  assert.equal(recorder.problem, null);
  assert.equal(recorded.length, 1);
  assert.equal(microphone.state, 'closed');
});

test('a short press records until the next one', async () => {
  const { recorder, recorded, pass, allow, press, release } = rig();
  press();
  await pass(100);
  release();
  const microphone = await allow();
  await pass(1_500);
  assert.equal(recorder.state, 'recording');
  press();
  release();
  await pass(0);
  assert.equal(recorder.state, 'idle');
  assert.equal(recorded.length, 1);
  assert.equal(microphone.state, 'closed');
});

test('a short press is short even if the page hears of its end later', async () => {
  const { recorder, pass, allow, press } = rig();
  press();
  await pass(900);
  recorder.release(40);
  await allow();
  assert.equal(recorder.state, 'recording');
});

test('after ten seconds it stops by itself', async () => {
  const { recorder, recorded, pass, allow, press, release } = rig();
  press();
  const microphone = await allow();
  await pass(9_900);
  assert.equal(recorder.state, 'recording');
  await pass(200);
  assert.equal(recorder.state, 'idle');
  assert.equal(recorded.length, 1);
  assert.equal(microphone.state, 'closed');
  release();
  assert.equal(recorder.state, 'idle');
});

test('whoever lets go to answer the question for permission is asked to press again', async () => {
  const { recorder, recorded, pass, allow, press, release } = rig();
  press();
  await pass(600);
  release();
  assert.equal(recorder.problem, 'again');
  assert.equal(recorder.state, 'idle');
  const microphone = await allow();
  assert.equal(microphone.state, 'closed', 'no red dot stays');
  press();
  await allow();
  await pass(800);
  release();
  await pass(200);
  assert.equal(recorded.length, 1);
});

test('a question that takes the finger off the button starts no recording when it is answered', async () => {
  const { recorder, recorded, pass, allow, press, release } = rig();
  press();
  await pass(50);
  release();
  await pass(4_000);
  const microphone = await allow(true);
  assert.equal(recorder.problem, 'again');
  assert.equal(microphone.state, 'closed');
  // A browser that can't tell whether it asks opens the microphone at once.
  press();
  release();
  await allow(true);
  assert.equal(recorder.state, 'recording');
  assert.deepEqual(recorded, []);
});

test('a refused microphone is told, and can be tried again', async () => {
  const { recorder, opened, allow, settle, press } = rig();
  press();
  opened[0]?.refuse(new NoMicrophone('denied'));
  await settle();
  assert.equal(recorder.state, 'idle');
  assert.equal(recorder.problem, 'denied');
  press();
  assert.equal(recorder.problem, null);
  await allow();
  assert.equal(recorder.state, 'recording');
});

test('what is too short or silent is not kept', async () => {
  const { recorder, recorded, pass, allow, press, release } = rig();
  press();
  await allow();
  await pass(100);
  press();
  await pass(0);
  assert.equal(recorder.problem, 'short');
  release();
  press();
  const microphone = await allow();
  microphone.loudest = 0.001;
  await pass(1_000);
  release();
  await pass(200);
  assert.equal(recorder.problem, 'silent');
  assert.deepEqual(recorded, []);
});

test('closing the sheet drops the recording and releases the microphone, whenever it opens', async () => {
  const { recorder, recorded, pass, allow, press } = rig();
  press();
  recorder.close();
  const late = await allow();
  assert.equal(late.state, 'closed');
  press();
  const microphone = await allow();
  await pass(1_000);
  recorder.close();
  await pass(20_000);
  assert.equal(microphone.state, 'closed');
  assert.equal(recorder.state, 'idle');
  assert.deepEqual(recorded, []);
});
