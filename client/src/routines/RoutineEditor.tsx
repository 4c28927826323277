// Creating a routine: a title, and songs that become its parts while they upload.

import { useState } from 'react';
import { DropZone } from '../ui/DropZone';
import { spaceName } from '../people/spaceName';
import { useFromLibrary, useLibrary, useOverlay, useServices } from '../services/services';
import { limits } from '../sync/validation';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
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
    const refused = draft.refused.map((row) => lateWords.routines.leftOut(row.fileName, draft.problemOf(row) ?? ''));
    const routineId = draft.create();
    if (refused.length > 0) toasts.say(refused.join(' '), { kind: 'problem' });
    if (draft.unfinished > 0) toasts.say(lateWords.routines.onTheWay(draft.unfinished));
    drafts.finish();
    navigation.go({ page: 'routine', routineId, partId: null });
  };

  return (
    <Sheet
      title={lateWords.routines.newRoutine} size="tall" onClose={close} testId="routine-editor"
      footer={(
        <>
          <Button
            kind="quiet" data-testid="editor-cancel"
            onClick={() => (draft.isEmpty ? discard() : setAsking(true))}
          >
            {words.common.cancel}
          </Button>
          <Button
            kind="primary" data-testid="editor-create" disabled={!draft.canCreate} onClick={create}
            aria-describedby="create-hint"
          >
            {words.common.create}
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
          label={lateWords.routines.title} value={draft.title} limit={limits.routine.title} isFirst
          onChange={(title) => draft.describe({ title })} testId="editor-title"
        />
        <LimitedField
          label={lateWords.routines.subtitleOptional} value={draft.subtitle} limit={limits.routine.subtitle}
          onChange={(subtitle) => draft.describe({ subtitle })} testId="editor-subtitle"
        />
        <GroupChoice draft={draft} />
        <SongPicker onFiles={(files) => draft.addFiles(files)} isSmall={draft.rows.length > 0} />
        <SongList draft={draft} />
        <p id="create-hint" className="editor-hint">{hintOf(draft)}</p>
        <button type="submit" hidden disabled={!draft.canCreate}>{words.common.create}</button>
      </form>
      <DropZone isAllowed onFiles={(files) => draft.addFiles(files)} />
      {isAsking && (
        <Confirm
          title={lateWords.routines.leave} action={words.common.discard} onClose={() => setAsking(false)} onConfirm={discard}
        >
          {draft.rows.length > 0
            ? lateWords.routines.leaveSongs(draft.rows.length)
            : lateWords.routines.leaveText}
        </Confirm>
      )}
    </Sheet>
  );
}

/** Who gets the routine; only where there is a group that may be edited. The songs are uploaded there, so they come after it. */
function GroupChoice({ draft }: { draft: RoutineDraft }): JSX.Element | null {
  const spaces = useFromLibrary((library) => library.spaces);
  const groups = spaces.filter(({ role, name }) => role !== 'performer' && name !== '');
  if (groups.length === 0) return null;
  return (
    <label className="field">
      <span>{lateWords.people.routineOf}</span>
      <select
        className="input select" value={draft.space ?? ''} disabled={draft.rows.length > 0} data-testid="editor-group"
        onChange={(event) => draft.describe({ space: event.target.value === '' ? null : event.target.value })}
      >
        <option value="">{lateWords.people.onlyMe}</option>
        {groups.map((group) => <option key={group.id} value={group.id}>{spaceName(group)}</option>)}
      </select>
    </label>
  );
}

function hintOf(draft: RoutineDraft): string {
  if (draft.canCreate) {
    const left = draft.refused.map(({ fileName }) => fileName);
    return [
      ...(left.length > 0 ? [lateWords.routines.willBeLeftOut(left)] : []),
      ...(draft.unfinished > 0 ? [lateWords.routines.canCreate] : []),
    ].join(' ');
  }
  if (draft.rows.length === 0) return lateWords.routines.needsSong;
  if (draft.title.trim() === '') return lateWords.routines.needsTitle;
  if (draft.isTooLong) return lateWords.routines.tooLong;
  return draft.unfinished > 0 ? lateWords.routines.needsReadySong : lateWords.routines.noUsableSong;
}
