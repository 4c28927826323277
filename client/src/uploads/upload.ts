// The import of one file into the library: a resumable upload (tus 1.0), then its processing.

import { apiAddress, type MediaKind } from '../apiAddress';
import { browserEnvironment } from '../sync/environment';
import type { Environment } from '../sync/environment';
import { asJob } from '../sync/events';
import { Semaphore } from './semaphore';
import type { LocalLibrary } from '../sync/library';
import { Listeners } from '../sync/listeners';
import { RetryPolicy, Problem, InvalidFileError } from './retryPolicy';
import { parsed, refusal, ServerError, send, NetworkError } from '../sync/requests';
import { spaceOf, type Purpose } from './purpose';
import { Transfer } from './transfer';
import type { NamedBlob } from './transfer';
import { isOfFile, removeFromServer } from './tus';
import type { Job } from '../sync/wire';
import { lateWords } from '../words/lateWords';

/** The state of an upload. */
export type UploadState = 'waiting' | 'uploading' | 'importing' | 'done' | 'failed' | 'cancelled';

/** The parts of the library that an upload uses. */
type UploadLibrary = Pick<LocalLibrary, 'onJob' | 'get' | 'partsUsing' | 'partsShowing' | 'refresh'>;

/** The options of an upload. */
export interface UploadOptions extends Partial<Environment> {
  /**
   * The upload is done once this library has the ready record, so that its length can be read at
   * once.
   */
  readonly library: UploadLibrary;
  /** The type of the record; a track by default. */
  readonly kind?: MediaKind;
  readonly server?: string;
  /** The size of one request; by default about one second's worth of bytes. */
  readonly pieceBytes?: number;
  /** The queue in which uploads wait for each other. */
  readonly lane?: Semaphore;
}

const sharedLane = new Semaphore(2);
/** How often the bytes are sent from the beginning because the server no longer knows them. */
const mostAttempts = 3;
const pollMilliseconds = 2_000;
/** The share of the progress that the upload takes; the rest is the import. */
const uploadShare = 0.6;

/** Uploads and imports one audio file, video or recording. Starts on request, two at a time in all. */
export class Upload {
  purpose: (() => Purpose) | undefined;
  private currentState: UploadState = 'waiting';
  private currentProgress = 0;
  private currentProblem: string | null = null;
  private readonly listeners = new Listeners();
  private readonly environment: Environment;
  private readonly server: string;
  private readonly lane: Semaphore;
  private readonly patience: RetryPolicy;
  private readonly transfer: Transfer;
  private readonly abort = new AbortController();
  private running: Promise<void> | null = null;
  private cleaning: Promise<void> | null = null;
  private readonly kind: MediaKind;
  private record: string | null = null;
  private job: string | null = null;
  private isKnown = false;
  private isAway = false;
  private hasUnusableFile = false;

  /** Prepares an upload; nothing is sent before `start`. */
  constructor(
    private readonly file: NamedBlob,
    private readonly options: UploadOptions,
  ) {
    this.environment = browserEnvironment(replacements(options));
    this.server = options.server ?? '';
    this.kind = options.kind ?? 'track';
    this.lane = options.lane ?? sharedLane;
    this.patience = new RetryPolicy(this.environment, (failures) => {
      // A later try keeps the sentence, which would otherwise flicker.
      if (failures === 0 && this.isAway) return;
      this.isAway = failures > 2;
      const sentence = this.isAway ? lateWords.uploads.away : failures > 0 ? lateWords.uploads.broken : null;
      this.show(this.currentState, this.currentProgress, sentence);
    });
    this.transfer = new Transfer(
      this.environment, this.server, file, options.pieceBytes,
      (share) => this.show('uploading', uploadShare * share),
    );
  }

  get state(): UploadState {
    return this.currentState;
  }

  /** 0 … 1 over upload and import. */
  get progress(): number {
    return this.currentProgress;
  }

  /** A sentence for the user: why it failed, or that it is trying again. */
  get problem(): string | null {
    return this.currentProblem;
  }

  /** Whether the file caused the failure, and not the server or the network. */
  get isUnusable(): boolean {
    return this.hasUnusableFile;
  }

