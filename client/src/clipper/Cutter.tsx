// The clipper itself: the stage above, the list below it, and the buttons within reach of the
// thumb.

import { useEffect, useMemo, useRef, useState } from 'react';
import { SyncNote } from '../status/SyncNote';
import { useFromLibrary, useFromPlayer, useServices, useSetting } from '../services/services';
import { Countdown } from '../player/Countdown';
import { usePlayhead } from '../player/usePlayhead';
import type { Part, Track } from '../sync/records';
import { announce } from '../ui/announce';
import { IconButton } from '../ui/Button';
import { clock } from '../ui/time';
import { toasts } from '../ui/toasts';
import { ClipList } from './ClipList';
import { addClip, cutAtAll, cutTrack, deleteClip, pieceOfClip, pieceOfPart } from './actions';
import { trackTitle } from './trackTitle';
import { Dock } from './Dock';
import { nextUnnamed, shownName } from './model/names';
import { shortestStretchFrames } from '../timeline';
import { pieceAt, type Piece } from './model/pieces';
import { setEnd } from './model/selection';
import { readSnap } from './model/snapping';
import { exactClock } from './model/times';
import { NamingBar, type Naming } from './NamingBar';
import { SelectionPanel } from './SelectionPanel';
import { ClipStage } from './stage/ClipStage';
import type { StageApi, StageBorder, StageRange } from './stage/types';
import { CutterMenu, Tools } from './Tools';
import { useAnalysis } from './useAnalysis';
import { useBorders } from './useBorders';
import { useClipperKeys } from './useClipperKeys';
import { usePlayback } from './usePlayback';
import { usePractice } from './usePractice';
import { useSnapping } from './useSnapping';

interface CutterProps {
  readonly track: Track;
  /** With a part, its routine's parts on this track replace the clips. */
  readonly part: Part | null;
}

const noParts: readonly Part[] = [];
const noFrames: readonly number[] = [];

