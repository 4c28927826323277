// The name of the part that has just begun, to be typed during playback.

import { useEffect, useRef } from 'react';
import { useServices } from '../services/services';
import { excess, limits } from '../sync/validation';
import { Button, IconButton } from '../ui/Button';
import { useSavedText } from '../ui/useSavedText';
import { TooLong } from '../ui/TooLong';
import { limitInput } from '../ui/typing';
import { useMedia } from '../ui/useMedia';
import { lateWords } from '../words/lateWords';
import { placeName } from './model/names';
import type { Piece } from './model/pieces';
import { exactClock } from './model/times';

/** The piece to be named. */
export interface Naming {
  readonly id: string;
  /** Whether the field takes the focus at once; after a cut it waits for a tap, or N. */
  readonly isTyping: boolean;
  /** Undoes the cut that asked for the name. */
  readonly undo: (() => void) | null;
}

interface NamingBarProps {
  readonly naming: Naming;
  readonly pieces: readonly Piece[];
  /** Continues with the next name, or returns the focus. */
  readonly onNext: () => void;
  readonly onCut: () => void;
  readonly onClose: () => void;
}

/** The field, with a line that identifies the piece; input is saved at once. */
export function NamingBar({ naming, pieces, onNext, onCut, onClose }: NamingBarProps): JSX.Element {
  const { library } = useServices();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (naming.isTyping) input.current?.focus({ preventScroll: true });
  }, [naming]);
  const index = pieces.findIndex((piece) => piece.id === naming.id);
  const piece = pieces[index];
  const { text, onText, onBlur } = useSavedText({
    id: naming.id, value: piece?.title ?? '', limit: limits.clip.title,
    save: (title) => library.edit('clip', naming.id, { title }),
  });
  const hasKeys = useMedia('(hover: hover) and (pointer: fine)');
  const said = lateWords.clipper;
  const whose = placeName(Math.max(0, index));
  return (
    <div className="naming" data-testid="naming">
      <div className="naming-row">
        <div className="naming-holder">
          <label htmlFor="naming-field">
            <b>{said.nameOf(Math.max(0, index) + 1)}</b>
            <small className="time">{` · ${exactClock(piece?.startFrame ?? 0)}`}</small>
          </label>
          <input
            id="naming-field" ref={input} className="input" dir="auto" autoComplete="off" enterKeyHint="next"
            data-testid="naming-field" aria-keyshortcuts="N" placeholder={hasKeys ? said.nameByKey : whose} value={text}
            onChange={(event) => onText(limitInput(event.target, text, limits.clip.title))} onBlur={onBlur}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              // A text that is too long stays to be shortened, since the next name would replace it.
              const isStuck = event.key === 'Enter' && excess(text, limits.clip.title) !== null;
              if (isStuck) event.currentTarget.focus();
              else if (event.key === 'Enter' && event.shiftKey) onCut();
              else if (event.key === 'Enter') onNext();
              else if (event.key === 'Escape') onClose();
              else return;
              event.preventDefault();
              event.stopPropagation();
            }}
          />
        </div>
        {naming.undo && (
          <Button
            kind="quiet" data-testid="naming-undo"
            onClick={() => {
              naming.undo?.();
              onClose();
            }}
          >
            {said.undoCut}
          </Button>
        )}
        <IconButton icon="close" label={said.closeName} data-testid="naming-close" onClick={onClose} />
      </div>
      <TooLong text={text} limit={limits.clip.title} />
    </div>
  );
}
