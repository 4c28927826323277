// Lists the keys.

import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import './keyboardHelp.css';
import { clipperKeys, practiceKeys, videoKeys, type KeyRows } from './keyTables';

/** The keys as a list. */
function KeyTable(): JSX.Element {
  return (
    // Longer than a small screen: it must be scrollable by keyboard.
    <div role="group" aria-label={lateWords.app.keys} tabIndex={0} data-testid="key-table">
      <Keys rows={practiceKeys()} />
      <h3>{lateWords.app.onVideo}</h3>
      <Keys rows={videoKeys()} />
      <h3>{lateWords.app.inClipper}</h3>
      <Keys rows={clipperKeys()} />
    </div>
  );
}

function Keys({ rows }: { rows: KeyRows }): JSX.Element {
  return (
    <dl className="keys">
      {rows.map(({ keys, meaning }) => (
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
  return <Sheet title={lateWords.app.keys} onClose={onClose} testId="keyboard-help"><KeyTable /></Sheet>;
}
