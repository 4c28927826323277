// Restoring a backup: chooses the file, asks twice, shows the progress and the path of the old
// library.

import { useRef, useState } from 'react';
import { DropZone } from '../ui/DropZone';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { ProgressBar } from '../ui/ProgressBar';
import { Sheet } from '../ui/Sheet';
import { fileSize } from '../ui/text';
import { useRestore } from './useRestore';

/** The sheet. */
export function RestoreSheet({ onClose }: { onClose: () => void }): JSX.Element {
  const [restore, begin, cancel] = useRestore();
  const [file, setFile] = useState<File | null>(null);
  const [isAsking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isBusy = restore.state === 'sending' || restore.state === 'working';
  const isDone = restore.state === 'done';
  const choose = (
    <Button
      kind={file ? 'plain' : 'primary'} data-first="" data-testid="restore-choose"
      onClick={() => input.current?.click()}
    >
      {file ? 'Another file' : 'Choose a backup'}
    </Button>
  );
  const replace = (
    <Button kind="danger" data-testid="restore-replace" onClick={() => setAsking(true)}>
      Replace the library
    </Button>
  );
  return (
    <Sheet
      title="Restore a backup" onClose={onClose} testId="restore-sheet"
      footer={isBusy ? <Button data-testid="restore-cancel" onClick={cancel}>Cancel</Button>
        : isDone ? <Button kind="primary" data-testid="restore-done" onClick={onClose}>Done</Button>
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
        isAllowed={!isBusy && !isDone} label="Drop the backup" onFiles={([first]) => setFile(first ?? null)}
      />
      {restore.state === 'none' && (
        <p>
          The library of the backup takes the place of this one, on every device. The library as it is
          now is kept in a folder on the server. Tracks are prepared again: that takes a while.
        </p>
      )}
      {!isBusy && !isDone && file && <p dir="auto" data-testid="restore-name">{`${file.name}, ${fileSize(file.size)}`}</p>}
      {isBusy && (
        <>
          <p>{restore.state === 'sending' ? 'Sending the backup' : 'Checking everything in it'}</p>
          <ProgressBar percent={Math.round(restore.progress * 100)} label="Restoring" />
        </>
      )}
      <p role="status" data-testid="restore-outcome" className="export-note">
        {'sentence' in restore && restore.sentence}
      </p>
      {isAsking && file && (
        <Confirm
          title="Replace everything?" action="Replace" onClose={() => setAsking(false)}
          onConfirm={() => begin(file)}
        >
          Routines, moves and songs that are not in this backup leave this library. They stay in the
          folder that is kept on the server.
        </Confirm>
      )}
    </Sheet>
  );
}
