// Below the stage: suggested cuts where the music changes, and snapping. In the header: label
// import, and reset.

import { useRef, useState } from 'react';
import { useFromLibrary, useOverlay, useServices } from '../services/services';
import type { Part, Track } from '../sync/records';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { MenuButton } from '../ui/MenuButton';
import { Sheet } from '../ui/Sheet';
import { listText, percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { toasts } from '../ui/toasts';
import { useMedia } from '../ui/useMedia';
import { importLabels, resetClips } from './actions';
import { readSnap, snapKinds, toggledSnap } from './model/snapping';
import type { Analysis } from './useAnalysis';

interface ToolsProps {
  readonly part: Part | null;
  readonly snap: string;
  /** Whether the track has counts to snap to. */
  readonly hasCounts: boolean;
  readonly isAlone: boolean;
  readonly onAlone: (isAlone: boolean) => void;
  readonly analysis: Analysis;
  readonly isSuggesting: boolean;
  /** The number of remaining suggestions. */
  readonly guesses: number;
  readonly onSuggest: (isSuggesting: boolean) => void;
  readonly onTakeAll: () => void;
}

/** The row of tools. */
export function Tools({
  part, snap, hasCounts, isAlone, onAlone, analysis, isSuggesting, guesses, onSuggest, onTakeAll,
}: ToolsProps): JSX.Element {
  const { library } = useServices();
  const [isOpen, open, close] = useOverlay('snap');
  const kinds = readSnap(snap, hasCounts);
  const hasKeys = useMedia('(hover: hover) and (pointer: fine)');
  const said = lateWords.clipper;
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
              <span>{isAlone ? said.neighbourStays : `✓ ${said.neighbourMoves}`}</span>
            </label>
          )
          : (
            <Button
              isSmall icon="spark" aria-pressed={isSuggesting} data-testid="suggest" onClick={() => onSuggest(!isSuggesting)}
            >
              {isSuggesting ? said.hideSuggestions : said.suggest}
            </Button>
          )}
        <Button isSmall data-testid="snap" aria-haspopup="dialog" onClick={open}>
          <span className="tools-snap">
            {said.snap(kinds.length === 0 ? said.snapOff : listText(kinds.map((kind) => said.snapNames[kind])))}
          </span>
        </Button>
      </div>
      {isSuggesting && (
        <div className="guesses" data-testid="guesses">
          <p role="status">{whatOfGuesses(analysis, guesses)}</p>
          {guesses > 0 && <Button kind="quiet" data-testid="guesses-all" onClick={onTakeAll}>{said.useAll}</Button>}
        </div>
      )}
      {kinds.includes('attacks') && !isSuggesting && analysis.state !== 'ready' && (
        <p className="small-note" role="status">{whatOfGuesses(analysis, 0)}</p>
      )}
      {isOpen && (
        <Sheet title={said.snapTo} onClose={close} testId="snap-sheet">
          <div className="choices-row is-column">
            {snapKinds.filter((kind) => hasCounts || kind !== 'counts').map((kind) => (
              <label key={kind} className="choice">
                <input
                  type="checkbox" checked={kinds.includes(kind)} data-testid={`snap-${kind}`}
                  onChange={() => library.set('clipperSnap', toggledSnap(snap, kind))}
                />
                <span>{said.snapUses[kind]}</span>
              </label>
            ))}
          </div>
          <p className="small-note snap-note">{hasKeys ? `${said.snapNote} ${said.snapFreely}` : said.snapNote}</p>
        </Sheet>
      )}
    </>
  );
}

function whatOfGuesses(analysis: Analysis, guesses: number): string {
  const said = lateWords.clipper;
  switch (analysis.state) {
    case 'failed':
      return analysis.sentence;
    case 'ready':
      return guesses === 0 ? said.noSuggestions : said.suggestions(guesses);
    default:
      return analysis.state === 'waiting' && analysis.progress > 0
        ? said.listening(percentText(100 * analysis.progress))
        : said.listening('');
  }
}

/** The menu in the head. */
export function CutterMenu({ track }: { track: Track }): JSX.Element {
  const { library } = useServices();
  const clips = useFromLibrary((current) => current.clips(track.id)).length;
  const [isResetting, setResetting] = useState(false);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const picker = useRef<HTMLInputElement>(null);
  const said = lateWords.clipper;

  const take = async (file: File): Promise<void> => {
    try {
      const { clips: made, cuts, names, problems, undo } = importLabels(library, track, await file.text());
      setFaults(problems);
      const what = [
        ...(made > 0 ? [said.counted.clip(made)] : []), ...(cuts > 0 ? [said.counted.cut(cuts)] : []),
        ...(names > 0 ? [said.counted.name(names)] : []),
      ];
      if (what.length > 0) {
        toasts.say(said.labelsRead(listText(what), file.name), { action: { label: words.common.undo, run: undo } });
      } else if (problems.length === 0) {
        toasts.say(said.noLabels(file.name));
      }
    } catch {
      toasts.say(said.unreadable(file.name), { kind: 'problem' });
    }
  };
  return (
    <>
      <MenuButton
        label={said.moreForSong} menuLabel={said.thisSong} testId="cutter-menu"
        items={() => [
          { label: said.readLabels, icon: 'upload', testId: 'labels-in', run: () => picker.current?.click() },
          {
            label: said.deleteAll, icon: 'trash', isDangerous: true, isDisabled: clips === 0, testId: 'reset',
            run: () => setResetting(true),
          },
        ]}
      />
      <input
        ref={picker} type="file" accept=".txt,text/plain" hidden tabIndex={-1} data-testid="labels-file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void take(file);
        }}
      />
      {isResetting && (
        <Confirm
          title={said.deleteAllTitle} action={words.common.delete} onClose={() => setResetting(false)} onConfirm={() => resetClips(library, track.id)}
        >
          {said.deleteAllWhat(clips)}
        </Confirm>
      )}
      {faults.length > 0 && (
        <Sheet title={said.faults} onClose={() => setFaults([])} testId="label-faults">
          <ul className="faults">{faults.slice(0, 100).map((fault, at) => <li key={at} dir="auto">{fault}</li>)}</ul>
          {faults.length > 100 && <p>{said.moreFaults(faults.length - 100)}</p>}
        </Sheet>
      )}
    </>
  );
}
