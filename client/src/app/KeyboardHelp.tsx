// Lists the keys.

import { Sheet } from '../ui/Sheet';
import './keyboardHelp.css';
import { keyTable } from './keys';

/** The keys as a list. */
export function KeyTable(): JSX.Element {
  return (
    <dl className="keys" data-testid="key-table">
      {keyTable.map(({ keys, meaning }) => (
        <div key={keys.join()} className="keys-row">
          <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The sheet that `?` opens. */
export function KeyboardHelp({ onClose }: { onClose: () => void }): JSX.Element {
  return <Sheet title="Keys" onClose={onClose} testId="keyboard-help"><KeyTable /></Sheet>;
}
