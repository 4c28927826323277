// The name of a device, edited in place.

import { useState } from 'react';
import { IconButton } from '../ui/Button';
import { excess } from '../sync/validation';
import { TooLong } from '../ui/TooLong';
import { limitInput } from '../ui/typing';
import { oneLine } from '../ui/text';
import { lateWords } from '../words/lateWords';

/** The maximum length of a device's name. */
export const longestName = 40;

interface EditableNameProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onCancel: () => void;
}

/** The field; Enter or the tick saves, Escape cancels. */
export function EditableName({ name, onName, onCancel }: EditableNameProps): JSX.Element {
  const [text, setText] = useState(name);
  const save = (): void => {
    const wanted = text.trim();
    if (excess(wanted, longestName) !== null) return;
    if (wanted === '' || wanted === name) onCancel();
    else onName(wanted);
  };
  return (
    <form
      className="device-name"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <input
        className="input" aria-label={lateWords.devices.deviceName} dir="auto" autoComplete="off" enterKeyHint="done" value={text}
        autoFocus data-testid="device-name" onChange={(event) => setText(oneLine(limitInput(event.target, text, longestName)))}
        onFocus={(event) => event.target.select()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
        }}
      />
      <TooLong text={text} limit={longestName} />
      <IconButton icon="check" label={lateWords.devices.saveName} type="submit" data-testid="device-name-save" />
    </form>
  );
}
