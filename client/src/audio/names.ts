// The names that the caller says: fetched when they are needed, and handed to the engine with their calls.

import { numbersOfRecording, type Command } from '../worklet/messages';
import { fetchVoice, type Voice } from './voice';

/** A name that is said ahead of a move. */
export interface Call {
  /** The frame of the player at which the move begins. */
  readonly frame: number;
  /** The frame on which the name is said; perhaps before the first. */
  readonly calledFrame: number;
  /** The address of the name's voice file. */
  readonly address: string;
}

/** What gets the names. */
export interface NameHost {
  send(command: Command): void;
  /** Called when `missing` changes, and when all names are there. */
  onChange(): void;
}

/** What fetches the names of calls, for the player. */
export type Names = Pick<NameFeed, 'follow' | 'retry' | 'handOver' | 'missing' | 'isFetching'>;

/** As many as the server says at once; what is kept for later asks it at the same time. */
const atOnce = 2;

/** Fetches the names of the current calls, and sends both once all names are there or can't be fetched. */
export class NameFeed {
  private calls: readonly Call[] = [];
  /** The names of the current calls; null for one that could not be fetched. */
  private held = new Map<string, Voice | null>();
  private readonly fetching = new Set<string>();
  /** What the engine has: addresses in the order of its recordings. */
  private sent: readonly string[] = [];
  private sentCalls = '';

  constructor(private readonly host: NameHost) {}

  /** How many of the names could not be fetched. */
  get missing(): number {
    return [...this.held.values()].filter((voice) => voice === null).length;
  }

  /** Whether a name of the current calls is still being fetched. */
  get isFetching(): boolean {
    return this.calls.some(({ address }) => !this.held.has(address));
  }

  /** Follows what is to be called. */
  follow(calls: readonly Call[]): void {
    this.calls = calls;
    const wanted = new Set(calls.map(({ address }) => address));
    // Kept for the next part, which often has the same moves.
    if (wanted.size > 0) this.held = new Map([...this.held].filter(([address]) => wanted.has(address)));
    this.next();
  }

  /** Tries again to fetch what could not be fetched. */
  retry(): void {
    if (this.missing === 0) return;
    this.held = new Map([...this.held].filter(([, voice]) => voice !== null));
    this.next();
  }

  /** Gives a new engine what there is. */
  handOver(): void {
    this.sent = [];
    this.sentCalls = '';
    this.next();
  }

  private next(): void {
    const missing = this.calls.map(({ address }) => address).filter((address) => (
      !this.held.has(address) && !this.fetching.has(address)));
    for (const address of new Set(missing)) {
      if (this.fetching.size === atOnce) break;
      this.fetching.add(address);
      void this.fetch(address);
    }
    if (this.calls.every(({ address }) => this.held.has(address))) this.deliver();
  }

  private async fetch(address: string): Promise<void> {
    const voice = await fetchVoice(address).catch(() => null);
    this.fetching.delete(address);
    if (this.calls.some((call) => call.address === address)) this.held.set(address, voice);
    this.next();
    if (voice === null || !this.isFetching) this.host.onChange();
  }

  private deliver(): void {
    const names = [...new Set(this.calls.map(({ address }) => address))].flatMap((address) => {
      const voice = this.held.get(address);
      return voice ? [{ address, voice }] : [];
    });
    if (this.calls.length > 0 && names.map(({ address }) => address).join('\n') !== this.sent.join('\n')) {
      this.sent = names.map(({ address }) => address);
      this.host.send({ kind: 'names', ...joined(names.map(({ voice }) => voice)) });
    }
    const numbers = new Map(this.sent.map((address, index) => [address, index + 1]));
    const calls = this.calls.flatMap(({ frame, calledFrame, address }) => {
      const number = numbers.get(address);
      return number === undefined ? [] : [frame, calledFrame, number];
    });
    const asText = calls.join();
    if (asText === this.sentCalls) return;
    this.sentCalls = asText;
    this.host.send({ kind: 'calls', calls: Int32Array.from(calls) });
  }
}

/** Joins names, of which each file has one recording, to one voice. */
function joined(names: readonly Voice[]): Voice {
  const samples = new Int16Array(names.reduce((sum, name) => sum + name.samples.length, 0));
  const recordings = new Int32Array(names.length * numbersOfRecording);
  let start = 0;
  names.forEach((name, index) => {
    samples.set(name.samples, start);
    const [first = 0, frames = 0, attack = 0] = name.recordings;
    recordings.set([start + first, frames, attack], index * numbersOfRecording);
    start += name.samples.length;
  });
  return { recordings, samples };
}
