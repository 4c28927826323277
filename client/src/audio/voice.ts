// The voices that count: fetched when they are needed, and handed to the engine.

import { addresses, voiceLanguages, type VoiceLanguage } from '../builtAssets';
import { language } from '../words/words';
import { numbersOfRecording } from '../worklet/messages';

/** The recordings of the numbers 1 to 8, as the engine takes them. */
export interface Voice {
  /** `numbersOfRecording` numbers each. */
  readonly recordings: Int32Array;
  readonly samples: Int16Array;
}

const silence: Voice = { recordings: new Int32Array(), samples: new Int16Array() };

/** Returns the language of the voice: the chosen one, or that of the interface, or English. */
export function voiceLanguage(chosen: VoiceLanguage | 'interface'): VoiceLanguage {
  if (chosen !== 'interface') return chosen;
  return voiceLanguages.find((each) => each === language) ?? 'en';
}

/** Reads a voice's file: a WAV file with two cue points for each recording. docs/FORMATS.md describes it. */
export function readVoice(file: ArrayBuffer): Voice {
  const view = new DataView(file);
  const chunks = new Map<string, number>();
  for (let at = 12; at + 8 <= file.byteLength; at += 8 + view.getUint32(at + 4, true)) {
    chunks.set(String.fromCharCode(...new Uint8Array(file, at, 4)), at);
  }
  const [cues, data] = [chunks.get('cue '), chunks.get('data')];
  if (cues === undefined || data === undefined) throw new Error('The voice has no cue points or no samples.');
  const samples = new Int16Array(file.slice(data + 8, data + 8 + view.getUint32(data + 4, true)));
  // In the order of their identifiers, as Sources/CountVoices writes them.
  const frames = Array.from(
    { length: view.getUint32(cues + 8, true) }, (_, index) => view.getUint32(cues + 12 + 24 * index + 20, true));
  const count = frames.length / 2;
  const recordings = new Int32Array(count * numbersOfRecording);
  for (let index = 0; index < count; index += 1) {
    const [start = 0, attack = 0, end = samples.length] = frames.slice(2 * index);
    recordings.set([start, end - start, attack - start], index * numbersOfRecording);
  }
  return { recordings, samples };
}

/** Fetches a voice's file. */
export async function fetchVoice(address: string): Promise<Voice> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The voice answered ${response.status}.`);
  return readVoice(await response.arrayBuffer());
}

interface VoiceHost {
  /** Takes a voice; an empty one if there is none. */
  give(voice: Voice): void;
  /** Called when `isMissing` changes. */
  onChange(): void;
}

/** Fetches the wanted voice once, and hands it over. */
export class VoiceFeed {
  private wanted: VoiceLanguage | null = null;
  private held: { readonly language: VoiceLanguage; readonly voice: Voice } | null = null;
  private isFetching = false;
  private missing: VoiceLanguage | null = null;

  constructor(private readonly host: VoiceHost) {}

  /** Whether the wanted voice could not be fetched. */
  get isMissing(): boolean { return this.wanted !== null && this.missing === this.wanted; }

  /** Follows what is wanted; a voice that could not be fetched is tried again. */
  follow(wanted: VoiceLanguage | null): void {
    this.wanted = wanted;
    if (wanted === null || wanted === this.held?.language || this.isFetching) return;
    this.isFetching = true;
    void this.fetch(wanted);
  }

  /** Gives the held voice to a new engine. */
  handOver(): void {
    if (this.held) this.host.give(this.held.voice);
  }

  private async fetch(wanted: VoiceLanguage): Promise<void> {
    const voice = await fetchVoice(addresses[`voice-${wanted}`]).catch(() => null);
    this.isFetching = false;
    // Another one, chosen meanwhile, is fetched next.
    if (this.wanted !== wanted) {
      this.follow(this.wanted);
      return;
    }
    this.held = voice && { language: wanted, voice };
    this.missing = voice ? null : wanted;
    this.host.give(voice ?? silence);
    this.host.onChange();
  }
}
