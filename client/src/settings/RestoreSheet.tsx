// Restoring a backup: chooses the file, asks twice, shows the progress and the path of the old
// library.

import { useRef, useState } from 'react';
import { DropZone } from '../ui/DropZone';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { ProgressBar } from '../ui/ProgressBar';
import { Sheet } from '../ui/Sheet';
import { fileSize } from '../ui/text';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { useRestore } from './useRestore';

/** The sheet. */
export function RestoreSheet({ onClose }: { onClose: () => void }): JSX.Element {
  const [restore, begin, cancel] = useRestore();
  const [file, setFile] = useState<File | null>(null);
  const [isAsking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isBusy = restore.state === 'sending' || restore.state === 'working';
  const isDone = restore.state === 'done';
  const { settings } = lateWords;
  const choose = (
    <Button
      kind={file ? 'plain' : 'primary'} data-first="" data-testid="restore-choose"
      onClick={() => input.current?.click()}
    >
      {file ? settings.anotherFile : settings.chooseBackup}
    </Button>
  );
  const replace = (
    <Button kind="danger" data-testid="restore-replace" onClick={() => setAsking(true)}>
      {settings.replaceLibrary}
    </Button>
  );
  return (
    <Sheet
      title={settings.restore} onClose={onClose} testId="restore-sheet"
      footer={isBusy ? <Button data-testid="restore-cancel" onClick={cancel}>{words.common.cancel}</Button>
        : isDone ? <Button kind="primary" data-testid="restore-done" onClick={onClose}>{words.common.done}</Button>
        : <>{choose}{file && replace}</>}
    >
      <input
        ref={input} type="file" accept=".tar,application/x-tar" hidden data-testid="restore-file"
        onChange={(event) => {
          setFile(event.target.files?.[0] ?? null);
          event.target.value = '';
        }}
      />
      <DropZone
        isAllowed={!isBusy && !isDone} label={settings.dropBackup} onFiles={([first]) => setFile(first ?? null)}
      />
      {restore.state === 'none' && (
        <p>{settings.restoreExplained}</p>
      )}
      {!isBusy && !isDone && file && <p data-testid="restore-name"><bdi>{file.name}</bdi>{`, ${fileSize(file.size)}`}</p>}
      {isBusy && (
        <>
          <p>{restore.state === 'sending' ? settings.sendingBackup : settings.checkingBackup}</p>
          <ProgressBar percent={Math.round(restore.progress * 100)} label={settings.restoring} />
        </>
      )}
      <p role="status" data-testid="restore-outcome" className="export-note">
        {'sentence' in restore && restore.sentence}
      </p>
      {isAsking && file && (
        <Confirm
          title={settings.replaceEverything} action={settings.replace} onClose={() => setAsking(false)}
          onConfirm={() => begin(file)}
        >
          {settings.replaceExplained}
        </Confirm>
      )}
    </Sheet>
  );
}
