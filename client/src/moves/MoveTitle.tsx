// The title of a move, edited in place.

import { useEffect, useRef, useState } from 'react';
import { useServices } from '../services/services';
import type { Move } from '../sync/records';
import { limits, validateFields } from '../sync/validation';
import { AutoGrowTextarea } from '../ui/AutoGrowTextarea';
import { oneLine } from '../ui/text';
import { TooLong } from '../ui/TooLong';
import { words } from '../words/words';

/** A title that becomes a field when it is pressed. Every input is saved; Escape reverts. */
export function MoveTitle({ move }: { move: Move }): JSX.Element {
  const { library } = useServices();
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** The title that Escape restores. */
  const before = useRef(move.title);
  /** The last saved title, as long as no other device has changed it. */
  const saved = useRef<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const endedByKey = useRef(false);
  const isEditing = draft !== null;

  useEffect(() => {
    if (move.title === saved.current) return;
    // Another device's title is taken over, unless the typed one is not saved because it is empty
    // or too long.
    saved.current = null;
    before.current = move.title;
    setDraft((text) => (validateFields('move', { title: text?.trim() ?? '' }) === null ? move.title : text));
  }, [move.title]);
  useEffect(() => {
    if (isEditing) field.current?.setSelectionRange(-1, -1);
  }, [isEditing]);

  const save = (title: string): void => {
    const trouble = validateFields('move', { title });
    // A move always has a title: the last one stays until a new one is typed.
    setProblem(title === '' ? null : trouble);
    if (trouble !== null) return;
    saved.current = title;
    library.edit('move', move.id, { title });
  };
  const end = (): void => {
    setDraft(null);
    setProblem(null);
  };

  if (draft === null) {
    return (
      <h3>
        <button
          type="button" className="move-title" data-testid="move-title" autoFocus={endedByKey.current}
          onClick={() => {
            before.current = move.title;
            endedByKey.current = false;
            setDraft(move.title);
          }}
        >
          <span dir="auto">{move.title}</span>
        </button>
      </h3>
    );
  }
  return (
    <>
      <AutoGrowTextarea
        ref={field} className="move-title-field" value={draft} limit={limits.move.title} autoFocus
        aria-label={words.moves.titleField} enterKeyHint="done" data-testid="move-title-field"
        onText={(text) => {
          const line = oneLine(text);
          setDraft(line);
          save(line.trim());
        }}
        onBlur={() => {
          // A text that is too long stays, so that it can be shortened.
          if (problem === null) end();
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Escape') library.edit('move', move.id, { title: before.current });
          else if (problem !== null) return;
          endedByKey.current = true;
          end();
        }}
      />
      {problem !== null && <TooLong text={draft.trim()} limit={limits.move.title} />}
    </>
  );
}
