// The latency as a number that can be moved: typed, stepped or dragged.

import type { CSSProperties } from 'react';
import '../player/dial.css';
import { NumberField } from '../ui/NumberField';
import { lateWords } from '../words/lateWords';
import { latencyRange } from './calibrations';

const { least, most, step } = latencyRange;

/** Number, steps of 5 ms, and a slider. */
export function LatencyDial({ value, onChange, testId }: {
  value: number; onChange: (value: number) => void; testId: string;
}): JSX.Element {
  const { latency } = lateWords;
  return (
    <div className="dial-set">
      <NumberField
        label={latency.title} value={value} least={least} most={most} step={step} text={latency.milliseconds}
        onChange={onChange} testId={testId} isLarge
      />
      <input
        className="dial-slider" type="range" min={least} max={most} step={step} value={value} aria-label={latency.title}
        aria-valuetext={latency.milliseconds(value)} data-testid={`${testId}-slider`}
        style={{ '--share': (value - least) / (most - least) } as CSSProperties}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </div>
  );
}
