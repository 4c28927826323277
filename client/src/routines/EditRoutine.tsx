// Editing an existing routine: each change is saved at once, and can be undone.

import { useCallback, useRef, useState, type RefObject } from 'react';
import { DropZone } from '../ui/DropZone';
import { useLibrary, useMayEdit, useServices } from '../services/services';
import { useUploads } from '../services/useUploads';
import { isLevelled, mayBeLevelled } from '../parts/evenLevels';
import { PartLength } from '../parts/PartLength';
import type { Part, Routine } from '../sync/records';
import { limits } from '../sync/validation';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { EarlierVersions } from '../services/EarlierVersions';
import { VersionsSheet } from '../services/VersionsSheet';
import { DragHandle } from '../ui/DragHandle';
import { MenuButton } from '../ui/MenuButton';
import { ProgressBar } from '../ui/ProgressBar';
import { Sheet } from '../ui/Sheet';
import { Switch } from '../ui/Switch';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { useSortable } from '../ui/useSortable';
import { replaceAudio } from '../uploads/replacement';
import { deletePart, duplicatePart, goesWith, pinRoutine } from './actions';
import { isPinned } from './routineSearch';
import { PerformanceDate } from './PerformanceDate';
import { TagField } from './TagField';
import './editor.css';
import { SavedField } from '../ui/LimitedField';
import { SavedName } from '../ui/RowName';
import { SongList } from './SongList';
import { audioFiles, SongPicker } from '../ui/SongPicker';
import { useDraft } from './useDraft';

interface EditRoutineProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly onClose: () => void;
}

/** The sheet that edits a routine; of what a group only shows it edits what is one's own. */
export function EditRoutine(props: EditRoutineProps): JSX.Element {
  const mayEdit = useMayEdit(props.routine.id);
  return mayEdit ? <EditAll {...props} /> : <EditOwn {...props} />;
}

function EditOwn({ routine, onClose }: EditRoutineProps): JSX.Element {
  return (
    <Sheet
      title={routine.title} onClose={onClose} testId="edit-own-sheet"
      footer={<Button kind="primary" data-testid="edit-done" onClick={onClose}>{words.common.done}</Button>}
    >
      <div className="editor">
        <p className="note">{lateWords.people.ownMarks}</p>
        <TagField routine={routine} />
        <PinSwitch routine={routine} />
      </div>
    </Sheet>
  );
}

function PinSwitch({ routine }: { routine: Routine }): JSX.Element {
  const { library } = useServices();
  return (
    <Switch
      label={lateWords.routines.pin} isOn={isPinned(routine)} testId="edit-pin" onChange={() => pinRoutine(library, routine)}
    />
  );
}

function EditAll({ routine, parts, onClose }: EditRoutineProps): JSX.Element {
  const { library, drafts } = useServices();
  const [draft] = useState(() => drafts.forRoutine(routine.id));
  const [restored, setRestored] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  useDraft(draft);
  const addFiles = useCallback((files: readonly File[]) => void draft.addFiles(files), [draft]);
  useLibrary();
  useSortable(list, parts.map(({ id }) => id), (id, to) => library.reorder('part', id, to));

  return (
    <Sheet
      title={lateWords.routines.edit} size="tall" onClose={onClose} testId="edit-routine-sheet"
      footer={<Button kind="primary" data-testid="edit-done" onClick={onClose}>{words.common.done}</Button>}
    >
      <div className="editor">
        {/* Their keys are new when an earlier version takes the place of what was typed. */}
        <SavedField
          key={`title-${restored}`} label={lateWords.routines.title} id={routine.id} value={routine.title}
          limit={limits.routine.title} isRequired testId="edit-title"
          save={(title) => library.edit('routine', routine.id, { title })}
        />
        <SavedField
          key={`subtitle-${restored}`} label={lateWords.routines.subtitle} id={routine.id} value={routine.subtitle ?? ''}
          limit={limits.routine.subtitle} testId="edit-subtitle"
          save={(text) => library.edit('routine', routine.id, { subtitle: text === '' ? null : text })}
        />
        <TagField routine={routine} />
        <EarlierVersions
          type="routine" id={routine.id} labels={{ title: lateWords.routines.title, subtitle: lateWords.routines.subtitle }}
          onUse={(field, text) => {
            setRestored(restored + 1);
            library.edit('routine', routine.id, { [field]: text });
          }}
        />
        {parts.length > 0 && (
          <ol className="songs" ref={list} aria-label={lateWords.routines.parts}>
            {parts.map((part, index) => (
              <PartRow key={part.id} part={part} index={index} count={parts.length} />
            ))}
          </ol>
        )}
        <SongList draft={draft} />
        <SongPicker onFiles={addFiles} isSmall={parts.length > 0} />
        <PerformanceDate routine={routine} />
        {mayBeLevelled(routine, parts) && (
          <Switch
            label={lateWords.routines.evenLoudness} hint={lateWords.routines.evenLoudnessHint} isOn={isLevelled(routine)}
            testId="edit-even-loudness"
            onChange={() => library.edit('routine', routine.id, { evenLoudness: isLevelled(routine) ? null : 1 })}
          />
        )}
        <PinSwitch routine={routine} />
      </div>
      <DropZone isAllowed onFiles={addFiles} />
    </Sheet>
  );
}

