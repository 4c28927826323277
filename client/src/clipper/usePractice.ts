// How the clipper plays: the speed for as long as its page is open, the countdown for good.

import { useMemo, useState } from 'react';
import { useServices, useSetting } from '../services/services';
import {
  practiceOf, type PracticeFields, type PracticeSettings, type SetPractice,
} from '../parts/practiceSettings';

/** What holds in the clipper, and what changes it. */
export interface ClipperPractice {
  readonly fields: PracticeFields;
  readonly settings: PracticeSettings;
  readonly set: SetPractice;
}

/** Reads and changes how the clipper plays. */
export function usePractice(): ClipperPractice {
  const { library } = useServices();
  const countdownSeconds = useSetting('clipperCountdownSeconds');
  const countdownRepeats = useSetting('countdownRepeats');
  const [fields, setFields] = useState<PracticeFields>({});
  return useMemo(() => ({
    fields,
    settings: practiceOf(fields, { countdownSeconds, countdownRepeats }),
    set: ({ countdownSeconds: seconds, ...others }) => {
      if (seconds != null) library.set('clipperCountdownSeconds', seconds);
      setFields((before) => ({ ...before, ...others }));
    },
  }), [fields, countdownSeconds, countdownRepeats, library]);
}