  /** The id of the track, video or recording, once the import has begun. */
  get trackId(): string | null {
    return this.record;
  }

  /** Whether the library already had this file. */
  get alreadyKnown(): boolean {
    return this.isKnown;
  }

  /** Calls back after each change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Starts, or waits for its turn. */
  start(): void {
    if (this.currentState !== 'waiting' || this.running) return;
    this.running = this.run(this.abort.signal).finally(() => {
      this.running = null;
    });
  }

  /** Continues after a failure, from where it stopped. */
  retry(): void {
    if (this.currentState !== 'failed') return;
    this.hasUnusableFile = false;
    this.show('waiting', this.currentProgress);
    // The failed run may still be in its last step.
    void Promise.resolve(this.running).then(() => this.start());
  }

  /**
   * Cancels and deletes everything that this upload made on the server; settles once that is done.
   */
  cancel(): Promise<void> {
    if (!this.cleaning) {
      this.abort.abort();
      this.show('cancelled', this.currentProgress);
      this.cleaning = Promise.resolve(this.running).then(() => this.clean());
    }
    return this.cleaning;
  }

  private async run(signal: AbortSignal): Promise<void> {
    try {
      if (this.file.size === 0) throw new InvalidFileError(lateWords.uploads.empty);
      await this.bring(signal);
      if (this.job !== null) await this.follow(this.job, signal);
      await this.arrival(signal);
      this.show('done', 1);
    } catch (failure) {
      if (signal.aborted) return;
      const isOurs = failure instanceof Problem || failure instanceof ServerError;
      this.hasUnusableFile = failure instanceof InvalidFileError || isOfFile(failure);
      const sentence = isOurs ? failure.message : lateWords.uploads.failed(String(failure));
      this.show('failed', this.currentProgress, sentence);
    }
  }

  /** Uploads until the server has made a record of the file. */
  private async bring(signal: AbortSignal): Promise<void> {
    for (let attempts = 0; this.record === null; attempts += 1) {
      if (attempts === mostAttempts) throw new Problem(lateWords.uploads.notKept);
      const leave = await this.lane.enter(signal);
      try {
        signal.throwIfAborted();
        this.show('uploading', this.currentProgress);
        const { transfer } = this;
        await this.patience.retry(signal, () => transfer.run(signal), () => transfer.offset);
      } finally {
        leave();
      }
      this.show('importing', uploadShare);
      await this.patience.retry(signal, () => this.makeRecord());
      signal.throwIfAborted();
    }
  }

