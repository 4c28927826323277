// A button that shares a download, where the browser and the device can.

import { useEffect, useRef, useState } from 'react';
import { reasonOf } from '../sync/requests';
import { lateWords } from '../words/lateWords';
import { Button, IconButton } from './Button';
import { canShare, fetchFile, type FileKind } from './share';
import { toasts } from './toasts';

interface ShareButtonProps {
  readonly address: string;
  readonly file: FileKind;
  /** What is shared; the button is an icon with this in its name, and has text without it. */
  readonly what?: string;
  readonly testId: string;
}

/**
 * Fetches the file and opens the share sheet. A browser may want a new press after a long fetch: the
 * file waits for it.
 */
export function ShareButton({ address, file, what, testId }: ShareButtonProps): JSX.Element | null {
  const [isBusy, setBusy] = useState(false);
  const fetched = useRef<{ readonly address: string; readonly file: File } | null>(null);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  if (!canShare(file)) return null;

  const share = async (): Promise<void> => {
    setBusy(true);
    try {
      if (fetched.current?.address !== address) fetched.current = { address, file: await fetchFile(address, file) };
      // Of a sheet that was closed meanwhile nothing is wanted.
      if (isHere.current) await navigator.share({ files: [fetched.current.file] });
      fetched.current = null;
    } catch (failure) {
      const name = failure instanceof DOMException ? failure.name : '';
      if (name === 'NotAllowedError') toasts.say(lateWords.ui.shareAgain);
      // The user closed the share sheet.
      else if (name !== 'AbortError') toasts.say(lateWords.ui.notShared(reasonOf(failure)), { kind: 'problem' });
    } finally {
      setBusy(false);
    }
  };
  const shared = { 'data-testid': testId, 'aria-busy': isBusy, disabled: isBusy, onClick: () => void share() };
  return what === undefined
    ? <Button {...shared} icon="share">{lateWords.ui.share}</Button>
    : <IconButton {...shared} icon="share" label={lateWords.ui.shareOf(what)} />;
}
