// The name of a part, song or clip, edited in its list row.

import type { InputHTMLAttributes } from 'react';
import { useSavedText, type SavedTextOptions } from './useSavedText';
import { TooLong } from './TooLong';
import { limitInput } from './typing';
import { oneLine } from './text';

interface RowNameProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> {
  readonly value: string;
  readonly limit: number;
  readonly onText: (text: string) => void;
}

/** The field, with an error about its text. */
export function RowName({ value, limit, onText, ...rest }: RowNameProps): JSX.Element {
  return (
    <>
      <input
        className="song-title" dir="auto" autoComplete="off" enterKeyHint="done" {...rest} value={value}
        onChange={(event) => onText(oneLine(limitInput(event.target, value, limit)))}
      />
      <TooLong text={value} limit={limit} />
    </>
  );
}

type SavedNameProps = Omit<RowNameProps, 'onText' | 'onBlur'> & SavedTextOptions;

/** The same for a record's name that is saved on every input. */
export function SavedName({ id, value, limit, isRequired, save, ...rest }: SavedNameProps): JSX.Element {
  const { text, onText, onBlur } = useSavedText({ id, value, limit, isRequired, save });
  return <RowName {...rest} value={text} limit={limit} onText={onText} onBlur={onBlur} />;
}
