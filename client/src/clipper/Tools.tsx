// Below the stage: suggested cuts where the music changes, and snapping. In the header: label
// import, and reset.

import { useRef, useState } from 'react';
import { useFromLibrary, useOverlay, useServices } from '../services/services';
import type { Part, Track } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Menu } from '../ui/Menu';
import { Sheet } from '../ui/Sheet';
import { percentText } from '../words/format';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';
import { importLabels, resetClips } from './actions';
import { readSnap, snapKinds, toggledSnap, type SnapKind } from './model/snapping';
import type { Analysis } from './useAnalysis';

interface ToolsProps {
  readonly part: Part | null;
  readonly snap: string;
  readonly isAlone: boolean;
  readonly onAlone: (isAlone: boolean) => void;
  readonly analysis: Analysis;
  readonly isSuggesting: boolean;
  /** The number of remaining suggestions. */
  readonly guesses: number;
  readonly onSuggest: (isSuggesting: boolean) => void;
  readonly onTakeAll: () => void;
}

const snapNames: Record<SnapKind, string> = { attacks: 'attacks', silence: 'silence', zero: 'zero crossings' };

const snapUses: Record<SnapKind, string> = {
  attacks: 'Attacks: where a beat or a note begins',
  silence: 'Silence: the quietest moment nearby',
  zero: 'Zero crossings: no click at the border',
};

/** The row of tools. */
export function Tools({
  part, snap, isAlone, onAlone, analysis, isSuggesting, guesses, onSuggest, onTakeAll,
}: ToolsProps): JSX.Element {
  const { library } = useServices();
  const [isOpen, open, close] = useOverlay('snap');
  const kinds = readSnap(snap);
  return (
    <>
      <div className="tools">
        {part
          ? (
            <label className="choice">
              <input
                type="checkbox" checked={!isAlone} data-testid="neighbour-moves"
                onChange={(event) => onAlone(!event.target.checked)}
              />
              <span>{isAlone ? 'Neighbour’s border stays' : '✓ Neighbour’s border moves along'}</span>
            </label>
          )
          : (
            <Button
              isSmall icon="spark" aria-pressed={isSuggesting} data-testid="suggest" onClick={() => onSuggest(!isSuggesting)}
            >
              {isSuggesting ? 'Hide the guesses' : 'Suggest cuts'}
            </Button>
          )}
        <Button isSmall data-testid="snap" aria-haspopup="dialog" onClick={open}>
          {`Snap: ${kinds.length === 0 ? 'off' : kinds.map((kind) => snapNames[kind]).join(', ')}`}
        </Button>
      </div>
      {isSuggesting && (
        <div className="guesses" data-testid="guesses">
          <p role="status">{whatOfGuesses(analysis, guesses)}</p>
          {guesses > 0 && <Button kind="quiet" data-testid="guesses-all" onClick={onTakeAll}>Take all</Button>}
        </div>
      )}
      {kinds.includes('attacks') && !isSuggesting && analysis.state !== 'ready' && (
        <p className="small-note" role="status">{whatOfGuesses(analysis, 0)}</p>
      )}
      {isOpen && (
        <Sheet title="Snap borders to" onClose={close} testId="snap-sheet">
          <div className="choices-row is-single">
            {snapKinds.map((kind) => (
              <label key={kind} className="choice">
                <input
                  type="checkbox" checked={kinds.includes(kind)} data-testid={`snap-${kind}`}
                  onChange={() => library.set('clipperSnap', toggledSnap(snap, kind))}
                />
                <span>{snapUses[kind]}</span>
              </label>
            ))}
          </div>
          <p className="small-note snap-note">
            Borders and handles snap to what lies near when they are dragged. Cuts by “Cut here” fall exactly
            where you press. Hold Alt while dragging to go freely.
          </p>
        </Sheet>
      )}
    </>
  );
}

function whatOfGuesses(analysis: Analysis, guesses: number): string {
  switch (analysis.state) {
    case 'failed':
      return analysis.sentence;
    case 'ready':
      return guesses === 0
        ? 'No guesses are left for this song.'
        : `${guesses === 1 ? '1 guess' : `${guesses} guesses`} where the music may change. Listen, and tap a mark to cut there.`;
    default:
      return analysis.state === 'waiting' && analysis.progress > 0
        ? `Listening to the song: ${percentText(100 * analysis.progress)}`
        : 'Listening to the song…';
  }
}

/** The menu in the head. */
export function CutterMenu({ track }: { track: Track }): JSX.Element {
  const { library } = useServices();
  const clips = useFromLibrary((current) => current.clips(track.id)).length;
  const [open, setOpen] = useState<'menu' | 'reset' | null>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const picker = useRef<HTMLInputElement>(null);
  const close = (): void => setOpen(null);

  const take = async (file: File): Promise<void> => {
    try {
      const { clips: made, cuts, names, problems, undo } = importLabels(library, track, await file.text());
      setFaults(problems);
      const counts: readonly [number, string][] = [[made, 'clip'], [cuts, 'cut'], [names, 'name']];
      const what = counts.flatMap(([count, noun]) => (count > 0 ? [plural(count, noun)] : []));
      if (what.length > 0) {
        toasts.say(`${what.join(' and ')} read from “${file.name}”.`, { action: { label: 'Undo', run: undo } });
      } else if (problems.length === 0) {
        toasts.say(`There are no labels in “${file.name}”.`);
      }
    } catch {
      toasts.say(`“${file.name}” could not be read.`, { kind: 'problem' });
    }
  };
  return (
    <div className="menu-holder">
      <IconButton
        icon="more" label="More for this song" aria-haspopup="menu" aria-expanded={open === 'menu'}
        data-testid="cutter-menu" onClick={() => setOpen('menu')}
      />
      {open === 'menu' && (
        <Menu
          label="This song" onClose={close}
          items={[
            {
              label: 'Read labels from a file', icon: 'upload', testId: 'labels-in',
              run: () => picker.current?.click(),
            },
            {
              label: 'Reset: delete all clips', icon: 'trash', isDangerous: true, isDisabled: clips === 0,
              testId: 'reset', run: () => setOpen('reset'),
            },
          ]}
        />
      )}
      <input
        ref={picker} type="file" accept=".txt,text/plain" hidden tabIndex={-1} data-testid="labels-file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void take(file);
        }}
      />
      {open === 'reset' && (
        <Confirm
          title="Delete all clips?" action="Delete" onClose={close} onConfirm={() => resetClips(library, track.id)}
        >
          {`${plural(clips, 'clip')} of this song will go. The song stays, and so do routines made of it.`}
        </Confirm>
      )}
      {faults.length > 0 && (
        <Sheet title="Some labels were left out" onClose={() => setFaults([])} testId="label-faults">
          <ul className="faults">{faults.slice(0, 100).map((fault, at) => <li key={at} dir="auto">{fault}</li>)}</ul>
          {faults.length > 100 && <p>{`And ${faults.length - 100} more.`}</p>}
        </Sheet>
      )}
    </div>
  );
}
