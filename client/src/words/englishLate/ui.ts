// English: the later words of `ui`.

import { number } from '../format';

/** The section `ui`. */
export const ui = {
  share: 'Share…',
  shareOf: (what: string) => `Share ${what}…`,
  shareAgain: 'The file is ready. Press Share again.',
  notShared: (reason: string) => `This could not be shared. ${reason}`,
  nowAt: (name: string, rank: number, count: number) => `${name}, now ${number(rank)} of ${number(count)}`,
  grip: (name: string, rank: number, count: number) => (
    `Reorder ${name}, ${number(rank)} of ${number(count)}. Use the arrow keys to move it.`
  ),
  reorder: (name: string) => `Reorder ${name}`,
  addSongs: 'Add songs',
  addMoreSongs: 'Add more songs',
  chooseSeveral: 'Choose several at once',
  chooseOrDrop: 'Choose several at once, or drop them here',
  ownColour: 'Custom',
  colours: {
    red: 'Red', orange: 'Orange', amber: 'Amber', olive: 'Olive', green: 'Green', teal: 'Teal', sky: 'Sky', blue: 'Blue',
    violet: 'Violet', purple: 'Purple', pink: 'Pink', grey: 'Grey',
  },
  devices: {
    androidPhone: 'Android phone', androidTablet: 'Android tablet', windows: 'Windows computer', linux: 'Linux computer',
  },
};
