// Editing a routine that exists: each change is saved as it is made, and can be undone.

import { useRef, useState } from 'react';
import { useLibrary, useServices } from '../app/services';
import { limits, type Part, type Routine } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Grip } from '../ui/Grip';
import { Sheet } from '../ui/Sheet';
import { clock } from '../ui/time';
import { useSortable } from '../ui/useSortable';
import { cutTo } from '../ui/words';
import { deletePart, whatGoesWith } from './deeds';
import './editor.css';
import { LimitedField } from './LimitedField';
import { SongList } from './SongList';
import { SongPicker } from './SongPicker';
import { useDraft } from './useDraft';

interface EditRoutineProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly onClose: () => void;
}

/** The sheet that edits a routine. */
export function EditRoutine({ routine, parts, onClose }: EditRoutineProps): JSX.Element {
  const { library, drafts } = useServices();
  const [draft] = useState(() => drafts.forRoutine(routine.id));
  const [title, setTitle] = useState(routine.title);
  const list = useRef<HTMLOListElement>(null);
  useDraft(draft);
  useLibrary();
  useSortable(list, (from, to) => {
    const part = parts[from];
    if (part) library.reorder('part', part.id, to);
  }, parts.length === 0);

  return (
    <Sheet
      title="Edit routine" size="tall" onClose={onClose} testId="edit-routine-sheet"
      footer={<Button kind="primary" data-testid="edit-done" onClick={onClose}>Done</Button>}
    >
      <div className="editor">
        <LimitedField
          label="Title" value={title} limit={limits.routine.title} testId="edit-title"
          onChange={(text) => {
            setTitle(text);
            // A routine is never without a title: the last one stays until there is another.
            if (text.trim() !== '') library.edit('routine', routine.id, { title: text.trim() });
          }}
        />
        <LimitedField
          label="Subtitle" value={routine.subtitle ?? ''} limit={limits.routine.subtitle}
          testId="edit-subtitle"
          onChange={(text) => library.edit('routine', routine.id, { subtitle: text === '' ? null : text })}
        />
        {parts.length > 0 && (
          <ol className="songs" ref={list} aria-label="Parts">
            {parts.map((part, index) => (
              <PartRow key={part.id} part={part} index={index} count={parts.length} />
            ))}
          </ol>
        )}
        <SongList draft={draft} />
        <SongPicker onFiles={(files) => draft.addFiles(files)} isSmall={parts.length > 0} />
      </div>
    </Sheet>
  );
}

function PartRow({ part, index, count }: { part: Part; index: number; count: number }): JSX.Element {
  const { library } = useServices();
  const [title, setTitle] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="song" data-testid="edit-part">
      <Grip
        name={part.title} index={index} count={count}
        onMove={(to) => library.reorder('part', part.id, to)}
      />
      <div className="song-middle">
        <input
          className="song-title" dir="auto" value={title ?? part.title} enterKeyHint="done"
          aria-label={`Name of part ${index + 1}`} data-testid="edit-part-title"
          onChange={(event) => {
            const text = cutTo(event.target.value, limits.part.title);
            setTitle(text);
            if (text.trim() !== '') library.edit('part', part.id, { title: text.trim() });
          }}
          onBlur={() => setTitle(null)}
        />
        <p className="song-state time">
          {clock(Math.max(0, (part.endFrame ?? 0) - (part.startFrame ?? 0)))}
        </p>
      </div>
      <IconButton
        icon="trash" label={`Remove ${part.title}`} data-testid="edit-part-remove"
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <Confirm
          title={`Remove “${part.title}”?`} action="Remove" onClose={() => setAsking(false)}
          onConfirm={() => deletePart(library, part)}
        >
          {library.moves(part.id).length > 0
            ? whatGoesWith(library, [part]).replace(/^1 part and /, '')
            : 'The song stays in the library.'}
        </Confirm>
      )}
    </li>
  );
}
