// Lists the keys.

import { Sheet } from '../ui/Sheet';
import './keyboardHelp.css';
import { clipperKeyTable, keyTable, videoKeyTable } from './keyTables';

/** The keys as a list. */
function KeyTable(): JSX.Element {
  return (
    // Longer than a small screen: it must be scrollable by keyboard.
    <div role="group" aria-label="Keys" tabIndex={0} data-testid="key-table">
      <Keys rows={keyTable} />
      <h3>On the video</h3>
      <Keys rows={videoKeyTable} />
      <h3>In the clipper</h3>
      <Keys rows={clipperKeyTable} />
    </div>
  );
}

function Keys({ rows }: { rows: typeof keyTable }): JSX.Element {
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
  return <Sheet title="Keys" onClose={onClose} testId="keyboard-help"><KeyTable /></Sheet>;
}
