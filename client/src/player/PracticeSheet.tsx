// The sheet of a dial, for the part that was shown when it opened.

import { useServices } from '../services/services';
import type { Part } from '../sync/records';
import { targetFields, targetPercent } from '../parts/targetSpeed';
import { CountdownSheet } from './CountdownSheet';
import { PitchSheet } from './PitchSheet';
import type { PracticeSetting, SetPractice } from '../parts/practiceSettings';
import { RepeatSheet } from './RepeatSheet';
import { SpeedSheet } from './SpeedSheet';
import { useOpenedPart } from '../parts/useOpenedPart';
import { usePartPractice } from '../parts/usePartPractice';

interface PracticeSheetProps {
  readonly name: PracticeSetting;
  /** The part that is shown. */
  readonly part: Part;
  readonly onClose: () => void;
}

/** The sheet of one dial. */
export function PracticeSheet({ name, part: shown, onClose }: PracticeSheetProps): JSX.Element {
  const { library } = useServices();
  const part = useOpenedPart(shown, onClose);
  const settings = usePartPractice(part);
  const onSet: SetPractice = (fields) => library.edit('part', part.id, fields);
  switch (name) {
    case 'speed':
      return (
        <SpeedSheet
          fields={part} onSet={onSet} onClose={onClose} isHeard={part.id === shown.id}
          target={{ percent: targetPercent(part), onSet: (percent) => onSet(targetFields(percent)) }}
        />
      );
    case 'pitch':
      return <PitchSheet fields={part} onSet={onSet} onClose={onClose} />;
    case 'countdown':
      return <CountdownSheet settings={settings} onSet={onSet} onClose={onClose} />;
    case 'repeat':
      return <RepeatSheet fields={part} settings={settings} onSet={onSet} onClose={onClose} />;
  }
}
