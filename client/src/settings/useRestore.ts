// Putting a backup in the library's place: sends the file, follows the job through the server's
// restart, and says what came of it.

import { useEffect, useRef, useState } from 'react';
import { useServices } from '../services/services';
import { parsed, refusal } from '../sync/requests';
import { asJob } from '../sync/events';

/** How the restore stands. */
export type Restore =
  | { readonly state: 'none' }
  | { readonly state: 'sending' | 'working'; readonly progress: number }
  | { readonly state: 'done' | 'failed'; readonly sentence: string };

const askAgainMilliseconds = 700;
/** A server that is not back after so many questions will not be by itself. */
const mostSilences = 120;

/** Restores a file. Leaving the page while it is sent stops it; what the server has begun goes on. */
export function useRestore(): [restore: Restore, begin: (file: File) => void, cancel: () => void] {
  const { library } = useServices();
  const [restore, setRestore] = useState<Restore>({ state: 'none' });
  const stop = useRef<() => void>(() => undefined);
  const cancelJob = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);

  const begin = (file: File): void => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let silences = 0;
    const end = (result: Restore): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      setRestore(result);
      // Also after a failure: what the server has is true.
      void library.refresh();
    };
    const fail = (sentence: string): void => end({ state: 'failed', sentence });
    const follow = (id: string): void => {
      const address = `/api/jobs/${encodeURIComponent(id)}`;
      const again = (): void => {
        timer = setTimeout(() => follow(id), askAgainMilliseconds);
      };
      cancelJob.current = () => void fetch(address, { method: 'DELETE' }).catch(() => undefined);
      fetch(address).then(async (response) => ({ response, text: await response.text() })).then(
        ({ response, text }) => {
          if (isOver) return;
          const job = asJob(parsed(text));
          silences = 0;
          if (response.status === 503) again();
          else if (!response.ok || !job) fail(refusal(response, text).message);
          else if (job.state === 'done') end({ state: 'done', sentence: job.message ?? 'The library is back.' });
          else if (job.state === 'failed') fail(job.message ?? 'The backup could not be restored.');
          else if (job.state === 'cancelled') fail('Cancelled. Nothing was changed.');
          else {
            setRestore({ state: 'working', progress: job.progress });
            again();
          }
        },
        () => {
          // It starts anew with the restored library: that takes a moment.
          silences += 1;
          if (silences > mostSilences) fail('The server does not come back. Look at its log.');
          else if (!isOver) again();
        },
      );
    };
    stop.current = () => {
      isOver = true;
      clearTimeout(timer);
      request.abort();
    };
    cancelJob.current = () => {
      request.abort();
      end({ state: 'none' });
    };
    setRestore({ state: 'sending', progress: 0 });
    // fetch tells nothing of how much was sent.
    request.upload.onprogress = ({ loaded, total }) => {
      if (!isOver) setRestore({ state: 'sending', progress: total > 0 ? loaded / total : 0 });
    };
    request.onload = () => {
      const answer = parsed(request.responseText) as { job?: unknown; detail?: unknown } | null;
      if (request.status === 202 && typeof answer?.job === 'string') {
        setRestore({ state: 'working', progress: 0 });
        follow(answer.job);
      } else {
        fail(typeof answer?.detail === 'string' ? answer.detail : 'The server could not take the backup.');
      }
    };
    request.onerror = () => fail('The backup could not be sent. Nothing was changed. Try again.');
    request.open('POST', '/api/restore');
    request.setRequestHeader('Content-Type', 'application/x-tar');
    request.send(file);
  };
  return [restore, begin, () => cancelJob.current()];
}
