// The sheet in which a comment is written or edited: where it is, what it says, and the people it names.

import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useServices } from '../services/services';
import type { Comment, Routine } from '../sync/records';
import { excess, limits } from '../sync/validation';
import { AutoGrowTextarea } from '../ui/AutoGrowTextarea';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { Sheet } from '../ui/Sheet';
import { plainLines } from '../ui/text';
import { TooLong } from '../ui/TooLong';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import './comments.css';
import { completed, mentioned, suggested, typedMention } from './mentions';
import { askFor } from './opened';
import { mostMentions, placeOfComment, type CommentTarget } from './places';
import { placeText } from './placeText';
import { usePeopleOf } from './troupe';

/** What was written and not saved, so that a closed sheet loses nothing; by what it is on. */
const drafts = new Map<string, string>();

/** Something that a comment may be on. */
export interface Choice {
  readonly label: string;
  readonly target: CommentTarget;
}

interface WriteCommentProps {
  readonly routine: Routine;
  /** What it may be on; the first one is chosen. */
  readonly choices: readonly Choice[];
  /** The comment that is edited; null for a new one. */
  readonly comment: Comment | null;
  readonly onClose: () => void;
}

/** The sheet. */
export function WriteComment({ routine, choices, comment, onClose }: WriteCommentProps): JSX.Element {
  const services = useServices();
  const { library } = services;
  const text = lateWords.comments;
  const limit = limits.comment.text;
  const draft = comment?.id ?? JSON.stringify(choices[0]?.target);
  const [value, setValue] = useState(() => drafts.get(draft) ?? comment?.text ?? '');
  const [chosen, setChosen] = useState(0);
  const [caret, setCaret] = useState(value.length);
  const field = useRef<HTMLTextAreaElement>(null);
  const { members } = usePeopleOf(routine.space);
  const others = useMemo(() => members.filter(({ isMe }) => !isMe), [members]);
  const written = plainLines(value).trim();
  const typed = typedMention(value, caret);
  const offered = typed ? suggested(others, typed.begun).slice(0, 6) : [];
  const target = choices[chosen]?.target ?? null;

  const write = (next: string): void => {
    drafts.set(draft, next);
    setValue(next);
    setCaret(field.current?.selectionEnd ?? next.length);
  };
  const placed = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (placed.current === null) return;
    field.current?.focus();
    field.current?.setSelectionRange(placed.current, placed.current);
    placed.current = null;
  }, [value]);
  const save = (): void => {
    const mentions = mentioned(written, others).slice(0, mostMentions).join('\n') || null;
    if (comment) library.edit('comment', comment.id, { text: written, mentions });
    else if (target) {
      const id = library.create('comment', { routine: routine.id, ...target, text: written, ...(mentions !== null && { mentions }) });
      // A moment is not sought: the music goes on.
      if (target.move) askFor(id);
    }
    drafts.delete(draft);
    onClose();
  };
  const place = target && placeOfComment(library, routine.id, target);
  return (
    <Sheet
      title={comment ? text.edit : text.write} onClose={onClose} testId="comment-sheet"
      footer={(
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" disabled={written === '' || excess(written, limit) !== null} data-testid="comment-save" onClick={save}>{words.common.save}</Button>
        </>
      )}
    >
      {choices.length > 1
        ? (
          <div className="comment-where">
            <Choices
              legend={text.where} form="column" testId="comment-where" value={chosen} onChoose={setChosen}
              choices={choices.map(({ label }, at) => ({ value: at, label }))}
            />
          </div>
        )
        : place && <p className="comment-place" dir="auto" data-testid="comment-place">{placeText(services, place)}</p>}
      <AutoGrowTextarea
        ref={field} className="comment-field" value={value} limit={limit} aria-label={text.comment} placeholder={text.hint} data-first=""
        data-testid="comment-field" onText={write}
        onSelect={(event) => setCaret(event.currentTarget.selectionEnd)}
      />
      <TooLong text={written} limit={limit} />
      <div className="comment-people" role="group" aria-label={text.people}>
        {typed && offered.map((person) => (
          <button
            key={person.id} type="button" className="spot" data-testid="comment-person"
            onClick={() => {
              const next = completed(value, typed, person.name);
              placed.current = next.caret;
              drafts.set(draft, next.text);
              setValue(next.text);
              setCaret(next.caret);
            }}
          >
            <i className="comment-colour" style={{ backgroundColor: person.colour }} />
            <bdi>{person.name}</bdi>
          </button>
        ))}
      </div>
    </Sheet>
  );
}
