// Restoring a backup: sends the file, follows the job through the server's restart, and reports the
// result.

import { useEffect, useRef, useState } from 'react';
import { useServices } from '../services/services';
import { apiAddress } from '../apiAddress';
import { cancelJob, fetchJob } from '../sync/ask';
import { parsed, ServerError } from '../sync/requests';
import { lateWords } from '../words/lateWords';

/** The state of the restore. */
export type Restore =
  | { readonly state: 'none' }
  | { readonly state: 'sending' | 'working'; readonly progress: number }
  | { readonly state: 'done' | 'failed'; readonly sentence: string };

const askAgainMilliseconds = 700;
/** After this many failed requests the server will not come back by itself. */
const mostSilences = 120;

/**
 * Restores a file. Leaving the page during the upload stops it; a job that has started continues.
 */
export function useRestore(): [restore: Restore, begin: (file: File) => void, cancel: () => void] {
  const { library } = useServices();
  const [restore, setRestore] = useState<Restore>({ state: 'none' });
  const stop = useRef<() => void>(() => undefined);
  const cancelWork = useRef<() => void>(() => undefined);
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
      // Also after a failure: the server's library counts.
      void library.refresh();
    };
    const fail = (sentence: string): void => end({ state: 'failed', sentence });
    const follow = (id: string): void => {
      const again = (): void => {
        timer = setTimeout(() => follow(id), askAgainMilliseconds);
      };
      // If the request fails, the job continues and is followed.
      cancelWork.current = () => void cancelJob(id).catch(() => undefined);
      fetchJob(id).then(
        (job) => {
          if (isOver) return;
          silences = 0;
          if (job.state === 'done') end({ state: 'done', sentence: job.message ?? lateWords.settings.restored });
          else if (job.state === 'failed') fail(job.message ?? lateWords.settings.restoreFailed);
          else if (job.state === 'cancelled') fail(lateWords.settings.restoreCancelled);
          else {
            setRestore({ state: 'working', progress: job.progress });
            again();
          }
        },
        (failure: unknown) => {
          if (isOver) return;
          if (failure instanceof ServerError) {
            silences = 0;
            if (failure.status === 503) again();
            else fail(failure.message);
            return;
          }
          // The server restarts with the restored library, which takes a moment.
          silences += 1;
          if (silences > mostSilences) fail(lateWords.settings.restoreNoServer);
          else again();
        },
      );
    };
    stop.current = () => {
      isOver = true;
      clearTimeout(timer);
      request.abort();
    };
    cancelWork.current = () => {
      request.abort();
      end({ state: 'none' });
    };
    setRestore({ state: 'sending', progress: 0 });
    // fetch does not report the progress of an upload.
    request.upload.onprogress = ({ loaded, total }) => {
      if (!isOver) setRestore({ state: 'sending', progress: total > 0 ? loaded / total : 0 });
    };
    request.onload = () => {
      const answer = parsed(request.responseText) as { job?: unknown; detail?: unknown } | null;
      if (request.status === 202 && typeof answer?.job === 'string') {
        setRestore({ state: 'working', progress: 0 });
        follow(answer.job);
      } else {
        fail(typeof answer?.detail === 'string' ? answer.detail : lateWords.settings.restoreRefused);
      }
    };
    request.onerror = () => fail(lateWords.settings.restoreNotSent);
    request.open('POST', apiAddress.restore);
    request.setRequestHeader('Content-Type', 'application/x-tar');
    request.send(file);
  };
  return [restore, begin, () => cancelWork.current()];
}
