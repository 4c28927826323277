// One large value that a thumb turns: typed, stepped by buttons, dragged on a slider, or a preset.

import { useRef, type CSSProperties } from 'react';
import { Choices, type Choice } from '../ui/Choices';
import { NumberField } from '../ui/NumberField';
import { lateWords } from '../words/lateWords';
import './dial.css';

interface DialProps {
  /** The label for screen readers: the sheet's title says it to all others. */
  readonly label: string;
  /** The test id of the number; those of slider, presets and buttons begin with it. */
  readonly name: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** The right end of the slider, if numbers beyond it are only typed or stepped to. */
  readonly sliderMost?: number;
  /** What a drag on the slider rounds to. */
  readonly grain?: number;
  readonly presets: readonly number[];
  readonly text: (value: number) => string;
  /** The value for a screen reader, if it differs. */
  readonly spoken?: (value: number) => string;
  readonly onChange: (value: number) => void;
}

/** The controls for the number, and its presets. */
export function Dial({
  label, name, value, least, most, sliderMost = most, grain = 1, presets, text, spoken = text, onChange,
}: DialProps): JSX.Element {
  /** Whether the slider is moved by a drag, which rounds, or by keys, which go one step. */
  const isDragged = useRef(false);
  const onSlider = Math.min(value, sliderMost);
  const choices: Choice<number>[] = presets.map((preset) => ({ value: preset, label: text(preset) }));
  return (
    <div className="dial-set">
      <NumberField
        label={label} value={value} least={least} most={most} text={text} onChange={onChange} testId={name} isLarge
      />
      <input
        className="dial-slider" type="range" min={least} max={sliderMost} step={1} value={onSlider} aria-label={label}
        aria-valuetext={spoken(value)} data-testid={`${name}-slider`}
        style={{ '--share': (onSlider - least) / (sliderMost - least) } as CSSProperties}
        onPointerDown={() => { isDragged.current = true; }}
        onKeyDown={() => { isDragged.current = false; }}
        onChange={(event) => {
          const turned = Number(event.target.value);
          onChange(isDragged.current ? Math.max(least, Math.round(turned / grain) * grain) : turned);
        }}
      />
      <Choices
        legend={lateWords.player.presets(label)} form="presets" choices={choices} value={value} onChoose={onChange}
        testId={`${name}-presets`}
      />
    </div>
  );
}
