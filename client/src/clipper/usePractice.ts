// The playback settings of the clipper: the speed lasts until its page is closed, the countdown is
// permanent.

import { useMemo, useState } from 'react';
import { useServices, useSetting } from '../services/services';
import {
  practiceOf, type PracticeFields, type PracticeSettings, type SetPractice,
} from '../parts/practiceSettings';

/** The clipper's settings, and the functions that change them. */
export interface ClipperPractice {
  readonly fields: PracticeFields;
  readonly settings: PracticeSettings;
  readonly set: SetPractice;
}

/** Reads and changes the clipper's playback settings. */
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