function PartRow({ part, index, count }: { part: Part; index: number; count: number }): JSX.Element {
  const { library, navigation } = useServices();
  const [isAsking, setAsking] = useState(false);
  const [isLookingBack, setLookingBack] = useState(false);
  const [restored, setRestored] = useState(0);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <li className="song" data-testid="edit-part" data-id={part.id}>
      <DragHandle
        name={part.title} index={index} count={count}
        onMove={(to) => library.reorder('part', part.id, to)}
      />
      <div className="song-middle">
        <SavedName
          key={restored} id={part.id} value={part.title} limit={limits.part.title} isRequired
          aria-label={lateWords.routines.nameOfPart(index + 1)} data-testid="edit-part-title"
          save={(title) => library.edit('part', part.id, { title })}
        />
        <Replacement part={part} />
      </div>
      <MenuButton
        label={words.common.moreFor(part.title)} menuLabel={part.title} testId="edit-part-menu"
        items={() => [
          {
            label: lateWords.routines.moveBorders, icon: 'clipper', isDisabled: !part.track, testId: 'edit-part-borders',
            run: () => part.track && navigation.go({ page: 'clipper', trackId: part.track, partId: part.id }),
          },
          { label: lateWords.routines.replaceAudio, icon: 'audio', testId: 'edit-part-replace', run: () => picker.current?.click() },
          { label: words.common.earlierVersions, icon: 'history', testId: 'edit-part-earlier', run: () => setLookingBack(true) },
          { label: words.common.duplicate, icon: 'copy', testId: 'edit-part-duplicate', run: () => duplicatePart(library, part) },
          { label: words.common.remove, icon: 'trash', isDangerous: true, testId: 'edit-part-remove', run: () => setAsking(true) },
        ]}
      />
      <ReplacementPicker part={part} input={picker} />
      {isLookingBack && (
        <VersionsSheet
          type="part" id={part.id} labels={{ title: lateWords.routines.name }} onClose={() => setLookingBack(false)}
          onUse={(_, title) => {
            setRestored(restored + 1);
            library.edit('part', part.id, { title });
          }}
        />
      )}
      {isAsking && (
        <Confirm
          title={lateWords.routines.removePart(part.title)} action={words.common.remove} onClose={() => setAsking(false)}
          onConfirm={() => deletePart(library, part)}
        >
          {[goesWith({ parts: 0, moves: library.moves(part.id).length }), lateWords.routines.songStays].join(' ').trim()}
        </Confirm>
      )}
    </li>
  );
}

function ReplacementPicker({ part, input }: { part: Part; input: RefObject<HTMLInputElement> }): JSX.Element {
  const services = useServices();
  return (
    <input
      ref={input} type="file" accept={audioFiles} hidden tabIndex={-1} data-testid="replacement-file"
      onChange={(event) => {
        const file = event.target.files?.[0];
        event.target.value = '';
        if (file) replaceAudio(services, part.id, file);
      }}
    />
  );
}

/** The part's length or, during an upload of other audio, its progress. */
function Replacement({ part }: { part: Part }): JSX.Element {
  const uploads = useUploads('replacement');
  const queued = uploads.of('replacement', part.id);
  if (!queued) return <p className="song-state time"><PartLength part={part} /></p>;
  const { upload } = queued;
  const percent = Math.round(upload.progress * 100);
  const hasFailed = upload.state === 'failed';
  return (
    <>
      {!hasFailed && <ProgressBar percent={percent} label={lateWords.routines.replacing(part.title)} />}
      <p className={hasFailed ? 'song-state problem' : 'song-state time'} aria-live="polite">
        {hasFailed ? upload.problem ?? lateWords.routines.unusable : lateWords.routines.replacingNow(percent)}
        {!hasFailed && upload.problem !== null && ` · ${upload.problem}`}
      </p>
      <div className="song-answers">
        {hasFailed && <Button isSmall kind="quiet" icon="retry" onClick={() => upload.retry()}>{words.common.retry}</Button>}
        <Button isSmall kind="quiet" icon="close" onClick={() => uploads.cancel(queued)}>{lateWords.routines.keepAudio}</Button>
      </div>
    </>
  );
}
