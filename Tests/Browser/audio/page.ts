// The page of the audio tests. It renders the engine offline, so that every sample can be compared, and
// it has a real player for the tests to press. Results are posted to the test's server as bytes.
import { decodeInBrowser, fetchFrom } from '../../../client/src/audio/chunkLoader';
import { chunkLength } from '../../../client/src/audio/chunkPlan';
import { bindMediaSession, keepAwakeWhilePlaying } from '../../../client/src/audio/media';
import {
  Player, PlayerPart, PlayerSettings, PlayerSnapshot, plainSettings,
} from '../../../client/src/audio/player';
import { readVoice } from '../../../client/src/audio/voice';
import { framesPerSecond } from '../../../client/src/timeline';
import { Command, FromWorklet, ToWorklet, pieceFrames } from '../../../client/src/worklet/messages';
import { testProcessorName, type FromTestProcessor } from './testMessages';

/** Commands for the page: the numbers of a table, as JSON has no typed array, and the file of a voice or of names. */
type TestCommand =
  | { kind: 'provide'; chunk: number }
  | { kind: 'beatNumbers'; numbers: number[] } | { kind: 'callNumbers'; numbers: number[] }
  | { kind: 'voiceFile'; address: string } | { kind: 'nameFile'; address: string };

interface Rendering {
  trackId: string;
  trackLengthFrames: number;
  chunks: number[];
  frames: number;
  /** Commands with the frame of the context at which they are given, a multiple of 128. */
  steps: { at: number; command: Command | TestCommand }[];
}

interface Told { events: { event: string; value: number; contextFrame: number }[]; refused: number }

/** Renders offline and posts the samples of the left and then the right channel to /result. */
async function render(rendering: Rendering): Promise<Told> {
  const context = new OfflineAudioContext(2, rendering.frames, framesPerSecond);
  await context.audioWorklet.addModule('/testWorklet.js');
  const wasm = await (await fetch('/engine.wasm')).arrayBuffer();
  const node = new AudioWorkletNode(context, testProcessorName, {
    numberOfInputs: 0, outputChannelCount: [2], processorOptions: { wasm },
  });
  node.connect(context.destination);
  const told: Told = { events: [], refused: 0 };
  node.port.onmessage = ({ data }: MessageEvent<FromWorklet | FromTestProcessor>) => {
    if (data.kind === 'event') told.events.push(data);
    if (data.kind === 'refused') told.refused += 1;
    if (data.kind === 'pong') answered();
  };
  let answered = (): void => undefined;
  const send = (command: Command): void => {
    const message: ToWorklet = { sequence: 1, command };
    node.port.postMessage(message);
  };
  /** Resolves when all earlier messages in both directions have arrived. */
  const arrival = (): Promise<void> => {
    const answer = new Promise<void>((resolve) => { answered = resolve; });
    node.port.postMessage('ping');
    return answer;
  };
  const fetchChunk = fetchFrom((track, chunk) => `/api/tracks/${track}/chunks/${chunk}`);
  const provide = async (chunk: number): Promise<void> => {
    const bytes = await fetchChunk(rendering.trackId, chunk, new AbortController().signal);
    const frames = chunkLength(chunk, rendering.trackLengthFrames);
    const { left, right } = await decodeInBrowser(bytes, frames);
    for (let offset = 0; offset < frames; offset += pieceFrames) {
      send({
        kind: 'samples', chunk, offset,
        left: left.slice(offset, offset + pieceFrames),
        right: right.slice(offset, offset + pieceFrames),
      });
    }
  };
  for (const chunk of rendering.chunks) await provide(chunk);
  const times = [...new Set(rendering.steps.map((step) => step.at))];
  for (const at of times) {
    const commands = rendering.steps.filter((step) => step.at === at);
    void context.suspend(at / framesPerSecond).then(async () => {
      for (const { command } of commands) {
        if (command.kind === 'provide') await provide(command.chunk);
        else if (command.kind === 'voiceFile' || command.kind === 'nameFile') {
          const voice = readVoice(await (await fetch(command.address)).arrayBuffer());
          send({ kind: command.kind === 'voiceFile' ? 'voice' : 'names', ...voice });
        } else if (command.kind === 'beatNumbers') send({ kind: 'beats', beats: Int32Array.from(command.numbers) });
        else if (command.kind === 'callNumbers') send({ kind: 'calls', calls: Int32Array.from(command.numbers) });
        else send(command);
      }
      await arrival();
      await context.resume();
    });
  }
  await arrival();
  const buffer = await context.startRendering();
  const samples = new Float32Array(2 * buffer.length);
  samples.set(buffer.getChannelData(0));
  samples.set(buffer.getChannelData(1), buffer.length);
  await fetch('/result', { method: 'POST', body: samples.buffer });
  await arrival();
  return told;
}

