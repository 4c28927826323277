// The types of moves as chips, with a form for a new type.

import { useId, useLayoutEffect, useRef } from 'react';
import { useFromLibrary } from '../services/services';
import { LimitedField } from '../ui/LimitedField';
import { limits } from '../sync/validation';
import { lateWords } from '../words/lateWords';
import { abbreviationOf, typesIn, type TypeChoice } from './typeChoice';
import './typePicker.css';

interface TypePickerProps {
  readonly choice: TypeChoice;
  /** The group of the routine, if it has one. */
  readonly space: string | undefined;
  readonly onChoose: (choice: TypeChoice) => void;
}

/** Radio buttons that look like chips. */
export function TypePicker({ choice, space, onChoose }: TypePickerProps): JSX.Element {
  const group = useId();
  const root = useRef<HTMLDivElement>(null);
  /** Whether a type is being chosen by a press: the arrow keys go through the types and must stay there. */
  const isPressed = useRef(false);
  const isNew = choice.kind === 'new';
  useLayoutEffect(() => {
    if (isNew && isPressed.current) root.current?.querySelector<HTMLElement>('.type-new input')?.focus();
    isPressed.current = false;
  }, [isNew]);
  const all = useFromLibrary((library) => library.all('moveType'));
  const types = [...typesIn(all, space)].sort((one, other) => one.name.localeCompare(other.name));
  const chip = (
    key: string, isOn: boolean, label: string, chosen: Partial<TypeChoice>, colour?: string | null,
  ): JSX.Element => (
    <label key={key} className="choice" onPointerDown={() => { isPressed.current = true; }}>
      <input
        type="radio" name={group} checked={isOn} data-testid={`type-${chosen.kind ?? ''}`}
        onChange={() => onChoose({ ...choice, typeId: null, ...chosen })}
      />
      <span className="type-chip">
        {colour !== undefined && <i style={colour ? { backgroundColor: colour } : undefined} />}
        <b dir="auto">{label}</b>
      </span>
    </label>
  );
  return (
    <div className="type-picker" ref={root} onKeyDown={() => { isPressed.current = false; }}>
      <div role="radiogroup" aria-labelledby={`${group}-legend`} data-testid="type-picker">
        <span className="choices-legend" id={`${group}-legend`}>{lateWords.moves.type}</span>
        <div className="type-chips">
          {types.map((type) => chip(
            type.id, choice.typeId === type.id, type.name, { kind: 'type', typeId: type.id }, type.colour ?? null,
          ))}
          {chip('none', choice.kind === 'none', lateWords.moves.noType, { kind: 'none' })}
          {chip('new', choice.kind === 'new', lateWords.moves.newType, { kind: 'new' })}
        </div>
      </div>
      {isNew && (
        <div className="type-new">
          <LimitedField
            label={lateWords.moves.typeName} value={choice.name} limit={limits.moveType.name} testId="new-type-name"
            onChange={(name) => onChoose({ ...choice, name })}
          />
          <LimitedField
            label={lateWords.moves.typeShort} value={abbreviationOf(choice)} limit={limits.moveType.abbreviation}
            testId="new-type-abbreviation"
            onChange={(abbreviation) => onChoose({ ...choice, abbreviation })}
          />
        </div>
      )}
    </div>
  );
}
