// What a leader is called.

import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import type { ToldLead } from './leadState';

/** Returns the name of the person; of this person's other device, the device's. */
export function whoLeads({ person, name, device }: ToldLead, own: string): string {
  if (person === own) return device ?? lateWords.lead.otherDevice;
  return name === '' ? words.people.owner : name;
}
