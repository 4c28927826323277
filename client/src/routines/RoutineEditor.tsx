// Creating a routine: a title, and songs that become its parts while they upload.

import { useState } from 'react';
import { DropZone } from '../ui/DropZone';
import { useLibrary, useOverlay, useServices } from '../services/services';
import { limits } from '../sync/validation';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Sheet } from '../ui/Sheet';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';
import type { RoutineDraft } from '../uploads/draft';
import './editor.css';
import { LimitedField } from '../ui/LimitedField';
import { SongList } from './SongList';
import { SongPicker } from '../ui/SongPicker';
import { useDraft } from './useDraft';

/**
 * The sheet that creates a routine. Back closes it and keeps the draft; Cancel removes everything.
 */
export function RoutineEditor({ draft }: { draft: RoutineDraft }): JSX.Element {
  const { drafts, navigation } = useServices();
  const [, , close] = useOverlay('create');
  const [isAsking, setAsking] = useState(false);
  useDraft(draft);
  useLibrary();

  const discard = (): void => {
    draft.discard();
    drafts.finish();
    close();
  };
  const create = (): void => {
    const refused = draft.refused.map((row) => `“${row.fileName}” was left out. ${draft.problemOf(row) ?? ''}`.trim());
    const routineId = draft.create();
    if (refused.length > 0) toasts.say(refused.join(' '), { kind: 'problem' });
    if (draft.unfinished > 0) {
      toasts.say(`${plural(draft.unfinished, 'song')} still on the way. They join the routine when they are ready.`);
    }
    drafts.finish();
    navigation.go({ page: 'routine', routineId, partId: null });
  };

  return (
    <Sheet
      title="New routine" size="tall" onClose={close} testId="routine-editor"
      footer={(
        <>
          <Button
            kind="quiet" data-testid="editor-cancel"
            onClick={() => (draft.isEmpty ? discard() : setAsking(true))}
          >
            Cancel
          </Button>
          <Button
            kind="primary" data-testid="editor-create" disabled={!draft.canCreate} onClick={create}
            aria-describedby="create-hint"
          >
            Create
          </Button>
        </>
      )}
    >
      <form
        className="editor"
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.canCreate) create();
        }}
      >
        <LimitedField
          label="Title" value={draft.title} limit={limits.routine.title} isFirst
          onChange={(title) => draft.describe({ title })} testId="editor-title"
        />
        <LimitedField
          label="Subtitle (if you like)" value={draft.subtitle} limit={limits.routine.subtitle}
          onChange={(subtitle) => draft.describe({ subtitle })} testId="editor-subtitle"
        />
        <SongPicker onFiles={(files) => draft.addFiles(files)} isSmall={draft.rows.length > 0} />
        <SongList draft={draft} />
        <p id="create-hint" className="editor-hint">{hintOf(draft)}</p>
        <button type="submit" hidden disabled={!draft.canCreate}>Create</button>
      </form>
      <DropZone isAllowed onFiles={(files) => draft.addFiles(files)} />
      {isAsking && (
        <Confirm
          title="Leave this routine?" action="Discard" onClose={() => setAsking(false)} onConfirm={discard}
        >
          {draft.rows.length > 0
            ? `The title and ${plural(draft.rows.length, 'song')} that you added here will be gone.`
            : 'What you typed here will be gone.'}
        </Confirm>
      )}
    </Sheet>
  );
}

function hintOf(draft: RoutineDraft): string {
  if (draft.canCreate) {
    const left = draft.refused.map(({ fileName }) => `“${fileName}”`).join(', ');
    return [
      left === '' ? '' : `${left} can’t be used and will be left out.`,
      draft.unfinished > 0 ? 'You can create it now; songs still on the way follow by themselves.' : '',
    ].join(' ').trim();
  }
  if (draft.rows.length === 0) return 'Add at least one song. Each becomes a part.';
  if (draft.title.trim() === '') return 'Give the routine a title.';
  if (draft.isTooLong) return 'One of the texts is too long to be saved.';
  return draft.unfinished > 0 ? 'One song has to be ready first.' : 'None of these songs can be used.';
}
