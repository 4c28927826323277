// A large whole number with minus and plus, and a slider below. For speed and pitch.

import { IconButton } from '../ui/Button';
import './sheets.css';

interface ValueSliderProps {
  /** The slider's label; the test ids begin with `name`. */
  readonly label: string;
  readonly name: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly text: string;
  /** The value for a screen reader. */
  readonly spoken: string;
  readonly lessLabel: string;
  readonly moreLabel: string;
  readonly onChange: (value: number) => void;
}

/** Both controls for the number. */
export function ValueSlider({
  label, name, value, least, most, text, spoken, lessLabel, moreLabel, onChange,
}: ValueSliderProps): JSX.Element {
  return (
    <>
      <div className="speed-row">
        <IconButton
          icon="minus" label={lessLabel} disabled={value <= least} data-testid={`${name}-less`}
          onClick={() => onChange(value - 1)}
        />
        <output className="speed-value time" data-testid={`${name}-value`}>{text}</output>
        <IconButton
          icon="plus" label={moreLabel} disabled={value >= most} data-testid={`${name}-more`}
          onClick={() => onChange(value + 1)}
        />
      </div>
      <input
        className="slider" type="range" min={least} max={most} step={1} value={value} aria-label={label}
        aria-valuetext={spoken} data-testid={`${name}-slider`}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </>
  );
}
