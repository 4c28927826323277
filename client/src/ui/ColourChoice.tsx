// The choice of a colour from the palette.

import { useId } from 'react';
import { lateWords } from '../words/lateWords';
import './colours.css';
import { moveColours } from './moveTypes';

interface ColourChoiceProps {
  readonly legend: string;
  readonly value: string | null;
  readonly onChoose: (value: string) => void;
}

/** Radio buttons as discs. A colour outside the palette stays selectable as long as it is set. */
export function ColourChoice({ legend, value: chosen, onChoose }: ColourChoiceProps): JSX.Element {
  const group = useId();
  const isOwn = chosen !== null && chosen !== '' && !moveColours.some(({ value }) => value === chosen);
  const own = isOwn ? [{ value: chosen, key: 'its-own', name: lateWords.ui.ownColour }] : [];
  const choices = [...moveColours.map(({ value, name }) => ({ value, key: name, name: lateWords.ui.colours[name] })), ...own];
  return (
    <div role="radiogroup" aria-labelledby={`${group}-legend`}>
      <span className="choices-legend" id={`${group}-legend`}>{legend}</span>
      <div className="colours">
        {choices.map(({ value, key, name }) => (
          <label key={value} className="colour" title={name}>
            <input
              type="radio" name={group} aria-label={name} checked={value === chosen} data-testid={`colour-${key}`}
              onChange={() => onChoose(value)}
            />
            <span style={{ backgroundColor: value }} />
          </label>
        ))}
      </div>
    </div>
  );
}
