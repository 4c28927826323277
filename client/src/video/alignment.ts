// Requests from the server where in the music a video begins, and keeps the answers. No DOM.

import { apiAddress } from '../apiAddress';
import { Listeners } from '../sync/listeners';
import { ask, notSegmance } from '../sync/ask';
import type { Environment } from '../sync/environment';
import { asJob } from '../sync/events';
import { ServerError } from '../sync/requests';
import type { Job } from '../sync/wire';
import { lateWords } from '../words/lateWords';

/** A video, and the range of a track to find it in. Frames are of the track. */
export interface AlignmentQuestion {
  readonly video: string;
  readonly track: string;
  readonly start: number;
  readonly end: number;
}

/** The state of a search. */
export type Alignment =
  | { readonly state: 'waiting'; readonly progress: number }
  | { readonly state: 'found'; readonly offset: number; readonly isCertain: boolean }
  | { readonly state: 'failed'; readonly sentence: string; readonly isPassing: boolean };

interface Outside extends Pick<Environment, 'fetch' | 'timer'> {
  readonly onJob: (listener: (job: Job) => void) => () => void;
}

const askAgainMilliseconds = 2_000;

/** All searches since the page was loaded. */
export class Alignments {
  private readonly known = new Map<string, Alignment>();
  private readonly running = new Map<string, Promise<Alignment>>();
  private readonly listeners = new Listeners();

  constructor(private readonly outside: Outside) {}

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Returns the state of a search; null if it was never started. */
  of(question: AlignmentQuestion): Alignment | null {
    return this.known.get(keyOf(question)) ?? null;
  }

  /**
   * Starts a search unless it was started before. A search that did not reach the server may be
   * started again.
   */
  async ask(question: AlignmentQuestion): Promise<Alignment> {
    // A running request may fail because of an earlier network loss: then this call starts another
    // one.
    const running = this.running.get(keyOf(question));
    if (running) await running;
    const before = this.of(question);
    if (before && before.state !== 'waiting' && !isPassing(before)) return before;
    return this.running.get(keyOf(question)) ?? this.begin(question);
  }

  private begin(question: AlignmentQuestion): Promise<Alignment> {
    const answer = this.answer(question).finally(() => this.running.delete(keyOf(question)));
    this.running.set(keyOf(question), answer);
    this.set(question, { state: 'waiting', progress: 0 });
    return answer;
  }

  private async answer(question: AlignmentQuestion): Promise<Alignment> {
    const answer = await this.search(question).catch((failure: unknown): Alignment => (
      failure instanceof ServerError
        ? { state: 'failed', sentence: failure.message, isPassing: failure.status >= 500 }
        : { state: 'failed', sentence: lateWords.video.cannotFind, isPassing: true }
    ));
    this.set(question, answer);
    return answer;
  }

  /** Searches again, regardless of the earlier answer. */
  again(question: AlignmentQuestion): Promise<Alignment> {
    if (this.of(question)?.state !== 'waiting') this.known.delete(keyOf(question));
    return this.ask(question);
  }

  private async search(question: AlignmentQuestion): Promise<Alignment> {
    const { video, track, start, end } = question;
    const address = apiAddress.alignment(video);
    const environment = this.outside;
    let answer = await ask('POST', address, { value: { track, start, end }, environment });
    while (answer.status === 202) {
      await this.over(question, String((answer.value as { job?: unknown } | null)?.job ?? ''));
      const query = new URLSearchParams({ track, start: String(start), end: String(end) });
      answer = await ask('GET', `${address}?${query}`, { environment });
    }
    const found = answer.value as { offset?: unknown; isCertain?: unknown } | null;
    if (typeof found?.offset !== 'number') throw notSegmance();
    return { state: 'found', offset: Math.round(found.offset), isCertain: found.isCertain === true };
  }

  /** Waits until a job has ended, or until it is time to poll it. */
  private over(question: AlignmentQuestion, id: string): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        stopJob();
        stopTimer();
        resolve();
      };
      const stopTimer = this.outside.timer(askAgainMilliseconds, end);
      const stopJob = this.outside.onJob((heard) => {
        const job = asJob(heard);
        if (job?.id !== id) return;
        if (job.state === 'queued' || job.state === 'running') {
          this.set(question, { state: 'waiting', progress: job.progress });
        } else end();
      });
    });
  }

  private set(question: AlignmentQuestion, alignment: Alignment): void {
    this.known.set(keyOf(question), alignment);
    this.listeners.tell();
  }
}

function isPassing(alignment: Alignment): boolean {
  return alignment.state === 'failed' && alignment.isPassing;
}

function keyOf({ video, track, start, end }: AlignmentQuestion): string {
  return `${video} ${track} ${start} ${end}`;
}
