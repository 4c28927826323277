// Several clips as one zip: requests it from the server, follows the job, and saves the result.

import { useEffect, useRef, useState } from 'react';
import { useServices } from '../services/services';
import { apiAddress } from '../apiAddress';
import { ask, cancelJob, fetchJob, fieldsOf } from '../sync/ask';
import { reasonOf, ServerError } from '../sync/requests';
import type { Job } from '../sync/wire';
import { save } from '../ui/save';
import { lateWords } from '../words/lateWords';

/** The content of the zip; all times are frames. */
export interface ZipRequest {
  readonly clips: readonly { readonly track: string; readonly start: number; readonly end: number; readonly title: string }[];
  readonly format: string;
  readonly fadeIn: number;
  readonly fadeOut: number;
}

/** The state of the zip. */
export type Zip =
  | { readonly state: 'none' }
  | { readonly state: 'working'; readonly progress: number }
  | { readonly state: 'done'; readonly address: string }
  | { readonly state: 'failed'; readonly sentence: string };

const askAgainMilliseconds = 2_000;
/** The number of consecutive failed requests, over one minute, before it gives up. */
const mostSilences = 30;

/**
 * Makes a zip, and cancels it. Leaving the sheet cancels it too, since the result could not be
 * saved.
 */
export function useZip(): [zip: Zip, make: (request: ZipRequest) => void, cancel: () => void] {
  const { library } = useServices();
  const [zip, setZip] = useState<Zip>({ state: 'none' });
  /** Stops the current job. */
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);

  const make = (request: ZipRequest): void => {
    stop.current();
    let job: string | null = null;
    let isOver = false;
    let silences = 0;
    let timer: ReturnType<typeof setInterval> | undefined;
    const end = (result: Zip): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      unsubscribe();
      setZip(result);
    };
    const fail = (failure: unknown): void => end({ state: 'failed', sentence: reasonOf(failure) });
    const hear = (heard: Job): void => {
      if (isOver || heard.id !== job) return;
      const address = apiAddress.zip(heard.id);
      if (heard.state === 'done') {
        end({ state: 'done', address });
        save(address);
      } else if (heard.state === 'failed' || heard.state === 'cancelled') {
        end({ state: 'failed', sentence: heard.message ?? lateWords.clipper.zipFailed });
      } else {
        setZip({ state: 'working', progress: heard.progress });
      }
    };
    const unsubscribe = library.onJob(hear);
    const look = async (): Promise<void> => {
      if (job === null) return;
      const heard = await fetchJob(job);
      silences = 0;
      hear(heard);
    };
    const begin = async (): Promise<void> => {
      const { value } = await ask('POST', apiAddress.zips, { value: request });
      job = String(fieldsOf(value)['job']);
      if (isOver) drop();
      // Events report the job; polling replaces them if they do not arrive.
      else timer = setInterval(() => look().catch((failure) => {
        silences += 1;
        if (failure instanceof ServerError || silences > mostSilences) fail(failure);
      }), askAgainMilliseconds);
    };
    const drop = (): void => {
      if (job === null) return;
      cancelJob(job).catch(() => {
        // If the request fails, the server deletes the zip a day later.
      });
    };
    stop.current = () => {
      if (isOver) return;
      end({ state: 'none' });
      drop();
    };
    setZip({ state: 'working', progress: 0 });
    begin().catch(fail);
  };
  return [zip, make, () => stop.current()];
}
