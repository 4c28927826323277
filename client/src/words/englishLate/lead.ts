// English: the later words of `lead`.

import { sentence } from '../format';

/** The section `lead`. */
export const lead = {
  together: 'Together',
  otherDevice: 'Your other device',
  leads: (who: string, routine: string) => sentence(`${who} leads ${routine}`),
  join: 'Join',
  leading: 'Leading',
  follow: (count: number) => (count === 0 ? 'nobody follows yet' : count === 1 ? '1 follows' : `${count} follow`),
  stop: 'Stop leading',
  isOver: 'You don’t lead any more: somebody else does, or you may not edit this routine.',
  note: 'A note to all who follow',
  noteExample: 'From the top, watch the arms',
  youFollow: (who: string) => `You follow ${who}`,
  sound: 'Sound on this device',
  leave: 'Leave',
  youLeft: (who: string) => `You don’t follow ${who} any more.`,
  rejoin: 'Follow again',
  ended: (who: string) => sentence(`${who} doesn’t lead any more.`),
};
