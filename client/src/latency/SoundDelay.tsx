// What is known of the sound's latency, and the ways to measure it.

import { useState, useSyncExternalStore } from 'react';
import { useOverlay, useServices } from '../services/services';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { ByMicrophone } from './ByMicrophone';
import { boundedLatency } from './calibrations';
import { FlashCheck } from './FlashCheck';
import { followOutput, outputWatch } from './followOutput';
import { LatencyDial } from './LatencyDial';
import './latency.css';
import { TapAlong } from './TapAlong';

/** The latency in use in words, for a row of the settings. */
export function useLatencyText(): string {
  // A page of the settings may be the first one of a visit.
  followOutput(useServices());
  return useSyncExternalStore(outputWatch.subscribe, () => {
    const { calibration, isAsking } = outputWatch;
    if (isAsking) return lateWords.latency.changed;
    return calibration ? lateWords.latency.milliseconds(calibration.milliseconds) : lateWords.latency.automatic;
  });
}

/** The content of the page. */
export function SoundDelay(): JSX.Element {
  const { player } = useServices();
  useLatencyText();
  const calibration = useSyncExternalStore(outputWatch.subscribe, () => outputWatch.calibration);
  const name = useSyncExternalStore(outputWatch.subscribe, () => outputWatch.name);
  const [isTapping, openTaps, closeTaps] = useOverlay('latencyTaps');
  const [isListening, openMicrophone, closeMicrophone] = useOverlay('latencyMicrophone');
  const [context, setContext] = useState<AudioContext | null>(null);
  const { latency } = lateWords;
  const milliseconds = boundedLatency(outputWatch.milliseconds);
  return (
    <>
      <div className="settings-group delay">
        <p className="settings-standing">{latency.about}</p>
        {outputWatch.isAsking && (
          <div className="delay-asks" data-testid="delay-asks">
            <p>{latency.outputChanged}</p>
            <Button isSmall data-testid="delay-asks-keep" onClick={() => outputWatch.keep()}>{latency.keep}</Button>
          </div>
        )}
        <div className="delay-ways">
          <Button
            kind="primary" icon="timer" data-testid="delay-tap"
            onClick={() => {
              // In the press: later a browser would start no sound.
              setContext(player.borrowOutput());
              openTaps();
            }}
          >
            {latency.tapAlong}
          </Button>
          <Button icon="microphone" data-testid="delay-microphone" onClick={openMicrophone}>{latency.useMicrophone}</Button>
        </div>
      </div>
      <div className="settings-group delay">
        <div className="delay-now">
          <h2>{latency.inUse}</h2>
          {name !== '' && <p className="delay-output" data-testid="delay-output"><Icon name="audio" size={20} /><bdi>{name}</bdi></p>}
        </div>
        <LatencyDial
          value={milliseconds} testId="delay"
          onChange={(value) => outputWatch.save({ milliseconds: value, margin: 0, isSure: true, way: 'hand' })}
        />
        <p className="note delay-how" data-testid="delay-how">
          {calibration === null
            ? latency.byBrowser
            : `${latency.ways[calibration.way]} ${calibration.way === 'hand' ? '' : calibration.isSure
              ? latency.sure(Math.max(1, calibration.margin)) : latency.unsure(Math.max(1, calibration.margin))}`}
        </p>
        {!isTapping && !isListening && <FlashCheck milliseconds={milliseconds} />}
        {calibration && (
          <Button kind="quiet" icon="trash" data-testid="delay-forget" onClick={() => outputWatch.forget()}>
            {latency.forget}
          </Button>
        )}
      </div>
      {isTapping && context && <TapAlong context={context} onClose={closeTaps} />}
      {isListening && <ByMicrophone onClose={closeMicrophone} />}
    </>
  );
}
