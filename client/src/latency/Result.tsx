// What a measurement has found: the value, how sure it is, and what can be done with it.

import { useEffect, useRef, useState } from 'react';
import type { LatencyEstimate } from '../practice/latency';
import { announce } from '../ui/announce';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { boundedLatency, type Way } from './calibrations';
import { FlashCheck } from './FlashCheck';
import { outputWatch } from './followOutput';
import { LatencyDial } from './LatencyDial';

interface ResultProps {
  readonly estimate: LatencyEstimate;
  readonly way: Way;
  readonly onAgain: () => void;
  readonly onDone: () => void;
}

/** Says how sure an estimate is, and why it is not. */
function sureness({ certainty, marginSeconds, obstacle }: LatencyEstimate): string {
  const { latency } = lateWords;
  const margin = Math.max(1, Math.round(marginSeconds * 1_000));
  if (certainty === 'none') return latency.obstacles[obstacle];
  if (certainty === 'sure') return latency.sure(margin);
  return `${latency.unsure(margin)} ${latency.obstacles[obstacle]}`;
}

/** The result, with its buttons. */
export function Result({ estimate, way, onAgain, onDone }: ResultProps): JSX.Element {
  const { latency } = lateWords;
  const found = boundedLatency(estimate.seconds * 1_000);
  const [milliseconds, setMilliseconds] = useState(found);
  const isFound = estimate.certainty !== 'none';
  const text = sureness(estimate);
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    announce(isFound ? `${latency.milliseconds(found)}. ${text}` : text);
    first.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  const keep = (): void => {
    outputWatch.save(milliseconds === found
      ? { milliseconds, margin: estimate.marginSeconds * 1_000, isSure: estimate.certainty === 'sure', way }
      : { milliseconds, margin: 0, isSure: true, way: 'hand' });
    onDone();
  };
  return (
    <div className="delay-result" ref={first} data-testid="delay-result" data-certainty={estimate.certainty}>
      {isFound && <LatencyDial value={milliseconds} onChange={setMilliseconds} testId="found" />}
      <p className={`delay-sureness is-${estimate.certainty}`} data-testid="delay-sureness">
        <Icon name={estimate.certainty === 'sure' ? 'check' : 'warning'} size={20} />
        <span>{text}</span>
      </p>
      {isFound && <FlashCheck milliseconds={milliseconds} />}
      <div className="delay-buttons">
        <Button
          icon="retry" kind={isFound ? 'plain' : 'primary'} data-testid="delay-again"
          data-first={isFound ? undefined : ''} onClick={onAgain}
        >
          {latency.again}
        </Button>
        {isFound && <Button kind="primary" data-first="" data-testid="delay-keep" onClick={keep}>{latency.keep}</Button>}
      </div>
    </div>
  );
}