  private async makeRecord(): Promise<void> {
    const upload = this.transfer.address?.split('/').pop() ?? '';
    const space = this.purpose && spaceOf(this.options.library, this.purpose());
    const request = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ upload, ...(space !== undefined && { space }) }),
    };
    // Must not be aborted: a record whose id is lost can't be deleted.
    const never = new AbortController().signal;
    const { response, text } = await send(
      this.environment, this.server + apiAddress.records(this.kind), request, never,
    );
    if (response.status === 404) {
      // Already taken by a request whose answer was lost, or expired: send the same bytes again.
      this.transfer.address = null;
      return;
    }
    // Not all bytes have arrived: the transfer continues from the server's offset.
    if (response.status === 409) return;
    if (!response.ok) throw refusal(response, text);
    const made = parsed(text) as { id?: unknown; job?: unknown } | null;
    if (typeof made?.id !== 'string') throw new NetworkError('The answer did not come from Segmance.');
    this.transfer.address = null;
    this.record = made.id;
    this.job = typeof made.job === 'string' ? made.job : null;
    this.isKnown = response.status !== 202;
    // The state is unchanged, but the id is new.
    this.listeners.tell();
  }

  /** Follows the import by the server's events, and by polling without events. */
  private async follow(id: string, signal: AbortSignal): Promise<void> {
    const seen: { job: Job | null; isSilent: boolean } = { job: null, isSilent: true };
    const over = new AbortController();
    const wake = () => over.abort();
    signal.addEventListener('abort', wake);
    const take = (job: Job) => {
      if (job.id !== id || isOver(seen.job)) return;
      seen.job = job;
      seen.isSilent = false;
      if (isOver(job)) wake();
      // A message of an unfinished job tells what it waits for.
      else this.show('importing', uploadShare + (1 - uploadShare) * job.progress, job.message);
    };
    const stop = this.options.library.onJob(take);
    try {
      while (!isOver(seen.job)) {
        if (seen.isSilent && !(await this.poll(id, take, signal))) return;
        seen.isSilent = true;
        await this.patience.pause(pollMilliseconds, over.signal);
        signal.throwIfAborted();
      }
    } finally {
      stop();
      signal.removeEventListener('abort', wake);
    }
    if (seen.job?.state === 'done') return;
    // The server has already removed it: a retry starts with the upload.
    this.record = this.job = null;
    const reason = seen.job?.state === 'cancelled' ? lateWords.uploads.cancelled : seen.job?.message;
    throw new InvalidFileError(reason ?? lateWords.uploads.notImported);
  }

  /** Polls the job; returns whether the server still knows it. */
  private async poll(id: string, take: (job: Job) => void, signal: AbortSignal): Promise<boolean> {
    let isKnown = true;
    await this.patience.retry(signal, async () => {
      const url = this.server + apiAddress.job(id);
      const { response, text } = await send(this.environment, url, { method: 'GET' }, signal);
      isKnown = response.status !== 404;
      if (!isKnown) return;
      if (!response.ok) throw refusal(response, text);
      const job = asJob(parsed(text));
      if (!job) throw new NetworkError('The answer did not come from Segmance.');
      take(job);
    });
    return isKnown;
  }

  /** Waits until the local library has the finished record. */
  private async arrival(signal: AbortSignal): Promise<void> {
    const { library } = this.options;
    for (;;) {
      if (library.get(this.kind, this.record ?? '')?.state === 'ready') return;
      const isCurrent = await library.refresh();
      signal.throwIfAborted();
      const record = library.get(this.kind, this.record ?? '');
      if (record?.state === 'ready') return;
      if (record?.state === 'failed' || (isCurrent && !record)) {
        this.record = this.job = null;
        throw new InvalidFileError(record?.problem ?? lateWords.uploads.deleted[this.kind]);
      }
      await this.patience.pause(pollMilliseconds, signal);
      signal.throwIfAborted();
    }
  }

  /** Deletes what the server has of this upload, unless other records use it. */
  private async clean(): Promise<void> {
    const { library } = this.options;
    // The server itself keeps a recording that a move uses.
    const users = { track: library.partsUsing, video: library.partsShowing, recording: () => [] }[this.kind];
    const ours = this.record !== null && !this.isKnown
      && users.call(library, this.record).length === 0;
    const addresses = [
      this.transfer.address,
      ours && this.job !== null ? this.server + apiAddress.job(this.job) : null,
      ours && this.record !== null ? this.server + apiAddress.record(this.kind, this.record) : null,
    ];
    const { signal } = new AbortController();
    try {
      for (const address of addresses) {
        if (address === null) continue;
        await this.patience.retry(signal, () => removeFromServer(this.environment, address, signal));
      }
    } catch (failure) {
      const why = failure instanceof Error ? failure.message : String(failure);
      this.show('cancelled', this.currentProgress, lateWords.uploads.leftOver(why));
      return;
    }
    this.transfer.address = null;
    this.show('cancelled', this.currentProgress);
  }

  /** Sets the state; a cancelled upload stays cancelled. */
  private show(state: UploadState, progress: number, problem: string | null = null): void {
    if (this.currentState === 'cancelled' && state !== 'cancelled') return;
    const isSame = this.currentState === state && this.currentProgress === progress;
    if (isSame && this.currentProblem === problem) return;
    this.currentState = state;
    this.currentProgress = progress;
    this.currentProblem = problem;
    this.listeners.tell();
  }
}

function isOver(job: Job | null): boolean {
  return job !== null && job.state !== 'queued' && job.state !== 'running';
}

/** Extracts the environment from the options. */
function replacements(options: UploadOptions): Partial<Environment> {
  const { library: _library, server: _server, ...others } = options;
  const { pieceBytes: _pieceBytes, lane: _lane, kind: _kind, ...environment } = others;
  return environment;
}
