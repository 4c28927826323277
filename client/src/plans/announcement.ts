// What is said before a step: as much as can be fetched in time.

import { callLanguage, nameOfPart } from '../audio/callNames';
import { fetchVoice } from '../audio/voice';
import type { SpeechLanguage } from '../generated/speech';
import type { PlanStep } from '../practice/plan';
import type { Part } from '../sync/records';
import { spokenStep } from './stepText';

/** How long a step waits for the server's speech, in milliseconds. */
const patience = 2_500;

/**
 * Returns the address of a step's announcement: the whole sentence, or without a network the name of its part,
 * which is kept with the routine. Null if neither can be fetched in time.
 */
export async function announcementOf(
  step: PlanStep, parts: readonly Part[], chosen: SpeechLanguage | 'interface',
): Promise<string | null> {
  const language = callLanguage(chosen);
  const title = parts.find(({ id }) => id === step.firstPart)?.title ?? '';
  const addresses = [spokenStep(step, parts), title].filter((text) => text !== '').map((text) => nameOfPart(text, language));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patience);
  });
  const fetched = async (): Promise<string | null> => {
    for (const address of addresses) {
      if (await fetchVoice(address).then(() => true, () => false)) return address;
    }
    return null;
  };
  const found = await Promise.race([fetched(), isLate]);
  clearTimeout(timer);
  return found;
}
