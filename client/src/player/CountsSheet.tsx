// Corrects the counts of a song, by ear and while it plays.

import { useRef } from 'react';
import { fieldsOfTaps } from '../counts/corrections';
import { useTrackGrid } from '../parts/useTrackGrid';
import { useFromPlayer, useServices } from '../services/services';
import type { Stretch, TrackStretch } from '../timeline';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { Sheet } from '../ui/Sheet';
import { framesOf } from '../ui/time';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { CountPad } from './CountPad';
import { CountText } from './CountText';
import './countsSheet.css';
import { TransportButtons, useOwnTransport } from './Transport';
import { useCorrections, type Corrections } from './useCorrections';
import { useTaps, type Taps } from './useTaps';

interface CountsSheetProps {
  /** The part that is loaded in the player. */
  readonly playable: TrackStretch;
  readonly onClose: () => void;
}

/** How far a press moves all beats. */
const nudgeFrames = framesOf(0.01);

/** The sheet; each press is one correction, and is applied at once. */
export function CountsSheet({ playable, onClose }: CountsSheetProps): JSX.Element {
  const { player, navigation } = useServices();
  const { trackId } = playable;
  // What is uncertain is shown here, to be corrected.
  const grid = useTrackGrid(trackId, 0);
  const corrections = useCorrections(trackId);
  const taps = useTaps((tapped) => corrections.add('taps', fieldsOfTaps(tapped)));
  const isPlaying = useFromPlayer((snapshot) => snapshot.state === 'playing');
  const transport = useOwnTransport('counts-');
  const first = grid?.beat(0) ?? null;
  const heard = (): number => Math.max(0, Math.round(player.position()));
  const fine = { corrections, isDisabled: first === null };
  const text = lateWords.player;
  return (
    <Sheet
      title={words.player.counts} testId="counts-sheet"
      onClose={() => {
        taps.finish();
        onClose();
      }}
      footer={(
        <div className="count-pads">
          <Said taps={taps} corrections={corrections} isPlaying={isPlaying} />
          <CountPad
            testId="count-tap"
            onPress={() => {
              if (isPlaying) taps.tap(heard());
            }}
          >
            {text.tap}
          </CountPad>
          <CountPad
            isPrimary isDisabled={first === null} testId="count-one"
            onPress={() => corrections.add('one', { startFrame: heard() })}
          >
            {text.thisIsOne}
          </CountPad>
        </div>
      )}
    >
      <div className="counts-sheet">
        <div className="counts-now">
          <Now grid={grid} part={playable} />
          <TransportButtons source={transport} loop={null} isDisabled={false} />
        </div>
        <div className="counts-fine">
          <Fine {...fine} kind="nudgeBeats" value={-1} testId="count-earlier">{text.countEarlier}</Fine>
          <Fine {...fine} kind="nudgeBeats" value={1} testId="count-later">{text.countLater}</Fine>
          <Fine {...fine} kind="halve" testId="count-halve">{text.halfTime}</Fine>
          <Fine {...fine} kind="double" testId="count-double">{text.doubleTime}</Fine>
          <Fine {...fine} kind="nudgeFrames" value={-nudgeFrames} testId="beats-earlier">{text.beatsEarlier}</Fine>
          <Fine {...fine} kind="nudgeFrames" value={nudgeFrames} testId="beats-later">{text.beatsLater}</Fine>
        </div>
        {first && (
          <Choices
            legend={text.metre} value={first.metre} testId="count-metre"
            choices={[3, 4, 6].map((value) => ({ value, label: `${value}` }))}
            onChoose={(value) => corrections.add('metre', { startFrame: 0, value })}
          />
        )}
        <Button
          kind="quiet" isSmall icon="audio" data-testid="counts-delay"
          onClick={() => {
            taps.finish();
            navigation.go({ page: 'settings', room: 'sound-delay' });
          }}
        >
          {lateWords.latency.fromCounts}
        </Button>
      </div>
    </Sheet>
  );
}

/** The count as it is with the corrections. */
function Now({ grid, part }: { grid: ReturnType<typeof useTrackGrid>; part: Stretch }): JSX.Element {
  const box = useRef<HTMLParagraphElement>(null);
  const none = useRef<HTMLParagraphElement>(null);
  return (
    <>
      <p className="current-count" hidden ref={box}>
        <CountText
          placeOf={(frame) => grid?.positionIn(frame, part) ?? null} testId="sheet-count"
          onShown={(isShown) => {
            if (box.current && box.current.hidden === isShown) box.current.hidden = !isShown;
            if (none.current && none.current.hidden !== isShown) none.current.hidden = isShown;
          }}
        />
      </p>
      <p className="note" ref={none} data-testid="no-counts">{lateWords.player.noCounts}</p>
    </>
  );
}

interface FineProps {
  readonly corrections: Corrections;
  readonly isDisabled: boolean;
  readonly kind: 'nudgeBeats' | 'nudgeFrames' | 'halve' | 'double';
  readonly value?: number;
  readonly testId: string;
  readonly children: string;
}

function Fine({ corrections, isDisabled, kind, value, testId, children }: FineProps): JSX.Element {
  return (
    <Button
      isSmall disabled={isDisabled} data-testid={testId}
      onClick={() => corrections.add(kind, value === undefined ? {} : { value })}
    >
      {children}
    </Button>
  );
}

/** What was done, above the pads, with what takes it back; always as high, so that no pad moves under a thumb. */
function Said({ taps, corrections, isPlaying }: { taps: Taps; corrections: Corrections; isPlaying: boolean }): JSX.Element {
  const text = lateWords.player;
  const isTapping = taps.count > 0;
  return (
    <div className="counts-said">
      <p className="note" role="status" data-testid="counts-said">
        {isTapping
          ? text.taps(taps.count)
          : corrections.count > 0 ? text.corrections(corrections.count) : isPlaying ? text.tapAlong : text.playFirst}
      </p>
      {isTapping && (
        <>
          <Button kind="quiet" isSmall data-testid="taps-cancel" onClick={taps.cancel}>{words.common.cancel}</Button>
          <Button isSmall disabled={!taps.isEnough} data-testid="taps-done" onClick={taps.finish}>{words.common.done}</Button>
        </>
      )}
      {!isTapping && corrections.count > 0 && (
        <>
          <Button kind="quiet" isSmall data-testid="counts-reset" onClick={corrections.reset}>{words.player.reset}</Button>
          <Button isSmall data-testid="counts-undo" onClick={corrections.undo}>{words.common.undo}</Button>
        </>
      )}
    </div>
  );
}
