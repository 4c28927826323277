// The stage of the clipper's page: the pieces as bands with borders, and the suggested cuts.

import { useMemo, type RefObject } from 'react';
import { useFromLibrary, useFromPlayer, useServices } from '../services/services';
import type { Beat } from '../counts/grid';
import type { Part, Track } from '../sync/records';
import { lateWords } from '../words/lateWords';
import { pieceOfPart } from './actions';
import { shownName } from './model/names';
import type { Border, Piece } from './model/pieces';
import { ClipStage } from './stage/ClipStage';
import type { StageApi, StageBorder, StageGuess, StageRange, StepByCounts } from './stage/types';
import type { Borders } from './useBorders';

interface CutterStageProps {
  readonly track: Track;
  readonly part: Part | null;
  readonly borders: Borders;
  readonly guesses: readonly StageGuess[];
  readonly beats: readonly Beat[];
  readonly stepBy: StepByCounts | null;
  /** The piece that is adjusted or heard. */
  readonly currentId: string | null;
  readonly apiRef: RefObject<StageApi>;
  readonly onSeek: (frame: number) => void;
  readonly onGuess: (frame: number) => void;
}

const noParts: readonly Part[] = [];

/** The stage. A part gets no new selection: only its borders move. */
export function CutterStage({
  track, part, borders, guesses, beats, stepBy, currentId, apiRef, onSeek, onGuess,
}: CutterStageProps): JSX.Element {
  const { player } = useServices();
  const { pieces, selection } = borders;
  const isPlaying = useFromPlayer((snapshot) => snapshot.state === 'playing');
  const ranges = useRanges(track, part, pieces, currentId);
  return (
    <div className="cutter-stage">
      <ClipStage
        trackId={track.id} lengthFrames={track.lengthFrames ?? 0} ranges={ranges}
        borders={borders.borders.map((border) => withLabel(border, pieces))} guesses={guesses} beats={beats} stepBy={stepBy} selection={selection}
        isPlaying={isPlaying} apiRef={apiRef} position={() => player.position()} onSeek={onSeek}
        onSelect={(which, frame, anchor, hint) => {
          if (!part || which !== 'new') borders.dragSelection(which, frame, anchor, hint);
        }}
        onSelectEnd={borders.drop} onBorder={borders.drag} onBorderEnd={borders.drop} onGuess={onGuess}
        onRange={(id) => {
          if (pieces.some((piece) => piece.id === id)) borders.adjust(id);
        }}
      />
    </div>
  );
}

/** Makes the bands: the pieces and, beside those of a routine, the parts of other routines. */
function useRanges(
  track: Track, part: Part | null, pieces: readonly Piece[], currentId: string | null,
): readonly StageRange[] {
  const { library } = useServices();
  const lengthFrames = track.lengthFrames ?? 0;
  const everywhere = useFromLibrary((current) => (part ? current.partsUsing(track.id) : noParts));
  return useMemo(() => [
    ...everywhere.filter((each) => each.routine !== part?.routine).map((each): StageRange => ({
      ...pieceOfPart(each, lengthFrames), tone: 'other', isCurrent: false,
      title: `${library.get('routine', each.routine)?.title ?? ''}: ${each.title}`,
      number: 1 + library.parts(each.routine).findIndex(({ id }) => id === each.id),
    })),
    ...pieces.map((piece, index): StageRange => ({
      ...piece, title: shownName(pieces, piece.id), number: index + 1, tone: 'own', isCurrent: piece.id === currentId,
    })),
  ], [everywhere, part?.routine, pieces, currentId, lengthFrames, library]);
}

function withLabel({ id, frame, minFrame, maxFrame, edges }: Border, pieces: readonly Piece[]): StageBorder {
  const { startOf, endOf } = lateWords.clipper;
  const label = edges.map((edge) => (edge.which === 'start' ? startOf : endOf)(shownName(pieces, edge.id)));
  return { id, frame, minFrame, maxFrame, label: label.join(', ') };
}
