// The sheet in which one taps along with clicks.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { tapClicks } from '../generated/practice';
import { useServices } from '../services/services';
import { loadPractice } from '../practice/practiceModule';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { Result } from './Result';
import { TapMeasurement } from './tapMeasurement';

interface TapAlongProps {
  /** The output, opened by the press that opened the sheet. */
  readonly context: AudioContext;
  readonly onClose: () => void;
}

/** The sheet; the clicks begin at once. */
export function TapAlong({ context, onClose }: TapAlongProps): JSX.Element {
  const { player } = useServices();
  const [turn, setTurn] = useState(0);
  const [measurement, setMeasurement] = useState<TapMeasurement | null>(null);
  useEffect(() => {
    let made: TapMeasurement | null = null;
    let isOver = false;
    loadPractice().then((practice) => {
      if (isOver) return;
      made = new TapMeasurement(practice, context, () => player.reportedLatency);
      setMeasurement(made);
    }, () => {
      toasts.say(words.ui.notLoadedNow, { kind: 'problem' });
      onClose();
    });
    return () => {
      isOver = true;
      made?.close();
      setMeasurement(null);
    };
  }, [context, player, turn]);
  useEffect(() => () => player.returnOutput(), [player]);
  const estimate = useSyncExternalStore(measurement?.subscribe ?? never, () => measurement?.estimate ?? null);
  const { latency } = lateWords;
  return (
    <Sheet
      title={latency.tapAlong} onClose={onClose} size="tall" testId="tap-along"
      footer={estimate ? undefined : <Pad measurement={measurement} />}
    >
      {estimate
        ? <Result
            estimate={estimate} way="taps" onDone={onClose}
            onAgain={() => {
              player.borrowOutput();
              setTurn(turn + 1);
            }}
          />
        : <Progress measurement={measurement} />}
    </Sheet>
  );
}

const never = () => () => undefined;

/** How far it is, and what to do now. */
function Progress({ measurement }: { measurement: TapMeasurement | null }): JSX.Element {
  const clicks = useSyncExternalStore(measurement?.subscribe ?? never, () => measurement?.clicks ?? 0);
  const taps = useSyncExternalStore(measurement?.subscribe ?? never, () => measurement?.taps ?? 0);
  const { latency } = lateWords;
  const isLonger = clicks >= tapClicks.least;
  const says = isLonger ? latency.goOn : taps > 0 ? latency.tapping : clicks < 6 ? latency.listen : latency.noTaps;
  return (
    <div className="delay-progress">
      <div
        className="delay-dots" role="progressbar" aria-label={latency.tapAlong} aria-valuemin={0}
        aria-valuemax={tapClicks.least} aria-valuenow={Math.min(clicks, tapClicks.least)}
      >
        {Array.from({ length: tapClicks.least }, (_, dot) => {
          const passed = isLonger ? clicks - tapClicks.least : clicks;
          return <i key={dot} className={dot < passed ? 'is-passed' : undefined} />;
        })}
      </div>
      <p className="delay-says" role="status" data-testid="delay-says">{says}</p>
      <p className="delay-count" data-testid="delay-taps" aria-hidden="true">{latency.taps(taps)}</p>
    </div>
  );
}

/** Half of the screen: a press, Space or Enter is a tap, at the time of the event. */
function Pad({ measurement }: { measurement: TapMeasurement | null }): JSX.Element {
  const { latency } = lateWords;
  return (
    <button
      type="button" className="delay-pad" data-testid="delay-pad" data-first=""
      onPointerDown={(event) => {
        if (event.button === 0) measurement?.tap(event.timeStamp);
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ' && event.key !== 'Enter') return;
        // Or the key would also be a click.
        event.preventDefault();
        if (!event.repeat) measurement?.tap(event.timeStamp);
      }}
      // WebKit clicks at the release of Space.
      onKeyUp={(event) => event.preventDefault()}
      onClick={(event) => {
        // Of a screen reader: it has neither a pointer nor a key.
        if (event.detail === 0) measurement?.tap(event.timeStamp);
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      <b>{latency.pad}</b>
      <small>{latency.padKeys}</small>
    </button>
  );
}
