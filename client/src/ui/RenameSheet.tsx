// The sheet that renames something; input is saved at once.

import { words } from '../words/words';
import { Button } from './Button';
import { SavedField } from './LimitedField';
import { Sheet } from './Sheet';

interface RenameSheetProps {
  readonly title: string;
  /** The label of the name's field. */
  readonly label: string;
  readonly id: string;
  readonly name: string;
  readonly limit: number;
  readonly testId: string;
  readonly save: (name: string) => void;
  readonly onClose: () => void;
}

/** The sheet, with the name in its field. */
export function RenameSheet({ title, label, id, name, limit, testId, save, onClose }: RenameSheetProps): JSX.Element {
  return (
    <Sheet
      title={title} size="small" onClose={onClose} testId={testId}
      footer={<Button kind="primary" onClick={onClose} data-testid="rename-done">{words.common.done}</Button>}
    >
      <SavedField label={label} id={id} value={name} limit={limit} isRequired isFirst testId="track-title" save={save} />
    </Sheet>
  );
}