const settings: PlayerSettings = { ...plainSettings };

interface Seen extends PlayerSnapshot { at: number }

/** A mock of the system around the page, which records what the page reports to it. */
class System {
  contexts: AudioContext[] = [];
  sessionTypes: string[] = [];
  handlers: Record<string, ((details: object) => void) | null> = {};
  session = {
    metadata: null as MediaMetadata | null,
    playbackState: 'none',
    position: null as object | null,
    setActionHandler: (action: string, handler: ((details: object) => void) | null): void => {
      if (action === 'stop') throw new TypeError('an action that this system does not know');
      this.handlers[action] = handler;
    },
    setPositionState: (position: object): void => { this.session.position = position; },
  };
  audioSession = { type: 'auto' };
  locks = { asked: 0, released: 0 };

  install(): void {
    const replace = (name: string, value: object): void => {
      Object.defineProperty(navigator, name, { configurable: true, value });
    };
    replace('mediaSession', this.session);
    replace('audioSession', this.audioSession);
    replace('wakeLock', {
      request: async () => {
        this.locks.asked += 1;
        const lock = new EventTarget();
        return Object.assign(lock, {
          release: async () => {
            this.locks.released += 1;
            lock.dispatchEvent(new Event('release'));
          },
        });
      },
    });
    const system = this;
    globalThis.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options);
        system.contexts.push(this);
        system.sessionTypes.push(system.audioSession.type);
      }
    };
  }
}

const system = new System();
system.install();

/** A real player with a button, and a record of its snapshots. */
class Stage {
  player = new Player();
  seen: Seen[] = [];
  private unsubscribe = this.follow();

  private follow(): () => void {
    return this.player.subscribe(() => {
      this.seen.push({ ...this.player.snapshot, at: performance.now() });
    });
  }

  load(part: PlayerPart, changes: Partial<PlayerSettings> = {}): void {
    this.player.load(part, { ...settings, ...changes });
  }

  /** Resolves when the player reports the state and frame; rejects after a minute. */
  until(state: string, frame = 0): Promise<PlayerSnapshot> {
    const isThere = (): boolean =>
      this.player.snapshot.state === state && this.player.snapshot.frame >= frame;
    if (isThere()) return Promise.resolve(this.player.snapshot);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        stop();
        reject(new Error(`not ${state} at ${frame}: ${JSON.stringify(this.player.snapshot)}`));
      }, 60_000);
      const stop = this.player.subscribe(() => {
        if (!isThere()) return;
        stop();
        clearTimeout(late);
        resolve(this.player.snapshot);
      });
    });
  }

  /** Presses play and pause `presses` times, evenly distributed over a second. */
  async hammer(presses: number): Promise<void> {
    for (let press = 0; press < presses; press += 1) {
      this.player.toggle();
      await new Promise((resolve) => { setTimeout(resolve, 1_000 / presses); });
    }
  }

  /** Disposes of the player; resolves when the browser has closed its audio context. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.player.dispose();
    await Promise.all(system.contexts.map((context) => new Promise<void>((resolve) => {
      if (context.state === 'closed') resolve();
      else context.addEventListener('statechange', () => resolve());
    })));
  }
}

const stage = new Stage();
document.querySelector('button')?.addEventListener('click', () => stage.player.toggle());
Object.assign(globalThis, { render, stage, system, bindMediaSession, keepAwakeWhilePlaying });