/** Everything on the page of a song. */
export function Cutter({ track, part }: CutterProps): JSX.Element {
  const { library, player, navigation } = useServices();
  const lengthFrames = track.lengthFrames ?? 0;
  const clips = useFromLibrary((current) => current.clips(track.id));
  const siblings = useFromLibrary((current) => (part ? current.parts(part.routine) : noParts));
  const everywhere = useFromLibrary((current) => (part ? current.partsUsing(track.id) : noParts));
  const routineTitle = useFromLibrary((current) => (part ? current.get('routine', part.routine)?.title ?? '' : ''));
  const stored = useMemo<readonly Piece[]>(() => (
    part
      ? siblings.filter((each) => each.track === track.id).map((each) => pieceOfPart(each, lengthFrames))
      : clips.map(pieceOfClip)
  ), [part, siblings, clips, track.id, lengthFrames]);

  const snap = useSetting('clipperSnap');
  const kinds = useMemo(() => readSnap(snap), [snap]);
  const [isSuggesting, setSuggesting] = useState(false);
  const analysis = useAnalysis(track.id, isSuggesting || kinds.includes('attacks'));
  const attacks = analysis.state === 'ready' ? analysis.attacks : noFrames;
  const snapper = useSnapping(track.id, lengthFrames, kinds, attacks);
  const [isAlone, setAlone] = useState(false);
  const borders = useBorders(
    track.id, lengthFrames, stored, part ? 'part' : 'clip', snapper, isAlone, part?.id ?? null,
  );
  const { pieces, adjusted, selection } = borders;
  const practice = usePractice();
  const playback = usePlayback(track, selection, pieces, practice.settings);
  const isPlaying = useFromPlayer((snapshot) => snapshot.state === 'playing');
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  const here = useHeardPiece(pieces);
  const stage = useRef<StageApi>(null);
  const root = useRef<HTMLElement>(null);
  const [naming, setNaming] = useState<Naming | null>(null);
  // A clip that was deleted, for instance on another device, needs no name.
  const named = naming && pieces.some(({ id }) => id === naming.id) ? naming : null;

  const cut = (frame: number, isTyping: boolean): void => {
    if (part) return;
    const result = cutTrack(library, track, frame);
    if ('refused' in result) {
      toasts.say(result.refused);
      return;
    }
    announce(`Cut at ${exactClock(result.frame)}`);
    setNaming({ ...result, isTyping });
  };
  // The stage keeps the keyboard focus, so that the next press cuts again; naming waits for a tap
  // or its own key.
  const cutHere = (): void => cut(player.position(), false);
  const typeName = (): void => {
    const id = named?.id ?? adjusted?.id ?? here;
    if (!part && id !== null) setNaming({ undo: null, ...named, id, isTyping: true });
  };
  const setHere = (which: 'start' | 'end'): void => {
    let frame = Math.round(player.position());
    const end = borders.endOf(which);
    if (end && (frame < end.minFrame || frame > end.maxFrame)) {
      // Moving it to its limit would permanently reduce this piece, or its neighbour, to the
      // minimum.
      const [from, to] = [end.minFrame, end.maxFrame].map(exactClock);
      toasts.say(`The ${which} can only lie between ${from} and ${to}.`);
      return;
    }
    if (end) borders.setEnd(which, frame);
    else {
      const chosen = setEnd(selection, which, frame, lengthFrames);
      borders.select(chosen);
      frame = which === 'start' ? chosen.startFrame : chosen.endFrame;
    }
    announce(`${which === 'start' ? 'Start' : 'End'} at ${exactClock(frame)}`);
  };
  const clipIt = (): void => {
    if (!selection || adjusted || part) return;
    const made = addClip(library, track, selection.startFrame, selection.endFrame);
    toasts.say('refused' in made ? made.refused : 'Clipped.');
  };
  const adjust = (id: string | null): void => {
    borders.adjust(id);
    const piece = pieces.find((each) => each.id === id);
    if (piece) stage.current?.zoomTo(piece.startFrame, piece.endFrame);
  };
  const leaveName = (): void => {
    setNaming(null);
    // Returns the keyboard focus to the stage.
    root.current?.querySelector<HTMLElement>('.stage')?.focus({ preventScroll: true });
  };
  const goOn = (): void => {
    if (!named) return;
    const next = nextUnnamed(pieces, named.id, player.position());
    if (next === null) leaveName();
    else setNaming({ id: next, isTyping: true, undo: null });
  };

  useClipperKeys({
    seek: (frames) => player.skip(frames),
    toggle: () => player.toggle(),
    cut: cutHere, name: typeName, setHere, clip: clipIt,
    loop: playback.toggleLoop,
    remove: () => {
      if (adjusted && !part) deleteClip(library, track.id, adjusted.id);
    },
    stage,
    escape: () => borders.adjust(part?.id ?? null),
  });

  const title = trackTitle(track);
  useEffect(() => {
    document.title = `${title} · Segmance`;
    return () => {
      document.title = 'Segmance';
    };
  }, [title]);

  const currentId = adjusted?.id ?? here;
  const ranges = useMemo<readonly StageRange[]>(() => [
    ...everywhere.filter((each) => each.routine !== part?.routine).map((each): StageRange => ({
      ...pieceOfPart(each, lengthFrames), tone: 'other', isCurrent: false,
      title: `${library.get('routine', each.routine)?.title ?? ''}: ${each.title}`,
    })),
    ...pieces.map((piece): StageRange => (
      { ...piece, title: shownName(pieces, piece.id), tone: 'own', isCurrent: piece.id === currentId }
    )),
  ], [everywhere, part?.routine, pieces, currentId, lengthFrames, library]);
  const stageBorders = borders.borders.map(({ id, frame, minFrame, maxFrame, edges }): StageBorder => ({
    id, frame, minFrame, maxFrame,
    label: edges.map((edge) => (
      `${edge.which === 'start' ? 'Start' : 'End'} of ${shownName(pieces, edge.id)}`
    )).join(', '),
  }));
  const changes = isSuggesting && analysis.state === 'ready' ? analysis.changes : null;
  const guesses = useMemo(() => (changes ?? []).filter(({ frame }) => pieces.every((piece) => (
    Math.abs(piece.startFrame - frame) >= shortestStretchFrames && Math.abs(piece.endFrame - frame) >= shortestStretchFrames
  ))), [changes, pieces]);

  const leave = (): void => navigation.leave(
    part ? { page: 'routine', routineId: part.routine, partId: part.id } : { page: 'clipper' },
  );
  return (
    <main ref={root} className="cutter" data-testid="cutter">
      <header className="cutter-head">
        <IconButton
          icon="back" label={part ? 'Back to the routine' : 'All songs'} data-testid="cutter-back" onClick={leave}
        />
        <h1>
          <span dir="auto" title={part?.title ?? title}>{part ? `Borders of ${part.title}` : title}</span>
          <small>{part ? routineTitle : clock(lengthFrames)}</small>
        </h1>
        {!part && <CutterMenu track={track} />}
      </header>
      <div className="cutter-main">
        <SyncNote />
        <div className="cutter-stage">
          <ClipStage
            trackId={track.id} lengthFrames={lengthFrames} ranges={ranges} borders={stageBorders}
            guesses={guesses} selection={selection} isPlaying={isPlaying} apiRef={stage}
            position={() => player.position()} onSeek={(frame) => playback.seek(frame)}
            onSelect={(which, frame, anchor, hint) => {
              if (!part || which !== 'new') borders.dragSelection(which, frame, anchor, hint);
            }}
            onSelectEnd={borders.drop} onBorder={borders.drag} onBorderEnd={borders.drop}
            onGuess={(frame) => cut(frame, false)} onRange={(id) => {
              if (pieces.some((piece) => piece.id === id)) borders.adjust(id);
            }}
          />
        </div>
        <div className="cutter-desk">
          <div className="cutter-tools">
            {problem !== null && <p className="problem" role="alert">{problem}</p>}
            <Tools
              part={part} snap={snap} isAlone={isAlone} onAlone={setAlone} analysis={analysis}
              isSuggesting={isSuggesting} guesses={guesses.length} onSuggest={setSuggesting}
              onTakeAll={() => {
                cutAtAll(library, track, guesses.map(({ frame }) => frame));
                setSuggesting(false);
              }}
            />
            <SelectionPanel
              selection={selection} lengthFrames={lengthFrames}
              adjusted={adjusted ? shownName(pieces, adjusted.id) : null}
              isPart={part !== null}
              isPlaying={playback.stretchId === 'selection'}
              onPlay={() => selection && playback.playStretch({ ...selection, id: 'selection' })}
              onSet={(which, frame) => borders.setEnd(which, frame)}
              onClip={clipIt} onDone={part ? leave : () => borders.adjust(null)}
              onClear={() => borders.select(null)}
            />
          </div>
          <ClipList
            track={track} pieces={pieces} type={part ? 'part' : 'clip'} currentId={currentId}
            playingId={playback.stretchId} onAdjust={adjust}
            onPlay={playback.playStretch}
          />
        </div>
      </div>
      {named && (
        <NamingBar
          naming={named} pieces={pieces} onNext={goOn} onCut={() => cut(player.position(), true)}
          onClose={leaveName}
        />
      )}
      <Dock
        practice={practice} isLooping={playback.isLooping} hasSelection={selection !== null} onLoop={playback.toggleLoop}
        onCut={part ? null : cutHere} onSet={setHere}
      />
      <Countdown />
    </main>
  );
}

/** Follows the playing piece; renders again only when it changes. */
function useHeardPiece(pieces: readonly Piece[]): string | null {
  const [id, setId] = useState<string | null>(null);
  usePlayhead((frame) => {
    const heard = pieceAt(pieces, frame)?.id ?? null;
    if (heard !== id) setId(heard);
  });
  return id;
}
